// A client of HTTP/2: it asks through node:http2, or sends exactly the frames that it is told.
import { type ClientHttp2Session, type ClientHttp2Stream, connect, type OutgoingHttpHeaders } from 'node:http2'
import { connect as connectSecurely, type TLSSocket } from 'node:tls'
import { cert } from './certificate.ts'

/** One answer. */
export interface StreamAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
  readonly bytes: Buffer
  /** The code of the error that the stream ended with; 0 for none. */
  readonly code: number
}

/** Connects to a port of this machine. */
export function session(port: number): Promise<ClientHttp2Session> {
  return new Promise((resolve, reject) => {
    const client = connect(`https://127.0.0.1:${port}`, { ca: cert })
    client.once('connect', () => resolve(client))
    client.once('error', reject)
  })
}

/** The answer of a stream that has been opened; resolves when the stream has ended, whatever ended it. */
export function answerOf(stream: ClientHttp2Stream): Promise<StreamAnswer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let [status, headers]: [number, Record<string, string | string[] | undefined>] = [0, {}]
    stream.on('response', ({ ':status': code = 0, ...fields }) => {
      status = code
      headers = fields
    })
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('error', () => {})
    stream.on('close', () => {
      const bytes = Buffer.concat(chunks)
      resolve({ status, headers, bytes, body: bytes.toString(), code: stream.rstCode })
    })
  })
}

/** Asks on an open connection. */
export function askOn(
  client: ClientHttp2Session,
  headers: OutgoingHttpHeaders,
  body?: string | Uint8Array,
): Promise<StreamAnswer> {
  const stream = client.request(headers, { endStream: body === undefined })
  if (body !== undefined) stream.end(body)
  return answerOf(stream)
}

/** The kinds of frames that tests send, and the flags. */
export const frames = {
  DATA: 0,
  HEADERS: 1,
  PRIORITY: 2,
  RST_STREAM: 3,
  SETTINGS: 4,
  PING: 6,
  GOAWAY: 7,
  WINDOW_UPDATE: 8,
  CONTINUATION: 9,
  END_STREAM: 1,
  ACK: 1,
  END_HEADERS: 4,
} as const

/** One frame that was received. */
export interface Frame {
  readonly type: number
  readonly flags: number
  readonly stream: number
  readonly payload: Buffer
}

/** The bytes of a frame. */
export function frame(type: number, flags: number, stream: number, payload: Uint8Array = new Uint8Array()): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

/** A block of headers, each written out as it is (RFC 7541, section 6.2.2). */
export function block(fields: readonly (readonly [name: string, value: string])[]): Buffer {
  const text = (value: string): Buffer => {
    const bytes = Buffer.from(value, 'latin1')
    return Buffer.concat([integer(bytes.length, 7), bytes])
  }
  return Buffer.concat(fields.flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]))
}

function integer(value: number, bits: number): Buffer {
  const most = 2 ** bits - 1
  if (value < most) return Buffer.from([value])
  const bytes = [most]
  let rest = value - most
  for (; rest >= 128; rest >>= 7) bytes.push((rest % 128) + 128)
  return Buffer.from([...bytes, rest])
}

/** The headers of a request without a body. */
export const head = (path: string, ...more: [string, string][]): Buffer =>
  block([[':method', 'GET'], [':scheme', 'https'], [':authority', 'a.test'], [':path', path], ...more])

/** A connection on which frames are written by hand. */
export class FrameWire {
  readonly socket: TLSSocket
  readonly frames: Frame[] = []
  readonly closed: Promise<void>
  #rest = Buffer.alloc(0)

  private constructor(socket: TLSSocket) {
    this.socket = socket
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => this.#take(chunk))
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()))
  }

  /** Connects, and sends the preface with empty settings unless told otherwise. */
  static open(port: number, greets = true): Promise<FrameWire> {
    return new Promise((resolve, reject) => {
      const socket = connectSecurely({ port, host: '127.0.0.1', ca: cert, ALPNProtocols: ['h2'] }, () => {
        const wire = new FrameWire(socket)
        if (greets) wire.send(Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(frames.SETTINGS, 0, 0))
        resolve(wire)
      })
      socket.once('error', reject)
    })
  }

  send(...parts: readonly Uint8Array[]): this {
    if (!this.socket.destroyed) this.socket.write(Buffer.concat(parts))
    return this
  }

  /** The frames of a kind. */
  of(type: number): Frame[] {
    return this.frames.filter((one) => one.type === type)
  }

  close(): void {
    this.socket.destroy()
  }

  #take(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk])
    while (this.#rest.length >= 9) {
      const length = this.#rest.readUIntBE(0, 3)
      if (this.#rest.length < 9 + length) return
      const [type, flags, stream] = [this.#rest[3]!, this.#rest[4]!, this.#rest.readUInt32BE(5)]
      this.frames.push({ type, flags, stream, payload: this.#rest.subarray(9, 9 + length) })
      this.#rest = this.#rest.subarray(9 + length)
    }
  }
}
