// Checks that elements show the values that clients sent, and that other values are unchanged.
import { attributeRules } from '../../../design/attribute-rules.ts'
import { toJsonValue } from '../../../mock/example-values.ts'
import type { Attribute } from '../../../schema/attribute.ts'
import { INVALID } from '../../../schema/issue.ts'
import { Loading } from '../../../schema/loading.ts'
import type { CheckedResource } from '../../check/checked-resource.ts'
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
  const { action, params, payload } = call
  if (typeof payload !== 'object' || payload === null || action.payload?.form !== 'structure') return
  const { children } = action.payload.attribute.core
  for (const [name, value] of Object.entries(payload as JsonElement)) {
    const attribute = findStoredAttribute(resource, name)
    // A path param may override the payload's value of the same name.
    if (attribute === undefined || children[name] === undefined || Object.hasOwn(params, name)) continue
    const expected = value === null ? null : toJsonValue(attribute, value)
    if (expected === undefined || (!Object.hasOwn(shown, name) && !isUnexpectedlyMissing(resource, name, expected)))
      continue
    assertLaw(isSameValue(attribute, expected, shown[name] ?? null), `${verb}-value`, () => {
      return `'${name}' was ${verb} as ${toJsonText(expected)}, but is ${toJsonText(shown[name]) ?? 'not there'}`
    })
  }
  if (verb === 'created') for (const name of Object.keys(children)) checkDefaultValue(resource, call, name, shown)
}

/** Checks that an attribute that was not sent has its default. */
function checkDefaultValue(
  resource: CheckedResource,
  { action, params, payload }: TestCall,
  name: string,
  shown: JsonElement,
): void {
  const initial = action.payload?.attribute.core.children[name]?.options.default
  const attribute = findStoredAttribute(resource, name)
  if (initial === undefined || typeof initial === 'function' || attribute === undefined) return
  if (Object.hasOwn(payload as object, name) || Object.hasOwn(params, name) || !Object.hasOwn(shown, name)) return
  const expected = initial === null ? null : toJsonValue(attribute, initial)
  assertLaw(expected === undefined || isSameValue(attribute, expected, shown[name] ?? null), 'created-default', () => {
    return `'${name}' was not sent, and its default is ${toJsonText(expected)}, but it is ${toJsonText(shown[name])}`
  })
}

const findStoredAttribute = ({ mediaType }: CheckedResource, name: string): Attribute | undefined => {
  const attribute = mediaType.attributes[name]
  return attribute !== undefined && isStoredAttribute(attribute) ? attribute : undefined
}

// An attribute visible to all clients is present once it was sent; only empty values may be omitted.
function isUnexpectedlyMissing({ show, mediaType }: CheckedResource, name: string, sent: unknown): boolean {
  const isFull = typeof sent === 'boolean' || typeof sent === 'number' || (typeof sent === 'string' && sent !== '')
  const bodies = [...(show?.responses.values() ?? [])]
    .filter(({ status }) => status === 200)
    .flatMap((one) => one.bodies)
  const isShown = bodies.length === 1 && Object.hasOwn(bodies[0]?.attribute?.core.shown ?? {}, name)
  return isFull && isShown && mediaType.attributes[name]?.options.visibleTo === undefined
}

// A time may be returned with seconds though it was sent without.
const isSameValue = (attribute: Attribute, sent: unknown, shown: unknown): boolean =>
  isStoredAs(sent, shown) || isStoredAs(toCanonicalValue(attribute, sent), toCanonicalValue(attribute, shown))

function toCanonicalValue(attribute: Attribute, value: unknown): unknown {
  const loading = new Loading(false)
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
export function checkAgreement({ body, status }: TestResponse, shown: JsonElement, verb: string): void {
  if (status >= 300 || typeof body !== 'object' || body === null || Array.isArray(body)) return
  for (const [name, value] of Object.entries(body))
    if (Object.hasOwn(shown, name) && toJsonText(shown[name]) !== toJsonText(value))
      throw new LawViolation(
        `${verb}-response`,
        `the response shows '${name}' as ${toJsonText(value)}, but it is ${toJsonText(shown[name])}`,
      )
}

/** Checks that attributes that were not sent are unchanged. */
export function checkUntouched({ action, payload }: TestCall, before: JsonElement, after: JsonElement): void {
  for (const name of Object.keys(action.payload?.attribute.core.children ?? {}))
    if (
      !Object.hasOwn(payload as object, name) &&
      action.payload?.attribute.core.children[name]?.options.default === undefined
    )
      assertLaw(toJsonText(before[name]) === toJsonText(after[name]), 'changed-other', () => {
        return `'${name}' was not sent, but has changed from ${toJsonText(before[name])} to ${toJsonText(after[name])}`
      })
}
