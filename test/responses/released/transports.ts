// Every way on which a request reaches an application, with clients that leave.
import { createServer, request as httpRequest, type RequestListener } from 'node:http'
import { type Agent, request as httpsRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import type { Application } from 'edict'
import { type LambdaEvent, lambdaHandler, lambdaStreamHandler } from 'edict/lambda'
import { fastifyPlugin, listener, serve } from 'edict/node'
import express from 'express'
import fastify from 'fastify'
import { cert, key } from '../../support/serving/certificate.ts'
import { session } from '../../support/serving/streams.ts'

/** One request; its client may leave when the action has begun, or when the first piece has come. */
interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly leaves?: 'before' | 'during' | undefined
  /** Resolves when the action has begun. */
  readonly begun: Promise<void>
}

/** Sends requests to one application; resolves with the status when all of the answer is there, or its client has left. */
export interface Transport {
  send(sent: Sent): Promise<number>
  close(): unknown
}

type Open = (app: Application) => Promise<Transport> | Transport

function bySocket(url: string, agent: false | Agent = false): Transport['send'] {
  const ask = url.startsWith('https') ? httpsRequest : httpRequest
  return ({ method, path, headers, leaves, begun }) =>
    new Promise((resolve) => {
      let status = 0
      const sent = ask(`${url}${path}`, { method, headers, agent, ca: cert }, (response) => {
        status = response.statusCode ?? 0
        response.on('data', () => leaves === 'during' && sent.destroy())
        response.on('error', () => {})
        response.on('close', () => resolve(status))
      })
      sent.on('error', () => {})
      sent.on('close', () => resolve(status))
      sent.end()
      if (leaves === 'before') void begun.then(() => sent.destroy())
    })
}

const quiet = { info() {}, warn() {}, error() {} }
const own = { port: 0, host: '127.0.0.1', signals: false, fatal: false, logger: quiet, timeouts: { drain: 50 } }

async function secure(app: Application): Promise<Transport> {
  const { url, close } = await serve(app, { ...own, tls: { key, cert } })
  return { send: bySocket(url.replace('localhost', '127.0.0.1')), close }
}

async function http2(app: Application): Promise<Transport> {
  const { port, close } = await serve(app, { ...own, tls: { key, cert } })
  const client = await session(port)
  const send: Transport['send'] = ({ method, path, headers, leaves, begun }) =>
    new Promise((resolve) => {
      let status = 0
      const stream = client.request({ ':method': method, ':path': path, ...headers }, { endStream: true })
      stream.on('response', (head) => {
        status = head[':status'] ?? 0
      })
      stream.on('data', () => leaves === 'during' && stream.close(8))
      stream.on('error', () => {})
      stream.on('close', () => resolve(status))
      if (leaves === 'before') void begun.then(() => stream.close(8))
    })
  return {
    send,
    close() {
      client.destroy()
      return close()
    },
  }
}

/** Asks by `app.fetch`; a client leaves by its signal, or cancels the body. */
const byFetch =
  (cancels: boolean): Open =>
  (app) => ({
    async send({ method, path, headers, leaves, begun }) {
      const controller = new AbortController()
      if (leaves === 'before' && !cancels) void begun.then(() => controller.abort())
      const { status, body } = await app.fetch(
        new Request(`http://a.test${path}`, { method, headers, signal: controller.signal }),
      )
      if (leaves === 'before' && cancels) await body?.cancel()
      else
        try {
          const reader = body?.getReader()
          for (;;) {
            if (((await reader?.read()) ?? { done: true }).done) break
            if (leaves === undefined) continue
            if (cancels) await reader?.cancel()
            else controller.abort()
          }
        } catch {
          // It was broken off.
        }
      return status
    },
    close() {},
  })

const eventOf = ({ method, path, headers }: Sent): LambdaEvent => {
  const [rawPath = '', rawQueryString = ''] = path.split('?', 2)
  const http = { method, path: rawPath, sourceIp: '203.0.113.7' }
  return { version: '2.0', rawPath, rawQueryString, headers, isBase64Encoded: false, requestContext: { http } }
}

const context = ({ leaves }: Sent) => ({ getRemainingTimeInMillis: () => (leaves === undefined ? 60_000 : 560) })

function lambda(app: Application): Transport {
  const handler = lambdaHandler(app)
  return { send: async (sent) => (await handler(eventOf(sent), context(sent))).statusCode, close() {} }
}

function lambdaStream(app: Application): Transport {
  const outs = new WeakMap<LambdaEvent, PassThrough>()
  const statuses = new WeakMap<object, number>()
  Reflect.set(globalThis, 'awslambda', {
    streamifyResponse: (run: (...given: unknown[]) => Promise<void>) => (event: LambdaEvent, given: unknown) =>
      run(event, outs.get(event), given),
    HttpResponseStream: {
      from(stream: PassThrough, head: { readonly statusCode: number }) {
        statuses.set(stream, head.statusCode)
        return stream
      },
    },
  })
  const handler = lambdaStreamHandler(app)
  return {
    async send(sent) {
      const event = eventOf(sent)
      const out = new PassThrough()
      outs.set(event, out)
      out.on('error', () => {})
      out.on('data', () => sent.leaves === 'during' && out.destroy())
      if (sent.leaves === 'before') void sent.begun.then(() => out.destroy())
      await handler(event, { getRemainingTimeInMillis: () => 60_000 })
      return statuses.get(out) ?? 0
    },
    close: () => Reflect.deleteProperty(globalThis, 'awslambda'),
  }
}

async function listening(handle: RequestListener): Promise<Transport> {
  const server = createServer(handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = (): void => {
    server.closeAllConnections()
    server.close()
  }
  return { send: bySocket(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), close }
}

/** The transports. */
export const transports: readonly (readonly [name: string, open: Open])[] = [
  [
    'http',
    async (app) => {
      const { url, close } = await serve(app, own)
      return { send: bySocket(url.replace('localhost', '127.0.0.1')), close }
    },
  ],
  ['TLS', secure],
  ['HTTP/2', http2],
  ['fetch', byFetch(false)],
  ['fetch, cancelled', byFetch(true)],
  ['Lambda', lambda],
  ['Lambda that streams', lambdaStream],
  ['Express', (app) => listening(express().use(listener(app)))],
  [
    'Fastify',
    async (app) => {
      const host = fastify()
      await host.register(fastifyPlugin(app))
      return { send: bySocket(await host.listen({ port: 0, host: '127.0.0.1' })), close: () => host.close() }
    },
  ],
]
