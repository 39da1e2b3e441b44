// The characters of a pattern in classes: those that no atom of it tells apart share a number.
import type { Atom } from './atom.ts'

const MAX_KNOWN = 4096

/** Numbers characters so that equal numbers mean equal treatment by every atom. */
export class Alphabet {
  readonly #atoms: readonly Atom[]
  readonly #ascii = new Int32Array(128).fill(-1)
  readonly #nonAscii = new Map<number, number>()
  readonly #numbers = new Map<string, number>()
  readonly #members: Uint8Array[] = []

  constructor(atoms: readonly Atom[]) {
    this.#atoms = atoms
  }

  /** How many classes were met so far. */
  get size(): number {
    return this.#members.length
  }

  /** The class of a character. */
  getClass(code: number): number {
    const known = code < 128 ? (this.#ascii[code] as number) : (this.#nonAscii.get(code) ?? -1)
    return known >= 0 ? known : this.#classify(code)
  }

  /** Which atoms take the characters of a class: 1 for each that does. */
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
      // Clients choose the characters; what is remembered of them stays bounded.
      if (this.#nonAscii.size >= MAX_KNOWN) this.#nonAscii.clear()
      this.#nonAscii.set(code, number)
    }
    return number
  }
}
