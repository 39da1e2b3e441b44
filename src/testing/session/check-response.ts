// Every answer held to the declaration of its action: status, headers, type and body, and nothing beside what is declared.

import { isView } from '../../design/declare/media-type.ts'
import { findSelectionParam } from '../../design/fields/selection.ts'
import type { ResolvedAction, ResolvedBody, ResolvedResponse } from '../../design/resolve/resolved.ts'
import { type Attribute, type AttributeCore, isAttribute } from '../../schema/attribute.ts'
import { Dumping } from '../../schema/dumping.ts'
import { INVALID } from '../../schema/issue.ts'
import { type Loader, Loading } from '../../schema/loading.ts'
import { assertLaw } from './law-errors.ts'
import type { TestCall } from './test-call.ts'
import { checkCsv } from './csv.ts'
import { toReceivedAttribute } from './received-attribute.ts'

/** An answer, read. */
export interface TestResponse {
  readonly status: number
  /** The verb and the address of the request. */
  readonly verb: string
  readonly url: string
  readonly headers: Headers
  /** The essence of its content type; empty without one. */
  readonly type: string
  readonly text: string
  readonly bytes: Uint8Array
  /** The body as JSON, where it is JSON. */
  readonly body: unknown
}

/** Settings of an application that hold for all of its actions. */
export interface FailureSettings {
  /** The status of requests that do not fit their declaration. */
  readonly validationStatus: number
  /** The content type of failures. */
  readonly problems: string
}

/** Codes of failures that a valid request never gets. */
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

/** The code of a failure; undefined where it has another form. */
export const getProblemCode = ({ body }: TestResponse): unknown =>
  typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined

/** Holds an answer to its declaration; `valid` when the request fits its own. */
export function checkResponse(call: TestCall, answer: TestResponse, ground: FailureSettings, valid: boolean): void {
  const { status, type } = answer
  const { responses } = call.action
  const declared = findDeclaredResponse(call.action, status, type)
  const isKnown = declared !== undefined || (status === 503 && answer.headers.has('Retry-After'))
  assertLaw(status < 500 || isKnown, 'server-error', () => `the answer is ${status}, which no request should get`)
  const statuses = [...responses.values()].map((one) => one.status)
  if (status < 400)
    assertLaw(declared !== undefined || statuses.includes(status), 'undeclared-status', () => {
      return `the status ${status} is not declared; declared are ${[...new Set(statuses)].join(', ')}`
    })
  if (declared === undefined) return checkFailure(answer, ground, valid)
  checkHeaders(declared, answer)
  if (answer.verb === 'HEAD') return
  checkBody(declared, call, answer)
}

function checkFailure(answer: TestResponse, { problems }: FailureSettings, valid: boolean): void {
  const { status, type, body, verb } = answer
  assertLaw(type === problems, 'failure-type', () => `a failure is ${problems}, but this one is ${type || 'of no type'}`)
  if (problems !== 'application/problem+json' || verb === 'HEAD') return
  const said = (body as { status?: unknown } | null)?.status
  assertLaw(said === status, 'failure-body', () => `the answer is ${status}, but its body says ${String(said)}`)
  if (valid)
    assertLaw(!INVALID_REQUEST_CODES.has(getProblemCode(answer)), 'valid-refused', () => {
      const { errors = [] } = body as { errors?: readonly { message?: string }[] }
      const told = errors.map(({ message }) => message).join('; ')
      return `the request fits its declaration, but is refused with ${status} ${String(getProblemCode(answer))}: ${told}`
    })
}

const getTypeEssence = (type: string): string => (type.split(';', 1)[0] as string).trim().toLowerCase()

function findDeclaredResponse({ responses }: ResolvedAction, status: number, type: string): ResolvedResponse | undefined {
  const candidates = [...responses.values()].filter((one) => one.status === status)
  const fits = ({ bodies }: ResolvedResponse): boolean =>
    bodies.some(({ identifier }) => getTypeEssence(identifier) === type)
  return candidates.find(fits) ?? (status < 400 ? candidates[0] : undefined)
}

function checkHeaders({ headers, location, name }: ResolvedResponse, answer: TestResponse): void {
  const rules: (readonly [string, string | RegExp | Attribute | true])[] = [...headers]
  if (location !== undefined) rules.push(['Location', location])
  for (const [header, rule] of rules) {
    const value = answer.headers.get(header)
    const isFree = isAttribute(rule) && rule.options.required !== true
    assertLaw(value !== null || isFree, 'header-missing', () => `the response '${name}' lacks the header ${header}`)
    if (value === null || rule === true) continue
    const fits = isAttribute(rule) ? isLoadable(rule.core.loader, value, true) : isHeaderMatch(rule, value)
    assertLaw(fits, 'header-value', () => `the header ${header}: ${value} of the response '${name}' does not fit its rule`)
  }
}

const isHeaderMatch = (rule: string | RegExp, value: string): boolean =>
  typeof rule === 'string' ? rule === value : value.search(rule) >= 0

const isLoadable = (load: Loader, value: unknown, text: boolean): boolean => {
  const loading = new Loading(text)
  return load(value, loading) !== INVALID && loading.issues === null
}

function checkBody(declared: ResolvedResponse, call: TestCall, { status, type, text, body }: TestResponse): void {
  const { bodies, name } = declared
  if (bodies.length === 0 || status === 204 || status === 304) {
    const isEmpty = text === ''
    if (!declared.problem) assertLaw(isEmpty, 'stray-body', () => `the response '${name}' has no body, but one was sent`)
    return
  }
  const form = bodies.find(({ identifier }) => getTypeEssence(identifier) === type)
  assertLaw(form !== undefined, 'type', () => {
    const wanted = bodies.map(({ identifier }) => identifier).join(' or ')
    return `the body is ${type || 'of no type'}, but ${wanted} is declared`
  })
  if (form.attribute === undefined) return
  const selector = findSelectionParam(call.action.params)
  const isSelected = selector !== undefined && (call.params[selector.name] !== undefined || call.link !== undefined)
  if (form.stream?.as === 'csv') return checkCsv(text, isSelected ? undefined : form.attribute)
  assertLaw(body !== undefined, 'no-json', () => `the body is no JSON: ${text.slice(0, 80)}`)
  checkBodyValues(form, body, isSelected)
}

const receivedCores = { whole: new WeakMap<Attribute, AttributeCore>(), partial: new WeakMap<Attribute, AttributeCore>() }

function getReceivedCore(attribute: Attribute, selected: boolean): AttributeCore {
  const known = receivedCores[selected ? 'partial' : 'whole']
  const found = known.get(attribute) ?? toReceivedAttribute(attribute, selected).core
  known.set(attribute, found)
  return found
}

/** Where a value differs from another one; undefined where they are the same. */
function findDifference(one: unknown, other: unknown, place: string): string | undefined {
  // A text that was loaded fits: a time may have its seconds or not.
  if (typeof one === 'string' && typeof other === 'string') return undefined
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return Object.is(one, other) || JSON.stringify(one) === JSON.stringify(other) ? undefined : place || 'it'
  for (const [name, value] of Object.entries(one)) {
    const found = findDifference(value, (other as Record<string, unknown>)[name], `${place}/${name}`)
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
    const loading = new Loading(false, () => true)
    loading.isResponse = true
    const { loader, dumper } = getReceivedCore(shown, selected)
    const loaded = loader(one, loading)
    const [issue] = loading.issues ?? []
    assertLaw(loaded !== INVALID && issue === undefined, 'body', () => {
      return `the body does not fit its declaration: ${issue?.pointer ?? ''} ${issue?.message ?? ''}`
    })
    if (loading.deferred !== null) continue
    // Loaders take texts for numbers; answers have one form only.
    const place = findDifference(one, dumper(loaded, new Dumping(false)), '')
    assertLaw(place === undefined, 'form', () => `the body has ${place} in another form than its declaration gives it`)
  }
}

/** The place of a name that is sent and not declared; undefined where there is none. */
function findUndeclared(attribute: Attribute, value: unknown, place: string, selected: boolean): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { core } = attribute
  if (core.target !== undefined) return findUndeclared(core.target, value, place, selected)
  if (core.shape === 'list' || core.shape === 'record') {
    for (const [step, one] of Object.entries(value)) {
      const found = findUndeclared(core.element as Attribute, one, `${place}/${step}`, selected)
      if (found !== undefined) return found
    }
    return undefined
  }
  if (core.shape === 'union') {
    const variants = Object.values(core.children).map((one) => findUndeclared(one, value, place, selected))
    return variants.includes(undefined) ? undefined : variants[0]
  }
  if (core.shape !== 'object') return undefined
  const shown = selected ? core.children : core.shown
  for (const [name, one] of Object.entries(value)) {
    if (!Object.hasOwn(shown, name)) return `${place}/${name}`
    const found = findUndeclared(shown[name] as Attribute, one, `${place}/${name}`, selected)
    if (found !== undefined) return found
  }
  return undefined
}
