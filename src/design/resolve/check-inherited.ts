// Checks inheriting attributes: values that are not attributes, and attributes without a source to inherit from.
import { type Attribute, type Attributes, isAttribute } from '../../schema/attribute.ts'
import { type InheritingAttributes, isInherit } from '../../schema/inherit.ts'
import { describeValue } from '../../util/describe-value.ts'
import { findNestedAttributes, hasInherited } from '../declare/inherited-attributes.ts'
import { isMediaType, type MediaType } from '../declare/media-type.ts'
import type { Report } from '../mistakes.ts'

/** The source of inherited attributes, or the reason why there is none. */
type InheritanceOrigin =
  | { readonly name: string; readonly attributes: Attributes; readonly nothing?: never }
  | { readonly nothing: string }

const INHERIT_REMEDY = 'give the attribute a type of its own, or name another reference with payloadOf'

/** Reports mistakes among attributes that inherit from a media type. */
export function checkInheritedAttributes(
  setting: string,
  attributes: InheritingAttributes,
  mediaType: MediaType | string | undefined,
  report: Report,
): void {
  checkAgainstOrigin(setting, attributes, toOrigin(mediaType), report)
}

/** Reports mistakes in an attribute whose parts may inherit from a media type. */
export function checkInheritedAttribute(
  setting: string,
  attribute: Attribute,
  mediaType: MediaType | string | undefined,
  report: Report,
): void {
  checkHeir(setting, attribute, toOrigin(mediaType), report)
}

const toOrigin = (mediaType: MediaType | string | undefined): InheritanceOrigin =>
  isMediaType(mediaType) ? mediaType : { nothing: 'the endpoint has no media type' }

function checkAgainstOrigin(
  setting: string,
  attributes: InheritingAttributes,
  origin: InheritanceOrigin,
  report: Report,
): void {
  for (const [name, one] of Object.entries(attributes)) {
    const path = `${setting}.${name}`
    if (isInherit(one)) {
      const source = findOriginAttribute(origin, name)
      if (typeof source === 'string') report(path, `${source} to inherit from`, INHERIT_REMEDY)
    } else if (isAttribute(one)) {
      if (hasInherited(one)) checkHeir(path, one, getOriginBelow(origin, name), report)
    } else {
      const remedy = 'declare it with t, for example t.string(), or inherit'
      report(path, `it is ${describeValue(one)}, not an attribute`, remedy)
    }
  }
}

function checkHeir(setting: string, attribute: Attribute, origin: InheritanceOrigin, report: Report): void {
  if (!hasInherited(attribute)) return
  const { children, element } = attribute.core
  if (element === undefined) checkAgainstOrigin(setting, children, origin, report)
  else checkHeir(setting, element, origin, report)
}

/** Returns an attribute of an origin, or the reason why there is none. */
function findOriginAttribute(origin: InheritanceOrigin, name: string): Attribute | string {
  if (origin.nothing !== undefined) return origin.nothing
  const found = Object.hasOwn(origin.attributes, name) ? origin.attributes[name] : undefined
  return found ?? `${origin.name} has no attribute '${name}'`
}

// An envelope inherits from what is around it.
function getOriginBelow(origin: InheritanceOrigin, name: string): InheritanceOrigin {
  const found = findOriginAttribute(origin, name)
  if (typeof found === 'string' || origin.nothing !== undefined) return origin
  const attributes = findNestedAttributes(found)
  return attributes === undefined ? origin : { name: `${origin.name}.${name}`, attributes }
}
