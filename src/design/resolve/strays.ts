// Strays: what stands where an attribute should, and attributes that inherit where there is nothing to inherit from.
import { type Attribute, type Attributes, isAttribute } from '../../schema/attribute.ts'
import { type InheritingAttributes, isInherit } from '../../schema/inherit.ts'
import { described } from '../../util/described.ts'
import { isMediaType, type MediaType } from '../declare/media-type.ts'
import { inherits, partsOf } from './heirs.ts'
import type { Report } from './mistakes.ts'

/** The source of inherited attributes: something that has attributes, or a reason why there is nothing. */
type Origin =
  | { readonly name: string; readonly attributes: Attributes; readonly nothing?: never }
  | { readonly nothing: string }

const REMEDY = 'give the attribute a type of its own, or name another reference with payloadOf'

/** Reports the strays among attributes that inherit from a media type. */
export function checkStrays(
  setting: string,
  given: InheritingAttributes,
  from: MediaType | string | undefined,
  report: Report,
): void {
  checkFields(setting, given, originIn(from), report)
}

/** Reports the strays in an attribute, below which some may inherit from a media type. */
export function checkStray(
  setting: string,
  one: Attribute,
  from: MediaType | string | undefined,
  report: Report,
): void {
  checkHeir(setting, one, originIn(from), report)
}

const originIn = (from: MediaType | string | undefined): Origin =>
  isMediaType(from) ? from : { nothing: 'the endpoint has no media type' }

function checkFields(setting: string, given: InheritingAttributes, origin: Origin, report: Report): void {
  for (const [name, one] of Object.entries(given)) {
    const place = `${setting}.${name}`
    if (isInherit(one)) {
      const source = attributeOf(origin, name)
      if (typeof source === 'string') report(place, `${source} to inherit from`, REMEDY)
    } else if (isAttribute(one)) checkHeir(place, one, below(origin, name), report)
    else {
      const remedy = 'declare it with t, for example t.string(), or inherit'
      report(place, `it is ${described(one)}, not an attribute`, remedy)
    }
  }
}

function checkHeir(place: string, one: Attribute, origin: Origin, report: Report): void {
  if (!inherits(one)) return
  const { children, element } = one.core
  if (element === undefined) checkFields(place, children, origin, report)
  else checkHeir(place, element, origin, report)
}

/** An attribute of an origin, or why there is none. */
function attributeOf(origin: Origin, name: string): Attribute | string {
  if (origin.nothing !== undefined) return origin.nothing
  const found = Object.hasOwn(origin.attributes, name) ? origin.attributes[name] : undefined
  return found ?? `${origin.name} has no attribute '${name}'`
}

function below(origin: Origin, name: string): Origin {
  const found = attributeOf(origin, name)
  if (typeof found === 'string' || origin.nothing !== undefined) return { nothing: found as string }
  const named = `${origin.name}.${name}`
  const attributes = partsOf(found)
  return attributes === undefined ? { nothing: `${named} has no attributes` } : { name: named, attributes }
}
