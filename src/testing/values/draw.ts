// Random choices that repeat: the same seed makes the same choices in every run and on every machine.
import { RowSeed } from '../../mock/seed.ts'

/** A source of choices. */
export class Draw {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** A source of its own for a named purpose: what one of them chooses does not change what others choose. */
  static forPurpose(seed: number, purpose: string): Draw {
    return new Draw(new RowSeed(`${seed}/${purpose}`).pick(0x1_0000_0000))
  }

  /** A whole number from 0 to `below` - 1 (mulberry32). */
  integerBelow(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let bits = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) % below
  }

  /** True in so many of a hundred cases. */
  chance(share: number): boolean {
    return this.integerBelow(100) < share
  }

  /** One of some values; undefined where there is none. */
  pick<T>(all: readonly T[]): T | undefined {
    return all.length === 0 ? undefined : all[this.integerBelow(all.length)]
  }

  /** Some of some values, in their order. */
  subset<T>(all: readonly T[]): T[] {
    return all.filter(() => this.chance(50))
  }

  /** The seed of an example at a place. */
  createSeed(name: string): RowSeed {
    return new RowSeed(`/${this.integerBelow(0x1_0000_0000)}/${name}`, name)
  }
}
