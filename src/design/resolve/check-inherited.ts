// Strays: what stands where an attribute should, and attributes that inherit where there is nothing to inherit from.
import { type Attribute, type Attributes, isAttribute } from '../../schema/attribute.ts'
import { type InheritingAttributes, isInherit } from '../../schema/inherit.ts'
import { describeValue } from '../../util/describe-value.ts'
import { isMediaType, type MediaType } from '../declare/media-type.ts'
import { hasInherited, getNestedAttributes } from '../declare/inherited-attributes.ts'
import type { Report } from '../mistakes.ts'

/** The source of inherited attributes: something that has attributes, or a reason why there is nothing. */
type InheritanceOrigin =
  | { readonly name: string; readonly attributes: Attributes; readonly nothing?: never }
  | { readonly nothing: string }

const INHERIT_REMEDY = 'give the attribute a type of its own, or name another reference with payloadOf'

/** Reports the strays among attributes that inherit from a media type. */
export function checkInheritedAttributes(
  setting: string,
  given: InheritingAttributes,
  from: MediaType | string | undefined,
  report: Report,
): void {
  checkAgainstOrigin(setting, given, toOrigin(from), report)
}

/** Reports the strays in an attribute, below which some may inherit from a media type. */
export function checkInheritedAttribute(
  setting: string,
  one: Attribute,
  from: MediaType | string | undefined,
  report: Report,
): void {
  checkHeir(setting, one, toOrigin(from), report)
}

const toOrigin = (from: MediaType | string | undefined): InheritanceOrigin =>
  isMediaType(from) ? from : { nothing: 'the endpoint has no media type' }

function checkAgainstOrigin(setting: string, given: InheritingAttributes, origin: InheritanceOrigin, report: Report): void {
  for (const [name, one] of Object.entries(given)) {
    const place = `${setting}.${name}`
    if (isInherit(one)) {
      const source = findOriginAttribute(origin, name)
      if (typeof source === 'string') report(place, `${source} to inherit from`, INHERIT_REMEDY)
    } else if (isAttribute(one)) checkHeir(place, one, getOriginBelow(origin, name), report)
    else {
      const remedy = 'declare it with t, for example t.string(), or inherit'
      report(place, `it is ${describeValue(one)}, not an attribute`, remedy)
    }
  }
}

function checkHeir(place: string, one: Attribute, origin: InheritanceOrigin, report: Report): void {
  if (!hasInherited(one)) return
  const { children, element } = one.core
  if (element === undefined) checkAgainstOrigin(place, children, origin, report)
  else checkHeir(place, element, origin, report)
}

/** An attribute of an origin, or why there is none. */
function findOriginAttribute(origin: InheritanceOrigin, name: string): Attribute | string {
  if (origin.nothing !== undefined) return origin.nothing
  const found = Object.hasOwn(origin.attributes, name) ? origin.attributes[name] : undefined
  return found ?? `${origin.name} has no attribute '${name}'`
}

function getOriginBelow(origin: InheritanceOrigin, name: string): InheritanceOrigin {
  const found = findOriginAttribute(origin, name)
  if (typeof found === 'string' || origin.nothing !== undefined) return { nothing: found as string }
  const named = `${origin.name}.${name}`
  const attributes = getNestedAttributes(found)
  return attributes === undefined ? { nothing: `${named} has no attributes` } : { name: named, attributes }
}
