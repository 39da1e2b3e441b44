// Handles requests through node:http: one head, one body, and the connection left in a known state.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { guardBody, isStreamBody } from '../../server/body-stream.ts'
import { loggerForm } from '../../server/boot/option-forms.ts'
import { consoleLogger, type Logger } from '../../server/logger.ts'
import type { Handler, RawResponse } from '../../server/transport.ts'
import { flag, validateSettings } from '../../util/setting-form.ts'
import { checkHead } from './connection/check-head.ts'
import { Connections } from './connection/connection.ts'
import { getBodyLength, hasBody, withContentLength, writeHead } from './message/framing.ts'
import { formatHead, type KeepAliveLines, LeanResponse, setKeepAliveTimeout } from './message/lean-response.ts'
import { getOriginalTarget, type MountedRequest, MountedTransport } from './message/mounted-transport.ts'
import { NodeTransport } from './message/node-transport.ts'
import { checkUnreadBody, skipLongBody, skipShortBody, writeLingering } from './message/unread-body.ts'
import { RequestDriver } from './request-driver.ts'

/** A handler that may have its own logger, like an application. */
export interface NodeApp extends Handler {
  readonly logger?: Logger | undefined
  /** The prefix of every path. */
  readonly basePath?: string | undefined
  /** Returns whether it has the path of a target. */
  knows?(target: string): boolean
}

/** The options of a listener. */
export interface ListenerOptions {
  /** The logger of failed responses; by default the handler's own. */
  readonly logger?: Logger | undefined
  /**
   * Passes unknown paths to the framework in which the application is mounted.
   * @default `false`: they get 404
   */
  readonly fallthrough?: boolean
}

/** A request listener of node:http; frameworks also pass `next`. */
export type RequestListener = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void

/** Creates a request listener for node:http, node:https or any framework that passes their objects on. */
export function listener(handler: NodeApp, options: ListenerOptions = {}): RequestListener {
  const { logger, fallthrough } = validateSettings('listener', options, { logger: loggerForm, fallthrough: flag })
  const driver = new NodeDriver(handler, new Connections(), logger ?? handler.logger ?? consoleLogger)
  if (fallthrough && handler.knows === undefined)
    throw new TypeError('listener: fallthrough needs an application, which knows its paths: give one')
  const checkMount = createMountChecker(handler)
  return (request, response, next) => {
    const error = checkMount(request)
    if (error !== undefined && next !== undefined) next(error)
    else if (error !== undefined) throw error
    else if (fallthrough && next !== undefined && !handler.knows?.(getOriginalTarget(request))) next()
    else driver.handleRequest(request, response, 'sent', MountedTransport)
  }
}

/**
 * Creates the check of the mount path: if it differs from the base path, no route would match, and links would be
 * wrong.
 */
function createMountChecker({ basePath = '' }: NodeApp): (request: MountedRequest) => TypeError | undefined {
  const errors = new Map<unknown, TypeError | undefined>([
    [undefined, undefined],
    ['', undefined],
  ])
  const expected = `${normalizeMountPath(basePath)}/`
  return ({ baseUrl }) => {
    if (!errors.has(baseUrl) && errors.size < 100 && !expected.startsWith(`${normalizeMountPath(String(baseUrl))}/`)) {
      const problem = `it is mounted at ${baseUrl}, and the paths of the application begin with ${basePath || '/'}`
      errors.set(baseUrl, new TypeError(`listener: ${problem}: give application({ basePath: '${baseUrl}' })`))
    }
    return errors.get(baseUrl)
  }
}

// Host frameworks may match the prefix case-insensitively and percent-encoded, as the client sent it. That is not a
// mounting mistake, and the application responds to such a path as usual.
function normalizeMountPath(path: string): string {
  const plain = path.replace(/\/{2,}/g, '/').replace(/\/$/, '')
  try {
    return decodeURIComponent(plain).toLowerCase()
  } catch {
    return plain.toLowerCase()
  }
}

/** The settings of connections of edict's own server. */
interface OwnServerOptions {
  readonly keepAliveLines: KeepAliveLines
  readonly maxHeaderSize: number
}

/** Drives a handler with the requests of node:http and writes its responses. */
export class NodeDriver extends RequestDriver<NodeTransport> {
  /** The last header lines on connections of edict's own server. */
  readonly #keepAliveLines: KeepAliveLines | undefined
  /** The most characters of a head. */
  readonly #maxHeaderSize: number | undefined

  constructor(handler: Handler, connections: Connections, logger: Logger, ownServer?: OwnServerOptions) {
    super(handler, connections, logger)
    this.#keepAliveLines = ownServer?.keepAliveLines
    this.#maxHeaderSize = ownServer?.maxHeaderSize
  }

  /** Handles one request; a client that waits for `100 Continue` holds its body. */
  handleRequest(
    request: IncomingMessage,
    response: ServerResponse,
    body: 'sent' | 'held',
    Transport: typeof NodeTransport = NodeTransport,
  ): void {
    const connection = this.connections.getOrCreate(request.socket)
    if (connection.closing) return
    connection.pending++
    connection.unreadRequest = undefined
    const transport = new Transport(request, response, connection, body === 'held')
    this.admit(transport, checkHead(request, this.#maxHeaderSize), connection.pending)
  }

  protected send(transport: NodeTransport, response: RawResponse): void {
    if (transport.isLast || !this.connections.isDraining) return this.respond(transport, response, transport.isLast)
    guardBody(response.body)
    // After the parser has read everything that arrived together, the last of the pipelined requests is known: its
    // response closes the connection.
    setImmediate(() => this.respond(transport, response, transport.sequence === transport.connection.requestCount))
  }

  protected override writeResponse(transport: NodeTransport, rawResponse: RawResponse, last: boolean): void {
    if (!last && this.#keepAliveLines !== undefined) {
      if (writeDirectly(transport, rawResponse, this.#keepAliveLines)) return
      setKeepAliveTimeout(transport.response, this.#keepAliveLines)
    }
    super.writeResponse(transport, rawResponse, last)
  }

  protected onUndelivered({ connection }: NodeTransport): void {
    connection.pending--
  }

  protected onStreamEnd(transport: NodeTransport, isComplete: boolean): void {
    const { connection } = transport
    connection.isStreaming = false
    connection.pending--
    if (isComplete && checkUnreadBody(transport) !== 'none') skipLongBody(transport, () => {})
  }

  protected writeHead({ response, connection }: NodeTransport, { status, headers }: RawResponse, last: boolean): void {
    response.strictContentLength = true
    writeHead(response, status, last ? [...headers, 'Connection', 'close'] : [...headers])
    response.flushHeaders()
    connection.isStreaming = true
    if (last) connection.closing = true
  }

  protected writeBuffered(transport: NodeTransport, rawResponse: RawResponse, last: boolean): void {
    const { response, connection } = transport
    const { status } = rawResponse
    const body = hasBody(transport.method, rawResponse) ? (rawResponse.body as string | Uint8Array) : undefined
    const headers = withContentLength(transport.method, rawResponse)
    transport.sentBytes = getBodyLength(transport.method, rawResponse)
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
    // For an HTTP/1.0 client, the end of the connection is the end of the body: only a reset signals an error.
    const { rawSocket } = connection
    if (raw.httpVersion === '1.0' && !('encrypted' in rawSocket)) rawSocket.resetAndDestroy()
    else response.destroy()
  }
}

/**
 * Writes a complete response on a connection that stays open, bypassing most of node:http; returns false if that is not
 * possible.
 */
function writeDirectly(
  transport: NodeTransport,
  { status, headers, body }: RawResponse,
  keepAliveLines: KeepAliveLines,
): boolean {
  const { response, raw, connection } = transport
  if (body === null || isStreamBody(body) || !(response instanceof LeanResponse) || !response.canWriteDirectly)
    return false
  if (raw.method === 'HEAD' || status === 204 || status === 205 || status === 304) return false
  const head = formatHead(status, headers)
  if (head === undefined || checkUnreadBody(transport) !== 'none') return false
  const length = Buffer.byteLength(body)
  const fullHead = `${head}Content-Length: ${length}\r\n${keepAliveLines.value}`
  if (typeof body !== 'string') writeBytesDirectly(response, status, fullHead, body)
  // A text as long as its bytes is ASCII, which needs no encoding.
  else response.writeDirectly(status, fullHead + body, length === body.length ? 'latin1' : 'utf8')
  transport.sentBytes = length
  connection.pending--
  return true
}

/** Up to this size, bytes are cheaper to send as a latin1 string. */
const MAX_LATIN1_BYTES = 4096

function writeBytesDirectly(response: LeanResponse, status: number, head: string, bytes: Uint8Array): void {
  if (bytes.length > MAX_LATIN1_BYTES) response.writeDirectly(status, head, 'latin1', bytes)
  else response.writeDirectly(status, head + Buffer.prototype.latin1Slice.call(bytes, 0, bytes.length), 'latin1')
}
