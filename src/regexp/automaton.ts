// Patterns that demand nothing but the start and the end of the text: an automaton whose states are made when a text first needs them, and forgotten when there are many.
import type { Alphabet } from './alphabet.ts'
import { Closure, type Holds } from './closure.ts'
import type { Program } from './program.ts'

type Edged = Program & { readonly demands: readonly { readonly edge: 'start' | 'end' }[] }

/** Returns whether a program demands nothing but the start and the end of the text. */
export function isEdged(program: Program): program is Edged {
  return program.demands.every((demand) => 'edge' in demand && (demand.edge === 'start' || demand.edge === 'end'))
}

interface State {
  readonly at: Int32Array
  /** Whether a text that ends here matches. */
  readonly matched: boolean
  /** The next state for each character of ASCII. */
  readonly ascii: (State | undefined)[]
  /** The next state for each class of all other characters. */
  readonly others: (State | undefined)[]
}

// In numbers that states keep: about 2 MB at most for each pattern.
const MAX_REMEMBERED = 250_000
const STATE_SIZE = 160

/** Runs a program that demands nothing but the start and the end of the text. */
export class Automaton {
  /** Where a text can be that goes on, and where one that ends. */
  readonly #closure: Closure
  readonly #ending: Closure
  readonly #holds: (first: boolean, last: boolean) => Holds
  readonly #alphabet: Alphabet
  readonly #unicode: boolean
  #states = new Map<string, State>()
  #remembered = 0
  #start: State | undefined

  constructor({ code, demands }: Edged, alphabet: Alphabet, unicode: boolean) {
    this.#closure = new Closure(code)
    this.#ending = new Closure(code)
    this.#holds = (first, last) => (demand) => (demands[demand]?.edge === 'start' ? first : last)
    this.#alphabet = alphabet
    this.#unicode = unicode
  }

  /** How many instructions were visited in total; a step between two known states visits none. */
  get steps(): number {
    return this.#closure.steps + this.#ending.steps
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
        const char = this.#alphabet.classOf(code)
        state = state.others[char] ?? this.#advance(state, state.others, char, code)
      }
      if (state === DEAD) return false
    }
    return state.matched
  }

  #begin(): State {
    this.#start = this.#state((closure, last) => closure.add(0, this.#holds(true, last)))
    return this.#start
  }

  #advance(from: State, next: (State | undefined)[], index: number, code: number): State {
    const members = this.#alphabet.membersOf(this.#alphabet.classOf(code))
    const state = this.#state((closure, last) =>
      closure.advance(from.at, from.at.length, members, this.#holds(false, last)),
    )
    next[index] = state
    return state
  }

  /** The state that is reached by filling a closure; `last` says whether the text ends there. */
  #state(fill: (closure: Closure, last: boolean) => void): State {
    this.#closure.clear()
    fill(this.#closure, false)
    this.#ending.clear()
    fill(this.#ending, true)
    const { found, count } = this.#closure
    const { matched } = this.#ending
    if (count === 0 && !matched) return DEAD
    const at = found.slice(0, count).sort()
    const key = `${matched ? '!' : ''}${at.join()}`
    const known = this.#states.get(key)
    if (known !== undefined) return known
    this.#remembered += at.length + STATE_SIZE
    if (this.#remembered > MAX_REMEMBERED) this.#forget()
    const made: State = { at, matched, ascii: Array.from({ length: 128 }), others: [] }
    this.#states.set(key, made)
    return made
  }

  // States that lead to each other are one web: the whole of it goes, and the next texts make anew what they need.
  #forget(): void {
    this.#states = new Map()
    this.#remembered = 0
    this.#start = undefined
  }
}

const DEAD: State = { at: new Int32Array(), matched: false, ascii: [], others: [] }
