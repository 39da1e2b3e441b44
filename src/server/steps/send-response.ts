// Stage 4, response: writes the current response and sends it; all responses of actions are sent here.
import { replaceBody } from '../body-stream.ts'
import { toFailureResponse } from '../failure/failures.ts'
import { writeFailureResponse, writeResponse } from '../render/write-response.ts'
import type { Exchange, Step } from '../request/exchange.ts'
import { type ResponseHookRun, runResponseHooks } from '../response/outgoing-response.ts'
import type { RawResponse } from '../transport.ts'

/** Writes the current response, and stores it until the callbacks of the stage have run. */
export const writeStep: Step = {
  name: 'write',
  run(exchange) {
    const { response, sent } = exchange
    const previous = exchange.written
    if (sent || previous?.response === response) return undefined
    if (previous !== undefined) replaceBody(previous.answer.body, response.body)
    exchange.written = { response, answer: writeResponse(exchange) }
    return undefined
  },
}

/** Sends the current response; a written one is used, unless a callback has replaced it. */
export function sendResponse(exchange: Exchange): void {
  if (exchange.sent) return
  const previous = exchange.written
  if (previous === undefined) return sendRawResponse(exchange, writeResponse(exchange))
  if (previous.response === exchange.response) return sendRawResponse(exchange, previous.answer)
  replaceBody(previous.answer.body, exchange.response.body)
  sendRawResponse(exchange, writeResponse(exchange))
}

function sendRawResponse(exchange: Exchange, response: RawResponse): void {
  exchange.sent = true
  exchange.stopDeadline()
  const { compiled, services } = exchange
  if (compiled.responseHooks.length === 0) exchange.send(response)
  else runResponseHooks(response, createHookRun(exchange))
  if (services.logRequests) logRequest(exchange, response.status)
}

const createHookRun = (exchange: Exchange): ResponseHookRun<Exchange> => ({
  subject: exchange,
  hooks: exchange.compiled.responseHooks,
  deadline: exchange.services.deadline,
  respondToFailure: ({ name }, error) =>
    writeFailureResponse(
      exchange,
      toFailureResponse(exchange.services, error, { ...exchange.origin, plugin: name, hook: 'response' }),
    ),
  done: exchange.send,
})

function logRequest({ services, request, compiled, line }: Exchange, status: number): void {
  const { method, id } = request
  const url = services.redaction.redactUrl(request.url, { action: compiled.resolved, found: line.found })
  services.logger.info({ requestId: id, method, url, status, action: compiled.actionName }, 'request')
}
