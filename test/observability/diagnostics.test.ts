// Events of node:diagnostics_channel: the beginning and the end of every request, and nothing without a subscriber.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { connect } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { application, endpoint, route, t } from '../../src/index.ts'
import { diagnostics, type RequestEndMessage, type RequestStartMessage } from '../../src/plugins/diagnostics/index.ts'
import { askFetch, askSocket, urlOf } from '../support/ask.ts'

const Books = endpoint('Books', {
  actions: {
    show: {
      routing: route.get('/:id'),
      params: { id: t.integer(), token: t.string({ secret: true }) },
      responses: { ok: 'text/plain' },
    },
  },
})

const made = () => application({ controllers: [Books.implement({ show: () => 'book' })], plugins: [diagnostics()] })

const listening: [string, (message: unknown) => void][] = []

function listen<T>(name: string): T[] {
  const got: T[] = []
  const take = (message: unknown): void => void got.push(message as T)
  subscribe(name, take)
  listening.push([name, take])
  return got
}

afterEach(() => {
  for (const [name, take] of listening.splice(0)) unsubscribe(name, take)
  vi.unstubAllGlobals()
})

describe('diagnostics', () => {
  it('[OBS-05] publishes the beginning and the end of every request with the facts of a log line', async () => {
    const starts = listen<RequestStartMessage>('edict:request:start')
    const ends = listen<RequestEndMessage>('edict:request:end')
    const app = made()
    const lines = ['GET /books/7?token=S3CRET', 'HEAD /books/7', 'GET /nowhere', 'OPTIONS /books/7', 'GET /books/x']
    for (const way of [askSocket, askFetch]) for (const line of lines) await way(app, line)
    await expect.poll(() => ends.length).toBe(10)
    expect(starts.map(({ request }) => request)).toEqual(ends.map(({ request }) => request))
    expect(ends.map(({ facts }) => facts.status)).toEqual([200, 200, 404, 204, 400, 200, 200, 404, 204, 400])
    expect(ends[0]?.facts).toMatchObject({
      method: 'GET',
      url: '/books/7?token=[redacted]',
      route: '/books/:id',
      action: 'Books.show',
      outcome: 'sent',
      sent: 4,
      address: '127.0.0.1',
    })
    expect(ends[0]?.ended.duration).toBeGreaterThan(0)
    expect(JSON.stringify(ends.map(({ facts }) => facts))).not.toContain('S3CRET')
  })

  it('[OBS-05] publishes the end of what the server refuses by itself', async () => {
    const ends = listen<RequestEndMessage>('edict:request:end')
    const { port } = new URL(await urlOf(made()))
    connect(Number(port), '127.0.0.1').end('GARBAGE\r\n\r\n')
    await expect.poll(() => ends.length).toBe(1)
    expect(ends[0]?.facts).toMatchObject({ status: 400, code: 'malformed-request' })
  })

  it('[OBS-05] makes nothing while nobody listens', async () => {
    const app = made()
    const dates = vi.spyOn(Date.prototype, 'toISOString')
    expect((await askFetch(app, 'GET /books/7')).status).toBe(200)
    expect(dates).not.toHaveBeenCalled()
    dates.mockRestore()
  })

  it.each([
    ['without process', undefined],
    ['without modules', {}],
  ])('[OBS-05] does no harm on a runtime %s', async (_, platform) => {
    const { process } = globalThis
    vi.stubGlobal('process', platform)
    const plugin = diagnostics()
    vi.stubGlobal('process', process)
    const app = application({ controllers: [Books.implement({ show: () => 'book' })], plugins: [plugin] })
    expect((await askFetch(app, 'GET /books/7')).status).toBe(200)
  })
})
