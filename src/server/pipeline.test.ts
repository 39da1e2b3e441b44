// An action after its deadline: its signal aborts, and the log records errors that it throws later.
import { describe, expect, it, vi } from 'vitest'
import { type Application, application, endpoint, route } from '../index.ts'
import type { Logger } from './logger.ts'

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

interface Late {
  readonly app: Application
  readonly lines: { fields: Record<string, unknown>; message: string }[]
  readonly signals: AbortSignal[]
}

/** Creates an application whose only action continues after its deadline of 20 ms. */
function late(then: (signal: AbortSignal) => unknown): Late {
  const lines: Late['lines'] = []
  const signals: AbortSignal[] = []
  const error: Logger['error'] = (fields, message) => void lines.push({ fields: { ...fields }, message })
  const Works = endpoint('Works', { actions: { show: { routing: route.get('/'), responses: { ok: 'text/plain' } } } })
  const works = Works.implement({
    async show(_, { request }) {
      await sleep(60)
      signals.push(request.signal)
      then(request.signal)
      return 'too late'
    },
  })
  const app = application({ controllers: [works], timeout: 20, logger: { info() {}, warn() {}, error } })
  return { app, lines, signals }
}

const sendRequest = async ({ app }: Late): Promise<number> => {
  const { status } = await app.fetch(new Request('http://a.test/works'))
  await sleep(80)
  return status
}

describe('an action after its deadline', () => {
  it('that requests its signal only then is told as well', async () => {
    const world = late(() => {})
    expect(await sendRequest(world)).toBe(503)
    expect(world.signals.map(({ aborted, reason }) => [aborted, (reason as Error).name])).toEqual([
      [true, 'TimeoutError'],
    ])
    expect(world.lines.map(({ message }) => message)).toEqual(['An action exceeded its deadline'])
  })

  it('that throws is in the log once more, with its error', async () => {
    const world = late(() => {
      throw new Error('much too late')
    })
    expect(await sendRequest(world)).toBe(503)
    expect(world.lines).toEqual([
      expect.objectContaining({ message: 'An action exceeded its deadline' }),
      {
        message: 'An action failed after its deadline',
        fields: {
          err: expect.objectContaining({ message: 'much too late' }),
          requestId: expect.any(String),
          action: 'Works.show',
        },
      },
    ])
  })

  it.each([
    ['the reason of its signal', (signal: AbortSignal) => signal.throwIfAborted()],
    [
      'an AbortError',
      () => {
        throw new DOMException('given up', 'AbortError')
      },
    ],
  ])('that gives up with %s has done what it should', async (_, then) => {
    const world = late(then)
    expect(await sendRequest(world)).toBe(503)
    expect(world.lines).toHaveLength(1)
  })
})

describe('an action within its deadline', () => {
  it('leaves no timer behind, whether it returns or throws', async () => {
    const Works = endpoint('Works', {
      actions: {
        show: { routing: route.get('/'), responses: { ok: 'text/plain' } },
        fail: { routing: route.get('/fail'), responses: { ok: 'text/plain' } },
      },
    })
    const works = Works.implement({
      show: async () => 'in time',
      fail: async () => Promise.reject(new Error('in time, too')),
    })
    const app = application({ controllers: [works], timeout: 1000, logger: { info() {}, warn() {}, error() {} } })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      for (const [path, status] of [['', 200] as const, ['/fail', 500] as const]) {
        const response = app.fetch(new Request(`http://a.test/works${path}`))
        expect((await response).status).toBe(status)
        expect([path, vi.getTimerCount()]).toEqual([path, 0])
      }
    } finally {
      vi.useRealTimers()
    }
  })

  it('that requests its signal when its client has left is told so', async () => {
    const Works = endpoint('Works', { actions: { show: { routing: route.get('/'), responses: { ok: 'text/plain' } } } })
    const client = new AbortController()
    const aborted = new Promise<AbortSignal>((resolve) => {
      const works = Works.implement({
        async show(_, { request }) {
          await Promise.resolve()
          client.abort(new Error('gone'))
          await Promise.resolve()
          resolve(request.signal)
          return 'nobody reads this'
        },
      })
      const app = application({ controllers: [works] })
      app.fetch(new Request('http://a.test/works', { signal: client.signal })).catch(() => {})
    })
    expect((await aborted).aborted).toBe(true)
  })
})
