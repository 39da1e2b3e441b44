// The limits of a process: which requests count, which do not, and the response to those above the limit.
import { describe, expect, it } from 'vitest'
import { host, on, open, sleep, told } from '../../../../test/support/serving/harness.ts'
import { handler, text } from '../../../../test/support/serving/servers.ts'
import type { Handler, RawResponse } from '../../../server/transport.ts'
import { resolveAdmissionLimits } from '../serve-options.ts'
import { AdmissionControl } from './admission-control.ts'

const get = (path: string): string => `GET ${path} HTTP/1.1\r\n${host}\r\n\r\n`

/**
 * Responds to /held on demand, to /post when its body has arrived, to /stream piece by piece without an end, to the
 * rest at once.
 */
function createHoldingHandler(): Handler & {
  release(): void
  holds(count: number): Promise<void>
  posted: Promise<void>
} {
  const held: (() => void)[] = []
  const started = told()
  async function* endless(): AsyncGenerator<string> {
    yield 'first'
    await new Promise(() => {})
  }
  const { handle } = handler((transport, send) => {
    const { url } = transport
    if (url === '/held') return void held.push(() => send(text('held')))
    if (url === '/stream') return text(endless())
    if (url !== '/post') return text(url)
    started.tell()
    transport.collect(1000, (body) => {
      send(typeof body === 'string' ? text(body, 503) : text(body))
    })
  })
  const release = (): void => {
    for (const respond of held.splice(0)) respond()
  }
  const holds = async (count: number): Promise<void> => {
    while (held.length < count) await sleep(5)
  }
  return { handle, release, holds, posted: started.promise }
}

describe('requests in progress', () => {
  it('are refused above the bound at once, and let in again when others are done', async () => {
    const app = createHoldingHandler()
    const port = await on(app, { maxRequests: 2 })
    const [a, b, c] = await Promise.all([open(port), open(port), open(port)])
    a!.send(get('/held'))
    b!.send(get('/held'))
    await app.holds(2)
    const refused = await c!.send(get('/1')).answer()
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1', connection: 'keep-alive' } })
    expect(JSON.parse(refused.body)).toMatchObject({ status: 503, code: 'unavailable' })
    app.release()
    expect((await a!.answer()).body).toBe('held')
    expect((await c!.send(get('/2')).answers(2))[1]).toMatchObject({ status: 200, body: '/2' })
  })

  it('are bounded for each connection, and others have their own', async () => {
    const app = createHoldingHandler()
    const port = await on(app, { maxPipelined: 3 })
    const [a, b] = await Promise.all([open(port), open(port)])
    a!.send(get('/held').repeat(5))
    await app.holds(3)
    expect((await b!.send(get('/1')).answer()).status).toBe(200)
    app.release()
    expect((await a!.answers(5)).map(({ status }) => status)).toEqual([200, 200, 200, 503, 503])
    expect((await a!.send(get('/2')).answers(6))[5]).toMatchObject({ status: 200, body: '/2' })
  })

  it('are not those that wait for the rest of their body, nor streams that have begun', async () => {
    const app = createHoldingHandler()
    const port = await on(app, { maxRequests: 1 })
    const [slow, stream, other] = await Promise.all([open(port), open(port), open(port)])
    slow!.send(`POST /post HTTP/1.1\r\n${host}\r\nContent-Length: 4\r\n\r\nab`)
    stream!.send(get('/stream'))
    await stream!.until((received) => received.includes('first'))
    expect((await other!.send(get('/1')).answer()).status).toBe(200)
    slow!.send('cd')
    expect((await slow!.answer()).body).toBe('abcd')
  })

  it('are refused when their body arrives too late for a place, and cost the client nothing else', async () => {
    const app = createHoldingHandler()
    const port = await on(app, { maxRequests: 1 })
    const [slow, held] = await Promise.all([open(port), open(port)])
    slow!.send(`POST /post HTTP/1.1\r\n${host}\r\nContent-Length: 4\r\n\r\nab`)
    await app.posted
    held!.send(get('/held'))
    await app.holds(1)
    slow!.send('cd')
    expect(await slow!.answer()).toMatchObject({ status: 503, body: 'overload' })
    app.release()
    await held!.answer()
    expect((await slow!.send(get('/2')).answers(2))[1]).toMatchObject({ status: 200, body: '/2' })
  })

  it('do not grow by clients that go away, before or after their response', async () => {
    const app = createHoldingHandler()
    const port = await on(app, { maxRequests: 3 })
    for (let n = 0; n < 6; n++) {
      const [half, waiting] = await Promise.all([open(port), open(port)])
      half!.send(`POST /post HTTP/1.1\r\n${host}\r\nContent-Length: 4\r\n\r\nab`)
      waiting!.send(get('/held'))
      await app.holds(1)
      half!.close()
      waiting!.close()
      await sleep(10)
      app.release()
    }
    const wires = await Promise.all([open(port), open(port), open(port), open(port)])
    for (const wire of wires.slice(0, 3)) wire.send(get('/held'))
    await app.holds(3)
    expect((await wires[3]!.send(get('/1')).answer()).status).toBe(503)
    app.release()
    expect((await wires[0]!.answer()).status).toBe(200)
  })

  it('have no bound when it is 0', async () => {
    const app = createHoldingHandler()
    const port = await on(app, { maxRequests: 0 })
    const wires = await Promise.all(Array.from({ length: 5 }, () => open(port)))
    for (const wire of wires) wire.send(get('/held'))
    await app.holds(5)
    app.release()
    for (const wire of wires) expect((await wire.answer()).status).toBe(200)
  })
})

describe('a late event loop', () => {
  const busy = handler(({ url }) => {
    const until = performance.now() + Number(url.slice(1))
    while (performance.now() < until);
    return text('done')
  })
  const statuses = async (options: { maxDelay?: number }): Promise<number[]> => {
    const port = await on(busy, options)
    const wires = await Promise.all(Array.from({ length: 20 }, () => open(port)))
    // Each turn of the loop accepts one connection; one turn can have them all only after that.
    for (const wire of wires) await wire.send(get('/0')).answer()
    for (const wire of wires) wire.send(get('/20'))
    return (await Promise.all(wires.map((wire) => wire.answers(2)))).map((both) => both[1]!.status)
  }

  it('has requests refused within the turn that is too long', async () => {
    const results = await statuses({ maxDelay: 40 })
    expect(results.filter((status) => status === 200).length).toBeGreaterThan(0)
    expect(results.filter((status) => status === 503).length).toBeGreaterThan(5)
  })

  it('is nobody’s concern without a bound', async () => {
    expect(new Set(await statuses({}))).toEqual(new Set([200]))
  })
})

describe('the settings', () => {
  it('are finite by default, and numbers', () => {
    expect(resolveAdmissionLimits({})).toEqual({ requests: 1000, delay: 0, pipelined: 100, bodies: 64 * 1024 * 1024 })
    for (const wrong of [{ maxRequests: -1 }, { maxPipelined: -1 }, { maxReceiving: -1 }, { maxDelay: Number.NaN }]) {
      expect(() => resolveAdmissionLimits(wrong)).toThrow(TypeError)
    }
  })

  it('tell the log of refusals once in a while, not for each', () => {
    const lines: object[] = []
    const logger = { info() {}, error() {}, warn: (fields: object) => void lines.push(fields) }
    const admission = new AdmissionControl({ requests: 1, delay: 0, pipelined: 0, bodies: 0 }, logger)
    admission.active = 1
    expect(admission.isFull).toBe(true)
    const responses: RawResponse[] = Array.from({ length: 100 }, () => admission.refuse())
    expect(new Set(responses).size).toBe(1)
    expect(lines).toEqual([{ active: 1, refused: 1 }])
  })
})
