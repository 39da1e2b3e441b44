// The log has one entry for a body that cannot be closed, and the client gets its response.
import { Readable } from 'node:stream'
import { application, collectionOf, endpoint, mediaType, route, t } from 'edict'
import { compression } from 'edict/compression'
import { describe, expect, it } from 'vitest'
import { ask, askFetch, recorder } from '../../support/ask.ts'

const stuck = (): never => {
  throw new Error('It does not close')
}
const ASYNC_DISPOSE: symbol = (Symbol as unknown as { readonly asyncDispose: symbol }).asyncDispose
const step = async () => ({ done: true, value: undefined })

const BODIES: Readonly<Record<string, () => unknown>> = {
  'a stream of Node': () =>
    new Readable({
      read() {
        this.push('a')
        this.push(null)
      },
      destroy: (_, done) => done(new Error('It does not close')),
    }),
  'a web stream': () => new ReadableStream({ cancel: stuck }),
  'an async iterator': () => ({
    next: step,
    return: stuck,
    [Symbol.asyncIterator]() {
      return this
    },
  }),
  'an async iterable that can be disposed of': () => ({
    [Symbol.asyncIterator]: () => ({ next: step }),
    [ASYNC_DISPOSE]: async () => stuck(),
  }),
  'something that can be disposed of': () => ({ id: 1, [ASYNC_DISPOSE]: stuck }),
  'a cursor': () => ({ id: 1, read: step, close: async () => stuck() }),
}

const Thing = mediaType('Thing', { attributes: { id: t.integer({ required: true }) } })
const Things = endpoint('Things', {
  actions: {
    text: { routing: route.get('/text'), params: { body: t.string() }, responses: { ok: 'text/plain' } },
    structure: { routing: route.get('/structure'), params: { body: t.string() }, responses: { ok: Thing } },
    late: { routing: route.get('/late'), params: { body: t.string() }, responses: { ok: 'text/plain' } },
    undeclared: { routing: route.get('/undeclared'), params: { body: t.string() }, responses: { noContent: {} } },
    thrown: { routing: route.get('/thrown'), params: { body: t.string() }, responses: { noContent: {} } },
  },
})

function made() {
  const logger = recorder()
  const bodyOf = ({ body }: { readonly body?: string | undefined }): never => BODIES[body as string]?.() as never
  const app = application({
    logger,
    timeout: 100,
    controllers: [
      Things.implement({
        text: (params, { reply }) => reply.ok(bodyOf(params)),
        structure: (params, { reply }) => reply.ok(bodyOf(params)),
        async late(params, { reply, request }) {
          await new Promise((resolve) => request.signal.addEventListener('abort', resolve))
          return reply.ok(bodyOf(params))
        },
        undeclared: (params) => bodyOf(params),
        thrown(params) {
          throw bodyOf(params)
        },
      }),
    ],
  })
  const unclosed = () => logger.entries.filter(({ message }) => message.includes('could not be closed'))
  return { app, unclosed }
}

const cases = Object.keys(BODIES).flatMap((body) =>
  [
    'HEAD /things/text',
    'GET /things/structure',
    'GET /things/late',
    'GET /things/undeclared',
    'GET /things/thrown',
  ].map((line) => ({ body, line })),
)

describe('a body that cannot be closed is logged once', () => {
  it.each(cases)('$body, $line', async ({ body, line }) => {
    const { app, unclosed } = made()
    const { status } = await askFetch(app, `${line}?body=${encodeURIComponent(body)}`)
    expect(status).toBeLessThan(600)
    await expect.poll(unclosed, { timeout: 5000 }).toHaveLength(1)
    expect(JSON.stringify(unclosed())).toContain('requestId')
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(unclosed()).toHaveLength(1)
  })
})

describe('a promise in place of a body', () => {
  const Free = mediaType('Free', { attributes: { any: t.any() } })
  const responses = { ok: 'text/plain', accepted: Free, multiStatus: collectionOf(Thing, { as: 'ndjson' }) } as const
  const params = { as: t.string({ required: true, values: ['ok', 'accepted', 'multiStatus'] }) }
  const Promises = endpoint('Promises', { actions: { show: { routing: route.get('/:as'), params, responses } } })
  const serving = (body: () => unknown) => {
    const logger = recorder()
    const show = ({ as }: { as: string }, { reply }: { reply: Record<string, (body: unknown) => unknown> }) =>
      reply[as]?.(body())
    return { app: application({ logger, controllers: [Promises.implement({ show } as never)] }), logger }
  }
  const lines = ['GET', 'HEAD'].flatMap((verb) =>
    ['ok', 'accepted', 'multiStatus'].map((as) => `${verb} /promises/${as}`),
  )

  it.each(lines)('is closed when it comes: %s', async (line) => {
    let closed = 0
    const late = () =>
      new Promise((resolve) => {
        const body = new Readable({
          read() {},
          destroy(_, done) {
            closed++
            done(null)
          },
        })
        setTimeout(resolve, 5, body)
      })
    const { app } = serving(late)
    await askFetch(app, line)
    await expect.poll(() => closed, { timeout: 5000 }).toBe(1)
  })

  it.each(lines)('that rejects ends no process, and is logged: %s', async (line) => {
    const unhandled: unknown[] = []
    const note = (reason: unknown) => void unhandled.push(reason)
    process.on('unhandledRejection', note)
    const { app, logger } = serving(() => Promise.reject(new Error('The query failed')))
    await askFetch(app, line)
    await expect.poll(() => logger.entries.map(({ fields }) => String(fields.err))).toContain('Error: The query failed')
    await new Promise((resolve) => setTimeout(resolve, 5))
    process.off('unhandledRejection', note)
    expect(unhandled).toEqual([])
  })
})

it('a query that runs when it is awaited does not run', async () => {
  let runs = 0
  // biome-ignore lint/suspicious/noThenProperty: query builders are such objects
  const query = { id: 1, then: () => void runs++ }
  const app = application({
    logger: recorder(),
    controllers: [
      endpoint('Queries', {
        actions: { show: { routing: route.get('/'), responses: { ok: 'text/plain' } } },
      }).implement({ show: (_, { reply }) => reply.ok(query as never) }),
    ],
  })
  expect([(await ask(app, 'GET /queries')).status, runs]).toEqual([500, 0])
})

it('an iterable that cannot be opened is a 500, compressed or not, and the next request is served', async () => {
  const broken = () => {
    throw new Error('It does not open')
  }
  const bodies = {
    getter: () => Object.defineProperty({}, Symbol.asyncIterator, { get: broken }),
    method: () => ({ [Symbol.asyncIterator]: broken }),
  }
  const app = application({
    logger: recorder(),
    plugins: [compression({ threshold: 0 })],
    controllers: [
      endpoint('Broken', {
        actions: {
          show: { routing: route.get('/:kind'), params: { kind: t.string() }, responses: { ok: 'text/plain' } },
        },
      }).implement({ show: ({ kind }, { reply }) => reply.ok(bodies[kind as 'getter']() as never) }),
    ],
  })
  for (const headers of [{}, { 'accept-encoding': 'gzip' }])
    for (const kind of Object.keys(bodies))
      expect([kind, (await ask(app, `GET /broken/${kind}`, { headers })).status]).toEqual([kind, 500])
})

it('an element with a method close of its own is not closed', async () => {
  let closed = 0
  class Ticket {
    readonly id = 1
    close(): void {
      closed++
    }
  }
  const app = application({
    controllers: [
      endpoint('Tickets', {
        actions: { show: { routing: route.get('/'), responses: { ok: Thing } } },
      }).implement({ show: (_, { reply }) => reply.ok(new Ticket()) }),
    ],
  })
  expect([(await ask(app, 'GET /tickets')).status, (await ask(app, 'HEAD /tickets')).status, closed]).toEqual([
    200, 200, 0,
  ])
})
