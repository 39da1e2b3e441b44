// Starts and stops a server within a process that continues.
import { describe, expect, it } from 'vitest'
import { host, on, open, sleep, told } from '../../../test/support/serving/harness.ts'
import { handler, served, text } from '../../../test/support/serving/servers.ts'
import { Wire } from '../../../test/support/serving/wire.ts'
import type { RawResponse } from '../../server/transport.ts'
import { serve } from './serve.ts'
import { buildHttpOptions, resolvePort, resolveWorkerCount } from './serve-options.ts'

/** Waits until a server has closed its port: from then on it drains. */
async function refused(port: number): Promise<void> {
  for (;;) {
    const wire = await Wire.open(port).catch((error: NodeJS.ErrnoException) => error.code)
    if (wire === 'ECONNREFUSED') return
    if (wire instanceof Wire) wire.close()
  }
}

const hello = handler(() => text('hello'))

describe('close', () => {
  it('answers what is under way and what still comes, then ends every connection', async () => {
    let reply = (_: RawResponse): void => {}
    const port = await served(
      handler(({ url }, send) => {
        if (url !== '/late') return text(url)
        reply = send
      }),
    )
    const [late, kept, idle, silent] = await Promise.all([open(port), open(port), open(port), open(port)])
    late!.send(`GET /late HTTP/1.1\r\n${host}\r\n\r\n`)
    for (const wire of [kept!, idle!]) await wire.send(`GET /1 HTTP/1.1\r\n${host}\r\n\r\n`).answer()
    const started = performance.now()
    const closing = port.close()
    await refused(port.port)
    kept!.send(`GET /2 HTTP/1.1\r\n${host}\r\n\r\n`)
    expect((await kept!.answers(2))[1]).toMatchObject({ body: '/2', headers: { connection: 'close' } })
    expect(await kept!.closed).toBe('end')
    expect([await idle!.closed, await silent!.closed]).toEqual(['end', 'end'])
    expect(performance.now() - started).toBeGreaterThan(490)
    reply(text('late'))
    expect(await late!.answer()).toMatchObject({ body: 'late', headers: { connection: 'close' } })
    await closing
  })

  it('answers every one of pipelined requests, and closes with the last', async () => {
    const port = await served(handler(({ url }) => text(url)))
    const wire = await open(port)
    await wire.send(`GET /0 HTTP/1.1\r\n${host}\r\n\r\n`).answer()
    const closing = port.close()
    await refused(port.port)
    wire.send([1, 2, 3].map((n) => `GET /${n} HTTP/1.1\r\n${host}\r\n\r\n`).join(''))
    const responses = await wire.answers(4)
    expect(responses.map(({ body }) => body)).toEqual(['/0', '/1', '/2', '/3'])
    expect(responses.map(({ headers }) => headers['connection'])).toEqual([
      'keep-alive',
      'keep-alive',
      'keep-alive',
      'close',
    ])
    await closing
  })

  it('lets a stream run to its end', async () => {
    async function* slow(): AsyncGenerator<string> {
      for (let n = 0; n < 10; n++) {
        await sleep(100)
        yield String(n)
      }
    }
    const port = await served(handler(() => text(slow())))
    const wire = await open(port)
    wire.send(`GET / HTTP/1.1\r\n${host}\r\n\r\n`)
    await wire.until((received) => received.includes('0'))
    await port.close()
    expect((await wire.answer()).body).toBe('0123456789')
  })

  it('cuts what is left at the deadline', async () => {
    const warnings: object[] = []
    const logger = { info() {}, error() {}, warn: (fields: object) => void warnings.push(fields) }
    const started = told()
    const port = await served(
      handler(() => started.tell()),
      { timeouts: { drain: 300 }, logger },
    )
    const wire = await open(port)
    wire.send(`GET / HTTP/1.1\r\n${host}\r\n\r\n`)
    await started.promise
    await port.close()
    expect(await wire.closed).toBe('end')
    expect(warnings).toEqual([{ connections: 1, deadline: 300 }])
  })

  it('is the same when called twice, runs onClose once, and leaves nothing behind in the process', async () => {
    const before = process.eventNames().map((name) => [name, process.listenerCount(name)])
    let closed = 0
    const running = await serve(hello, { port: 0, host: '127.0.0.1', onClose: () => void closed++ })
    expect(running).toMatchObject({ url: `http://127.0.0.1:${running.port}`, host: '127.0.0.1', draining: false })
    const both = [running.close(), running.close()]
    expect(running.draining).toBe(true)
    await Promise.all(both)
    expect(closed).toBe(1)
    expect(process.eventNames().map((name) => [name, process.listenerCount(name)])).toEqual(before)
  })
})

describe('options', () => {
  it('have finite limits by default, and headers never wait longer than the whole request', () => {
    expect(buildHttpOptions({})).toMatchObject({
      headersTimeout: 10_000,
      requestTimeout: 60_000,
      keepAliveTimeout: 65_000,
    })
    expect(buildHttpOptions({ timeouts: { request: 2000 } })).toMatchObject({
      headersTimeout: 2000,
      requestTimeout: 2000,
    })
    expect(buildHttpOptions({ http: { noDelay: false } })).toMatchObject({ insecureHTTPParser: false, noDelay: false })
  })

  it('take the port from the environment unless given', () => {
    expect([
      resolvePort({}, undefined),
      resolvePort({}, ''),
      resolvePort({}, '8080'),
      resolvePort({ port: 0 }, '8080'),
    ]).toEqual([3000, 3000, 8080, 0])
    expect(() => resolvePort({}, 'pipe')).toThrow('PORT=pipe is not a port')
    expect(() => resolvePort({ port: 70_000 })).toThrow('70000 is not a port')
  })

  it('refuse a senseless number of workers', () => {
    expect(resolveWorkerCount({})).toBe(1)
    expect(resolveWorkerCount({ workers: 'auto' })).toBeGreaterThan(0)
    expect(() => resolveWorkerCount({ workers: 0 })).toThrow('workers: 0')
  })

  it('fail the start if the port is taken', async () => {
    const { port } = await on(hello)
    await expect(serve(hello, { port, host: '127.0.0.1' })).rejects.toMatchObject({
      code: 'EADDRINUSE',
      message: expect.stringContaining('choose another'),
    })
  })
})
