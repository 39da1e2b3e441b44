// The response object of edict's own servers: a node:http response that can write a complete response to its socket at
// once. It bypasses the main costs of node:http: merging two writes, a table of headers, a chain of callbacks. Node
// still learns of the end by the event 'finish'.
import { type IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { isHeaderName, isHeaderValue } from '../../../server/response/headers.ts'

/** A response that can bypass node:http. */
export class LeanResponse<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {
  /** Whether a complete response has been written, bypassing the methods of node:http. */
  isWrittenDirectly = false
  /** Whether that response has left the process. */
  #hasLeft = false

  static {
    // Node's types do not declare accessors; Node 24 stores the second value in a private field.
    Object.defineProperties(LeanResponse.prototype, {
      headersSent: {
        get(this: LeanResponse): boolean {
          return this.isWrittenDirectly || Reflect.get(ServerResponse.prototype, 'headersSent', this)
        },
      },
      writableFinished: {
        get(this: LeanResponse): boolean {
          return this.isWrittenDirectly
            ? this.#hasLeft
            : Reflect.get(ServerResponse.prototype, 'writableFinished', this)
        },
      },
    })
  }

  /** Whether the response is a single plain one on a connection that stays open. */
  get canWriteDirectly(): boolean {
    const { req } = this
    return (
      this.shouldKeepAlive &&
      this.socket !== null &&
      this.sendDate &&
      req.httpVersionMinor === 1 &&
      req.httpVersionMajor === 1 &&
      !this.headersSent
    )
  }

  /** Writes head and body in one piece, or bytes after their head. */
  writeDirectly(status: number, text: string, encoding: BufferEncoding, bytes?: Uint8Array): void {
    this.isWrittenDirectly = true
    this.statusCode = status
    Reflect.set(this, 'finished', true)
    const socket = this.socket as Socket
    const finish = (error?: Error | null): void => {
      if (error) return
      this.#hasLeft = true
      this.emit('finish')
    }
    if (bytes === undefined || bytes.length === 0) {
      socket.write(text, encoding, finish)
      return
    }
    socket.cork()
    socket.write(text, encoding)
    socket.write(bytes, finish)
    socket.uncork()
  }
}

const headCache = new WeakMap<readonly string[], { readonly status: number; readonly text: string }>()

/**
 * Formats the status line and the headers; the texts of frozen lists are cached. Returns undefined if a header concerns
 * the connection or is invalid, which Node then handles.
 */
export function formatHead(status: number, headers: readonly string[]): string | undefined {
  const cached = headCache.get(headers)
  if (cached?.status === status) return cached.text
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] as string
    const value = headers[i + 1] as string
    if (!isOrdinaryHeader(name) || !isHeaderValue(value)) return undefined
    text += `${name}: ${value}\r\n`
  }
  if (Object.isFrozen(headers)) headCache.set(headers, { status, text })
  return text
}

const CONNECTION_HEADERS = /^(?:connection|keep-alive|date|expect|trailer|transfer-encoding|content-length|upgrade)$/i

/** Names that have been validated; the limit keeps an application that generates names from filling the memory. */
const ordinaryHeaders = new Set<string>()
const MAX_ORDINARY_HEADERS = 256

function isOrdinaryHeader(name: string): boolean {
  if (ordinaryHeaders.has(name)) return true
  if (!isHeaderName(name) || CONNECTION_HEADERS.test(name)) return false
  if (ordinaryHeaders.size < MAX_ORDINARY_HEADERS) ordinaryHeaders.add(name)
  return true
}

/** Sets the keep-alive timeout that Node announces, although its own timer does not end the connection. */
export function setKeepAliveTimeout(response: ServerResponse, { keepAlive }: KeepAliveLines): void {
  Reflect.set(response, '_keepAliveTimeout', keepAlive)
}

/** The last lines of a head on a connection that stays open, as Node writes them; recreated each second. */
export class KeepAliveLines {
  readonly keepAlive: number
  readonly #lines: string
  #second = 0
  #text = ''

  constructor(keepAlive: number) {
    this.keepAlive = keepAlive
    const seconds = Math.floor(keepAlive / 1000)
    this.#lines = `Connection: keep-alive\r\n${keepAlive > 0 ? `Keep-Alive: timeout=${seconds}\r\n` : ''}\r\n`
  }

  get value(): string {
    const second = Math.floor(Date.now() / 1000)
    if (second !== this.#second) {
      this.#second = second
      this.#text = `Date: ${new Date(second * 1000).toUTCString()}\r\n${this.#lines}`
    }
    return this.#text
  }
}
