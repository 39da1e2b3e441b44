// The ways to an application: its neutral entry, app.fetch and a real socket; all give an answer of one form.
import { Agent, createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Application, RawResponse } from 'edict'
import { listener } from '../../../src/adapters/node/index.ts'

/** A request, ready to be sent. */
export interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | undefined
}

/** A response. */
export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Sends a request to an application in some way. */
export type Send = (app: Application, sent: Sent) => Promise<Answered>

/** Through the neutral entry, without any adapter. */
export const byHand: Send = (app, { method, url, headers, body }) =>
  new Promise((resolve, reject) => {
    const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
    const bytes = body ?? new Uint8Array()
    const length = body === undefined ? {} : { 'content-length': String(body.length) }
    const transport = {
      method,
      url,
      headers: { ...lower, ...length },
      raw: undefined,
      signal: new AbortController().signal,
      collect: (limit: number, done: (body: Uint8Array | 'too-large') => void) =>
        done(bytes.length > limit ? 'too-large' : bytes),
      async *pieces() {
        yield bytes.subarray(0, 7)
        yield bytes.subarray(7)
      },
    }
    app.handle(transport, (answer) => {
      fromAnswer(answer).then(resolve, reject)
    })
  })

async function fromAnswer({ status, headers, body }: RawResponse): Promise<Answered> {
  const received: Record<string, string> = {}
  for (let i = 0; i < headers.length; i += 2) {
    const [name, value] = [(headers[i] as string).toLowerCase(), headers[i + 1] as string]
    received[name] = received[name] === undefined ? value : `${received[name]}, ${value}`
  }
  if (body === null || typeof body === 'string' || body instanceof Uint8Array)
    return { status, headers: received, body: Buffer.from(body ?? '') }
  throw new Error('No controller here streams')
}

/** Through app.fetch. */
export const byFetch: Send = async (app, { method, url, headers, body }) => {
  const init = { method, headers, ...(body !== undefined && { body: body as BodyInit }) }
  const response = await app.fetch(new Request(`http://127.0.0.1${url}`, init))
  const bytes = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: Object.fromEntries(response.headers), body: bytes }
}

/** An application on a real socket. */
export interface Socket {
  readonly send: (sent: Sent) => Promise<Answered>
  close(): Promise<void>
}

/** Puts an application on a real socket. */
export async function openSocket(app: Application): Promise<Socket> {
  const server: Server = createServer(listener(app))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const send = ({ method, url, headers, body }: Sent): Promise<Answered> =>
    new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': String(body.length) }
      const all = { ...headers, ...length }
      const sent = request({ agent, host: '127.0.0.1', port, method, path: url, headers: all }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const flat = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
          resolve({ status: response.statusCode ?? 0, headers: Object.fromEntries(flat), body: Buffer.concat(chunks) })
        })
      })
      sent.on('error', reject)
      sent.end(body)
    })
  const close = async (): Promise<void> => {
    agent.destroy()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { send, close }
}

const CONNECTION = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'])

/** The parts of a response that must be the same through every transport. */
export function comparable({ status, headers, body }: Answered): object {
  const kept = Object.entries(headers).filter(([name]) => !CONNECTION.has(name))
  return {
    status,
    headers: Object.fromEntries(kept),
    body: body.toString('latin1').replace(/"requestId":"[^"]*"/g, ''),
  }
}

/** Tells whether a URL reaches a server as it is: a URL parser resolves dot segments. */
export const survivesParsing = (url: string): boolean => !/\/(?:\.|%2e){1,2}(?:[/?#]|$)/i.test(url)
