// Reads the elements of bodies and payloads: those that an action shows, and the values that a call sends.
import type { MediaType } from '../../design/declare/media-type.ts'
import { getMediaType, getResource, readShownPart } from '../../design/fields/shown-part.ts'
import type { ResolvedAction, ResolvedBody } from '../../design/resolve/resolved.ts'
import { type BodyElements, findListing, findShownElements } from '../../mock/body-elements.ts'
import { findPayloadPath } from '../../mock/payload-part.ts'
import type { Attribute, Attributes } from '../../schema/attribute.ts'
import { getListReader, type JsonElement } from '../lists/list-reader.ts'
import type { TestCall } from '../session/test-call.ts'
import { replaceTokens } from '../values/jwt.ts'
import { getMemberAttribute } from '../values/payload-members.ts'

/** Returns the single element that a successful response shows, and where it is. */
function findShownElement(action: ResolvedAction): BodyElements | undefined {
  const elements = findShownElements(action)
  return elements?.isList === false ? elements : undefined
}

/** Returns the attribute of the single element that a successful response shows. */
export const findShownAttribute = (action: ResolvedAction): Attribute | undefined => findShownElement(action)?.attribute

const listSuccessBodies = ({ responses }: ResolvedAction): readonly ResolvedBody[] =>
  [...responses.values()].filter(({ status }) => status < 300).flatMap(({ bodies }) => bodies)

/** Returns the element in a body of an action; undefined for a body that shows none, or a list. */
export function readElement(action: ResolvedAction, body: unknown): JsonElement | undefined {
  const one = findShownElement(action)
  const element = one && readShownPart(body, one.path)
  return isElement(element) ? element : undefined
}

/** Returns the elements of a successful body, one or a list of them, and the attributes that they show. */
export function readElements(
  action: ResolvedAction,
  body: unknown,
): { readonly shown: Attributes; readonly elements: readonly JsonElement[] } {
  const found = findShownElements(action)
  if (found === undefined) return { shown: {}, elements: [] }
  const one = readElement(action, body)
  const elements = found.isList ? getListReader(action).readElements(body) : one && [one]
  return { shown: found.attribute.core.shown, elements: elements ?? [] }
}

const isElement = (one: unknown): one is JsonElement => typeof one === 'object' && one !== null && !Array.isArray(one)

/** The values that a call sends, and their attributes. */
export interface SentValues {
  readonly values: JsonElement
  readonly attributes: Readonly<Record<string, Attribute>>
}

/** Returns the values of an element in the payload of a call; undefined if the payload has no structure. */
export function readSentValues({ action, payload }: TestCall, mediaType: MediaType): SentValues | undefined {
  if (action.payload?.form !== 'structure') return undefined
  const { attribute } = action.payload
  const path = findPayloadPath(attribute, mediaType)
  const values = readShownPart(payload, path)
  return isElement(values) ? { values, attributes: getMemberAttribute(attribute, path).core.children } : undefined
}

/** Returns the name of an attribute that differs in two views of an element; undefined if there is none. */
export function findDifferingName({ attributes }: MediaType, one: JsonElement, other: JsonElement): string | undefined {
  return Object.keys(one).find((name) => {
    const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined
    if (attribute === undefined || !isUnrelated(attribute) || !Object.hasOwn(other, name)) return false
    const [text, otherText] = [one, other].map((element) => JSON.stringify(element[name]))
    return text !== otherText && replaceTokens(text ?? '') !== replaceTokens(otherText ?? '')
  })
}

// A list may show fewer attributes of related elements, and these change by themselves.
const isUnrelated = ({ core }: Attribute): boolean =>
  core.shape !== 'reference' && core.target === undefined && !core.related && !(core.element?.core.related ?? false)

/** An element of a media type, wherever a body shows it. */
export interface ShownElement {
  readonly mediaType: MediaType
  readonly element: JsonElement
}

/** Yields all elements that a body of an action shows, also those within others. */
export function* iterateShownElements(action: ResolvedAction, body: unknown): Generator<ShownElement> {
  const listing = findListing(action)
  if (listing !== undefined)
    for (const element of getListReader(action).readElements(body) ?? [])
      yield* iterateBelow(listing.of as MediaType, element, 0)
  else
    for (const { attribute, list } of listSuccessBodies(action))
      for (const one of list ? toList(body) : [body])
        if (attribute !== undefined) yield* iterateBelow(attribute, one, 0)
}

const toList = (body: unknown): readonly unknown[] => (Array.isArray(body) ? body : [])

/** Deeper elements are not looked for. */
const MAX_DEPTH = 8

function* iterateBelow(attribute: Attribute, value: unknown, depth: number): Generator<ShownElement> {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return
  const resource = getResource(attribute)
  if (resource !== undefined && isElement(value)) yield { mediaType: getMediaType(resource), element: value }
  const { target, element, children, shape } = attribute.core
  if (target !== undefined) yield* iterateBelow(target, value, depth + 1)
  else if (element !== undefined) for (const one of Object.values(value)) yield* iterateBelow(element, one, depth + 1)
  else if (shape === 'object')
    for (const [name, one] of Object.entries(value))
      if (Object.hasOwn(children, name)) yield* iterateBelow(children[name] as Attribute, one, depth + 1)
}
