// The way of a request through node:http and back: one head, one body, and the connection left in a known state.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { consoleLogger, type Logger, safely } from '../../server/logger.ts'
import { discard, isStream, sourceOf } from '../../server/stream.ts'
import { pathAndQuery } from '../../server/target.ts'
import type { Answer, Handler, Send, StreamBody } from '../../server/transport.ts'
import { Connections } from './connection/connection.ts'
import { flawOf } from './connection/flaws.ts'
import { refusals } from './connection/refusals.ts'
import { announceKeepAlive, headOf, LeanResponse, type Tail } from './message/response.ts'
import { pump } from './message/stream.ts'
import { NodeTransport } from './message/transport.ts'
import { lingeringAnswer, restOf, skipLong, skipShort } from './message/unread.ts'

/** A handler that may bring its own logger, as an application does. */
export interface Served extends Handler {
  readonly logger?: Logger | undefined
}

/** Settings of a listener. */
export interface ListenerOptions {
  /** Where faults of answers are written; the handler's own logger by default. */
  readonly logger?: Logger | undefined
}

/** What node:http calls for each request. */
export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void

/** Makes a request listener for node:http, node:https or any framework that passes their objects on. */
export function listener(handler: Served, options: ListenerOptions = {}): RequestListener {
  const dispatcher = new NodeDriver(handler, new Connections(), options.logger ?? handler.logger ?? consoleLogger)
  return (request, response) => dispatcher.take(request, response, false)
}

/** Drives a handler with the requests of node:http and writes its answers. */
export class NodeDriver {
  readonly #handler: Handler
  readonly #connections: Connections
  readonly #logger: Logger
  /** How heads end on connections of a server of our own. */
  readonly #tail: Tail | undefined

  constructor(handler: Handler, connections: Connections, logger: Logger, tail?: Tail) {
    this.#handler = handler
    this.#connections = connections
    this.#logger = safely(logger)
    this.#tail = tail
  }

  /** Takes one request; `held` says that its client waits for `100 Continue`. */
  take(request: IncomingMessage, response: ServerResponse, held: boolean): void {
    const connection = this.#connections.of(request.socket)
    if (connection.closing) return
    connection.pending++
    connection.unread = undefined
    const transport = new NodeTransport(request, response, connection, held)
    const flaw = flawOf(request)
    if (flaw !== undefined)
      return this.#refuse(transport, refusals[flaw], (answer) => this.#answer(transport, answer, true))
    const { admission } = this.#connections
    if (admission.full || connection.pending > admission.pipelined)
      return this.#refuse(transport, admission.refuse(), (answer) => this.#send(transport, answer))
    transport.count(true)
    this.#handler.handle(transport, (answer) => {
      transport.leave()
      this.#send(transport, answer)
    })
  }

  // Plugins of the application see what it is not asked about, too.
  #refuse(transport: NodeTransport, answer: Answer, send: Send): void {
    if (this.#handler.refuse === undefined) send(answer)
    else this.#handler.refuse(transport, answer, send)
  }

  #send(transport: NodeTransport, answer: Answer): void {
    if (transport.last || !this.#connections.draining) this.#answer(transport, answer, transport.last)
    // Once the parser has seen all that arrived together, the last of pipelined requests is known: its answer closes.
    else setImmediate(() => this.#answer(transport, answer, transport.number === transport.connection.received))
  }

  #answer(transport: NodeTransport, answer: Answer, last: boolean): void {
    if (!transport.raw.socket.writable) {
      transport.connection.pending--
      discard(answer.body)
      answer.done?.(answer.status, 'aborted', 0)
      return
    }
    transport.status = answer.status
    if (answer.done !== undefined) transport.whenOver(answer.done)
    try {
      if (answer.status < 200) throw new RangeError(`${answer.status} is not the status of an answer`)
      if (!last && this.#tail !== undefined) {
        if (writePlain(transport, answer, this.#tail)) return
        announceKeepAlive(transport.response, this.#tail)
      }
      if (!isStream(answer.body)) writeWhole(transport, answer, last)
      else if (hasBody(transport, answer)) this.#stream(transport, answer, answer.body, last)
      else {
        discard(answer.body)
        writeWhole(transport, { ...answer, body: null }, last)
      }
    } catch (error) {
      discard(answer.body)
      this.#fail(transport, answer, error)
    }
  }

  #stream(transport: NodeTransport, answer: Answer, body: StreamBody, last: boolean): void {
    const { response, connection } = transport
    const sink = {
      response,
      // The stream may be made of the request, whose client has not been told to go on yet.
      patient: transport.held,
      begin: () => writeHead(transport, answer, last),
      whenGone: (callback: () => void) => transport.whenGone(callback),
      ...(answer.done !== undefined && {
        wrote: (piece: string | Uint8Array) => {
          transport.sent += Buffer.byteLength(piece)
        },
      }),
    }
    pump(sourceOf(body), sink).then(
      (complete) => {
        connection.streaming = false
        connection.pending--
        if (complete && restOf(transport) !== 'none') skipLong(transport, () => {})
      },
      (error: unknown) => this.#fail(transport, answer, error),
    )
  }

  /** An answer that cannot be written becomes a 500, or the end of the connection if part of it is out. */
  #fail(transport: NodeTransport, { instead }: Answer, error: unknown): void {
    this.#log(transport, error)
    const again = transport.failed
    transport.failed = true
    transport.error = error
    transport.sent = transport.response.headersSent ? transport.sent : 0
    if (transport.response.headersSent) return cut(transport)
    // The application may show the failure to its plugins, once: what fails then is not asked again.
    if (!again) {
      if (instead !== undefined) return instead(refusals.internal, error)
      if (this.#handler.refuse !== undefined)
        return this.#refuse(transport, refusals.internal, (other) => this.#answer(transport, other, true))
    }
    try {
      transport.status = refusals.internal.status
      writeWhole(transport, refusals.internal, true)
    } catch (another) {
      this.#log(transport, another)
      cut(transport)
    }
  }

  #log({ method, url }: NodeTransport, err: unknown): void {
    const target = pathAndQuery(url)
    const shown = this.#handler.redactUrl?.(target) ?? target
    this.#logger.error({ err, method, url: shown }, 'An answer could not be sent')
  }
}

function writeHead({ response, connection }: NodeTransport, { status, headers }: Answer, last: boolean): void {
  response.strictContentLength = true
  response.writeHead(status, last ? [...headers, 'Connection', 'close'] : [...headers])
  response.flushHeaders()
  connection.streaming = true
  if (last) connection.closing = true
}

function writeWhole(transport: NodeTransport, answer: Answer, last: boolean): void {
  const { response, connection } = transport
  const { status } = answer
  const body = hasBody(transport, answer) ? (answer.body as string | Uint8Array) : undefined
  const headers = framed(transport, answer)
  const rest = restOf(transport)
  if (last || rest === 'long') {
    headers.push('Connection', 'close')
    connection.closing = true
  }
  if (rest === 'long') lingeringAnswer(transport, status, headers, body)
  else {
    response.writeHead(status, headers)
    response.end(body)
    if (rest === 'short') skipShort(transport)
  }
  connection.pending--
}

/** Writes a whole answer on a connection that stays open, past most of node:http; false if anything asks for more than that. */
function writePlain(transport: NodeTransport, { status, headers, body }: Answer, tail: Tail): boolean {
  const { response, raw, connection } = transport
  if (body === null || isStream(body) || !(response instanceof LeanResponse) || !response.plain) return false
  if (raw.method === 'HEAD' || status === 204 || status === 205 || status === 304) return false
  const head = headOf(status, headers)
  if (head === undefined || restOf(transport) !== 'none') return false
  const length = Buffer.byteLength(body)
  const whole = `${head}Content-Length: ${length}\r\n${tail.text}`
  if (typeof body !== 'string') writeBytes(response, status, whole, body)
  // A text as long as its bytes is ASCII, which is written without being encoded.
  else response.answer(status, whole + body, length === body.length ? 'latin1' : 'utf8')
  transport.sent = length
  connection.pending--
  return true
}

/** Up to this size bytes are cheaper to send as a text in which each of them is one character. */
const SHORT = 4096

function writeBytes(response: LeanResponse, status: number, head: string, bytes: Uint8Array): void {
  if (bytes.length > SHORT) response.answer(status, head, 'latin1', bytes)
  else response.answer(status, head + Buffer.prototype.latin1Slice.call(bytes, 0, bytes.length), 'latin1')
}

function hasBody({ raw }: NodeTransport, { status, body }: Answer): boolean {
  return body !== null && raw.method !== 'HEAD' && status !== 204 && status !== 205 && status !== 304
}

/** The headers with the length that belongs to the body, in place of any that came with them. */
function framed(transport: NodeTransport, answer: Answer): string[] {
  const { raw } = transport
  const { status, headers, body } = answer
  // Only the handler can know the length of what it did not make.
  if (body === null && raw.method === 'HEAD') return [...headers]
  const result: string[] = []
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i]!
    if (!isFraming(name)) result.push(name, headers[i + 1]!)
  }
  if (status === 204 || status === 304) return result
  // To its client a success of CONNECT is the beginning of a tunnel, and has no length (RFC 9110, section 9.3.6).
  if (raw.method === 'CONNECT' && status < 300) return result
  const length = body === null || status === 205 ? 0 : Buffer.byteLength(body as string | Uint8Array)
  if (hasBody(transport, answer)) transport.sent = length
  result.push('Content-Length', String(length))
  return result
}

function isFraming(name: string): boolean {
  if (name.length === 14) return name.toLowerCase() === 'content-length'
  return name.length === 17 && name.toLowerCase() === 'transfer-encoding'
}

/** Ends the connection in the middle of an answer, so that nobody takes what there is for all of it. */
function cut({ raw, response, connection }: NodeTransport): void {
  connection.pending--
  connection.streaming = false
  connection.closing = true
  // To a client of HTTP/1.0 the end of the connection is the end of the body: only a reset tells it otherwise.
  if (raw.httpVersion === '1.0' && !('encrypted' in raw.socket)) raw.socket.resetAndDestroy()
  else response.destroy()
}
