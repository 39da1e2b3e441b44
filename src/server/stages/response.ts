// Stage 4, response: the current response is held to its declaration and written; the answer leaves here and only here.
import type { HeaderBag, Response } from '../../design/response.ts'
import { discard } from '../bodies.ts'
import type { Exchange } from '../exchange.ts'
import { FailureResponse, thrownResponse, violationResponse } from '../failures.ts'
import { writeProblem } from '../problem.ts'
import type { Rendered } from '../rendered.ts'
import type { Answer } from '../transport.ts'

/** Sends the current response. */
export function sendResponse(exchange: Exchange): void {
  if (exchange.sent) return
  exchange.sent = true
  let answer: Answer
  try {
    answer = answerOf(exchange, exchange.response)
  } catch (error) {
    answer = failureAnswer(exchange, thrownResponse(exchange.services, error, exchange))
  }
  exchange.send(answer)
  if (exchange.services.logRequests) logRequest(exchange, answer.status)
}

function logRequest({ services, request, compiled }: Exchange, status: number): void {
  const { method, url, id } = request
  services.logger.info({ requestId: id, method, url, status, action: compiled.place }, 'request')
}

function answerOf(exchange: Exchange, response: Response): Answer {
  if (response instanceof FailureResponse) return failureAnswer(exchange, response)
  const declared = exchange.compiled.responses.get(response.name)
  if (declared === undefined)
    return failureAnswer(exchange, violationResponse(exchange, undeclared(exchange, response)))
  const rendered = declared.render(response, exchange)
  if ('violation' in rendered) return failureAnswer(exchange, violationResponse(exchange, rendered.violation))
  if ('failure' in rendered) return failureAnswer(exchange, new FailureResponse(rendered.failure))
  const headers = headersOf(exchange, rendered, response)
  if (typeof headers === 'string') return failureAnswer(exchange, violationResponse(exchange, headers))
  pushId(headers, exchange)
  return { status: response.status, headers, body: rendered.body }
}

function undeclared({ compiled }: Exchange, { name, status }: Response): string {
  const names = [...compiled.responses.keys()].join(', ')
  return `the action returned '${name}' (${status}), which it does not declare; it lists: ${names}`
}

function failureAnswer(exchange: Exchange, response: FailureResponse): Answer {
  if (response !== exchange.response) discard(exchange.response.body)
  const { mediaType, body } = writeProblem(exchange.services.encodeProblem, response.body)
  const headers = ['Content-Type', mediaType, ...exchange.compiled.baseHeaders, ...response.extra]
  if (response.hasHeaders) pushHeaders(headers, response.headers)
  pushId(headers, exchange)
  return { status: response.status, headers, body }
}

function headersOf({ compiled }: Exchange, { contentType }: Rendered, response: Response): string[] | string {
  if (contentType !== undefined && FORBIDDEN.test(contentType)) return unfit('Content-Type')
  const headers =
    contentType === undefined ? compiled.baseHeaders.slice() : ['Content-Type', contentType, ...compiled.baseHeaders]
  return response.hasHeaders ? (pushHeaders(headers, response.headers) ?? headers) : headers
}

function pushId(headers: string[], { services, transport }: Exchange): void {
  const sent = services.sentId(transport.headers)
  if (sent === undefined) return
  const lower = sent[0].toLowerCase()
  // One that the application has set stands.
  for (let i = 0; i < headers.length; i += 2) if (headers[i]?.toLowerCase() === lower) return
  headers.push(sent[0], sent[1])
}

const NAME = /^[\w!#$%&'*+.^`|~-]+$/
// Beyond ASCII, what a header means depends on who writes and reads it (RFC 9110, section 5.5).
const FORBIDDEN = /[^\t\x20-\x7e]/

const unfit = (name: string): string => `the header ${name} has a character that a header cannot carry; encode it`

// What a header must not contain would split the answer in two; a text in the returned value is what is wrong.
function pushHeaders(headers: string[], bag: HeaderBag): string | undefined {
  for (const name of Object.keys(bag)) {
    if (name.toLowerCase() === 'content-type') continue
    if (!NAME.test(name)) return `'${name}' is not the name of a header`
    const value = bag[name] as string | readonly string[]
    for (const one of typeof value === 'string' ? [value] : value) {
      const text = String(one)
      if (FORBIDDEN.test(text)) return unfit(name)
      headers.push(name, text)
    }
  }
  return undefined
}
