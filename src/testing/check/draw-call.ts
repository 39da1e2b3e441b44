// Draws valid calls of an action from its declaration and from the known elements.
import { attributeRules } from '../../design/attribute-rules.ts'
import type { ResolvedAction, ResolvedRoute } from '../../design/resolve/resolved.ts'
import { parsePathValue } from '../../mock/example-values.ts'
import { findPayloadPath } from '../../mock/payload-part.ts'
import type { Attribute, Attributes } from '../../schema/attribute.ts'
import { makePatternExample } from '../../schema/scalars/text-pattern.ts'
import { findCheckedList } from '../lists/checked-list.ts'
import { drawListParams } from '../lists/draw-list-params.ts'
import type { Credentials } from '../session/check-options.ts'
import type { TestCall } from '../session/test-call.ts'
import type { Draw } from '../values/draw.ts'
import { drawEdgeValue } from '../values/edge-values.ts'
import { drawExample, drawStructure, isValidValue } from '../values/examples.ts'
import { getMemberAttribute, withMember } from '../values/payload-members.ts'
import type { Subject } from './subject.ts'

/** The options of `drawCall`. */
export interface DrawCallOptions {
  readonly principal?: string | undefined
  /** Whether any route of the action may be called, not only its first one. */
  readonly anyRoute?: boolean
  /** Whether only required inputs are sent. */
  readonly bare?: boolean
  /** Values of params that are fixed in advance. */
  readonly params?: Readonly<Record<string, unknown>>
}

/** Draws a call that fits the declaration of its action; returns undefined when no values are known for it. */
export function drawCall(
  subject: Subject,
  action: ResolvedAction,
  draw: Draw,
  options: DrawCallOptions = {},
): TestCall | undefined {
  const principal = 'principal' in options ? options.principal : draw.pick([...subject.principals.keys()])
  const captures = drawCaptures(subject, { action, principal }, draw, options.params)
  const bare = options.bare === true || draw.chance(15)
  const query = drawQuery(subject, action, draw, { bare, captured: new Set(captures?.names) })
  const headers = drawHeaders(action.headers, draw, bare, subject.principals.get(principal) ?? {})
  const payload = drawPayload(action, draw, bare)
  if (captures === undefined || query === undefined || headers === undefined || payload === undefined) return undefined
  const verb = options.anyRoute === true ? drawVerb(action, draw) : {}
  const params = { ...query, ...captures.values, ...options.params }
  return { action, principal, params, headers, ...payload, ...verb }
}

/** Returns the call with a drawn change as payload: of one attribute, possibly set to null, or of several. */
export function drawChange(call: TestCall, subject: Subject, draw: Draw): TestCall | undefined {
  const { action } = call
  const { attribute } = action.payload ?? {}
  const mediaType = subject.getResource(action)?.mediaType
  const path = attribute && mediaType ? findPayloadPath(attribute, mediaType) : []
  const children = attribute && getMemberAttribute(attribute, path).core.children
  const [name, child] = draw.pick(Object.entries(children ?? {})) ?? []
  const isSingle = draw.chance(50) && action.routes.some(({ verb }) => verb === 'PATCH')
  if (attribute !== undefined && isSingle && name !== undefined && child !== undefined) {
    const isEmptied = child.options.nullable === true && draw.chance(40)
    const value = isEmptied ? null : drawExample(child, draw, { name })
    const payload = withMember(path.length === 0 ? {} : call.payload, path, { [name]: value })
    if (value !== undefined && isValidValue(attribute, payload)) return { ...call, payload }
  }
  const { payload } = drawCall(subject, action, draw, { principal: call.principal, params: call.params }) ?? {}
  return payload === undefined ? undefined : { ...call, payload }
}

// The methods tried on a route for any method; another route may declare one of them.
const VERBS_FOR_ANY: readonly string[] = ['POST', 'PUT', 'PATCH', 'DELETE']

// A route with another method may take the same params in another part of the request.
function drawVerb({ routes }: ResolvedAction, draw: Draw): { readonly verb?: string } {
  const [first, ...others] = new Set(routes.map(({ verb }) => verb))
  const candidates = first === 'ANY' ? VERBS_FOR_ANY : others.filter((verb) => verb !== 'ANY')
  const verb = candidates.length > 0 && draw.chance(50) ? draw.pick(candidates) : undefined
  return verb === undefined ? {} : { verb }
}

interface DrawnCaptures {
  readonly names: readonly string[]
  readonly values: Readonly<Record<string, unknown>>
}

const listCaptureNames = ({ pattern }: ResolvedRoute): readonly string[] =>
  pattern.wildcards > 0 ? [...pattern.names, 'splat'] : pattern.names

function drawCaptures(
  subject: Subject,
  { action, principal }: Pick<TestCall, 'action' | 'principal'>,
  draw: Draw,
  fixed: Readonly<Record<string, unknown>> = {},
): DrawnCaptures | undefined {
  const route = (draw.chance(20) ? draw.pick(action.routes) : action.routes[0]) as ResolvedRoute
  const names = listCaptureNames(route)
  const bound = draw.chance(90) ? subject.knownElements.drawParams(action, names, draw, principal) : undefined
  for (let attempt = 0; attempt < 8; attempt++) {
    const entries = names.map((name) => {
      const known = draw.chance(90) ? draw.pick(subject.options.known[name] ?? []) : undefined
      const attribute = action.params[name]
      // An element may have a key that the path does not accept.
      const drawn = drawWidenedId(bound?.[name], draw)
      const own = attribute === undefined || isPathValue(attribute, drawn) ? drawn : undefined
      return [name, fixed[name] ?? own ?? known ?? drawCapture(route, name, attribute, draw)] as const
    })
    const values = Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== ''))
    // An empty segment would make it another path.
    if (Array.isArray(values['splat']) && values['splat'].includes('')) continue
    if (canExpand(route, values)) return { names: action.routes.flatMap(listCaptureNames), values }
  }
  return undefined
}

// Adds 2^32 to an id now and then: an application that truncates ids to 32 bits would find the wrong element.
const drawWidenedId = (value: unknown, draw: Draw): unknown =>
  typeof value === 'number' && draw.chance(4) ? value + 2 ** 32 : value

const isPathValue = (attribute: Attribute, value: unknown): boolean =>
  value !== undefined && parsePathValue(attribute, value) !== undefined

function drawCapture(route: ResolvedRoute, name: string, attribute: Attribute | undefined, draw: Draw): unknown {
  const { capture } = route.pattern.options
  const rule = isCaptureRecord(capture) ? capture[name] : capture
  if (rule instanceof RegExp) return makePatternExample(rule, draw.createSeed(name))
  if (Array.isArray(rule)) return draw.pick(rule.filter((one) => typeof one === 'string'))
  if (attribute === undefined) return `x${draw.integerBelow(100)}`
  const edge = draw.chance(50) ? drawEdgeValue(attribute, draw) : undefined
  return edge !== undefined && isValidValue(attribute, edge) ? edge : drawExample(attribute, draw, { name })
}

const isCaptureRecord = (capture: unknown): capture is Readonly<Record<string, unknown>> =>
  typeof capture === 'object' && capture !== null && !(capture instanceof RegExp) && !Array.isArray(capture)

function canExpand({ pattern }: ResolvedRoute, values: Readonly<Record<string, unknown>>): boolean {
  try {
    const encoded = Object.entries(values).map(([name, value]) => [
      name,
      value instanceof Date ? value.toISOString() : value,
    ])
    pattern.expand(Object.fromEntries(encoded))
    return true
  } catch {
    return false
  }
}

function drawQuery(
  subject: Subject,
  action: ResolvedAction,
  draw: Draw,
  { bare, captured }: { readonly bare: boolean; readonly captured: ReadonlySet<string> },
): Record<string, unknown> | undefined {
  const isListParam = ({ core }: Attribute): boolean => core.needs !== undefined || core.selectsFrom !== undefined
  const own = Object.entries(action.params).filter(([name, one]) => !captured.has(name) && !isListParam(one))
  const rules = action.requires.filter(({ names }) => names.every((name) => own.some(([one]) => one === name)))
  const query = drawStructure(Object.fromEntries(own), rules, draw, { minimal: bare, depth: 0 })
  if (query === undefined) return undefined
  for (const [name, value] of Object.entries(query))
    if (value === null || !isQueryEncodable(action.params[name] as Attribute, value)) delete query[name]
  const list = bare ? undefined : findCheckedList(subject, action)
  return list === undefined ? query : { ...query, ...drawListParams(list, draw) }
}

// In an open structure, a query cannot distinguish a list of objects from an object with numeric names.
const isQueryEncodable = ({ core }: Attribute, value: unknown): boolean =>
  !hasEmptyElements(value) && (core.shape !== 'open' || !hasNestedObjects(value))

// A query cannot express null or empty elements of a list, either.
const hasEmptyElements = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).some((one) => (Array.isArray(value) && isEmptyValue(one)) || hasEmptyElements(one))

const isEmptyValue = (value: unknown): boolean =>
  value === null ||
  (typeof value === 'object' &&
    !(value instanceof Date || value instanceof Blob) &&
    Object.values(value).every(isEmptyValue))

const hasNestedObjects = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).some((one) => (Array.isArray(value) && typeof one === 'object') || hasNestedObjects(one))

function drawHeaders(
  attributes: Attributes,
  draw: Draw,
  bare: boolean,
  credentials: Credentials,
): Record<string, unknown> | undefined {
  const headers: Record<string, unknown> = {}
  const known = new Set(Object.keys(credentials).map((name) => name.toLowerCase()))
  for (const [name, one] of Object.entries(attributes)) {
    const isDue = one.options.required === true && one.options.default === undefined
    // The client adds its credentials itself, and conditional headers have their own laws.
    if (known.has(name.toLowerCase())) continue
    if (!isDue && (bare || /^(?:if-|idempotency-key)/i.test(name) || draw.chance(60))) continue
    const value = [drawExample(one, draw, { name }), attributeRules.makeExample(one, draw.createSeed(name))].find(
      isHeaderValue,
    )
    if (value !== undefined) headers[name] = value
    else if (isDue) return undefined
  }
  return headers
}

// Header values are ASCII without surrounding spaces.
const isHeaderValue = (value: unknown): boolean =>
  value !== undefined && value !== null && (typeof value !== 'string' || /^[!-~](?:[ -~]*[!-~])?$/.test(value))

function drawPayload(action: ResolvedAction, draw: Draw, bare: boolean): { readonly payload?: unknown } | undefined {
  if (action.payload === undefined) return {}
  const { attribute } = action.payload
  const isDue = attribute.options.required === true
  if (!isDue && action.payload.form !== 'structure' && draw.chance(20)) return {}
  const payload = drawExample(attribute, draw, { minimal: bare })
  if (payload === undefined || payload === null) return isDue || payload === undefined ? undefined : {}
  return { payload: action.payload.files ? replaceLineFeeds(payload) : payload }
}

// A form encodes line feeds as CRLF, which could exceed the maximum length of a text.
const replaceLineFeeds = (payload: unknown): unknown =>
  payload instanceof Blob || typeof payload !== 'object' || payload === null
    ? payload
    : Object.fromEntries(
        Object.entries(payload).map(([name, one]) => [name, typeof one === 'string' ? one.replace(/\n/g, ' ') : one]),
      )
