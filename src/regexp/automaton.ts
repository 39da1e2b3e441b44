// Patterns without assertions except the start and the end of the text: an automaton whose states are created on
// demand, and discarded when there are many.
import type { Alphabet } from './alphabet.ts'
import { type AssertionTest, Closure } from './closure.ts'
import type { RegExpProgram } from './program.ts'

type AnchoredProgram = RegExpProgram & { readonly assertions: readonly { readonly edge: 'start' | 'end' }[] }

/** Returns whether a program has no assertions except the start and the end of the text. */
export function hasOnlyAnchors(program: RegExpProgram): program is AnchoredProgram {
  return program.assertions.every((one) => 'edge' in one && (one.edge === 'start' || one.edge === 'end'))
}

interface AutomatonState {
  readonly at: Int32Array
  /** Whether a text that ends here matches. */
  readonly matched: boolean
  /** The next state for each ASCII character. */
  readonly ascii: (AutomatonState | undefined)[]
  /** The next state for each class of other characters. */
  readonly nonAscii: (AutomatonState | undefined)[]
}

// The total size of the cached states, in numbers: about 2 MB at most for each pattern.
const MAX_REMEMBERED = 250_000
const STATE_SIZE = 160

/** Runs a program without assertions except the start and the end of the text. */
export class Automaton {
  /** The instructions of a text that continues, and of one that ends. */
  readonly #closure: Closure
  readonly #endClosure: Closure
  readonly #createTest: (first: boolean, last: boolean) => AssertionTest
  readonly #alphabet: Alphabet
  readonly #unicode: boolean
  #states = new Map<string, AutomatonState>()
  #remembered = 0
  #start: AutomatonState | undefined

  constructor({ code, assertions }: AnchoredProgram, alphabet: Alphabet, unicode: boolean) {
    this.#closure = new Closure(code)
    this.#endClosure = new Closure(code)
    this.#createTest = (first, last) => (assertion) => (assertions[assertion]?.edge === 'start' ? first : last)
    this.#alphabet = alphabet
    this.#unicode = unicode
  }

  /** The total number of visited instructions; a transition between two known states visits none. */
  get steps(): number {
    return this.#closure.steps + this.#endClosure.steps
  }

  test(text: string): boolean {
    let state = this.#start ?? this.#begin()
    for (let i = 0; i < text.length; i++) {
      let code = text.charCodeAt(i)
      if (code < 128) state = state.ascii[code] ?? this.#advance(state, state.ascii, code, code)
      else {
        if (this.#unicode && code >= 0xd800 && code < 0xdc00) {
          code = text.codePointAt(i) as number
          if (code > 0xffff) i++
        }
        const char = this.#alphabet.getClass(code)
        state = state.nonAscii[char] ?? this.#advance(state, state.nonAscii, char, code)
      }
      if (state === DEAD_STATE) return false
    }
    return state.matched
  }

  #begin(): AutomatonState {
    this.#start = this.#reachState((closure, last) => closure.add(0, this.#createTest(true, last)))
    return this.#start
  }

  #advance(from: AutomatonState, next: (AutomatonState | undefined)[], index: number, code: number): AutomatonState {
    const members = this.#alphabet.getMembers(this.#alphabet.getClass(code))
    const state = this.#reachState((closure, last) =>
      closure.advance(from.at, from.at.length, members, this.#createTest(false, last)),
    )
    next[index] = state
    return state
  }

  /** Returns the state reached by filling a closure; `last` states whether the text ends there. */
  #reachState(fill: (closure: Closure, last: boolean) => void): AutomatonState {
    this.#closure.clear()
    fill(this.#closure, false)
    this.#endClosure.clear()
    fill(this.#endClosure, true)
    const { found, count } = this.#closure
    const { matched } = this.#endClosure
    if (count === 0 && !matched) return DEAD_STATE
    const at = found.slice(0, count).sort()
    const key = `${matched ? '!' : ''}${at.join()}`
    const known = this.#states.get(key)
    if (known !== undefined) return known
    this.#remembered += at.length + STATE_SIZE
    if (this.#remembered > MAX_REMEMBERED) this.#forget()
    const state: AutomatonState = { at, matched, ascii: Array.from({ length: 128 }), nonAscii: [] }
    this.#states.set(key, state)
    return state
  }

  // Cached states refer to each other, so all of them are discarded; the next texts create the states that they need.
  #forget(): void {
    this.#states = new Map()
    this.#remembered = 0
    this.#start = undefined
  }
}

const DEAD_STATE: AutomatonState = { at: new Int32Array(), matched: false, ascii: [], nonAscii: [] }
