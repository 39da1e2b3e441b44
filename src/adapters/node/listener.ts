// The way of a request through node:http and back: one head, one body, and the connection left in a known state.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { loggerForm } from '../../server/boot/option-forms.ts'
import { consoleLogger, type Logger } from '../../server/logger.ts'
import { guardBody, isStreamBody } from '../../server/body-stream.ts'
import type { RawResponse, Handler } from '../../server/transport.ts'
import { flag, validateSettings } from '../../util/setting-form.ts'
import { Connections } from './connection/connection.ts'
import { checkHead } from './connection/check-head.ts'
import { RequestDriver } from './request-driver.ts'
import { getBodyLength, withContentLength, hasBody, writeHead } from './message/framing.ts'
import { type MountedRequest, MountedTransport, getOriginalTarget } from './message/mounted-transport.ts'
import { setKeepAliveTimeout, formatHead, LeanResponse, type KeepAliveLines } from './message/lean-response.ts'
import { NodeTransport } from './message/node-transport.ts'
import { writeLingering, checkUnreadBody, skipLongBody, skipShortBody } from './message/unread-body.ts'

/** A handler that may have its own logger, as an application does. */
export interface NodeApp extends Handler {
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
export function listener(handler: NodeApp, options: ListenerOptions = {}): RequestListener {
  const { logger, fallthrough } = validateSettings('listener', options, { logger: loggerForm, fallthrough: flag })
  const dispatcher = new NodeDriver(handler, new Connections(), logger ?? handler.logger ?? consoleLogger)
  if (fallthrough && handler.knows === undefined)
    throw new TypeError('listener: fallthrough needs an application, which knows its paths: give one')
  const misplaced = createMountChecker(handler)
  return (request, response, next) => {
    const error = misplaced(request)
    if (error !== undefined && next !== undefined) next(error)
    else if (error !== undefined) throw error
    else if (fallthrough && next !== undefined && !handler.knows?.(getOriginalTarget(request))) next()
    else dispatcher.handleRequest(request, response, false, MountedTransport)
  }
}

/** Finds a place that the application does not know of: all its paths would be unknown, and its links wrong. */
function createMountChecker({ basePath = '' }: NodeApp): (request: MountedRequest) => TypeError | undefined {
  const known = new Map<unknown, TypeError | undefined>([
    [undefined, undefined],
    ['', undefined],
  ])
  const own = `${normalizeMountPath(basePath)}/`
  return ({ baseUrl }) => {
    if (!known.has(baseUrl) && known.size < 100 && !own.startsWith(`${normalizeMountPath(String(baseUrl))}/`)) {
      const problem = `it is mounted at ${baseUrl}, and the paths of the application begin with ${basePath || '/'}`
      known.set(baseUrl, new TypeError(`listener: ${problem}: give application({ basePath: '${baseUrl}' })`))
    }
    return known.get(baseUrl)
  }
}

// Hosts may match the prefix in any letters and codes, as the client wrote it. That is no mistake of the mounting, and the
// application answers such a path as it does by itself.
function normalizeMountPath(path: string): string {
  const plain = path.replace(/\/{2,}/g, '/').replace(/\/$/, '')
  try {
    return decodeURIComponent(plain).toLowerCase()
  } catch {
    return plain.toLowerCase()
  }
}

/** What holds on connections of a server of our own. */
interface OwnServerOptions {
  readonly keepAliveLines: KeepAliveLines
  readonly maxHeaderSize: number
}

/** Drives a handler with the requests of node:http and writes its answers. */
export class NodeDriver extends RequestDriver<NodeTransport> {
  /** How heads end on connections of a server of our own. */
  readonly #keepAliveLines: KeepAliveLines | undefined
  /** The most characters of a head. */
  readonly #maxHeaderSize: number | undefined

  constructor(handler: Handler, connections: Connections, logger: Logger, own?: OwnServerOptions) {
    super(handler, connections, logger)
    this.#keepAliveLines = own?.keepAliveLines
    this.#maxHeaderSize = own?.maxHeaderSize
  }

  /** Takes one request; `held` says that its client waits for `100 Continue`. */
  handleRequest(
    request: IncomingMessage,
    response: ServerResponse,
    held: boolean,
    Transport: typeof NodeTransport = NodeTransport,
  ): void {
    const connection = this.connections.getOrCreate(request.socket)
    if (connection.closing) return
    connection.pending++
    connection.unreadRequest = undefined
    const transport = new Transport(request, response, connection, held)
    this.admit(transport, checkHead(request, this.#maxHeaderSize), connection.pending)
  }

  protected send(transport: NodeTransport, answer: RawResponse): void {
    if (transport.isLast || !this.connections.isDraining) return this.respond(transport, answer, transport.isLast)
    guardBody(answer.body)
    // Once the parser has seen all that arrived together, the last of pipelined requests is known: its answer closes.
    setImmediate(() => this.respond(transport, answer, transport.sequence === transport.connection.requestCount))
  }

  protected override writeResponse(transport: NodeTransport, answer: RawResponse, last: boolean): void {
    if (!last && this.#keepAliveLines !== undefined) {
      if (writeDirectly(transport, answer, this.#keepAliveLines)) return
      setKeepAliveTimeout(transport.response, this.#keepAliveLines)
    }
    super.writeResponse(transport, answer, last)
  }

  protected onUndelivered({ connection }: NodeTransport): void {
    connection.pending--
  }

  protected onStreamEnd(transport: NodeTransport, complete: boolean): void {
    const { connection } = transport
    connection.isStreaming = false
    connection.pending--
    if (complete && checkUnreadBody(transport) !== 'none') skipLongBody(transport, () => {})
  }

  protected writeHead({ response, connection }: NodeTransport, { status, headers }: RawResponse, last: boolean): void {
    response.strictContentLength = true
    writeHead(response, status, last ? [...headers, 'Connection', 'close'] : [...headers])
    response.flushHeaders()
    connection.isStreaming = true
    if (last) connection.closing = true
  }

  protected writeBuffered(transport: NodeTransport, answer: RawResponse, last: boolean): void {
    const { response, connection } = transport
    const { status } = answer
    const body = hasBody(transport.method, answer) ? (answer.body as string | Uint8Array) : undefined
    const headers = withContentLength(transport.method, answer)
    transport.sentBytes = getBodyLength(transport.method, answer)
    const rest = checkUnreadBody(transport)
    if (last || rest === 'long') {
      headers.push('Connection', 'close')
      connection.closing = true
    }
    if (rest === 'long') writeLingering(transport, status, headers, body)
    else {
      writeHead(response, status, headers)
      response.end(body)
      if (rest === 'short') skipShortBody(transport)
    }
    connection.pending--
  }

  protected abortResponse({ raw, response, connection }: NodeTransport): void {
    connection.pending--
    connection.isStreaming = false
    connection.closing = true
    // To a client of HTTP/1.0 the end of the connection is the end of the body: only a reset tells it otherwise.
    const { rawSocket: plain } = connection
    if (raw.httpVersion === '1.0' && !('encrypted' in plain)) plain.resetAndDestroy()
    else response.destroy()
  }
}

/** Writes a whole answer on a connection that stays open, past most of node:http; false if anything asks for more than that. */
function writeDirectly(transport: NodeTransport, { status, headers, body }: RawResponse, tail: KeepAliveLines): boolean {
  const { response, raw, connection } = transport
  if (body === null || isStreamBody(body) || !(response instanceof LeanResponse) || !response.canWriteDirectly) return false
  if (raw.method === 'HEAD' || status === 204 || status === 205 || status === 304) return false
  const head = formatHead(status, headers)
  if (head === undefined || checkUnreadBody(transport) !== 'none') return false
  const length = Buffer.byteLength(body)
  const whole = `${head}Content-Length: ${length}\r\n${tail.value}`
  if (typeof body !== 'string') writeBytesDirectly(response, status, whole, body)
  // A text as long as its bytes is ASCII, which is written without being encoded.
  else response.writeDirectly(status, whole + body, length === body.length ? 'latin1' : 'utf8')
  transport.sentBytes = length
  connection.pending--
  return true
}

/** Up to this size bytes are cheaper to send as a text in which each of them is one character. */
const MAX_LATIN1_BYTES = 4096

function writeBytesDirectly(response: LeanResponse, status: number, head: string, bytes: Uint8Array): void {
  if (bytes.length > MAX_LATIN1_BYTES) response.writeDirectly(status, head, 'latin1', bytes)
  else response.writeDirectly(status, head + Buffer.prototype.latin1Slice.call(bytes, 0, bytes.length), 'latin1')
}
