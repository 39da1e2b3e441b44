// Valid calls of an action, drawn from its declaration and from what is known of the elements that there are.
import type { ResolvedAction, ResolvedRoute } from '../../design/resolve/resolved.ts'
import { generateMatchingText } from '../../mock/pattern-text.ts'
import { parsePathValue } from '../../mock/example-values.ts'
import type { Attribute, Attributes } from '../../schema/attribute.ts'
import { drawListParams } from '../lists/draw-list-params.ts'
import { findCheckedList } from '../lists/checked-list.ts'
import type { Draw } from '../values/draw.ts'
import { drawEdgeValue } from '../values/edge-values.ts'
import { drawExample, isValidValue, drawStructure } from '../values/examples.ts'
import type { TestCall } from '../session/test-call.ts'
import type { Credentials } from '../session/check-options.ts'
import type { Subject } from './subject.ts'

/** How a call is drawn. */
export interface DrawCallOptions {
  readonly principal?: string | undefined
  /** Any of the action's routes is called, and not only its first one. */
  readonly anyRoute?: boolean
  /** Only what has to be sent is sent. */
  readonly bare?: boolean
  /** Values of params that are settled already. */
  readonly params?: Readonly<Record<string, unknown>>
}

/** Draws one of the clients. */
const drawPrincipal = ({ principals }: Subject, draw: Draw): string | undefined => draw.pick([...principals.keys()])

/** Draws a call that fits the declaration of its action; undefined when no values are known for it. */
export function drawCall(
  subject: Subject,
  action: ResolvedAction,
  draw: Draw,
  drawing: DrawCallOptions = {},
): TestCall | undefined {
  const principal = 'principal' in drawing ? drawing.principal : drawPrincipal(subject, draw)
  const captures = drawCaptures(subject, { action, principal }, draw, drawing.params)
  const bare = drawing.bare === true || draw.chance(15)
  const query = drawQuery(subject, action, draw, { bare, captured: new Set(captures?.names) })
  const headers = drawHeaders(action.headers, draw, bare, subject.principals.get(principal) ?? {})
  const payload = drawPayload(action, draw, bare)
  if (captures === undefined || query === undefined || headers === undefined || payload === undefined) return undefined
  const verb = drawing.anyRoute === true ? drawVerb(action, draw) : {}
  const params = { ...query, ...captures.values, ...drawing.params }
  return { action, principal, params, headers, ...payload, ...verb }
}

/** The same call with a change to send: of one attribute, which may be emptied, or of any. */
export function drawChange(call: TestCall, subject: Subject, draw: Draw): TestCall | undefined {
  const { action } = call
  const { attribute } = action.payload ?? {}
  const [name, one] = draw.pick(Object.entries(attribute?.core.children ?? {})) ?? []
  const isSingle = draw.chance(50) && action.routes.some(({ verb }) => verb === 'PATCH')
  if (attribute !== undefined && isSingle && name !== undefined && one !== undefined) {
    const isEmptied = one.options.nullable === true && draw.chance(40)
    const payload = { [name]: isEmptied ? null : drawExample(one, draw, { name }) }
    if (payload[name] !== undefined && isValidValue(attribute, payload)) return { ...call, payload }
  }
  const { payload } = drawCall(subject, action, draw, { principal: call.principal, params: call.params }) ?? {}
  return payload === undefined ? undefined : { ...call, payload }
}

// The verbs of calls to a route for any verb: some may go to a route of their own.
const VERBS_FOR_ANY: readonly string[] = ['POST', 'PUT', 'PATCH', 'DELETE']

// A route of another verb may take the same params elsewhere.
function drawVerb({ routes }: ResolvedAction, draw: Draw): { readonly verb?: string } {
  const [first, ...others] = new Set(routes.map(({ verb }) => verb))
  const named = first === 'ANY' ? VERBS_FOR_ANY : others.filter((verb) => verb !== 'ANY')
  const verb = named.length > 0 && draw.chance(50) ? draw.pick(named) : undefined
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
  given: Readonly<Record<string, unknown>> = {},
): DrawnCaptures | undefined {
  const route = (draw.chance(20) ? draw.pick(action.routes) : action.routes[0]) as ResolvedRoute
  const names = listCaptureNames(route)
  const bound = draw.chance(90) ? subject.knownElements.drawParams(action, names, draw, principal) : undefined
  for (let attempt = 0; attempt < 8; attempt++) {
    const entries = names.map((name) => {
      const known = draw.chance(90) ? draw.pick(subject.options.known[name] ?? []) : undefined
      const attribute = action.params[name]
      // An element may have a key that the path does not take.
      const placed = drawWidenedId(bound?.[name], draw)
      const own = attribute === undefined || isPathValue(attribute, placed) ? placed : undefined
      return [name, given[name] ?? own ?? known ?? drawCapture(route, name, attribute, draw)] as const
    })
    const values = Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== ''))
    // A path with nothing in a segment is another path.
    if (Array.isArray(values['splat']) && values['splat'].includes('')) continue
    if (canExpand(route, values)) return { names: action.routes.flatMap(listCaptureNames), values }
  }
  return undefined
}

// The id of an element in its lowest 32 bits, and of none as it is.
const drawWidenedId = (value: unknown, draw: Draw): unknown =>
  typeof value === 'number' && draw.chance(4) ? value + 2 ** 32 : value

const isPathValue = (attribute: Attribute, value: unknown): boolean =>
  value !== undefined && parsePathValue(attribute, value) !== undefined

function drawCapture(route: ResolvedRoute, name: string, attribute: Attribute | undefined, draw: Draw): unknown {
  const { capture } = route.pattern.options
  const rule = isCaptureRecord(capture) ? capture[name] : capture
  if (rule instanceof RegExp) return generateMatchingText(rule, draw.createSeed(name))
  if (Array.isArray(rule)) return draw.pick(rule.filter((one) => typeof one === 'string'))
  if (attribute === undefined) return `x${draw.integerBelow(100)}`
  const edge = draw.chance(50) ? drawEdgeValue(attribute, draw) : undefined
  return edge !== undefined && isValidValue(attribute, edge) ? edge : drawExample(attribute, draw, { name })
}

const isCaptureRecord = (capture: unknown): capture is Readonly<Record<string, unknown>> =>
  typeof capture === 'object' && capture !== null && !(capture instanceof RegExp) && !Array.isArray(capture)

function canExpand({ pattern }: ResolvedRoute, values: Readonly<Record<string, unknown>>): boolean {
  try {
    const written = Object.entries(values).map(([name, value]) => [
      name,
      value instanceof Date ? value.toISOString() : value,
    ])
    pattern.expand(Object.fromEntries(written))
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
  const isListParam = ({ core }: Attribute): boolean => core.needs !== undefined || core.projects !== undefined
  const own = Object.entries(action.params).filter(([name, one]) => !captured.has(name) && !isListParam(one))
  const rules = action.requires.filter(({ names }) => names.every((name) => own.some(([one]) => one === name)))
  const made = drawStructure(Object.fromEntries(own), rules, draw, { minimal: bare, depth: 0 })
  if (made === undefined) return undefined
  for (const [name, value] of Object.entries(made))
    if (value === null || !isQueryEncodable(action.params[name] as Attribute, value)) delete made[name]
  const listed = bare ? undefined : findCheckedList(subject, action)
  return listed === undefined ? made : { ...made, ...drawListParams(listed, draw) }
}

// Where only another library knows the structure, a query cannot tell a list of structures from one with numbers for names.
const isQueryEncodable = ({ core }: Attribute, value: unknown): boolean =>
  !hasEmptyElements(value) && (core.shape !== 'open' || !hasNestedObjects(value))

// Nor can it say that an element of a list is null, or has nothing in it.
const hasEmptyElements = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).some((one) => (Array.isArray(value) && isEmptyValue(one)) || hasEmptyElements(one))

const isEmptyValue = (value: unknown): boolean =>
  value === null ||
  (typeof value === 'object' && !(value instanceof Date || value instanceof Blob) && Object.values(value).every(isEmptyValue))

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
  const made: Record<string, unknown> = {}
  const known = new Set(Object.keys(credentials).map((name) => name.toLowerCase()))
  for (const [name, one] of Object.entries(attributes)) {
    const isDue = one.options.required === true && one.options.default === undefined
    // Credentials are the client's own, and conditions are for laws of their own.
    if (known.has(name.toLowerCase())) continue
    if (!isDue && (bare || /^(?:if-|idempotency-key)/i.test(name) || draw.chance(60))) continue
    const value = [drawExample(one, draw, { name }), one.core.example(draw.createSeed(name))].find(isHeaderValue)
    if (value !== undefined) made[name] = value
    else if (isDue) return undefined
  }
  return made
}

// Headers carry ASCII, and no spaces around it.
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

// A form writes the ends of lines with two characters, so that a text may become too long in it.
const replaceLineFeeds = (payload: unknown): unknown =>
  payload instanceof Blob || typeof payload !== 'object' || payload === null
    ? payload
    : Object.fromEntries(
        Object.entries(payload).map(([name, one]) => [name, typeof one === 'string' ? one.replace(/\n/g, ' ') : one]),
      )
