// Stage 4, response: the current response is held to its declaration and written; the answer leaves here and only here.
import type { ActionResponse } from '../../design/declare/response.ts'
import { isFailed } from '../../util/failed.ts'
import { overlaid, pushHeaders, unfit, without } from '../answer/headers.ts'
import type { Rendered, RenderFault } from '../answer/rendered.ts'
import type { ViolationFinding } from '../answer/violation.ts'
import { writtenOf } from '../answer/written.ts'
import type { Exchange, Step } from '../exchange.ts'
import { attributeFinder } from '../failure/attributes.ts'
import type { WriteProblem } from '../failure/encoder.ts'
import {
  codeOf,
  FailureResponse,
  isFailure,
  returnedFailure,
  thrownResponse,
  violationResponse,
} from '../failure/failures.ts'
import { PROBLEM_JSON, type Problem } from '../failure/problem.ts'
import { problemText } from '../failure/problem-text.ts'
import { type Passage, passAnswer } from '../points/outgoing.ts'
import { mayHold, releaseBody, replaceBody } from '../stream.ts'
import type { Answer } from '../transport.ts'
import { sentValueFinder } from './sent-values.ts'

/** Writes the current response, and keeps the answer until the callbacks of the stage have run. */
export const writeStep: Step = {
  name: 'write',
  run(exchange) {
    const { response, sent } = exchange
    const kept = exchange.written
    if (sent || kept?.response === response) return undefined
    if (kept !== undefined) replaceBody(kept.answer.body, response.body)
    exchange.written = { response, answer: written(exchange) }
    return undefined
  },
}

/** Sends the current response; an answer that was written stands, unless a callback has put another in its place. */
export function sendResponse(exchange: Exchange): void {
  if (exchange.sent) return
  const kept = exchange.written
  if (kept === undefined) return send(exchange, written(exchange))
  if (kept.response === exchange.response) return send(exchange, kept.answer)
  replaceBody(kept.answer.body, exchange.response.body)
  send(exchange, written(exchange))
}

function written(exchange: Exchange): Answer {
  try {
    return answerOf(exchange, exchange.response)
  } catch (error) {
    return failureAnswer(exchange, thrownResponse(exchange.services, error, exchange.origin))
  }
}

function send(exchange: Exchange, answer: Answer): void {
  exchange.sent = true
  if (exchange.timer !== undefined) clearTimeout(exchange.timer)
  const { compiled, services } = exchange
  if (compiled.outgoing.length === 0) exchange.send(answer)
  else passAnswer(answer, passageOf(exchange))
  if (services.logRequests) logRequest(exchange, answer.status)
}

const passageOf = (exchange: Exchange): Passage<Exchange> => ({
  subject: exchange,
  hooks: exchange.compiled.outgoing,
  deadline: exchange.services.deadline,
  failed: ({ name }, error) =>
    failureAnswer(
      exchange,
      thrownResponse(exchange.services, error, { ...exchange.origin, plugin: name, hook: 'answer' }),
    ),
  done: exchange.send,
})

function logRequest({ services, request, compiled, line }: Exchange, status: number): void {
  const { method, id } = request
  const url = services.redaction.url(request.url, { action: compiled.resolved, found: line.found })
  services.logger.info({ requestId: id, method, url, status, action: compiled.actionName }, 'request')
}

function answerOf(exchange: Exchange, response: ActionResponse): Answer {
  const ready = writtenOf(response)
  if (ready !== undefined) return withOwnId(exchange, ready)
  const written = isFailure(response) ? response : declaredAnswer(exchange, response)
  return isFailure(written) ? failureAnswer(exchange, written) : written
}

/** Writes a response as it is declared; gives the failure that takes its place where that cannot be done. */
function declaredAnswer(exchange: Exchange, response: ActionResponse): Answer | FailureResponse {
  const declared = exchange.compiled.responses.get(response.name)
  if (declared === undefined) return violationResponse(exchange, undeclared(exchange, response), [UNDECLARED])
  const rendered = declared.render(response, exchange)
  if (isFailed(rendered)) return faultResponse(exchange, response, rendered.fault)
  releaseWritten(exchange, response.body, rendered.body)
  const answer = withHeaders(exchange, response, rendered)
  // Elements are sent by a stream of their own.
  if (isFailure(answer)) releaseBody(rendered.body)
  return answer
}

// A body that was serialized whole can be closed now; the reader of a stream closes it.
function releaseWritten(exchange: Exchange, body: unknown, written: Rendered['body']): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body) || written === null) return
  const isWhole = typeof written === 'string' || ArrayBuffer.isView(written)
  if (isWhole && (ArrayBuffer.isView(body) || !mayHold(body))) return
  exchange.watchClosing(body)
  if (isWhole) releaseBody(body)
}

function faultResponse(exchange: Exchange, response: ActionResponse, fault: RenderFault): FailureResponse {
  if (fault.type === 'violation') return violationResponse(exchange, fault.text, fault.findings)
  return fault.type === 'failure' ? new FailureResponse(fault.failure) : returnedFailure(response)
}

function withHeaders(
  exchange: Exchange,
  response: ActionResponse,
  { contentType, body, code }: Rendered,
): Answer | FailureResponse {
  const { headerCache, failureHeaders } = exchange.compiled
  const head = (response.status < 400 ? headerCache : failureHeaders).of(contentType)
  if (head === undefined) return violationResponse(exchange, unfit('Content-Type'), [UNFIT])
  const id = exchange.services.sentId(exchange.transport.headers)
  if (!response.hasHeaders && id === undefined) return { status: response.status, headers: head, body, code }
  const headers = startOf(head, response)
  const broken = response.hasHeaders ? pushHeaders(headers, response.headers) : undefined
  if (broken !== undefined) return violationResponse(exchange, broken, [UNFIT])
  if (id !== undefined) pushId(headers, id)
  return { status: response.status, headers, body, code }
}

const UNDECLARED: ViolationFinding = {
  place: 'response',
  pointer: '',
  code: 'undeclared',
  message: 'is not declared',
}
const UNFIT: ViolationFinding = {
  place: 'headers',
  pointer: '',
  code: 'unfit',
  message: 'has a character that a header cannot carry',
}

function undeclared({ compiled }: Exchange, { name, status }: ActionResponse): string {
  const names = [...compiled.responses.keys()].join(', ')
  return `the action returned '${name}' (${status}), which it does not declare; it lists: ${names}`
}

function failureAnswer(exchange: Exchange, response: FailureResponse): Answer {
  if (response !== exchange.response) {
    exchange.watchClosing(exchange.response.body)
    releaseBody(exchange.response.body)
  }
  const { compiled, services, transport } = exchange
  if (services.writeProblem !== undefined) return encodedAnswer(exchange, response, services.writeProblem)
  const head = compiled.failureHeaders.of(PROBLEM_JSON) as readonly string[]
  const body = problemText(response.body as Problem)
  const id = services.sentId(transport.headers)
  const code = codeOf(response)
  if (response.extra.length === 0 && !response.hasHeaders && id === undefined)
    return { status: response.status, headers: head, body, code }
  const headers = [...startOf(head, response), ...response.extra]
  if (response.hasHeaders) pushHeaders(headers, response.headers)
  if (id !== undefined) pushId(headers, id)
  return { status: response.status, headers, body, code }
}

function encodedAnswer(exchange: Exchange, response: FailureResponse, write: WriteProblem): Answer {
  const { compiled, services, transport, request } = exchange
  const { method, url, id } = request
  const { endpoint, name } = compiled.resolved
  const { mediaType, status, headers, body } = write(response.body as Problem, {
    request: { id, method, url, headers: transport.headers },
    action: { endpoint: endpoint.name, name },
    environment: services.environment,
    reason: response.reason,
    attributeOf: attributeFinder(compiled.resolved),
    sentValue: sentValueFinder(exchange),
  })
  const given = [...startOf(compiled.failureHeaders.of(mediaType) as readonly string[], response), ...response.extra]
  if (response.hasHeaders) pushHeaders(given, response.headers)
  const all = [...overlaid(given, headers)]
  const sent = services.sentId(transport.headers)
  if (sent !== undefined) pushId(all, sent)
  return { status, headers: all, body, code: codeOf(response) }
}

// Headers that an action sets replace those that the framework would add.
const startOf = (head: readonly string[], response: ActionResponse): string[] =>
  response.hasHeaders ? without(head, Object.keys(response.headers)) : [...head]

// The id belongs to this request, not to the one that the answer was written for.
function withOwnId({ services, transport }: Exchange, answer: Answer): Answer {
  const sent = services.sentId(transport.headers)
  return sent === undefined ? answer : { ...answer, headers: overlaid(answer.headers, sent) }
}

function pushId(headers: string[], sent: readonly [header: string, id: string]): void {
  const lower = sent[0].toLowerCase()
  // One that the application has set stands.
  for (let i = 0; i < headers.length; i += 2) if (headers[i]?.toLowerCase() === lower) return
  headers.push(sent[0], sent[1])
}
