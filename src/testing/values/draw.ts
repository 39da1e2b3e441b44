// Repeatable random choices: the same seed makes the same choices on every machine.

import { ExampleSeed } from '../../schema/example.ts'
/** A seeded source of random choices. */
export class Draw {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** Returns an independent source for a named purpose: its choices do not affect those of other sources. */
  static forPurpose(seed: number, purpose: string): Draw {
    return new Draw(new ExampleSeed(`${seed}/${purpose}`).numberBelow(0x1_0000_0000))
  }

  /** Returns an integer from 0 to `below` - 1 (mulberry32). */
  integerBelow(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let bits = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) % below
  }

  /** Returns true with the given probability in percent. */
  chance(percent: number): boolean {
    return this.integerBelow(100) < percent
  }

  /** Picks one of the values; returns undefined for an empty list. */
  pick<T>(values: readonly T[]): T | undefined {
    return values.length === 0 ? undefined : values[this.integerBelow(values.length)]
  }

  /** Picks each value with a probability of one half; keeps their order. */
  subset<T>(values: readonly T[]): T[] {
    return values.filter(() => this.chance(50))
  }

  /** Creates a seed for the example of a name. */
  createSeed(name: string): ExampleSeed {
    return new ExampleSeed(`/${this.integerBelow(0x1_0000_0000)}/${name}`, name)
  }
}
