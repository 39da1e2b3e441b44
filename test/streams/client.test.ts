// The client of streams: typed events, read across every kind of break, exactly once and in order.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { type RunningServer, serve } from '../../src/adapters/node/index.ts'
import { client, StatusError } from '../../src/client/index.ts'
import type { Application } from '../../src/index.ts'
import { ask, recorder } from '../support/ask.ts'
import { runs } from '../support/runs.ts'
import { Journal, type OrderEvent, Orders, shop } from './shop.ts'

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

async function start(app: Application, port = 0): Promise<RunningServer> {
  const options = { port, host: '127.0.0.1', signals: false, fatal: false, logger: recorder() } as const
  const server = await serve(app, { ...options, timeouts: { drain: 1000 } })
  endings.push(() => server.close())
  return server
}

const callsOf = (app: Application, base = 'http://shop.test') =>
  client({ Orders }, { baseUrl: base, fetch: app.fetch }).Orders

/** Takes a number of events, and the cursor behind them. */
async function take(
  events: AsyncIterableIterator<{ readonly id: string; readonly event: string }> & { readonly cursor: string },
  count: number,
): Promise<{ readonly ids: readonly string[]; readonly cursor: string }> {
  const ids: string[] = []
  if (count > 0)
    for await (const { id } of events) {
      ids.push(id)
      if (ids.length === count) break
    }
  return { ids, cursor: events.cursor }
}

const numbers = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, i) => String(from + 1 + i))

describe('a client of events', () => {
  it('[EVT-03] reads them typed, by name', async () => {
    const journal = new Journal()
    journal.create(1)
    journal.append({ event: 'gone', data: { id: 1 } })
    const found: unknown[] = []
    for await (const event of callsOf(shop(journal)).watch.all()) {
      if (event.event === 'created') found.push(event.data.placed?.getTime())
      if (event.event === 'gone') {
        found.push(event)
        break
      }
    }
    expect(found).toEqual([1000, { event: 'gone', id: '2', data: { id: 1 } }])
    await expect.poll(() => journal.opened - journal.closed).toBe(0)
  })

  it('[EVT-03] goes on from a saved position, also in another process', async () => {
    const journal = new Journal()
    for (let id = 1; id <= 10; id++) journal.create(id)
    const { watch } = callsOf(shop(journal))
    const first = await take(watch.all(), 4)
    expect(first).toEqual({ ids: ['1', '2', '3', '4'], cursor: '4' })
    expect((await take(watch.all({}, { from: first.cursor }), 3)).ids).toEqual(['5', '6', '7'])
  })

  it('[EVT-03] one call reads one connection', async () => {
    const journal = new Journal()
    journal.create(1)
    const stream = await callsOf(shop(journal)).watch.ok()
    if (stream === undefined) throw new Error('There is no stream')
    for await (const event of stream) {
      expect(event).toMatchObject({ event: 'created', id: '1' })
      break
    }
    expect(stream.lastEventId).toBe('1')
    await expect.poll(() => journal.closed).toBe(1)
  })

  it('[EVT-03] whatever breaks, every event arrives once and in order', async () => {
    const anyBreak = fc.record({ after: fc.nat(6), by: fc.constantFrom('end', 'throw', 'cut', 'refuse', 'fetch') })
    await fc.assert(
      fc.asyncProperty(fc.array(anyBreak, { maxLength: 8 }), fc.integer({ min: 1, max: 40 }), async (breaks, count) => {
        const journal = new Journal()
        for (let id = 1; id <= count; id++) journal.create(id)
        const left = [...breaks]
        async function* broken(after: number, signal: AbortSignal, ends: (typeof breaks)[number] | undefined) {
          let sent = 0
          for await (const event of journal.follow(after, signal)) {
            if (ends !== undefined && sent++ === ends.after) {
              if (ends.by === 'throw') throw new Error('it broke')
              return
            }
            yield event
          }
        }
        const app = shop(journal, {
          watch(_, { request, reply }) {
            const next = left.shift()
            if (next?.by === 'refuse') return reply.tooManyRequests()
            return reply.ok(broken(request.headers['Last-Event-ID'] ?? 0, request.signal, next))
          },
        })
        const { watch } = client(
          { Orders },
          {
            baseUrl: 'http://shop.test',
            async fetch(request) {
              const [next] = left
              if (next?.by === 'fetch') {
                left.shift()
                throw new TypeError('fetch failed')
              }
              const response = await app.fetch(request)
              return next?.by === 'cut' ? cutOff(response, next.after * 40) : response
            },
          },
        ).Orders
        const found: string[] = []
        for await (const event of watch.all()) {
          if (event.event === 'error') continue
          found.push(event.id)
          if (found.length === count) break
        }
        expect(found).toEqual(numbers(0, count))
      }),
      { numRuns: runs(25, 500) },
    )
  }, 60_000)

  it('[EVT-03] reconnects over sockets that are cut, to a server that was away', async () => {
    const journal = new Journal()
    for (let id = 1; id <= 5; id++) journal.create(id)
    const first = await start(shop(journal))
    const link = await startLink(() => first.port)
    const { watch } = client({ Orders }, { baseUrl: `http://127.0.0.1:${link.port}` }).Orders
    const found: string[] = []
    const all = watch.all()
    const reading = (async () => {
      for await (const { id } of all) {
        found.push(id)
        if (found.length === 20) break
      }
    })()
    await expect.poll(() => found.length, { timeout: 10_000 }).toBe(5)
    link.cut()
    for (let id = 6; id <= 10; id++) journal.create(id)
    await expect.poll(() => found.length, { timeout: 10_000 }).toBe(10)
    // The server stops, and another one takes over.
    await first.close()
    for (let id = 11; id <= 15; id++) journal.create(id)
    const second = await start(shop(journal))
    link.lead(() => second.port)
    await expect.poll(() => found.length, { timeout: 10_000 }).toBe(15)
    // The network is gone without a word: only missing heartbeats tell.
    link.freeze()
    for (let id = 16; id <= 20; id++) journal.create(id)
    await reading
    expect(found).toEqual(numbers(0, 20))
    expect(all.cursor).toBe('20')
  }, 30_000)

  it('[EVT-03] gives the event of a failure, and goes on behind the one that could not be sent', async () => {
    const journal = new Journal()
    journal.create(1)
    journal.append({ event: 'created', data: { id: 'two' as never } })
    journal.create(3)
    const found: unknown[] = []
    for await (const { event, id, data } of callsOf(shop(journal)).watch.all()) {
      found.push([event, id])
      if (event === 'error') expect(data).toMatchObject({ code: 'internal', status: 500 })
      if (id === '3') break
    }
    expect(found).toEqual([
      ['created', '1'],
      ['error', '2'],
      ['created', '3'],
    ])
  })

  it('[EVT-03] ends with 204, and throws what another attempt would not change', async () => {
    const answers = ['ok', 'tooManyRequests', 'ok', 'noContent'] as const
    let asked = 0
    const app = shop(new Journal(), {
      watch(_, { reply }) {
        const answer = answers[asked++] ?? 'noContent'
        const given: OrderEvent[] = [{ event: 'gone', data: { id: asked }, id: String(asked) }]
        return answer === 'ok' ? reply.ok(given) : reply[answer]()
      },
    })
    const found: string[] = []
    for await (const { id } of callsOf(app).watch.all()) found.push(id)
    expect(found).toEqual(['1', '3'])
    expect(asked).toBe(4)
    const refusing = callsOf(shop(new Journal(), { watch: (_, { reply }) => reply.forbidden('Not yours.') }))
    const refused = refusing.watch.all().next()
    await expect(refused).rejects.toThrow(StatusError)
    await expect(refused).rejects.toThrow('Orders.watch responded with 403 forbidden: Not yours.')
  })

  it('[EVT-03] gives up after as many attempts in a row as the call allows', async () => {
    let asked = 0
    const fetch = async (): Promise<Response> => {
      asked++
      throw new TypeError('fetch failed')
    }
    const { watch } = client({ Orders }, { baseUrl: 'http://shop.test', fetch }).Orders
    await expect(watch.all({}, { attempts: 3 }).next()).rejects.toThrow('fetch failed')
    expect(asked).toBe(3)
  })

  it('[EVT-03] stops by its signal, and when its reader leaves, while it waits', async () => {
    const journal = new Journal()
    const { watch } = callsOf(shop(journal))
    const leaving = new AbortController()
    const aborted = watch.all({}, { signal: leaving.signal }).next()
    await expect.poll(() => journal.opened).toBe(1)
    leaving.abort(new Error('enough'))
    await expect(aborted).rejects.toThrow('enough')
    await expect.poll(() => journal.closed).toBe(1)
    const all = watch.all()
    const waiting = all.next()
    await expect.poll(() => journal.opened).toBe(2)
    await all.return?.()
    expect(await waiting).toMatchObject({ done: true })
    await expect.poll(() => journal.closed).toBe(2)
  })

  it('[EVT-03] leaves out events that it does not know', async () => {
    const text = 'event: later\ndata: {}\nid: 1\n\nevent: gone\ndata: {"id":7,"more":1}\nid: 2\n\n'
    const fetch = async (): Promise<Response> =>
      new Response(text, { headers: { 'Content-Type': 'text/event-stream; charset=utf-8' } })
    const { watch } = client({ Orders }, { baseUrl: 'http://shop.test', fetch }).Orders
    const { value } = await watch.all().next()
    expect(value).toEqual({ event: 'gone', id: '2', data: { id: 7 } })
  })

  it('[EVT-03] throws for an event that breaks its declaration, and does not ask again', async () => {
    let asked = 0
    const fetch = async (): Promise<Response> => {
      asked++
      return new Response('event: gone\ndata: {"id":"7"}\n\n', { headers: { 'Content-Type': 'text/event-stream' } })
    }
    const { watch } = client({ Orders }, { baseUrl: 'http://shop.test', fetch }).Orders
    await expect(watch.all().next()).rejects.toThrow('/data/id must be an integer')
    expect(asked).toBe(1)
  })

  it('[EVT-01] reads JSON lines and JSON text sequences one by one', async () => {
    const app = shop(new Journal())
    for (const name of ['lines', 'texts'] as const) {
      const found: unknown[] = []
      for await (const order of await callsOf(app)[name].ok()) found.push(order)
      expect(found).toEqual([
        { id: 1, note: 'a\nb' },
        { id: 2, placed: new Date(0) },
      ])
    }
    expect((await ask(app, 'GET /orders/texts')).text).toContain('\x1e')
  })
})

function cutOff(response: Response, bytes: number): Response {
  let left = bytes
  const cut = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      controller.enqueue(piece.subarray(0, left))
      left -= piece.length
      if (left < 0) controller.error(new TypeError('terminated'))
    },
  })
  return new Response(response.body?.pipeThrough(cut) ?? null, response)
}

interface Link {
  readonly port: number
  /** Breaks all connections. */
  cut(): void
  /** Lets nothing through on the open connections, without a word to either side. */
  freeze(): void
  /** Leads new connections to another port. */
  lead(to: () => number): void
}

async function startLink(first: () => number): Promise<Link> {
  let target = first
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(target(), '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
    near.pipe(far)
    far.pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  endings.push(() => {
    cut()
    server.close()
  })
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    freeze() {
      for (const socket of sockets) {
        socket.unpipe()
        socket.pause()
      }
    },
    lead(to) {
      target = to
    },
  }
}
