// Checks every response against the declaration of its action: status, headers, content type and body, without undeclared
// parts.

import { attributeRules } from '../../design/attribute-rules.ts'
import { isView } from '../../design/declare/media-type.ts'
import { findSelectionParam } from '../../design/fields/selection.ts'
import type { ResolvedAction, ResolvedBody, ResolvedResponse } from '../../design/resolve/resolved.ts'
import { type Attribute, isAttribute } from '../../schema/attribute.ts'
import { Dumping } from '../../schema/dumping.ts'
import { INVALID } from '../../schema/issue.ts'
import { type Loader, Loading } from '../../schema/loading.ts'
import { getEssence } from '../../util/media-type.ts'
import { memoize } from '../../util/memoize.ts'
import { checkCsv } from './csv.ts'
import { assertLaw } from './law-errors.ts'
import { toReceivedAttribute } from './received-attribute.ts'
import type { TestCall } from './test-call.ts'

/** A response with its body read. */
export interface TestResponse {
  readonly status: number
  /** The method and the URL of the request. */
  readonly verb: string
  readonly url: string
  readonly headers: Headers
  /** The media type of the Content-Type header without parameters; empty without the header. */
  readonly type: string
  readonly text: string
  readonly bytes: Uint8Array
  /** The parsed body when it is JSON. */
  readonly body: unknown
}

/** The application's settings for failures. */
export interface FailureSettings {
  /** The status of requests that do not fit their declaration. */
  readonly validationStatus: number
  /** The content type of failures. */
  readonly problems: string
}

/** The problem codes that a valid request never gets. */
const INVALID_REQUEST_CODES: ReadonlySet<unknown> = new Set([
  'validation',
  'malformed-path',
  'malformed-query',
  'malformed-body',
  'version-conflict',
  'version-not-found',
  'method-not-allowed',
  'unsupported-media-type',
  'unsupported-coding',
])

/** Returns the problem code of a failure; undefined when its body has another form. */
export const getProblemCode = ({ body }: TestResponse): unknown =>
  typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined

/** Whether a call is known to fit its declaration. */
export type CallValidity = 'valid' | 'unknown'

/** Checks a response against its declaration. */
export function checkResponse(
  call: TestCall,
  response: TestResponse,
  settings: FailureSettings,
  validity: CallValidity,
): void {
  const { status, type } = response
  const { responses } = call.action
  const declared = findDeclaredResponse(call.action, status, type)
  const isKnown = declared !== undefined || (status === 503 && response.headers.has('Retry-After'))
  assertLaw(status < 500 || isKnown, 'server-error', () => `the response is ${status}, which no request should get`)
  const statuses = [...responses.values()].map((one) => one.status)
  if (status < 400)
    assertLaw(declared !== undefined || statuses.includes(status), 'undeclared-status', () => {
      return `the status ${status} is not declared; declared are ${[...new Set(statuses)].join(', ')}`
    })
  if (declared === undefined) return checkFailure(response, settings, validity)
  checkHeaders(declared, response)
  if (response.verb === 'HEAD') return
  checkBody(declared, call, response)
}

function checkFailure(response: TestResponse, { problems }: FailureSettings, validity: CallValidity): void {
  const { status, type, body, verb } = response
  assertLaw(
    type === problems,
    'failure-type',
    () => `a failure is ${problems}, but this one is ${type || 'of no type'}`,
  )
  if (problems !== 'application/problem+json' || verb === 'HEAD') return
  const bodyStatus = (body as { status?: unknown } | null)?.status
  assertLaw(
    bodyStatus === status,
    'failure-body',
    () => `the response is ${status}, but its body says ${String(bodyStatus)}`,
  )
  if (validity === 'valid')
    assertLaw(!INVALID_REQUEST_CODES.has(getProblemCode(response)), 'valid-refused', () => {
      const { errors = [] } = body as { errors?: readonly { message?: string }[] }
      const messages = errors.map(({ message }) => message).join('; ')
      return `the request fits its declaration, but is refused with ${status} ${String(getProblemCode(response))}: ${messages}`
    })
}

function findDeclaredResponse(
  { responses }: ResolvedAction,
  status: number,
  type: string,
): ResolvedResponse | undefined {
  const candidates = [...responses.values()].filter((one) => one.status === status)
  const fits = ({ bodies }: ResolvedResponse): boolean =>
    bodies.some(({ identifier }) => getEssence(identifier) === type)
  return candidates.find(fits) ?? (status < 400 ? candidates[0] : undefined)
}

function checkHeaders({ headers, location, name }: ResolvedResponse, response: TestResponse): void {
  const rules: (readonly [string, string | RegExp | Attribute | true])[] = [...headers]
  if (location !== undefined) rules.push(['Location', location])
  for (const [header, rule] of rules) {
    const value = response.headers.get(header)
    const isFree = isAttribute(rule) && rule.options.required !== true
    assertLaw(value !== null || isFree, 'header-missing', () => `the response '${name}' lacks the header ${header}`)
    if (value === null || rule === true) continue
    const fits = isAttribute(rule) ? isLoadable(attributeRules.getLoader(rule), value) : isHeaderMatch(rule, value)
    assertLaw(
      fits,
      'header-value',
      () => `the header ${header}: ${value} of the response '${name}' does not fit its rule`,
    )
  }
}

const isHeaderMatch = (rule: string | RegExp, value: string): boolean =>
  typeof rule === 'string' ? rule === value : value.search(rule) >= 0

const isLoadable = (load: Loader, value: unknown): boolean => {
  const loading = new Loading('text')
  return load(value, loading) !== INVALID && loading.issues === null
}

function checkBody(declared: ResolvedResponse, call: TestCall, { status, type, text, body }: TestResponse): void {
  const { bodies, name } = declared
  if (bodies.length === 0 || status === 204 || status === 304) {
    const isEmpty = text === ''
    if (!declared.problem)
      assertLaw(isEmpty, 'stray-body', () => `the response '${name}' has no body, but one was sent`)
    return
  }
  const form = bodies.find(({ identifier }) => getEssence(identifier) === type)
  assertLaw(form !== undefined, 'type', () => {
    const wanted = bodies.map(({ identifier }) => identifier).join(' or ')
    return `the body is ${type || 'of no type'}, but ${wanted} is declared`
  })
  if (form.attribute === undefined) return
  const selector = findSelectionParam(call.action.params)
  const isSelected = selector !== undefined && (call.params[selector.name] !== undefined || call.link !== undefined)
  if (form.stream?.as === 'csv') return checkCsv(text, isSelected ? undefined : form.attribute)
  if (form.stream?.as === 'events') checkStreamFailure(body)
  assertLaw(body !== undefined, 'no-json', () => `the body is no JSON: ${text.slice(0, 80)}`)
  checkBodyValues(form, body, isSelected)
}

function checkStreamFailure(body: unknown): void {
  const failure = (body as readonly { readonly event: string; readonly data: unknown }[]).find(
    ({ event }) => event === 'error',
  )
  assertLaw(failure === undefined, 'stream-failure', () => {
    const { detail } = (failure?.data ?? {}) as { readonly detail?: unknown }
    return `the stream ends with a failure: ${String(detail)}`
  })
}

const receivedAttributes = {
  whole: memoize((attribute: Attribute) => toReceivedAttribute(attribute, 'shown')),
  partial: memoize((attribute: Attribute) => toReceivedAttribute(attribute, 'none')),
}

/** Returns the JSON Pointer of the first difference between two values; undefined when they are equal. */
function findDifference(one: unknown, other: unknown, pointer: string): string | undefined {
  // A string that loads is valid, even if it dumps differently: a time may omit its seconds.
  if (typeof one === 'string' && typeof other === 'string') return undefined
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return Object.is(one, other) || JSON.stringify(one) === JSON.stringify(other) ? undefined : pointer || 'it'
  for (const [name, value] of Object.entries(one)) {
    const found = findDifference(value, (other as Record<string, unknown>)[name], `${pointer}/${name}`)
    if (found !== undefined) return found
  }
  return undefined
}

function checkBodyValues({ attribute: declared, list }: ResolvedBody, body: unknown, selected: boolean): void {
  const attribute = declared as Attribute
  const shown = selected && isView(attribute) ? attribute.of : attribute
  if (body === null && !list && attribute.options.nullable === true) return
  assertLaw(!list || Array.isArray(body), 'no-list', () => 'a list is declared, but the body is none')
  for (const one of list ? (body as readonly unknown[]) : [body]) {
    const stray = findUndeclared(shown, one, '', selected)
    assertLaw(stray === undefined, 'undeclared', () => `the body shows ${stray}, which its declaration does not`)
    const loading = new Loading('json', () => true)
    loading.isResponse = true
    const received = receivedAttributes[selected ? 'partial' : 'whole'](shown)
    const loaded = attributeRules.getLoader(received)(one, loading)
    const [issue] = loading.issues ?? []
    assertLaw(loaded !== INVALID && issue === undefined, 'body', () => {
      return `the body does not fit its declaration: ${issue?.pointer ?? ''} ${issue?.message ?? ''}`
    })
    if (loading.deferred !== null) continue
    // Loaders accept strings for numbers; a response must use the declared form.
    const pointer = findDifference(one, attributeRules.getDumper(received)(loaded, new Dumping('unchecked')), '')
    assertLaw(
      pointer === undefined,
      'form',
      () => `the body has ${pointer} in another form than its declaration gives it`,
    )
  }
}

/** Returns the JSON Pointer of the first undeclared name; undefined when there is none. */
function findUndeclared(attribute: Attribute, value: unknown, pointer: string, selected: boolean): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { core } = attribute
  if (core.target !== undefined) return findUndeclared(core.target, value, pointer, selected)
  if (core.shape === 'list' || core.shape === 'record') {
    for (const [step, one] of Object.entries(value)) {
      const found = findUndeclared(core.element as Attribute, one, `${pointer}/${step}`, selected)
      if (found !== undefined) return found
    }
    return undefined
  }
  if (core.shape === 'union') {
    const variants = Object.values(core.children).map((one) => findUndeclared(one, value, pointer, selected))
    return variants.includes(undefined) ? undefined : variants[0]
  }
  if (core.shape !== 'object') return undefined
  const shown = selected ? core.children : core.shown
  for (const [name, one] of Object.entries(value)) {
    if (!Object.hasOwn(shown, name)) return `${pointer}/${name}`
    const found = findUndeclared(shown[name] as Attribute, one, `${pointer}/${name}`, selected)
    if (found !== undefined) return found
  }
  return undefined
}
