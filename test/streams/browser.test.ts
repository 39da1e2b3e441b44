// A browser's own EventSource reads the same streams: by name, from where it was, across a server that restarts.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RunningServer, serve } from '../../src/adapters/node/index.ts'
import { cors } from '../../src/plugins/cors/index.ts'
import { recorder } from '../support/ask.ts'
import { launchBrowser } from '../support/browser.ts'
import { describeWith } from '../support/needs.ts'
import { Journal, shop } from './shop.ts'

const { browser, need } = await launchBrowser()

interface Watched {
  readonly seen: readonly (readonly [event: string, id: string, data: unknown])[]
  readonly failures: readonly unknown[]
}

describeWith(need, 'an EventSource', () => {
  let pages: Server
  let page: Awaited<ReturnType<NonNullable<typeof browser>['newPage']>>
  let server: RunningServer | undefined

  const start = async (journal: Journal, port = 0): Promise<RunningServer> => {
    const app = shop(journal, { plugins: [cors({ origins: '*' })] })
    const own = { host: '127.0.0.1', signals: false, fatal: false, logger: recorder() } as const
    server = await serve(app, { ...own, port, timeouts: { drain: 2000 } })
    return server
  }

  beforeAll(async () => {
    pages = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<title>shop</title>'))
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
    page = (await browser?.newPage()) as typeof page
    await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`)
  }, 60_000)

  afterAll(async () => {
    await browser?.close()
    await server?.close()
    pages.close()
  }, 60_000)

  const watch = (url: string): Promise<void> =>
    page.evaluate((address) => {
      const watched = { seen: [] as unknown[], failures: [] as unknown[] }
      const source = new EventSource(address)
      for (const name of ['created', 'changed', 'gone'])
        source.addEventListener(name, (event) =>
          watched.seen.push([name, (event as MessageEvent).lastEventId, JSON.parse((event as MessageEvent).data)]),
        )
      source.addEventListener('error', (event) => {
        const { data } = event as MessageEvent
        if (data !== undefined) watched.failures.push(JSON.parse(data))
      })
      Object.assign(globalThis, { watched, source })
    }, url)
  const look = (): Promise<Watched> => page.evaluate(() => (globalThis as unknown as { watched: Watched }).watched)
  const leave = (): Promise<void> =>
    page.evaluate(() => (globalThis as unknown as { source: { close(): void } }).source.close())
  const ids = async (): Promise<readonly string[]> => (await look()).seen.map(([, id]) => id)

  it('[EVT-03] reads events by their names, and goes on where it was when the server is another one', async () => {
    const journal = new Journal()
    journal.create(1)
    journal.append({ event: 'changed', data: { id: 1 } })
    const first = await start(journal)
    await watch(`${first.url}/orders/events`)
    await expect.poll(ids, { timeout: 20_000 }).toEqual(['1', '2'])
    expect((await look()).seen).toEqual([
      ['created', '1', { id: 1, note: 'order 1', placed: '1970-01-01T00:00:01.000Z' }],
      ['changed', '2', { id: 1 }],
    ])
    await first.close()
    journal.append({ event: 'gone', data: { id: 1 } })
    await start(journal, first.port)
    await expect.poll(ids, { timeout: 20_000 }).toEqual(['1', '2', '3'])
    journal.create(2)
    await expect.poll(ids, { timeout: 20_000 }).toEqual(['1', '2', '3', '4'])
    await leave()
    await expect.poll(() => journal.opened - journal.closed, { timeout: 20_000 }).toBe(0)
    await server?.close()
  }, 90_000)

  it('[EVT-03] gets the event of a failure, and goes on behind it', async () => {
    const journal = new Journal()
    journal.create(1)
    journal.append({ event: 'created', data: { id: 'two' as never } })
    journal.create(3)
    const { url } = await start(journal)
    await watch(`${url}/orders/events`)
    await expect.poll(ids, { timeout: 20_000 }).toEqual(['1', '3'])
    expect((await look()).failures).toMatchObject([{ status: 500, code: 'internal' }])
    await leave()
  }, 90_000)
})
