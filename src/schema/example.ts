// Deterministic examples: a declaration produces the same example in every run and on every machine.
import { hashText } from '../util/naming.ts'

/** The location of an example; its name and path determine the value. */
export class ExampleSeed {
  readonly path: string
  readonly name: string
  readonly depth: number

  constructor(path = '', name = '', depth = 0) {
    this.path = path
    this.name = name
    this.depth = depth
  }

  /** Returns the seed of a location below this one. */
  at(step: string | number): ExampleSeed {
    return new ExampleSeed(`${this.path}/${step}`, typeof step === 'string' ? step : this.name, this.depth + 1)
  }

  /**
   * Returns a number from 0 to `below` - 1 that depends only on the path. Similar paths yield unrelated numbers, or the
   * columns of a mock's rows would correlate: the finalizer of MurmurHash3 spreads every bit of the hash over all others.
   */
  numberBelow(below: number): number {
    let bits = hashText(this.path, 0x811c9dc5)
    bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
    bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
    return ((bits ^ (bits >>> 16)) >>> 0) % below
  }

  /** Picks one of the values. */
  pick<T>(values: readonly T[]): T {
    return values[this.numberBelow(values.length)] as T
  }
}

/** The depth to which an example follows recursive types; below it, optional parts are left out. */
export const MAX_EXAMPLE_DEPTH = 4
