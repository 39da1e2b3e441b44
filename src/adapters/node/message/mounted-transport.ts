// Adapts a request that a framework passes on: its target is the one that the client sent, regardless of the prefix
// that the framework removed, and its body may have been read already.
import type { IncomingMessage } from 'node:http'
import { type BodyFault, BodyFaultError, type RawHeaders } from '../../../server/transport.ts'
import { NodeTransport } from './node-transport.ts'

/** Members that frameworks and body parsers add to a request. */
export interface MountedRequest extends IncomingMessage {
  /** The target before the framework removed its mount path. */
  readonly originalUrl?: unknown
  /** The mount path of the framework. */
  readonly baseUrl?: unknown
  readonly body?: unknown
  /** The bytes of a body that was read. */
  readonly rawBody?: unknown
}

/** Returns the target as the client sent it. */
export const getOriginalTarget = ({ originalUrl, url = '/' }: MountedRequest): string =>
  typeof originalUrl === 'string' ? originalUrl : url

/** A request of a framework. */
export class MountedTransport extends NodeTransport {
  declare readonly raw: MountedRequest
  #parsedBody: Uint8Array | undefined
  #isBodyChecked = false
  #headers: RawHeaders | undefined

  override get url(): string {
    return getOriginalTarget(this.raw)
  }

  override get headers(): RawHeaders {
    const { headers } = this.raw
    const parsed = this.#findParsedBody()
    if (parsed === undefined || headers['content-encoding'] === undefined || isCompressed(parsed)) return headers
    // Body parsers decompress the body, and leave its Content-Encoding header.
    this.#headers ??= { ...headers, 'content-encoding': undefined }
    return this.#headers
  }

  // A request that a framework fabricates for tests may have an incomplete socket.
  override get writable(): boolean {
    return this.raw.socket.writable !== false
  }

  override collect(limit: number, done: (body: Uint8Array | BodyFault) => void): void {
    const parsed = this.#findParsedBody()
    if (parsed === undefined) super.collect(limit, done)
    else done(parsed.length > limit ? 'too-large' : parsed)
  }

  override async *pieces(limit: number): AsyncGenerator<Uint8Array, void, undefined> {
    const parsed = this.#findParsedBody()
    if (parsed === undefined) yield* super.pieces(limit)
    else if (parsed.length > limit) throw new BodyFaultError('too-large')
    else yield parsed
  }

  /**
   * Returns the bytes of a body that was read, if a parser has stored them; a parsed value does not represent them
   * exactly.
   */
  #findParsedBody(): Uint8Array | undefined {
    if (this.#isBodyChecked || !this.raw.readableEnded) return this.#parsedBody
    this.#isBodyChecked = true
    const { rawBody, body } = this.raw
    this.#parsedBody = toBytes(rawBody) ?? toBytes(body)
    return this.#parsedBody
  }
}

function toBytes(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value
  return typeof value === 'string' ? Buffer.from(value) : undefined
}

/** Returns whether bytes begin like gzip or zlib data. */
function isCompressed([first = 0, second = 0]: Uint8Array): boolean {
  if (first === 0x1f) return second === 0x8b
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0
}
