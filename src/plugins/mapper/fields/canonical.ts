// Values of elements in the one form that all comparisons and links have.
import { Dumping, INVALID, type Loader, Loading } from '../../../extend.ts'
import type { Attribute } from '../../../index.ts'

/**
 * A value of an element as a link gives it back: a moment may be a Date in one element and text in another. One that does
 * not fit its attribute counts as null, or links would lead past elements.
 */
export function canonicalValue(value: unknown, { core }: Attribute, load: Loader = core.loader): unknown {
  if (value === null || value === undefined) return null
  const written = core.dumper(value, new Dumping(false))
  if (written === INVALID) return null
  const read = load(written, new Loading(false))
  return read === INVALID ? null : read
}
