// Asks an application twice, over a real socket and through app.fetch, and insists that both answers are the same.
import { type IncomingHttpHeaders, request } from 'node:http'
import { afterAll, expect } from 'vitest'
import { type RunningServer, serve } from '../../src/adapters/node/index.ts'
import {
  type Application,
  DefinitionError,
  type DefinitionMistake,
  type Logger,
  type RawResponse,
} from '../../src/index.ts'

/** A response. */
export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array
  readonly text: string
  /** The body as JSON; throws when it is not. */
  readonly json: any
}

/** The headers and the body of a request. */
export interface Asked {
  readonly headers?: Readonly<Record<string, string>>
  /** Texts, bytes and forms are sent as they are; anything else as JSON with its content type. */
  readonly body?: unknown
}

const servers = new Map<Application, Promise<RunningServer>>()

afterAll(async () => {
  await Promise.all([...servers.values()].map(async (starting) => (await starting).close()))
  servers.clear()
})

/** The base URL of an application on a real socket, started when first asked for. */
export async function urlOf(app: Application): Promise<string> {
  let starting = servers.get(app)
  if (starting === undefined) {
    // Tests of applications do not look for the server's own messages.
    const logger = { ...app.logger, info() {}, warn() {} }
    const own = { port: 0, host: '127.0.0.1', signals: false, fatal: false, logger }
    starting = serve(app, { ...own, timeouts: { drain: 100 } })
    servers.set(app, starting)
    starting.catch(() => servers.delete(app))
  }
  return (await starting).url
}

/** Sends `GET /path` both ways; the answers must agree in status, body and all headers but those of the connection. */
export async function ask(app: Application, line: string, asked: Asked = {}): Promise<Answered> {
  const ready = asked.body instanceof FormData || asked.body instanceof URLSearchParams ? await written(asked) : asked
  const bySocket = await askSocket(app, line, ready)
  const byFetch = await askFetch(app, line, ready)
  expect(comparable(byFetch), `app.fetch and the socket disagree on ${line}`).toEqual(comparable(bySocket))
  return bySocket
}

// A form is written once, so that its boundary is the same both times.
async function written({ headers, body }: Asked): Promise<Asked> {
  const form = new Request('http://form/', { method: 'POST', body: body as BodyInit })
  const type = form.headers.get('content-type') as string
  return { headers: { 'content-type': type, ...headers }, body: new Uint8Array(await form.arrayBuffer()) }
}

function parts(
  line: string,
  { headers = {}, body }: Asked,
): { method: string; path: string; headers: Record<string, string>; body: string | Uint8Array | undefined } {
  const space = line.indexOf(' ')
  const raw = body === undefined || typeof body === 'string' || body instanceof Uint8Array
  return {
    method: line.slice(0, space),
    path: line.slice(space + 1),
    headers: raw ? { ...headers } : { 'content-type': 'application/json', ...headers },
    body: raw ? body : JSON.stringify(body),
  }
}

/** Sends a request over a real socket only. */
export async function askSocket(app: Application, line: string, asked: Asked = {}): Promise<Answered> {
  const { method, path, headers, body } = parts(line, asked)
  const { port } = new URL(await urlOf(app))
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const sent = request({ host: '127.0.0.1', port, method, path, headers: { ...headers, ...length } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve(answered(response.statusCode ?? 0, flat(response.headers), Buffer.concat(chunks))),
      )
      response.on('error', reject)
    })
    // Node's client takes the answer to CONNECT for the beginning of a tunnel: its body is all that comes through.
    sent.on('connect', (response, socket, head) => {
      const chunks: Buffer[] = [head]
      socket.on('data', (chunk: Buffer) => chunks.push(chunk))
      socket.on('close', () =>
        resolve(answered(response.statusCode ?? 0, flat(response.headers), Buffer.concat(chunks))),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Sends a request through app.fetch only. */
export async function askFetch(app: Application, line: string, asked: Asked = {}): Promise<Answered> {
  const { method, path, headers, body } = parts(line, asked)
  const request = new Request(`http://127.0.0.1${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: body as BodyInit }),
  })
  if (body !== undefined && headers['content-type'] === undefined) request.headers.delete('content-type')
  const response = await app.fetch(request)
  const received = Object.fromEntries(response.headers)
  // The one header that Fetch does not join.
  if (received['set-cookie'] !== undefined) received['set-cookie'] = response.headers.getSetCookie().join(', ')
  return answered(response.status, received, Buffer.from(await response.arrayBuffer()))
}

/** Hands a request without a body to the in-process entry, where the verb may be any string. */
export function handled(app: Application, method: string, url: string, headers = {}): Promise<RawResponse> {
  const transport = {
    method,
    url,
    headers,
    raw: undefined,
    signal: new AbortController().signal,
    collect: (_: number, done: (body: Uint8Array) => void) => done(new Uint8Array()),
    async *pieces() {},
  }
  return new Promise((resolve) => app.handle(transport, resolve))
}

/** A logger that keeps what it is told. */
export interface Recorder extends Logger {
  readonly entries: readonly { readonly level: string; readonly fields: any; readonly message: string }[]
}

/** Makes a logger that keeps what it is told. */
export function recorder(): Recorder {
  const entries: Recorder['entries'][number][] = []
  const at = (level: string) => (fields: object, message: string) => entries.push({ level, fields, message })
  return { entries, info: at('info'), warn: at('warn'), error: at('error') }
}

/** The definition mistakes that something is refused with. */
export function mistakesOf(boot: () => unknown): readonly DefinitionMistake[] {
  try {
    boot()
  } catch (error) {
    if (error instanceof DefinitionError) return error.mistakes
    throw error
  }
  return []
}

function answered(status: number, headers: Record<string, string>, bytes: Buffer): Answered {
  const text = bytes.toString()
  return {
    status,
    headers,
    bytes,
    text,
    get json(): any {
      return JSON.parse(text)
    },
  }
}

function flat(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : String(value)]),
  )
}

const CONNECTION = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'])

function comparable({ status, headers, bytes }: Answered): unknown {
  const compared = Object.entries(headers).filter(([name]) => !CONNECTION.has(name))
  // Latin-1 keeps every byte apart, so that answers that are not text are compared too.
  const body = Buffer.from(bytes).toString('latin1')
  return { status, headers: Object.fromEntries(compared), body: body.replace(/"requestId":"[^"]*"/g, '"requestId":""') }
}
