// The character classes of a pattern: characters that its atoms do not distinguish share a number.
import type { Atom } from './atom.ts'

const MAX_KNOWN = 4096

/** Numbers characters so that every atom treats characters with equal numbers in the same way. */
export class Alphabet {
  readonly #atoms: readonly Atom[]
  readonly #ascii = new Int32Array(128).fill(-1)
  readonly #nonAscii = new Map<number, number>()
  readonly #numbers = new Map<string, number>()
  readonly #members: Uint8Array[] = []

  constructor(atoms: readonly Atom[]) {
    this.#atoms = atoms
  }

  /** The number of classes found so far. */
  get size(): number {
    return this.#members.length
  }

  /** Returns the class of a character. */
  getClass(code: number): number {
    const known = code < 128 ? (this.#ascii[code] as number) : (this.#nonAscii.get(code) ?? -1)
    return known >= 0 ? known : this.#classify(code)
  }

  /** Returns 1 for each atom that matches the characters of a class. */
  getMembers(number: number): Uint8Array {
    return this.#members[number] as Uint8Array
  }

  #classify(code: number): number {
    const members = Uint8Array.from(this.#atoms, (atom) => (atom.matches(code) ? 1 : 0))
    const key = members.join('')
    let number = this.#numbers.get(key)
    if (number === undefined) {
      number = this.#members.push(members) - 1
      this.#numbers.set(key, number)
    }
    if (code < 128) this.#ascii[code] = number
    else {
      // Clients choose the characters, so the cache must stay bounded.
      if (this.#nonAscii.size >= MAX_KNOWN) this.#nonAscii.clear()
      this.#nonAscii.set(code, number)
    }
    return number
  }
}
