// Patterns with demands: edges and looks are settled for every place of a text first, each in one pass, innermost first.
// Then the pattern itself runs once. The time is linear in the text, whatever is nested in whatever.
import type { Alphabet } from './alphabet.ts'
import { Closure, type AssertionTest } from './closure.ts'
import type { RegExpCode, Assertion, RegExpProgram } from './program.ts'

const LINE_ENDS: ReadonlySet<number> = new Set([10, 13, 0x2028, 0x2029])

/** A text as the passes read it: code of each character, and its class. */
interface Characters {
  readonly codes: readonly number[]
  readonly classes: readonly number[]
}

/** Runs a program that has demands. */
export class AssertionMachine {
  readonly #program: RegExpProgram
  readonly #alphabet: Alphabet
  readonly #unicode: boolean
  readonly #main: AssertionPass
  readonly #lookarounds: readonly (AssertionPass | undefined)[]

  constructor(program: RegExpProgram, alphabet: Alphabet, unicode: boolean) {
    this.#program = program
    this.#alphabet = alphabet
    this.#unicode = unicode
    this.#main = new AssertionPass(program.code, alphabet)
    this.#lookarounds = program.assertions.map((demand) => ('code' in demand ? new AssertionPass(demand.code, alphabet) : undefined))
  }

  /** How many instructions were visited in total. */
  get steps(): number {
    return this.#lookarounds.reduce((sum, look) => sum + (look?.steps ?? 0), this.#main.steps)
  }

  test(text: string): boolean {
    const codes = this.#unicode ? Array.from(text, (one) => one.codePointAt(0) as number) : toCodeUnits(text)
    const characters = { codes, classes: codes.map((code) => this.#alphabet.getClass(code)) }
    const settled: Uint8Array[] = []
    this.#program.assertions.forEach((demand, number) => {
      settled.push(this.#evaluate(demand, this.#lookarounds[number], characters, settled))
    })
    return this.#main.matchesAll(characters.classes, settled)
  }

  #evaluate(demand: Assertion, look: AssertionPass | undefined, characters: Characters, settled: readonly Uint8Array[]): Uint8Array {
    if ('edge' in demand) return this.#evaluateEdge(demand, characters)
    const { behind, negated } = demand
    const found = (look as AssertionPass).matchEverywhere(characters.classes, behind, settled)
    return negated ? found.map((one) => 1 - one) : found
  }

  #evaluateEdge({ edge, word }: Extract<Assertion, { edge: string }>, { codes, classes }: Characters): Uint8Array {
    const last = codes.length
    const isWord = (at: number): boolean =>
      at >= 0 && at < last && this.#alphabet.getMembers(classes[at] as number)[word] === 1
    const endsLine = (at: number): boolean => LINE_ENDS.has(codes[at] as number)
    const holds = {
      start: (at: number) => at === 0,
      end: (at: number) => at === last,
      'line-start': (at: number) => at === 0 || endsLine(at - 1),
      'line-end': (at: number) => at === last || endsLine(at),
      word: (at: number) => isWord(at - 1) !== isWord(at),
      'not-word': (at: number) => isWord(at - 1) === isWord(at),
    }[edge]
    return Uint8Array.from({ length: last + 1 }, (_, at) => (holds(at) ? 1 : 0))
  }
}

const toCodeUnits = (text: string): number[] => Array.from({ length: text.length }, (_, i) => text.charCodeAt(i))

/** One code, run over a text from one end to the other. */
class AssertionPass {
  readonly #alphabet: Alphabet
  #now: Closure
  #next: Closure

  constructor(code: RegExpCode, alphabet: Alphabet) {
    this.#alphabet = alphabet
    this.#now = new Closure(code)
    this.#next = new Closure(code)
  }

  get steps(): number {
    return this.#now.steps + this.#next.steps
  }

  /** Returns whether the code takes all of a text. */
  matchesAll(classes: readonly number[], settled: readonly Uint8Array[]): boolean {
    this.#now.clear()
    this.#now.add(0, createTestAt(settled, 0))
    for (let i = 0; i < classes.length && this.#now.count > 0; i++) {
      this.#step(classes[i] as number, createTestAt(settled, i + 1))
      if (i === classes.length - 1) return this.#now.matched
    }
    return classes.length === 0 && this.#now.matched
  }

  /** For each place, whether some part of the text that ends there (or, backwards, begins there) is taken. */
  matchEverywhere(classes: readonly number[], forward: boolean, settled: readonly Uint8Array[]): Uint8Array {
    const last = classes.length
    const found = new Uint8Array(last + 1)
    this.#now.clear()
    for (let i = 0; i <= last; i++) {
      const place = forward ? i : last - i
      if (i > 0) this.#step(classes[forward ? i - 1 : place] as number, createTestAt(settled, place))
      this.#now.add(0, createTestAt(settled, place))
      found[place] = this.#now.matched ? 1 : 0
    }
    return found
  }

  #step(char: number, holds: AssertionTest): void {
    const [now, next] = [this.#now, this.#next]
    next.clear()
    next.advance(now.found, now.count, this.#alphabet.getMembers(char), holds)
    this.#now = next
    this.#next = now
  }
}

const createTestAt =
  (settled: readonly Uint8Array[], place: number): AssertionTest =>
  (demand) =>
    settled[demand]?.[place] === 1
