// Patterns without demands: an automaton whose states are made when a text first needs them, and forgotten when there are many.
import type { Alphabet } from './alphabet.ts'
import { Closure } from './closure.ts'
import type { Program } from './program.ts'

interface State {
  readonly at: Int32Array
  readonly matched: boolean
  /** The next state for each character of ASCII. */
  readonly ascii: (State | undefined)[]
  /** The next state for each class of all other characters. */
  readonly others: (State | undefined)[]
}

// In numbers that states keep: about 2 MB at most for each pattern.
const MAX_REMEMBERED = 250_000
const STATE_SIZE = 160

/** Runs a program that has no demands. */
export class Automaton {
  readonly #closure: Closure
  readonly #alphabet: Alphabet
  readonly #unicode: boolean
  #states = new Map<string, State>()
  #remembered = 0
  #start: State | undefined

  constructor({ code }: Program, alphabet: Alphabet, unicode: boolean) {
    this.#closure = new Closure(code)
    this.#alphabet = alphabet
    this.#unicode = unicode
  }

  /** How many instructions were looked at, ever; a step between two known states looks at none. */
  get steps(): number {
    return this.#closure.steps
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
    this.#closure.clear()
    this.#closure.add(0)
    this.#start = this.#state()
    return this.#start
  }

  #advance(from: State, next: (State | undefined)[], index: number, code: number): State {
    const closure = this.#closure
    const members = this.#alphabet.membersOf(this.#alphabet.classOf(code))
    closure.clear()
    closure.advance(from.at, from.at.length, members)
    const state = this.#state()
    next[index] = state
    return state
  }

  /** The state of what the closure holds. */
  #state(): State {
    const { found, count, matched } = this.#closure
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
