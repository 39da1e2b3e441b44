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

  /** Returns a number from 0 to `below` - 1 that depends only on the path (FNV-1a). */
  numberBelow(below: number): number {
    return hashText(this.path, 0x811c9dc5) % below
  }
}

/** The depth to which an example follows recursive types; below it, optional parts are left out. */
export const MAX_EXAMPLE_DEPTH = 4
