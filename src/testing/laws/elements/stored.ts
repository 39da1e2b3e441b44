// Elements show what clients sent: no value is lost, and no other value has changed.
import { plainForm } from '../../../mock/values.ts'
import type { Attribute } from '../../../schema/attribute.ts'
import { INVALID } from '../../../schema/issue.ts'
import { Loading } from '../../../schema/loading.ts'
import { Broken, insist } from '../../check/broken.ts'
import type { Call } from '../../check/call.ts'
import type { Answer } from '../../check/judge.ts'
import type { Resource } from '../../check/resource.ts'
import type { Element } from '../../lists/reading.ts'
import { textOf } from '../../lists/whole-list.ts'

/** Insists that what was sent is what is shown. */
export function stored(resource: Resource, call: Call, shown: Element, verb: 'created' | 'changed'): void {
  const { action, params, payload } = call
  if (typeof payload !== 'object' || payload === null || action.payload?.form !== 'structure') return
  const { children } = action.payload.attribute.core
  for (const [name, value] of Object.entries(payload as Element)) {
    const attribute = keptAt(resource, name)
    // The path may have the last word about what the payload names, too.
    if (attribute === undefined || children[name] === undefined || Object.hasOwn(params, name)) continue
    const expected = value === null ? null : plainForm(attribute, value)
    if (expected === undefined || (!Object.hasOwn(shown, name) && !isMissed(resource, name, expected))) continue
    insist(isSame(attribute, expected, shown[name] ?? null), `${verb}-value`, () => {
      return `'${name}' was ${verb} as ${textOf(expected)}, but is ${textOf(shown[name]) ?? 'not there'}`
    })
  }
  if (verb === 'created') for (const name of Object.keys(children)) defaulted(resource, call, name, shown)
}

/** Insists that what was not sent has its default. */
function defaulted(resource: Resource, { action, params, payload }: Call, name: string, shown: Element): void {
  const initial = action.payload?.attribute.core.children[name]?.options.default
  const attribute = keptAt(resource, name)
  if (initial === undefined || typeof initial === 'function' || attribute === undefined) return
  if (Object.hasOwn(payload as object, name) || Object.hasOwn(params, name) || !Object.hasOwn(shown, name)) return
  const expected = initial === null ? null : plainForm(attribute, initial)
  insist(expected === undefined || isSame(attribute, expected, shown[name] ?? null), 'created-default', () => {
    return `'${name}' was not sent, and its default is ${textOf(expected)}, but it is ${textOf(shown[name])}`
  })
}

const keptAt = ({ mediaType }: Resource, name: string): Attribute | undefined => {
  const attribute = mediaType.attributes[name]
  return attribute !== undefined && isKept(attribute) ? attribute : undefined
}

// An attribute that everybody sees is there once a client sent it; only empty values may be left out.
function isMissed({ show, mediaType }: Resource, name: string, sent: unknown): boolean {
  const isFull = typeof sent === 'boolean' || typeof sent === 'number' || (typeof sent === 'string' && sent !== '')
  const forms = [...(show?.responses.values() ?? [])]
    .filter(({ status }) => status === 200)
    .flatMap((one) => one.bodies)
  const isShown = forms.length === 1 && Object.hasOwn(forms[0]?.attribute?.core.shown ?? {}, name)
  return isFull && isShown && mediaType.attributes[name]?.options.visibleTo === undefined
}

// A time may be shown with its seconds though it was sent without them.
const isSame = (attribute: Attribute, sent: unknown, shown: unknown): boolean =>
  isKeptAs(sent, shown) || isKeptAs(canonical(attribute, sent), canonical(attribute, shown))

function canonical(attribute: Attribute, value: unknown): unknown {
  const loading = new Loading(false)
  const loaded = attribute.core.loader(value, loading)
  return loaded === INVALID || loading.issues !== null ? value : plainForm(attribute, loaded)
}

// Names of a structure come in the order of its declaration, and lists of single values may be kept as sets.
function isKeptAs(sent: unknown, shown: unknown): boolean {
  if (Array.isArray(sent) && Array.isArray(shown)) {
    if (![...sent, ...shown].some((one) => typeof one === 'object')) return setOf(sent) === setOf(shown)
    return sent.length === shown.length && sent.every((one, i) => isKeptAs(one, shown[i]))
  }
  if (typeof sent !== 'object' || sent === null || typeof shown !== 'object' || shown === null)
    return textOf(sent) === textOf(shown) || (shown === null && isEmpty(sent))
  return Object.keys(sent).every((name) => isKeptAs((sent as Element)[name], (shown as Element)[name] ?? null))
}

// A structure whose values stand in columns is none where all of them are empty.
const isEmpty = (sent: unknown): boolean =>
  typeof sent === 'object' && !Array.isArray(sent) && Object.values(sent ?? {}).every((one) => (one ?? null) === null)

const setOf = (list: readonly unknown[]): string => textOf([...new Set(list.map(textOf))].sort())

// Foreign schemas, files and related elements are the application's own to keep.
const isKept = ({ core }: Attribute): boolean =>
  core.shape !== 'open' && core.shape !== 'file' && core.shape !== 'reference' && !core.related

/** Insists that an answer shows an element as the next look at it does. */
export function agrees({ body, status }: Answer, shown: Element, verb: string): void {
  if (status >= 300 || typeof body !== 'object' || body === null || Array.isArray(body)) return
  for (const [name, value] of Object.entries(body))
    if (Object.hasOwn(shown, name) && textOf(shown[name]) !== textOf(value))
      throw new Broken(
        `${verb}-answer`,
        `the answer shows '${name}' as ${textOf(value)}, but it is ${textOf(shown[name])}`,
      )
}

/** Insists that what could have been sent and was not is as it was. */
export function untouched({ action, payload }: Call, before: Element, after: Element): void {
  for (const name of Object.keys(action.payload?.attribute.core.children ?? {}))
    if (
      !Object.hasOwn(payload as object, name) &&
      action.payload?.attribute.core.children[name]?.options.default === undefined
    )
      insist(textOf(before[name]) === textOf(after[name]), 'changed-other', () => {
        return `'${name}' was not sent, but has changed from ${textOf(before[name])} to ${textOf(after[name])}`
      })
}
