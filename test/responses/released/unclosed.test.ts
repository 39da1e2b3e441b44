// The log has one entry for a body that cannot be closed, and the client gets its response.
import { Readable } from 'node:stream'
import { application, endpoint, mediaType, route, t } from 'edict'
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
