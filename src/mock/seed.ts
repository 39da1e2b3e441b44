// Seeds of rows: places that differ little have to give values that differ much, or whole columns would go together.
import { ExampleSeed } from '../schema/example.ts'

/** A place of an example whose choices are well mixed. */
export class RowSeed extends ExampleSeed {
  override at(step: string | number): RowSeed {
    const { path, name, depth } = super.at(step)
    return new RowSeed(path, name, depth)
  }

  // The last step of MurmurHash3 spreads every bit of the path's number over all others.
  override pick(below: number): number {
    let bits = super.pick(0x1_0000_0000)
    bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
    bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
    return ((bits ^ (bits >>> 16)) >>> 0) % below
  }
}
