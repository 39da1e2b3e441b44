// Deterministic examples: the same declaration gives the same example in every run and on every machine.

/** The place of an example; its name and path determine the value. */
export class ExampleSeed {
  readonly path: string
  readonly name: string
  readonly depth: number

  constructor(path = '', name = '', depth = 0) {
    this.path = path
    this.name = name
    this.depth = depth
  }

  /** The seed of a place below this one. */
  at(step: string | number): ExampleSeed {
    return new ExampleSeed(`${this.path}/${step}`, typeof step === 'string' ? step : this.name, this.depth + 1)
  }

  /** A number from 0 to `below` - 1 that depends on nothing but the path (FNV-1a). */
  pick(below: number): number {
    let hash = 0x811c9dc5
    for (let i = 0; i < this.path.length; i++) hash = Math.imul(hash ^ this.path.charCodeAt(i), 0x01000193)
    return (hash >>> 0) % below
  }
}

/** How deep an example follows recursive types before it leaves optional parts out. */
export const MAX_EXAMPLE_DEPTH = 4
