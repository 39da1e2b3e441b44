// Drift: answers that break their declaration are counted and reported, each once, and no answer is changed by it.
import { describe, expect, it } from 'vitest'
import {
  type ApplicationOptions,
  application,
  endpoint,
  mediaType,
  type Plugin,
  Responses,
  route,
  t,
} from '../../src/index.ts'
import { type DriftOptions, drift } from '../../src/plugins/drift/index.ts'
import { ask, askFetch, mistakesOf } from '../support/ask.ts'

const Book = mediaType('Book', {
  attributes: { id: t.integer({ max: 10 }), title: t.string({ required: true, max: 5 }) },
})

const Books = endpoint('Books', {
  mediaType: Book,
  actions: {
    index: { routing: route.get('/'), responses: { ok: t.array(Book) } },
    show: {
      routing: route.get('/:form'),
      params: { form: t.string() },
      responses: { ok: { mediaType: Book, headers: { 'X-Kind': /^[a-z]+$/ } } },
    },
  },
})

const bodies: Readonly<Record<string, unknown>> = {
  good: { id: 1, title: 'Emma' },
  long: { id: 1, title: 'Ulysses' },
  large: { id: 11, title: 'Emma' },
  bare: { id: 1 },
  wrong: { id: 'x', title: 'Emma' },
}

function made(options: DriftOptions = {}, more: Partial<ApplicationOptions> = {}) {
  const logged: unknown[][] = []
  const log = (fields: object, message: string): void => void logged.push([message, fields])
  const watch = drift({ sample: 1, ...options })
  const books = Books.implement({
    index: (_, { reply }) => reply.ok([bodies['long'], bodies['good'], bodies['long']] as never),
    show: ({ form }, { reply }) => {
      if (form === 'undeclared') return new Responses.Accepted() as never
      const headers = { 'X-Kind': form === 'headed' ? 'S3CRET 1' : 'plain' }
      return reply.ok((bodies[form] ?? bodies['good']) as never, { headers })
    },
  })
  const app = application({
    controllers: [books],
    environment: 'production',
    logger: { info: log, warn: log, error: log },
    ...more,
    plugins: [watch, ...(more.plugins ?? [])],
  })
  return { app, watch, logged }
}

describe('drift', () => {
  it('[OBS-06] finds nothing where all fits', async () => {
    const { app, watch } = made()
    for (const line of ['GET /books/good', 'GET /nowhere', 'GET /books/good?x=1', 'PUT /books/good'])
      await ask(app, line)
    expect([watch.total(), watch.findings()]).toEqual([0, []])
  })

  it.each([
    ['long', { part: 'body', pointer: '/title', code: 'max-length' }],
    ['large', { part: 'body', pointer: '/id', code: 'max' }],
    ['bare', { part: 'body', pointer: '/title', code: 'missing' }],
  ])('[OBS-06] reports a body that is %s, and sends it all the same', async (form, expected) => {
    const { app, watch, logged } = made()
    const { status, json } = await ask(app, `GET /books/${form}`)
    expect([status, json]).toEqual([200, bodies[form]])
    expect(watch.findings()).toEqual([
      expect.objectContaining({ ...expected, action: 'Books.show', status: 200, count: 2 }),
    ])
    expect(logged.map(([message]) => message)).toEqual(['Responses break their declaration'])
  })

  it.each([
    ['headed', { part: 'headers', pointer: '/X-Kind', code: 'value' }],
    ['wrong', { part: 'body', pointer: '/id', code: 'type' }],
    ['undeclared', { part: 'response', pointer: '', code: 'undeclared', status: 202 }],
  ])('[OBS-06] counts what cannot leave at all, and is a 500 without drift too: %s', async (form, expected) => {
    const { app, watch } = made()
    const plain = application({ ...(app['~options' as never] as object), plugins: [] } as never)
    expect((await askFetch(plain, `GET /books/${form}`)).status).toBe(500)
    expect((await ask(app, `GET /books/${form}`)).status).toBe(500)
    expect(watch.findings()).toEqual([expect.objectContaining({ ...expected, count: 2 })])
    expect(JSON.stringify(watch.findings())).not.toContain('S3CRET')
  })

  it('[OBS-06] counts the elements of a list as one place', async () => {
    const { app, watch } = made()
    await askFetch(app, 'GET /books')
    expect(watch.findings()).toEqual([
      expect.objectContaining({ action: 'Books.index', pointer: '/*/title', count: 2 }),
    ])
  })

  it('[OBS-06] sees statuses that plugins give, which nobody declared', async () => {
    const changing: Plugin = {
      name: 'changing',
      before: ['drift'],
      response: (response, request) => {
        if (request.action !== undefined) response.status = 206
      },
    }
    const { app, watch } = made({}, { plugins: [changing] })
    expect((await askFetch(app, 'GET /books/good')).status).toBe(206)
    expect(watch.findings()).toEqual([
      expect.objectContaining({ part: 'response', code: 'undeclared', status: 206, action: 'Books.show' }),
    ])
  })

  it('[OBS-06] looks at a share of all responses', async () => {
    const { app, watch } = made({ sample: 0.1 })
    for (let n = 0; n < 100; n++) expect((await askFetch(app, 'GET /books/long')).status).toBe(200)
    expect(watch.total()).toBe(10)
  })

  it('[OBS-06] reports each finding once, then at the tenth, the hundredth time; its memory is bounded', async () => {
    const told: unknown[] = []
    const { app, watch } = made({ findings: 1, report: ({ pointer, count }) => void told.push([pointer, count]) })
    for (let n = 0; n < 100; n++) await askFetch(app, 'GET /books/long')
    for (let n = 0; n < 3; n++) await askFetch(app, 'GET /books/large')
    expect(told).toEqual([
      ['/title', 1],
      ['/title', 10],
      ['/title', 100],
    ])
    expect([watch.total(), watch.findings().length]).toEqual([103, 1])
  })

  it.each([
    [0.5, 7, 4],
    [0.25, 8, 3],
    [0.3, 10, 4],
    [1, 5, 5],
  ])('[OBS-06] looks at a share of %d of statuses too, the first one included', async (sample, count, expected) => {
    const changing: Plugin = {
      name: 'changing',
      before: ['drift'],
      response: (response, request) => {
        if (request.action !== undefined) response.status = 206
      },
    }
    const { app, watch } = made({ sample }, { plugins: [changing] })
    for (let n = 0; n < count; n++) await askFetch(app, 'GET /books/good')
    expect(watch.findings().map(({ status, count: found }) => [status, found])).toEqual([[206, expected]])
  })

  it.each([201, 204, 206, 302, 304, 399])('[OBS-06] reports the status %d, which is not declared', async (status) => {
    const changing: Plugin = {
      name: 'changing',
      before: ['drift'],
      response: (response) => {
        response.status = status
        response.body = null
      },
    }
    const { app, watch } = made({}, { plugins: [changing] })
    await askFetch(app, 'GET /books/good')
    expect(watch.findings().map((one) => one.status)).toEqual([status])
  })

  it.each([400, 401, 418, 429, 500, 503])('[OBS-06] leaves the status %d to every action', async (status) => {
    const changing: Plugin = {
      name: 'changing',
      before: ['drift'],
      response: (response) => {
        response.status = status
        response.set('Content-Type', 'application/problem+json')
        response.body = JSON.stringify({ type: 'about:blank', title: 'No', status, code: 'no' })
      },
    }
    const { app, watch } = made({}, { plugins: [changing] })
    await askFetch(app, 'GET /books/good')
    expect(watch.total()).toBe(0)
  })

  it('[OBS-06] distinguishes locations, rules, statuses and actions, and shows the most frequent first', async () => {
    const { app, watch } = made()
    for (let n = 0; n < 3; n++) await askFetch(app, 'GET /books/large')
    await askFetch(app, 'GET /books/bare')
    for (let n = 0; n < 2; n++) await askFetch(app, 'GET /books/long')
    await askFetch(app, 'GET /books')
    await askFetch(app, 'GET /books')
    expect(watch.findings().map(({ action, pointer, code, count }) => [action, pointer, code, count])).toEqual([
      ['Books.index', '/*/title', 'max-length', 4],
      ['Books.show', '/id', 'max', 3],
      ['Books.show', '/title', 'max-length', 2],
      ['Books.show', '/title', 'missing', 1],
    ])
    expect(watch.total()).toBe(10)
    // What is handed out is a copy: nobody counts in it.
    const [first] = watch.findings() as unknown as { count: number }[]
    if (first !== undefined) first.count = 99
    expect(watch.findings()[0]?.count).toBe(4)
  })

  it('[OBS-06] names the request that was first', async () => {
    const { app, watch } = made({}, { requestId: { header: 'X-Request-Id', trust: true } })
    for (const id of ['first', 'second']) await askFetch(app, 'GET /books/long', { headers: { 'x-request-id': id } })
    expect(watch.findings()).toEqual([expect.objectContaining({ requestId: 'first', count: 2 })])
  })

  it('[OBS-06] survives a report that throws', async () => {
    const { app, logged } = made({
      report: () => {
        throw new Error('no')
      },
    })
    expect((await ask(app, 'GET /books/long')).status).toBe(200)
    expect(logged.map(([message]) => message)).toEqual(['A finding could not be reported'])
  })

  it('leaves the strictness of development as it is', async () => {
    const { app, watch } = made({}, { environment: 'test' })
    expect((await askFetch(app, 'GET /books/long')).status).toBe(500)
    expect(watch.findings()).toEqual([expect.objectContaining({ pointer: '/title', count: 1 })])
  })

  it('reports options that do not fit', () => {
    const mistakes = mistakesOf(() => made({ sample: 2, findings: 0, report: 1 } as never))
    expect(mistakes.map(({ setting }) => setting)).toEqual(['drift.sample', 'drift.report', 'drift.findings'])
  })
})
