// Seeds of rows: similar paths must yield unrelated values, or the columns of a row would correlate.
import { ExampleSeed } from '../schema/example.ts'

/** A seed whose choices are well mixed. */
export class RowSeed extends ExampleSeed {
  override at(step: string | number): RowSeed {
    const { path, name, depth } = super.at(step)
    return new RowSeed(path, name, depth)
  }

  // The finalizer of MurmurHash3 spreads every bit of the path's hash over all others.
  override numberBelow(below: number): number {
    let bits = super.numberBelow(0x1_0000_0000)
    bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
    bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
    return ((bits ^ (bits >>> 16)) >>> 0) % below
  }
}
