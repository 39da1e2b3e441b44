// The response object of our own servers: a node:http response that can write a whole answer to its socket at once. What
// it leaves out of node:http's way is most of that way's cost: two writes joined again, a table of headers, a chain of
// callbacks. Node learns of the end as always, by the event 'finish'.
import { type IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { isHeaderName, isHeaderValue } from '../../../server/response/headers.ts'

/** A response that writes simple answers by itself. */
export class LeanResponse<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {
  /** A whole answer has been written past the methods of node:http. */
  isWrittenDirectly = false
  /** That answer has left the process. */
  #hasLeft = false

  static {
    // Node's types say that these are not accessors; Node 24 keeps the second one where only it can reach.
    Object.defineProperties(LeanResponse.prototype, {
      headersSent: {
        get(this: LeanResponse): boolean {
          return this.isWrittenDirectly || Reflect.get(ServerResponse.prototype, 'headersSent', this)
        },
      },
      writableFinished: {
        get(this: LeanResponse): boolean {
          return this.isWrittenDirectly ? this.#hasLeft : Reflect.get(ServerResponse.prototype, 'writableFinished', this)
        },
      },
    })
  }

  /** Whether nothing asks for more than one plain answer on a connection that stays open. */
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

  /** Writes head and body in one piece, or bytes behind their head. */
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
 * Writes the status line and the headers; texts of lists that cannot change any more are kept. Undefined when a header
 * says something about the connection or is none, which Node is to decide about.
 */
export function formatHead(status: number, headers: readonly string[]): string | undefined {
  const kept = headCache.get(headers)
  if (kept?.status === status) return kept.text
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

/** Names that are known to be in order; an application that makes up names does not fill the memory with them. */
const ordinaryHeaders = new Set<string>()
const MAX_ORDINARY_HEADERS = 256

function isOrdinaryHeader(name: string): boolean {
  if (ordinaryHeaders.has(name)) return true
  if (!isHeaderName(name) || CONNECTION_HEADERS.test(name)) return false
  if (ordinaryHeaders.size < MAX_ORDINARY_HEADERS) ordinaryHeaders.add(name)
  return true
}

/** Lets Node say how long an idle connection is kept, though its own timer is not what ends it. */
export function setKeepAliveTimeout(response: ServerResponse, { keepAlive }: KeepAliveLines): void {
  Reflect.set(response, '_keepAliveTimeout', keepAlive)
}

/** The last lines of a head on a connection that stays open, as Node writes them; made anew each second. */
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
