// Sends requests to one server over real sockets, with paths and bodies exactly as they are given.
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { sink } from '../../support/guard/sink.ts'
import type { Watched } from '../../support/guard/watch.ts'

/** A server to ask. */
export interface Target {
  readonly port: number
  /** The prefix of every path, on the wire and in links. */
  readonly prefix: string
  /** Whether a request is sent again if the connection that it was to share turns out to be closed, as browsers do. */
  readonly repeats?: true
  /** The declarations that answers are held to; runtimes cannot record them. */
  readonly watched?: Watched
}

/** The headers and the body of a request. */
export interface Asked {
  readonly headers?: Readonly<Record<string, string>>
  /** Sent with its length; an array is sent in chunks. Values that are neither text nor bytes are sent as JSON. */
  readonly body?: unknown
}

/** A response. */
export interface Answered {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly text: string
  /** The body as JSON. */
  readonly json: any
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 })

/** Forgets the connections that are kept. */
export const hangUp = (): void => agent.destroy()

/** Sends one request and reads the whole answer. */
export async function ask(target: Target, line: string, asked: Asked = {}): Promise<Answered> {
  const answer = await open(target, line, asked)
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  const { statusCode = 0, headers } = answer
  if (target.watched !== undefined) handOn(target, line, asked, { answer, bytes })
  return {
    status: statusCode,
    headers,
    bytes,
    text: bytes.toString(),
    get json() {
      return JSON.parse(bytes.toString())
    },
  }
}

function handOn(
  { watched, prefix }: Target,
  line: string,
  { headers: sent = {} }: Asked,
  { answer, bytes }: { readonly answer: IncomingMessage; readonly bytes: Buffer },
): void {
  const [method = '', path = ''] = line.split(' ')
  const version = Object.entries(sent).find(([name]) => name.toLowerCase() === 'x-api-version')?.[1]
  const { statusCode: status = 0, rawHeaders: headers } = answer
  // A length of nothing is no body.
  const body = bytes.length === 0 && !('content-type' in answer.headers) ? null : bytes
  sink(watched as Watched, { method, url: prefix + path, version, status, headers, body })
}

/** Sends one request and gives the answer as soon as its head is there. */
export function open(target: Target, line: string, asked: Asked = {}): Promise<IncomingMessage> {
  const [method = '', path = ''] = line.split(' ')
  const pieces = piecesOf(asked.body)
  const length = Array.isArray(asked.body) || pieces.length === 0 ? {} : { 'content-length': String(pieces[0]?.length) }
  const json = isJson(asked.body) ? { 'content-type': 'application/json' } : {}
  const headers = { ...json, ...length, ...asked.headers }
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port: target.port,
      method,
      path: target.prefix + path,
      headers,
      agent,
      timeout: 15_000,
    }
    const sent = request(options, resolve)
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (!target.repeats || !sent.reusedSocket || error.code !== 'ECONNRESET') return reject(error)
      const { repeats: _, ...once } = target
      open(once, line, asked).then(resolve, reject)
    })
    sent.on('timeout', () => sent.destroy(new Error(`no answer to ${line} in 15 seconds`)))
    for (const piece of pieces) sent.write(piece)
    sent.end()
  })
}

const isJson = (body: unknown): boolean =>
  body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array) && !Array.isArray(body)

function piecesOf(body: unknown): Buffer[] {
  if (body === undefined) return []
  if (Array.isArray(body)) return body.map((piece) => Buffer.from(piece as string))
  if (typeof body === 'string' || body instanceof Uint8Array) return [Buffer.from(body as string)]
  return [Buffer.from(JSON.stringify(body))]
}
