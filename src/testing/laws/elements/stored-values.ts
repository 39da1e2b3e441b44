// Checks that elements show the values that clients sent, and that other values are unchanged.
import { attributeRules } from '../../../design/attribute-rules.ts'
import type { ResolvedAction } from '../../../design/resolve/resolved.ts'
import { toJsonValue } from '../../../mock/example-values.ts'
import type { Attribute } from '../../../schema/attribute.ts'
import { INVALID } from '../../../schema/issue.ts'
import { Loading } from '../../../schema/loading.ts'
import type { CheckedResource } from '../../check/checked-resource.ts'
import {
  findDifferingName,
  findShownAttribute,
  readElement,
  readSentValues,
  type SentValues,
} from '../../check/shown-elements.ts'
import type { JsonElement } from '../../lists/list-reader.ts'
import type { TestResponse } from '../../session/check-response.ts'
import { assertLaw, LawViolation } from '../../session/law-errors.ts'
import type { TestCall } from '../../session/test-call.ts'
import { toJsonText } from '../read-list.ts'

/** Checks that the element shows the values that were sent. */
export function checkStoredValues(
  resource: CheckedResource,
  call: TestCall,
  shown: JsonElement,
  verb: 'created' | 'changed',
): void {
  const { params } = call
  const sent = readSentValues(call, resource.mediaType)
  if (sent === undefined) return
  for (const [name, value] of Object.entries(sent.values)) {
    const attribute = findStoredAttribute(resource, name)
    // A path param may override the payload's value of the same name.
    if (attribute === undefined || sent.attributes[name] === undefined || Object.hasOwn(params, name)) continue
    const expected = value === null ? toShownNull(attribute) : toJsonValue(attribute, value)
    if (expected === undefined || (!Object.hasOwn(shown, name) && !isUnexpectedlyMissing(resource, name, expected)))
      continue
    assertLaw(isSameValue(attribute, expected, shown[name] ?? null), `${verb}-value`, () => {
      return `'${name}' was ${verb} as ${toJsonText(expected)}, but is ${toJsonText(shown[name]) ?? 'not there'}`
    })
  }
  if (verb === 'created')
    for (const name of Object.keys(sent.attributes)) checkDefaultValue(resource, { call, sent, name }, shown)
}

/** Checks that an attribute that was not sent has its default. */
function checkDefaultValue(
  resource: CheckedResource,
  { call: { params }, sent, name }: { readonly call: TestCall; readonly sent: SentValues; readonly name: string },
  shown: JsonElement,
): void {
  const initial = sent.attributes[name]?.options.default
  const attribute = findStoredAttribute(resource, name)
  if (initial === undefined || typeof initial === 'function' || attribute === undefined) return
  if (Object.hasOwn(sent.values, name) || Object.hasOwn(params, name) || !Object.hasOwn(shown, name)) return
  const expected = initial === null ? null : toJsonValue(attribute, initial)
  assertLaw(expected === undefined || isSameValue(attribute, expected, shown[name] ?? null), 'created-default', () => {
    return `'${name}' was not sent, and its default is ${toJsonText(expected)}, but it is ${toJsonText(shown[name])}`
  })
}

// An attribute that is always shown cannot be null, so that a null may have been stored as anything.
const toShownNull = ({ options }: Attribute): null | undefined =>
  options.required === true && options.nullable !== true ? undefined : null

const findStoredAttribute = ({ mediaType }: CheckedResource, name: string): Attribute | undefined => {
  const attribute = mediaType.attributes[name]
  return attribute !== undefined && isStoredAttribute(attribute) ? attribute : undefined
}

// An attribute visible to all clients is present once it was sent; only empty values may be omitted.
function isUnexpectedlyMissing({ show, mediaType }: CheckedResource, name: string, sent: unknown): boolean {
  const isFull = typeof sent === 'boolean' || typeof sent === 'number' || (typeof sent === 'string' && sent !== '')
  const isShown = show !== undefined && Object.hasOwn(findShownAttribute(show)?.core.shown ?? {}, name)
  return isFull && isShown && mediaType.attributes[name]?.options.visibleTo === undefined
}

// A time may be returned with seconds though it was sent without, and an empty text may clear what can be null.
const isSameValue = (attribute: Attribute, sent: unknown, shown: unknown): boolean =>
  isStoredAs(sent, shown) ||
  (sent === '' && shown === null && attribute.options.nullable === true) ||
  isStoredAs(toCanonicalValue(attribute, sent), toCanonicalValue(attribute, shown))

function toCanonicalValue(attribute: Attribute, value: unknown): unknown {
  const loading = new Loading('json')
  const loaded = attributeRules.getLoader(attribute)(value, loading)
  return loaded === INVALID || loading.issues !== null ? value : toJsonValue(attribute, loaded)
}

// The order of names follows the declaration, and lists of scalars may be stored as sets.
function isStoredAs(sent: unknown, shown: unknown): boolean {
  if (Array.isArray(sent) && Array.isArray(shown)) {
    if (![...sent, ...shown].some((one) => typeof one === 'object')) return toSetText(sent) === toSetText(shown)
    return sent.length === shown.length && sent.every((one, i) => isStoredAs(one, shown[i]))
  }
  if (typeof sent !== 'object' || sent === null || typeof shown !== 'object' || shown === null)
    return toJsonText(sent) === toJsonText(shown) || (shown === null && isEmptyStructure(sent))
  return Object.keys(sent).every((name) =>
    isStoredAs((sent as JsonElement)[name], (shown as JsonElement)[name] ?? null),
  )
}

// An object stored in columns is null when all of its columns are null.
const isEmptyStructure = (sent: unknown): boolean =>
  typeof sent === 'object' && !Array.isArray(sent) && Object.values(sent ?? {}).every((one) => (one ?? null) === null)

const toSetText = (list: readonly unknown[]): string => toJsonText([...new Set(list.map(toJsonText))].sort())

// The application decides how to store foreign schemas, files and relations.
const isStoredAttribute = ({ core }: Attribute): boolean =>
  core.shape !== 'open' && core.shape !== 'file' && core.shape !== 'reference' && !core.related

/** Checks that a response shows the element as the next read does. */
export function checkAgreement(
  { mediaType }: CheckedResource,
  action: ResolvedAction,
  { body, status }: TestResponse,
  shown: JsonElement,
): void {
  const own = (status < 300 ? readElement(action, body) : undefined) ?? {}
  const name = findDifferingName(mediaType, own, shown)
  if (name === undefined) return
  throw new LawViolation(
    'written-response',
    `the response shows '${name}' as ${toJsonText(own[name])}, but it is ${toJsonText(shown[name])}`,
  )
}

/** Checks that attributes that were not sent are unchanged. */
export function checkUntouched(
  { mediaType }: CheckedResource,
  call: TestCall,
  { before, after }: { readonly before: JsonElement; readonly after: JsonElement },
): void {
  const { values, attributes } = readSentValues(call, mediaType) ?? { values: {}, attributes: {} }
  for (const [name, { options }] of Object.entries(attributes))
    if (!Object.hasOwn(values, name) && options.default === undefined)
      assertLaw(toJsonText(before[name]) === toJsonText(after[name]), 'changed-other', () => {
        return `'${name}' was not sent, but has changed from ${toJsonText(before[name])} to ${toJsonText(after[name])}`
      })
}
