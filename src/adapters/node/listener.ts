// The way of a request through node:http and back: one head, one body, and the connection left in a known state.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { logger as loggerForm } from '../../server/boot/option-forms.ts'
import { consoleLogger, type Logger } from '../../server/logger.ts'
import { guardBody, isStream } from '../../server/stream.ts'
import type { Answer, Handler } from '../../server/transport.ts'
import { flag, settled } from '../../util/form.ts'
import { Connections } from './connection/connection.ts'
import { flawOf } from './connection/flaws.ts'
import { Driver } from './driver.ts'
import { bodyLength, framed, hasBody, writeHead } from './message/framing.ts'
import { type MountedRequest, MountedTransport, targetOf } from './message/mounted.ts'
import { announceKeepAlive, headOf, LeanResponse, type Tail } from './message/response.ts'
import { NodeTransport } from './message/transport.ts'
import { lingeringAnswer, restOf, skipLong, skipShort } from './message/unread.ts'

/** A handler that may have its own logger, as an application does. */
export interface Served extends Handler {
  readonly logger?: Logger | undefined
  /** Comes before every path. */
  readonly basePath?: string | undefined
  /** Returns whether it has the path of a target. */
  knows?(target: string): boolean
}

/** Settings of a listener. */
export interface ListenerOptions {
  /** The logger of failed responses; by default the handler's own. */
  readonly logger?: Logger | undefined
  /**
   * Passes unknown paths to the framework in which the application is mounted.
   * @default `false`: they are answered with 404
   */
  readonly fallthrough?: boolean
}

/** A request listener of node:http; frameworks also pass `next`. */
export type RequestListener = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void

/** Makes a request listener for node:http, node:https or any framework that passes their objects on. */
export function listener(handler: Served, options: ListenerOptions = {}): RequestListener {
  const { logger, fallthrough } = settled('listener', options, { logger: loggerForm, fallthrough: flag })
  const dispatcher = new NodeDriver(handler, new Connections(), logger ?? handler.logger ?? consoleLogger)
  if (fallthrough && handler.knows === undefined)
    throw new TypeError('listener: fallthrough needs an application, which knows its paths: give one')
  const misplaced = placeChecker(handler)
  return (request, response, next) => {
    const error = misplaced(request)
    if (error !== undefined && next !== undefined) next(error)
    else if (error !== undefined) throw error
    else if (fallthrough && next !== undefined && !handler.knows?.(targetOf(request))) next()
    else dispatcher.take(request, response, false, MountedTransport)
  }
}

/** Finds a place that the application does not know of: all its paths would be unknown, and its links wrong. */
function placeChecker({ basePath = '' }: Served): (request: MountedRequest) => TypeError | undefined {
  const known = new Map<unknown, TypeError | undefined>([
    [undefined, undefined],
    ['', undefined],
  ])
  const own = `${likeHosts(basePath)}/`
  return ({ baseUrl }) => {
    if (!known.has(baseUrl) && known.size < 100 && !own.startsWith(`${likeHosts(String(baseUrl))}/`)) {
      const problem = `it is mounted at ${baseUrl}, and the paths of the application begin with ${basePath || '/'}`
      known.set(baseUrl, new TypeError(`listener: ${problem}: give application({ basePath: '${baseUrl}' })`))
    }
    return known.get(baseUrl)
  }
}

// Hosts may match the prefix in any letters and codes, as the client wrote it. That is no mistake of the mounting, and the
// application answers such a path as it does by itself.
function likeHosts(path: string): string {
  const plain = path.replace(/\/{2,}/g, '/').replace(/\/$/, '')
  try {
    return decodeURIComponent(plain).toLowerCase()
  } catch {
    return plain.toLowerCase()
  }
}

/** What holds on connections of a server of our own. */
interface OwnServer {
  readonly tail: Tail
  readonly maxHeaderSize: number
}

/** Drives a handler with the requests of node:http and writes its answers. */
export class NodeDriver extends Driver<NodeTransport> {
  /** How heads end on connections of a server of our own. */
  readonly #tail: Tail | undefined
  /** The most characters of a head. */
  readonly #maxHeaderSize: number | undefined

  constructor(handler: Handler, connections: Connections, logger: Logger, own?: OwnServer) {
    super(handler, connections, logger)
    this.#tail = own?.tail
    this.#maxHeaderSize = own?.maxHeaderSize
  }

  /** Takes one request; `held` says that its client waits for `100 Continue`. */
  take(
    request: IncomingMessage,
    response: ServerResponse,
    held: boolean,
    Transport: typeof NodeTransport = NodeTransport,
  ): void {
    const connection = this.connections.of(request.socket)
    if (connection.closing) return
    connection.pending++
    connection.unread = undefined
    const transport = new Transport(request, response, connection, held)
    this.admit(transport, flawOf(request, this.#maxHeaderSize), connection.pending)
  }

  protected send(transport: NodeTransport, answer: Answer): void {
    if (transport.last || !this.connections.draining) return this.answer(transport, answer, transport.last)
    guardBody(answer.body)
    // Once the parser has seen all that arrived together, the last of pipelined requests is known: its answer closes.
    setImmediate(() => this.answer(transport, answer, transport.number === transport.connection.received))
  }

  protected override write(transport: NodeTransport, answer: Answer, last: boolean): void {
    if (!last && this.#tail !== undefined) {
      if (writePlain(transport, answer, this.#tail)) return
      announceKeepAlive(transport.response, this.#tail)
    }
    super.write(transport, answer, last)
  }

  protected unheard({ connection }: NodeTransport): void {
    connection.pending--
  }

  protected ended(transport: NodeTransport, complete: boolean): void {
    const { connection } = transport
    connection.streaming = false
    connection.pending--
    if (complete && restOf(transport) !== 'none') skipLong(transport, () => {})
  }

  protected writeHead({ response, connection }: NodeTransport, { status, headers }: Answer, last: boolean): void {
    response.strictContentLength = true
    writeHead(response, status, last ? [...headers, 'Connection', 'close'] : [...headers])
    response.flushHeaders()
    connection.streaming = true
    if (last) connection.closing = true
  }

  protected writeWhole(transport: NodeTransport, answer: Answer, last: boolean): void {
    const { response, connection } = transport
    const { status } = answer
    const body = hasBody(transport.method, answer) ? (answer.body as string | Uint8Array) : undefined
    const headers = framed(transport.method, answer)
    transport.sent = bodyLength(transport.method, answer)
    const rest = restOf(transport)
    if (last || rest === 'long') {
      headers.push('Connection', 'close')
      connection.closing = true
    }
    if (rest === 'long') lingeringAnswer(transport, status, headers, body)
    else {
      writeHead(response, status, headers)
      response.end(body)
      if (rest === 'short') skipShort(transport)
    }
    connection.pending--
  }

  protected cut({ raw, response, connection }: NodeTransport): void {
    connection.pending--
    connection.streaming = false
    connection.closing = true
    // To a client of HTTP/1.0 the end of the connection is the end of the body: only a reset tells it otherwise.
    const { plain } = connection
    if (raw.httpVersion === '1.0' && !('encrypted' in plain)) plain.resetAndDestroy()
    else response.destroy()
  }
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
