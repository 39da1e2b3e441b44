// Streams of a channel over sockets that are read slowly or not at all.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { memoryCarrier } from 'edict/channels'
import { client } from 'edict/client'
import { describe, expect, it } from 'vitest'
import { host, on, open, sleep } from '../support/serving/harness.ts'
import { Orders, serveNews } from './news.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const EVENTS = 3000
const CUSTOMER = 'x'.repeat(10_000)

describe('a stream of a channel', () => {
  it('[EVT-08] that nobody reads is cut off at the bound, takes no memory for it, and holds nobody up', async () => {
    const { app, orders } = serveNews(memoryCarrier(), { count: 500 })
    const port = await on(app, { timeouts: { response: 1000 } })
    const wire = await open(port)
    wire.send('GET /orders/events HTTP/1.1', host, '', '')
    await wire.until((text) => text.includes('id: '))
    wire.socket.pause()

    const { Orders: calls } = client({ Orders }, { baseUrl: `http://127.0.0.1:${port.port}` })
    const all = calls.watch.all({}, { from: await orders.position() })
    const before = measureMemory()
    let most = 0
    for (let id = 1; id <= EVENTS; id++) {
      const next = all.next()
      await orders.publish('created', { id, customer: CUSTOMER })
      expect((await next).value).toMatchObject({ event: 'created', data: { id } })
      if (id % 500 === 0) most = Math.max(most, measureMemory() - before)
    }
    await all.return?.()
    // The channel keeps 5 MB of the 30 MB that were published.
    expect(most).toBeLessThan(25)
    await sleep(3000)
    wire.socket.resume()
    await wire.closed
    expect(wire.text.split('event: created').length - 1).toBeLessThan(EVENTS)
  })
})

/** The megabytes that are in use. */
function measureMemory(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1e6
}
