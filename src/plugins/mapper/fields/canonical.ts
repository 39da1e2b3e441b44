// Canonical values: the form of element values that comparisons and links use.
import { attributeRules, Dumping, INVALID, type Loader, Loading } from '../../../extend.ts'
import type { Attribute } from '../../../index.ts'

/**
 * Converts a value of an element to the form that a link returns: a timestamp may be a Date in one element and text in
 * another. A value that does not fit its attribute becomes null; otherwise links would skip elements.
 */
export function toCanonicalValue(
  value: unknown,
  { core }: Attribute,
  load: Loader = attributeRules.getLoader({ core }),
): unknown {
  if (value === null || value === undefined) return null
  const dumped = attributeRules.getDumper({ core })(value, new Dumping('unchecked'))
  if (dumped === INVALID) return null
  const loaded = load(dumped, new Loading('json'))
  return loaded === INVALID ? null : loaded
}
