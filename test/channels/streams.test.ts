// Channels as clients see them: what is published in one application reaches the streams of all, from any position, exactly once.

import { memoryCarrier } from 'edict/channels'
import { client } from 'edict/client'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../support/runs.ts'
import { Orders, serveNews } from './news.ts'

type News = ReturnType<typeof serveNews>

const callsOf = ({ app }: News) => client({ Orders }, { baseUrl: 'http://shop.test', fetch: app.fetch }).Orders

/** Takes events of a stream until one has an id of an order. */
async function takeUntil(news: News, last: number, options: { from?: string; customer?: string } = {}) {
  const { from, ...params } = options
  const seen: (number | 'gap')[] = []
  const all = callsOf(news).watch.all(params, from === undefined ? {} : { from })
  for await (const event of all) {
    if (event.event === 'error') throw new Error(JSON.stringify(event.data))
    seen.push(event.event === 'gap' ? 'gap' : event.data.id)
    if (seen.at(-1) === last) break
  }
  return { seen, cursor: all.cursor }
}

const upTo = (last: number, first = 1): number[] => Array.from({ length: last - first + 1 }, (_, i) => first + i)

describe('a channel', () => {
  it('[EVT-05] carries typed events to the streams of every application, with all that is declared', async () => {
    const carrier = memoryCarrier()
    const [here, there] = [serveNews(carrier), serveNews(carrier)]
    const begin = await here.orders.position()
    const placed = new Date('2026-05-01T12:00:00Z')
    await here.orders.publish('created', { id: 1, customer: 'ann', placed, total: 9_007_199_254_740_993n })
    await there.orders.publish('changed', { id: 1, customer: 'ann' })
    for (const news of [here, there]) {
      const found: unknown[] = []
      for await (const { event, data } of callsOf(news).watch.all({}, { from: begin })) {
        found.push([event, data])
        if (event === 'changed') break
      }
      expect(found).toEqual([
        ['created', { id: 1, customer: 'ann', placed, total: 9_007_199_254_740_993n }],
        ['changed', { id: 1, customer: 'ann' }],
      ])
    }
  })

  it('[EVT-05] refuses to publish what does not fit its type, at the publisher', async () => {
    const { orders } = serveNews(memoryCarrier())
    const begin = await orders.position()
    await expect(orders.publish('created', { id: 0 })).rejects.toThrow(
      "orders: the data of 'created' does not fit its type: /id must be at least 1",
    )
    await expect(orders.publish('created', undefined as never)).rejects.toThrow("the data of 'created' is missing")
    await expect(orders.publish('gap' as never, { after: '1' } as never)).rejects.toThrow("'gap' is not declared")
    expect(await orders.position()).toBe(begin)
  })

  it('[EVT-05] begins a stream with its position, so that a client that saw no event misses none', async () => {
    const news = serveNews(memoryCarrier())
    const all = callsOf(news).watch.all()
    const first = all.next()
    await expect.poll(() => all.cursor).not.toBe('')
    const { cursor } = all
    await all.return?.()
    await first
    await news.orders.publish('created', { id: 1 })
    expect((await takeUntil(news, 1, { from: cursor })).seen).toEqual([1])
  })

  it('[EVT-05] tells clients that are too late of the gap, and goes on with what is kept', async () => {
    const news = serveNews(memoryCarrier(), { count: 3 })
    const begin = await news.orders.position()
    for (const id of upTo(10)) await news.orders.publish('created', { id })
    for (const from of [begin, 'garbage', '1-1', '999999999999999-1'])
      expect([from, (await takeUntil(news, 10, { from })).seen]).toEqual([from, ['gap', 8, 9, 10]])
    const { cursor } = await takeUntil(news, 8, { from: begin })
    expect((await takeUntil(news, 10, { from: cursor })).seen).toEqual([9, 10])
    const gap = callsOf(news).watch.all({}, { from: begin })
    expect(await gap.next()).toMatchObject({ value: { event: 'gap', data: { after: begin } } })
    const { cursor: behindGap } = gap
    await gap.return?.()
    expect((await takeUntil(news, 10, { from: behindGap })).seen).toEqual([8, 9, 10])
  })

  it('[EVT-05] forgets events by their age', async () => {
    let now = 1_000_000
    const news = serveNews(memoryCarrier({ now: () => now }), { age: 60_000 })
    const begin = await news.orders.position()
    await news.orders.publish('created', { id: 1 })
    now += 59_999
    await news.orders.publish('created', { id: 2 })
    expect((await takeUntil(news, 2, { from: begin })).seen).toEqual([1, 2])
    now += 1
    expect((await takeUntil(news, 2, { from: begin })).seen).toEqual(['gap', 2])
  })

  it('[EVT-06] gives each stream what its filter lets through, and its position all the same', async () => {
    const news = serveNews(memoryCarrier(), { count: 150 })
    const begin = await news.orders.position()
    await news.orders.publish('created', { id: 1, customer: 'ann' })
    const stream = callsOf(news).watch.all({ customer: 'ann' }, { from: begin })
    expect(await stream.next()).toMatchObject({ value: { data: { id: 1 } } })
    const { cursor } = stream
    const next = stream.next()
    for (const id of upTo(140, 2)) await news.orders.publish('created', { id, customer: 'bob' })
    await expect.poll(() => stream.cursor).not.toBe(cursor)
    const { cursor: later } = stream
    await stream.return?.()
    await next
    for (const id of upTo(240, 141)) await news.orders.publish('created', { id, customer: 'bob' })
    await news.orders.publish('created', { id: 241, customer: 'ann' })
    expect((await takeUntil(news, 241, { from: cursor, customer: 'ann' })).seen).toEqual(['gap', 241])
    expect((await takeUntil(news, 241, { from: later, customer: 'ann' })).seen).toEqual([241])
  })

  it('[EVT-05] loses and doubles nothing for clients that leave and return at any time, to any application', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ burst: fc.integer({ min: 0, max: 40 }), take: fc.integer({ min: 1, max: 30 }) }), {
          minLength: 1,
          maxLength: 8,
        }),
        async (steps) => {
          const carrier = memoryCarrier()
          const processes = [serveNews(carrier), serveNews(carrier), serveNews(carrier)]
          let published = 0
          const seen: (number | 'gap')[] = []
          let from = await processes[0]!.orders.position()
          for (const [i, { burst, take }] of steps.entries()) {
            const left = Math.min(take, published + burst - seen.length)
            const publishing = (async () => {
              for (let n = 0; n < burst; n++) {
                published++
                await processes[n % 3]!.orders.publish('created', { id: published })
              }
            })()
            if (left > 0) {
              const one = await takeUntil(processes[i % 3]!, seen.length + left, { from })
              seen.push(...one.seen)
              from = one.cursor
            }
            await publishing
          }
          expect(seen).toEqual(upTo(seen.length))
        },
      ),
      { numRuns: runs(20, 200) },
    )
  })

  it('[EVT-08] holds nobody up for a stream that is not read, which goes on later', async () => {
    const news = serveNews(memoryCarrier())
    const begin = await news.orders.position()
    const slow = news.orders.follow(begin)
    const fast = takeUntil(news, 3000, { from: begin })
    for (const id of upTo(3000)) await news.orders.publish('created', { id })
    expect((await fast).seen).toEqual(upTo(3000))
    const found: unknown[] = []
    for await (const event of slow) {
      if ('data' in event && event.event !== 'gap') found.push(event.data.id)
      if (found.length === 3000) break
    }
    expect(found).toEqual(upTo(3000))
  })

  it('[EVT-05] has events that nobody declared here left out, and reports those that break their type', async () => {
    const carrier = memoryCarrier()
    const news = serveNews(carrier)
    const begin = await news.orders.position()
    const bounds = { count: 100, age: 60_000 }
    await carrier.append('orders', [{ text: '{"event":"newer","data":{"x":1}}' }], bounds)
    await carrier.append('orders', [{ text: '{"event":"created","data":{"id":1,"newer":true}}' }], bounds)
    await carrier.append('orders', [{ text: '{"event":"created","data":{"id":"none"}}' }], bounds)
    await news.orders.publish('created', { id: 2 })
    const found: unknown[] = []
    for await (const { event, data } of callsOf(news).watch.all({}, { from: begin })) {
      found.push(event === 'error' ? event : data)
      if (found.length === 3) break
    }
    expect(found).toEqual([{ id: 1 }, 'error', { id: 2 }])
  })

  it('[EVT-02] stops reading when no stream is left', async () => {
    const carrier = memoryCarrier()
    let waiting = 0
    const counted = {
      ...carrier,
      async wait(channel: string, after: string, signal: AbortSignal) {
        waiting++
        await carrier.wait(channel, after, signal)
        waiting--
      },
    }
    const news = serveNews(counted)
    const streams = [callsOf(news).watch.all(), callsOf(news).watch.all()]
    const pending = streams.map((one) => one.next())
    await expect.poll(() => waiting).toBe(1)
    await streams[0]?.return?.()
    await news.orders.publish('created', { id: 1 })
    await expect.poll(() => waiting).toBe(1)
    await streams[1]?.return?.()
    await Promise.all(pending)
    await expect.poll(() => waiting).toBe(0)
  })
})
