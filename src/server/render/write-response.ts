// Writes the response of an action: checks it against its declaration and makes the status, headers and body that are sent.
import type { ActionResponse } from '../../design/declare/action-response.ts'
import { isFailed } from '../../util/failed.ts'
import { mayNeedClosing, releaseBody } from '../body-stream.ts'
import {
  convertToFailure,
  FailureResponse,
  getFailureCode,
  isFailure,
  respondWithViolation,
  toFailureResponse,
} from '../failure/failures.ts'
import { createAttributeFinder } from '../problem/find-attribute.ts'
import { PROBLEM_JSON, type Problem } from '../problem/problem.ts'
import { stringifyProblem } from '../problem/stringify-problem.ts'
import type { Exchange } from '../request/exchange.ts'
import { createSentValueFinder } from '../request/sent-values.ts'
import {
  addHeader,
  describeUnfitHeader,
  isHeaderValue,
  listHeaderNames,
  overlayHeaders,
  pushHeaders,
  withoutHeaders,
} from '../response/headers.ts'
import type { WriteProblem } from '../response/problem-encoder.ts'
import { getReplayed } from '../response/recorded-response.ts'
import type { RenderedBody, RenderFault } from '../response/render-result.ts'
import type { ViolationFinding } from '../response/violation.ts'
import type { RawResponse } from '../transport.ts'

/** Writes the current response of a request: as declared, or as the failure that replaces it. */
export function writeResponse(exchange: Exchange): RawResponse {
  try {
    return writeReturned(exchange, exchange.response)
  } catch (error) {
    return writeFailureResponse(exchange, toFailureResponse(exchange.services, error, exchange.origin))
  }
}

function writeReturned(exchange: Exchange, response: ActionResponse): RawResponse {
  const replayed = getReplayed(response)
  if (replayed !== undefined) return withOwnId(exchange, replayed)
  const written = isFailure(response) ? response : writeDeclaredResponse(exchange, response)
  return isFailure(written) ? writeFailureResponse(exchange, written) : written
}

/** Writes a response as declared; returns the failure that replaces it if that is not possible. */
function writeDeclaredResponse(exchange: Exchange, response: ActionResponse): RawResponse | FailureResponse {
  const declared = exchange.compiled.responses.get(response.name)
  if (declared === undefined)
    return respondWithViolation(exchange, describeUndeclared(exchange, response), [UNDECLARED_FINDING])
  const rendered = declared.render(response, exchange)
  if (isFailed(rendered)) return toFaultResponse(exchange, response, rendered.fault)
  releaseWritten(exchange, response.body, rendered.body)
  const raw = withHeaders(exchange, response, rendered)
  // Elements are sent by a separate stream.
  if (isFailure(raw)) releaseBody(rendered.body)
  return raw
}

// A body that was serialized at once can be closed now; a stream is closed by its reader.
function releaseWritten(exchange: Exchange, body: unknown, written: RenderedBody['body']): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body) || written === null) return
  const isSerialized = typeof written === 'string' || ArrayBuffer.isView(written)
  if (isSerialized && (ArrayBuffer.isView(body) || !mayNeedClosing(body))) return
  exchange.logClosingErrors(body)
  if (isSerialized) releaseBody(body)
}

function toFaultResponse(exchange: Exchange, response: ActionResponse, fault: RenderFault): FailureResponse {
  if (fault.type === 'violation') return respondWithViolation(exchange, fault.text, fault.findings)
  return fault.type === 'failure' ? new FailureResponse(fault.failure) : convertToFailure(response)
}

function withHeaders(
  exchange: Exchange,
  response: ActionResponse,
  { contentType, body, code }: RenderedBody,
): RawResponse | FailureResponse {
  const { headersByType, failureHeaders } = exchange.compiled
  const head = (response.status < 400 ? headersByType : failureHeaders)(contentType)
  if (head === undefined) return respondWithViolation(exchange, describeUnfitHeader('Content-Type'), [UNFIT_FINDING])
  const id = exchange.services.sentId(exchange.transport.headers)
  const vary = exchange.listVary(response)
  if (!response.hasHeaders && id === undefined && vary.length === 0)
    return { status: response.status, headers: head, body, code }
  const headers = copyBaseHeaders(head, response)
  const mistake = response.hasHeaders ? pushHeaders(headers, response.headers) : undefined
  if (mistake !== undefined) return respondWithViolation(exchange, mistake, [UNFIT_FINDING])
  addVary(headers, vary)
  if (id !== undefined) pushRequestId(headers, id)
  return { status: response.status, headers, body, code }
}

const UNDECLARED_FINDING: ViolationFinding = {
  part: 'response',
  pointer: '',
  code: 'undeclared',
  message: 'is not declared',
}
const UNFIT_FINDING: ViolationFinding = {
  part: 'headers',
  pointer: '',
  code: 'unfit',
  message: 'has a character that a header cannot carry',
}

function describeUndeclared({ compiled }: Exchange, { name, status }: ActionResponse): string {
  const names = [...compiled.responses.keys()].join(', ')
  return `the action returned '${name}' (${status}), which it does not declare; it lists: ${names}`
}

/** Writes a failure in place of the current response. */
export function writeFailureResponse(exchange: Exchange, response: FailureResponse): RawResponse {
  if (response !== exchange.response) {
    exchange.logClosingErrors(exchange.response.body)
    releaseBody(exchange.response.body)
  }
  const { compiled, services, transport } = exchange
  if (services.writeProblem !== undefined) return writeEncodedProblem(exchange, response, services.writeProblem)
  const head = compiled.failureHeaders(PROBLEM_JSON) as readonly string[]
  const body = stringifyProblem(response.body as Problem)
  const id = services.sentId(transport.headers)
  const code = getFailureCode(response)
  const vary = exchange.listVary(response)
  if (response.extraHeaders.length === 0 && !response.hasHeaders && id === undefined && vary.length === 0)
    return { status: response.status, headers: head, body, code }
  const headers = [...copyBaseHeaders(head, response), ...response.extraHeaders]
  if (response.hasHeaders) pushHeaders(headers, response.headers)
  addVary(headers, vary)
  if (id !== undefined) pushRequestId(headers, id)
  return { status: response.status, headers, body, code }
}

function writeEncodedProblem(exchange: Exchange, response: FailureResponse, write: WriteProblem): RawResponse {
  const { compiled, services, transport, request } = exchange
  const { method, url, id } = request
  const { endpoint, name } = compiled.resolved
  const { mediaType, status, headers, body } = write(response.body as Problem, {
    request: { id, method, url, headers: transport.headers },
    action: { endpoint: endpoint.name, name },
    environment: services.environment,
    reason: response.reason,
    findAttribute: createAttributeFinder(compiled.resolved),
    findSentValue: createSentValueFinder(exchange),
  })
  const base = [
    ...copyBaseHeaders(compiled.failureHeaders(mediaType) as readonly string[], response),
    ...response.extraHeaders,
  ]
  if (response.hasHeaders) pushHeaders(base, response.headers)
  addVary(base, exchange.listVary(response))
  const all = [...overlayHeaders(base, headers)]
  const sent = services.sentId(transport.headers)
  if (sent !== undefined) pushRequestId(all, sent)
  return { status, headers: all, body, code: getFailureCode(response) }
}

function addVary(headers: string[], values: readonly string[]): void {
  for (const value of values) if (isHeaderValue(value)) addHeader(headers, 'Vary', value)
}

// Headers that an action sets replace those of the framework.
const copyBaseHeaders = (head: readonly string[], response: ActionResponse): string[] =>
  response.hasHeaders ? withoutHeaders(head, listHeaderNames(response.headers)) : [...head]

// The id belongs to this request, not to the one that the response was recorded for.
function withOwnId({ services, transport }: Exchange, response: RawResponse): RawResponse {
  const sent = services.sentId(transport.headers)
  return sent === undefined ? response : { ...response, headers: overlayHeaders(response.headers, sent) }
}

function pushRequestId(headers: string[], sent: readonly [header: string, id: string]): void {
  const lower = sent[0].toLowerCase()
  // A request id that the application has set is kept.
  for (let i = 0; i < headers.length; i += 2) if (headers[i]?.toLowerCase() === lower) return
  headers.push(sent[0], sent[1])
}
