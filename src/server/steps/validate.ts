// Stage 2, validate: coerces and checks params and headers, then the payload; all errors are in one response.
import { INVALID, makeIssue } from '../../schema/issue.ts'
import { Loading } from '../../schema/loading.ts'
import { isThenable } from '../../util/thenable.ts'
import { FailureResponse } from '../failure/failures.ts'
import { type InputPart, toInputErrors } from '../problem/problem.ts'
import { createReason } from '../problem/reasons.ts'
import { isObjectBody, mergeParams, toGetUrl } from '../query/body-params.ts'
import { addCaptures } from '../query/captures.ts'
import { parseQuery } from '../query/parse-query.ts'
import { createTree, type RawTree, TreeWriter } from '../query/value-tree.ts'
import type {
  BodyParams,
  CompiledHeaders,
  CompiledParams,
  CompiledPayload,
  Exchange,
  Step,
  StepOutcome,
  StepRun,
} from '../request/exchange.ts'

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

/** Joins the steps of the stage into one, which costs less than three, if no callback is between them. */
export function joinSteps(steps: readonly Step[]): readonly Step[] {
  const coreRuns: readonly StepRun[] = [validateParams, validatePayload, refuseInvalid]
  if (steps.length !== coreRuns.length || !steps.every(({ run }, i) => run === coreRuns[i])) return steps
  return [{ name: 'validate', parts: steps.map(({ name }) => name), run: validate }]
}

function validate(exchange: Exchange): ReturnType<StepRun> {
  const result = validateParams(exchange) as StepOutcome | Promise<StepOutcome>
  if (result === undefined) return finishValidation(exchange)
  return isThenable(result) ? result.then((outcome) => outcome ?? finishValidation(exchange)) : result
}

function finishValidation(exchange: Exchange): StepOutcome | Promise<StepOutcome> {
  const result = validatePayload(exchange) as StepOutcome | Promise<StepOutcome>
  if (result === undefined) return refuseInvalid(exchange) as StepOutcome
  return isThenable(result) ? result.then((outcome) => outcome ?? (refuseInvalid(exchange) as StepOutcome)) : result
}

/** Loads and checks params and headers. */
export const validateParams: StepRun = (exchange) => {
  const { params, headers } = exchange.compiled
  const { line } = exchange
  const loading = new Loading('text', params.ignores)
  const raw = createTree()
  if (
    line.queryStart >= 0 &&
    !parseQuery(line.url, line.queryStart, new TreeWriter(raw, params.form, loading), params.pairs)
  ) {
    return new FailureResponse({ code: 'malformed-query', ...createReason('query-pairs', { limit: params.pairs }) })
  }
  if (params.captures && params.body === null) addCaptures(exchange.line.found, raw)
  const pending =
    params.body === null
      ? loadPart(exchange, params, raw, loading)
      : loadBodyParams(exchange, params.body, raw, loading)
  if (headers === null) return pending
  const pendingHeaders = loadHeaders(exchange, headers)
  return pending === undefined ? pendingHeaders : pending.then(() => pendingHeaders)
}

// Loads params in the body and in the URL: a link to another page of a list may have it in the URL.
function loadBodyParams(
  exchange: Exchange,
  { pageParams: parts, getParams: queried }: BodyParams,
  query: RawTree,
  queryLoading: Loading,
): Promise<StepOutcome> | undefined {
  const { line, body, request } = exchange
  const { params } = exchange.compiled
  if (queryLoading.issues !== null) exchange.addErrors(toInputErrors('params', queryLoading.issues), queryLoading.total)
  const raw: unknown = body === undefined || body.raw === undefined ? {} : body.raw
  const source = body?.source ?? 'json'
  const loading = body?.loading ?? new Loading(source, params.ignores)
  if (!isObjectBody(raw)) return loadPart(exchange, params, raw, loading)
  const merged = mergeParams(raw, line.queryStart < 0 ? undefined : query, parts)
  if (queried !== undefined) request.setLinkUrl(() => toGetUrl(line.url, merged, queried, source))
  if (!params.captures) return loadPart(exchange, params, merged, loading)
  const complete = Object.assign(createTree(), merged)
  addCaptures(exchange.line.found, complete)
  return loadPart(exchange, params, complete, loading)
}

function loadHeaders(exchange: Exchange, headers: CompiledHeaders): Promise<StepOutcome> | undefined {
  const raw = createTree()
  const { transport } = exchange
  const sent = transport.headers
  for (const { name, lower, list, once, first } of headers.names) {
    const value = sent[lower]
    if (value === undefined || typeof value === 'function') continue
    // For most headers, a text without a comma means that only one was sent.
    if (once && (first || value.includes(',')) && transport.repeats?.(lower) === true)
      exchange.addErrors(toInputErrors('headers', [makeIssue(`/${name}`, 'repeated')]))
    raw[name] = list && typeof value === 'string' ? splitHeaderList(value) : value
  }
  return loadPart(exchange, headers, raw, new Loading('text'))
}

// Several values of one header are joined by commas (RFC 9110, section 5.6.1).
function splitHeaderList(value: string): string[] {
  return value.split(',').flatMap((one) => (one.trim() === '' ? [] : [one.trim()]))
}

/** Loads and checks the payload. */
export const validatePayload: StepRun = (exchange) => {
  const { payload } = exchange.compiled
  const { body } = exchange
  if (payload === null || body === undefined) return undefined
  const loading = body.loading ?? new Loading(body.source, payload.ignores)
  loading.hasPlainTexts = body.hasPlainTexts === true
  if (body.raw === undefined || body.raw === null) return loadEmptyPayload(exchange, payload, body.raw)
  return loadPart(exchange, payload, body.raw, loading)
}

function loadEmptyPayload(exchange: Exchange, payload: CompiledPayload, raw: null | undefined): undefined {
  if (raw === null && payload.nullable) exchange.request.payload = null
  else if (raw === undefined && payload.initial !== undefined) exchange.request.payload = payload.initial()
  else if (raw === null || payload.required) {
    const loading = new Loading('json')
    loading.fail(raw === null ? 'null' : 'missing')
    exchange.addErrors(toInputErrors('payload', loading.issues ?? []))
  }
}

type Loadable = Pick<CompiledParams | CompiledHeaders | CompiledPayload, 'part' | 'load' | 'defers'>

function loadPart(
  exchange: Exchange,
  source: Loadable,
  raw: unknown,
  loading: Loading,
): Promise<StepOutcome> | undefined {
  const { part, load, defers } = source
  const value = load(raw, loading)
  if (defers && loading.deferred !== null) {
    const holder: Record<string, unknown> = { value }
    // A payload that is a single value is itself the deferred value; this holder is its slot.
    loading.bindRoot(holder, 'value')
    return loading.settle().then(() => settlePart(exchange, part, loading, holder['value']))
  }
  settlePart(exchange, part, loading, value)
  return undefined
}

function settlePart(exchange: Exchange, part: InputPart, loading: Loading, value: unknown): undefined {
  if (loading.issues === null && part === 'params') {
    const { request, compiled } = exchange
    for (const check of compiled.params.checks)
      request.list = check(value as Record<string, unknown>, loading) ?? request.list
  }
  if (loading.issues !== null) exchange.addErrors(toInputErrors(part, loading.issues), loading.total)
  else if (value !== INVALID) setPart(exchange, part, value)
}

// Static property access: computed access costs several times as much.
function setPart({ request }: Exchange, part: InputPart, value: unknown): void {
  if (part === 'params') request.params = value
  else if (part === 'headers') request.headers = value
  else request.payload = value
}
