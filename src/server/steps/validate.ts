// Stage 2, validate: params and headers, then the payload, coerced and checked; every error of all three in one answer.
import { readRouteCapture, readRouteSplat } from '../../routing/router/router.ts'
import { INVALID, makeIssue } from '../../schema/issue.ts'
import { Loading } from '../../schema/loading.ts'
import { isThenable } from '../../util/thenable.ts'
import type {
  BodyParams,
  CompiledHeaders,
  CompiledParams,
  CompiledPayload,
  Exchange,
  StepOutcome,
  StepRun,
  Step,
} from '../request/exchange.ts'
import { FailureResponse } from '../failure/failures.ts'
import { type InputPart, toInputErrors } from '../problem/problem.ts'
import { reasoned } from '../problem/reasons.ts'
import { toGetUrl, isObjectBody, mergeParams } from '../query/body-params.ts'
import { parseQuery } from '../query/parse-query.ts'
import { type RawTree, createTree, TreeWriter } from '../query/value-tree.ts'

/** Ends a request with every error of its params, headers and payload. */
export const refuseInvalid: StepRun = ({ errors, errorCount, services }) => {
  if (errors === null) return undefined
  return new FailureResponse({
    code: 'validation',
    status: services.validationStatus,
    detail: errors[0]?.message as string,
    errors,
    errorCount,
  })
}

/** The stage as one step, which costs less than three, where no callback stands between them. */
export function joinSteps(steps: readonly Step[]): readonly Step[] {
  const alone: readonly StepRun[] = [validateParams, validatePayload, refuseInvalid]
  if (steps.length !== alone.length || !steps.every(({ run }, i) => run === alone[i])) return steps
  return [{ name: 'validate', parts: steps.map(({ name }) => name), run: validate }]
}

function validate(exchange: Exchange): ReturnType<StepRun> {
  const ended = validateParams(exchange) as StepOutcome | Promise<StepOutcome>
  if (ended === undefined) return finishValidation(exchange)
  return isThenable(ended) ? ended.then((late) => late ?? finishValidation(exchange)) : ended
}

function finishValidation(exchange: Exchange): StepOutcome | Promise<StepOutcome> {
  const ended = validatePayload(exchange) as StepOutcome | Promise<StepOutcome>
  if (ended === undefined) return refuseInvalid(exchange) as StepOutcome
  return isThenable(ended) ? ended.then((late) => late ?? (refuseInvalid(exchange) as StepOutcome)) : ended
}

/** Loads and checks params and headers. */
export const validateParams: StepRun = (exchange) => {
  const { params, headers } = exchange.compiled
  const { line } = exchange
  const loading = new Loading(true, params.ignores)
  const raw = createTree()
  if (line.query >= 0 && !parseQuery(line.url, line.query, new TreeWriter(raw, params.form, loading), params.pairs)) {
    return new FailureResponse({ code: 'malformed-query', ...reasoned('query-pairs', { limit: params.pairs }) })
  }
  if (params.captures && params.body === null) addCaptures(exchange, raw)
  const pending =
    params.body === null ? loadPart(exchange, params, raw, loading) : loadBodyParams(exchange, params.body, raw, loading)
  if (headers === null) return pending
  const alongside = loadHeaders(exchange, headers)
  return pending === undefined ? alongside : pending.then(() => alongside)
}

// Params in the body, and those that the URL has: a link to another part of a list may have it there.
function loadBodyParams(
  exchange: Exchange,
  { parts, queried }: BodyParams,
  query: RawTree,
  inQuery: Loading,
): Promise<StepOutcome> | undefined {
  const { line, body, request } = exchange
  const { params } = exchange.compiled
  if (inQuery.issues !== null) exchange.addErrors(toInputErrors('params', inQuery.issues), inQuery.total)
  const raw: unknown = body === undefined || body.raw === undefined ? {} : body.raw
  const text = body?.text ?? false
  const loading = body?.loading ?? new Loading(text, params.ignores)
  if (!isObjectBody(raw)) return loadPart(exchange, params, raw, loading)
  const joined = mergeParams(raw, line.query < 0 ? undefined : query, parts)
  if (queried !== undefined) request.setLinkUrl(() => toGetUrl(line.url, joined, queried, text))
  if (!params.captures) return loadPart(exchange, params, joined, loading)
  const whole = Object.assign(createTree(), joined)
  addCaptures(exchange, whole)
  return loadPart(exchange, params, whole, loading)
}

/** Adds what the path captures. It takes precedence: a query parameter with the same name is ignored. */
export function addCaptures({ line: { found } }: Exchange, raw: RawTree): void {
  const { names, wildcards } = found.pattern
  for (let i = 0; i < names.length; i++) {
    const value = readRouteCapture(found, i)
    if (value !== null) raw[names[i] as string] = value
  }
  if (wildcards > 0) raw['splat'] = readRouteSplat(found)
}

function loadHeaders(exchange: Exchange, headers: CompiledHeaders): Promise<StepOutcome> | undefined {
  const raw = createTree()
  const { transport } = exchange
  const sent = transport.headers
  for (const { name, lower, list, once, first } of headers.names) {
    const value = sent[lower]
    if (value === undefined || typeof value === 'function') continue
    // Of most headers, a text without a comma is all that was sent.
    if (once && (first || value.includes(',')) && transport.repeats?.(lower) === true)
      exchange.addErrors(toInputErrors('headers', [makeIssue(`/${name}`, 'repeated')]))
    raw[name] = list && typeof value === 'string' ? splitHeaderList(value) : value
  }
  return loadPart(exchange, headers, raw, new Loading(true))
}

// Several values of one header come as one, separated by commas (RFC 9110, section 5.6.1).
function splitHeaderList(value: string): string[] {
  return value.split(',').flatMap((one) => (one.trim() === '' ? [] : [one.trim()]))
}

/** Loads and checks the payload. */
export const validatePayload: StepRun = (exchange) => {
  const { payload } = exchange.compiled
  const { body } = exchange
  if (payload === null || body === undefined) return undefined
  const loading = body.loading ?? new Loading(body.text, payload.ignores)
  if (body.raw === undefined || body.raw === null) return loadEmptyPayload(exchange, payload, body.raw)
  return loadPart(exchange, payload, body.raw, loading)
}

function loadEmptyPayload(exchange: Exchange, payload: CompiledPayload, raw: null | undefined): undefined {
  if (raw === null && payload.nullable) exchange.request.payload = null
  else if (raw === undefined && payload.initial !== undefined) exchange.request.payload = payload.initial()
  else if (raw === null || payload.required) {
    const loading = new Loading(false)
    loading.fail(raw === null ? 'null' : 'missing')
    exchange.addErrors(toInputErrors('payload', loading.issues ?? []))
  }
}

type Loadable = Pick<CompiledParams | CompiledHeaders | CompiledPayload, 'part' | 'load' | 'defers'>

function loadPart(exchange: Exchange, source: Loadable, raw: unknown, loading: Loading): Promise<StepOutcome> | undefined {
  const { part, load, defers } = source
  const value = load(raw, loading)
  if (defers && loading.deferred !== null) {
    const holder: Record<string, unknown> = { value }
    // A whole-value payload is itself the deferred value; its slot is this holder.
    loading.bindRoot(holder, 'value')
    return loading.settle().then(() => settlePart(exchange, part, loading, holder['value']))
  }
  settlePart(exchange, part, loading, value)
  return undefined
}

function settlePart(exchange: Exchange, part: InputPart, loading: Loading, value: unknown): undefined {
  if (loading.issues === null && part === 'params') {
    for (const check of exchange.compiled.params.checks) check(value as Record<string, unknown>, loading)
  }
  if (loading.issues !== null) exchange.addErrors(toInputErrors(part, loading.issues), loading.total)
  else if (value !== INVALID) keepPart(exchange, part, value)
}

// By name: a property that is looked up by a variable costs several times as much.
function keepPart({ request }: Exchange, part: InputPart, value: unknown): void {
  if (part === 'params') request.params = value
  else if (part === 'headers') request.headers = value
  else request.payload = value
}
