// Patterns with assertions: edges and lookarounds are evaluated for every position of a text first, each in one pass,
// innermost first. Then the pattern itself runs once. The time is linear in the text, regardless of nesting.
import type { Alphabet } from './alphabet.ts'
import { type AssertionTest, Closure } from './closure.ts'
import type { Assertion, RegExpCode, RegExpProgram } from './program.ts'

const LINE_ENDS: ReadonlySet<number> = new Set([10, 13, 0x2028, 0x2029])

/** A text in the passes: the code and the class of each character. */
interface Characters {
  readonly codes: readonly number[]
  readonly classes: readonly number[]
}

/** Runs a program that has assertions. */
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
    this.#lookarounds = program.assertions.map((assertion) =>
      'code' in assertion ? new AssertionPass(assertion.code, alphabet) : undefined,
    )
  }

  /** The total number of visited instructions. */
  get steps(): number {
    return this.#lookarounds.reduce((sum, lookaround) => sum + (lookaround?.steps ?? 0), this.#main.steps)
  }

  test(text: string): boolean {
    const codes = this.#unicode ? Array.from(text, (one) => one.codePointAt(0) as number) : toCodeUnits(text)
    const characters = { codes, classes: codes.map((code) => this.#alphabet.getClass(code)) }
    const evaluated: Uint8Array[] = []
    this.#program.assertions.forEach((assertion, number) => {
      evaluated.push(this.#evaluate(assertion, this.#lookarounds[number], characters, evaluated))
    })
    return this.#main.matchesAll(characters.classes, evaluated)
  }

  #evaluate(
    assertion: Assertion,
    lookaround: AssertionPass | undefined,
    characters: Characters,
    evaluated: readonly Uint8Array[],
  ): Uint8Array {
    if ('edge' in assertion) return this.#evaluateEdge(assertion, characters)
    const { behind, negated } = assertion
    const found = (lookaround as AssertionPass).matchEverywhere(characters.classes, behind, evaluated)
    return negated ? found.map((one) => 1 - one) : found
  }

  #evaluateEdge({ edge, word }: Extract<Assertion, { edge: string }>, { codes, classes }: Characters): Uint8Array {
    const last = codes.length
    const isWord = (index: number): boolean =>
      index >= 0 && index < last && this.#alphabet.getMembers(classes[index] as number)[word] === 1
    const endsLine = (index: number): boolean => LINE_ENDS.has(codes[index] as number)
    const holds = {
      start: (index: number) => index === 0,
      end: (index: number) => index === last,
      'line-start': (index: number) => index === 0 || endsLine(index - 1),
      'line-end': (index: number) => index === last || endsLine(index),
      word: (index: number) => isWord(index - 1) !== isWord(index),
      'not-word': (index: number) => isWord(index - 1) === isWord(index),
    }[edge]
    return Uint8Array.from({ length: last + 1 }, (_, index) => (holds(index) ? 1 : 0))
  }
}

const toCodeUnits = (text: string): number[] => Array.from({ length: text.length }, (_, i) => text.charCodeAt(i))

/** One program, run over a text from one end to the other. */
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

  /** Returns whether the program matches a complete text. */
  matchesAll(classes: readonly number[], evaluated: readonly Uint8Array[]): boolean {
    this.#now.clear()
    this.#now.add(0, createTestAt(evaluated, 0))
    for (let i = 0; i < classes.length && this.#now.count > 0; i++) {
      this.#step(classes[i] as number, createTestAt(evaluated, i + 1))
      if (i === classes.length - 1) return this.#now.matched
    }
    return classes.length === 0 && this.#now.matched
  }

  /** Returns for each position whether a part of the text that ends there (or, backwards, begins there) matches. */
  matchEverywhere(classes: readonly number[], forward: boolean, evaluated: readonly Uint8Array[]): Uint8Array {
    const last = classes.length
    const found = new Uint8Array(last + 1)
    this.#now.clear()
    for (let i = 0; i <= last; i++) {
      const position = forward ? i : last - i
      if (i > 0) this.#step(classes[forward ? i - 1 : position] as number, createTestAt(evaluated, position))
      this.#now.add(0, createTestAt(evaluated, position))
      found[position] = this.#now.matched ? 1 : 0
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
  (evaluated: readonly Uint8Array[], position: number): AssertionTest =>
  (assertion) =>
    evaluated[assertion]?.[position] === 1
