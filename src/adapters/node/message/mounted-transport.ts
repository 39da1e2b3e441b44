// A request that a framework passes on: its target is the one that the client sent, whatever the framework took off it, and
// its body may have been read already.
import type { IncomingMessage } from 'node:http'
import { type BodyFault, BodyFaultError, type RawHeaders } from '../../../server/transport.ts'
import { NodeTransport } from './node-transport.ts'

/** Members that frameworks and body parsers add to a request. */
export interface MountedRequest extends IncomingMessage {
  /** The target before the framework took the place off it that it mounts at. */
  readonly originalUrl?: unknown
  /** The place that the framework mounts at. */
  readonly baseUrl?: unknown
  readonly body?: unknown
  /** The bytes of a body that was read. */
  readonly rawBody?: unknown
}

/** The target as the client sent it. */
export const getOriginalTarget = ({ originalUrl, url = '/' }: MountedRequest): string =>
  typeof originalUrl === 'string' ? originalUrl : url

/** One request of a framework. */
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
    const given = this.#findParsedBody()
    if (given === undefined || headers['content-encoding'] === undefined || isCompressed(given)) return headers
    // Body parsers inflate what they read, and leave the header that speaks of it.
    this.#headers ??= { ...headers, 'content-encoding': undefined }
    return this.#headers
  }

  // A request that a framework makes up for tests has no socket worth the name.
  override get writable(): boolean {
    return this.raw.socket.writable !== false
  }

  override collect(limit: number, done: (body: Uint8Array | BodyFault) => void): void {
    const given = this.#findParsedBody()
    if (given === undefined) super.collect(limit, done)
    else done(given.length > limit ? 'too-large' : given)
  }

  override async *pieces(limit: number): AsyncGenerator<Uint8Array, void, undefined> {
    const given = this.#findParsedBody()
    if (given === undefined) yield* super.pieces(limit)
    else if (given.length > limit) throw new BodyFaultError('too-large')
    else yield given
  }

  /** The bytes of a body that was read, if a parser has kept them; a parsed value does not represent them exactly. */
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

/** Whether bytes begin as gzip or zlib do. */
function isCompressed([first = 0, second = 0]: Uint8Array): boolean {
  if (first === 0x1f) return second === 0x8b
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0
}
