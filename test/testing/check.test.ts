// `checkApplication` on applications without faults: the example, the mock of it, and the shop of the faults.
import {
  type Application,
  application,
  collectionOf,
  endpoint,
  inherit,
  mediaType,
  problemEncoder,
  route,
  t,
} from 'edict'
import { FilteringParams } from 'edict/mapper'
import { mock } from 'edict/mock'
import { PaginationParams } from 'edict/pagination'
import { type CheckError, checkApplication } from 'edict/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blogApi } from '../../examples/blog/api.ts'
import { openDatabase } from '../../examples/blog/database.ts'
import { Half, Hidden, Locked, Things } from '../support/documents/kitchen-sink.ts'
import { isLong, runs } from '../support/runs.ts'
import { principals, shop } from './shop.ts'

const writers = { ada: { Authorization: 'Bearer ada-secret' }, grace: { Authorization: 'Bearer grace-secret' } }
// The long form is what a release is held to.
const length = isLong ? { time: 600_000 } : { runs: 1 }
const options = { principals: writers, seed: 3, ...length }

async function withBlog(test: (app: Application) => Promise<void>): Promise<void> {
  const database = openDatabase()
  await database.prepare()
  try {
    await test(blogApi(database) as unknown as Application)
  } finally {
    await database.close()
  }
}

describe('[TKT-01] one call checks an application by its declarations', () => {
  it('[TKT-01] and finds nothing in the example', { timeout: 700_000 }, () =>
    withBlog(async (app) => {
      const report = await checkApplication(app, options)
      console.log(JSON.stringify(report))
      expect(Object.keys(report.cases)).toEqual(expect.arrayContaining(['valid', 'invalid', 'pages', 'filters']))
    }),
  )

  it('[TKT-01] and nothing in the mock of the example', { timeout: 700_000 }, () =>
    withBlog(async (app) => {
      // One run does not draw a call for every action, and a mock takes any credentials and knows no owners.
      const report = await checkApplication(mock(app), {
        ...options,
        ...(!isLong && { runs: 3 }),
        except: ['credentials', 'owners'],
      })
      console.log(JSON.stringify(report))
      expect(report.unreached).toEqual([])
    }),
  )

  it('[TKT-01] [RTE-03] and nothing in routes for any verb next to others', { timeout: 60_000 }, async () => {
    const responses = { ok: { mediaType: 'text/plain' } }
    const Things = endpoint('Things', {
      actions: {
        show: { routing: route.get('/:id'), params: { id: t.string({ max: 9 }) }, responses },
        rest: { routing: route.any('/:id'), params: { id: t.string({ max: 9 }) }, responses: { accepted: true } },
        own: { routing: route.head('/new'), responses: { noContent: true } },
      },
    })
    const things = Things.implement({
      show: ({ id }) => id,
      rest: (_, { reply }) => reply.accepted(),
      own: (_, { reply }) => reply.noContent(),
    })
    const report = await checkApplication(application({ controllers: [things] }), { seed: 5, runs: 4 })
    expect(report.unreached).toEqual([])
  })

  it('[TKT-01] by every law, where there is something for it', { timeout: 60_000 }, async () => {
    const report = await checkApplication(shop, { principals, seed: 2, runs: runs(4, 40) })
    const laws =
      'admission bodies clients conditions credentials elements fields filters head idempotency invalid listed orders owners pages scopes valid verbs versions viewers'
    expect(Object.keys(report.cases).sort()).toEqual(laws.split(' '))
    expect(report.unreached).toEqual([])
  })
})

it('[TKT-01] a response with Retry-After breaks no law, whenever it comes', { timeout: 60_000 }, async () => {
  const busy = (): Application => {
    const app = shop()
    const draw = fc.sample(fc.nat(9), { seed: 11, numRuns: 20_000 })
    const refuse = (status: number, code: string): Response =>
      Response.json(
        { type: 'about:blank', title: 'Later', status, code },
        { status, headers: { 'Content-Type': 'application/problem+json', 'Retry-After': '1' } },
      )
    return {
      ...app,
      async fetch(request: Request) {
        const drawn = draw.pop()
        if (drawn === 0) return refuse(429, 'rate-limited')
        return drawn === 1 ? refuse(503, 'unavailable') : app.fetch(request)
      },
    }
  }
  const { cases } = await checkApplication(busy, { principals, seed: 4, runs: runs(6, 40) })
  expect(cases).toMatchObject({
    idempotency: expect.any(Number),
    head: expect.any(Number),
    elements: expect.any(Number),
  })
})

describe('an application of another style', () => {
  const Book = mediaType('Book', { attributes: { id: t.integer({ required: true }) } })
  const Shelf = endpoint('Shelf', {
    version: '1',
    mediaType: Book,
    actions: {
      show: { routing: route.get('/:id'), params: { id: t.integer({ min: 0, max: 9 }) }, responses: { ok: Book } },
      add: { routing: route.post('/'), payload: { id: inherit }, responses: { created: Book } },
    },
  })
  const shelf = Shelf.implement({
    show: ({ id }, { reply }) => reply.ok({ id }),
    add: (_, { request, reply }) => reply.created(request.payload),
  })

  it.each([['header'], ['query']] as const)(
    'carries its versions in the %s only: all of it is reached',
    async (way) => {
      const app = application({ controllers: [shelf], versionWith: [way] })
      const { unreached, cases } = await checkApplication(app as never, { except: ['elements'] })
      expect([unreached, cases['verbs'] ?? 0]).toEqual([[], expect.any(Number)])
    },
  )

  it('gives failures statuses of its own', async () => {
    const Failure = mediaType('Failure', { attributes: { message: t.string({ required: true }) } })
    const encodeProblem = problemEncoder(Failure, ({ title, status }) => ({
      body: { message: title },
      status: status === 400 ? 422 : status,
    }))
    const app = application({ controllers: [shelf], encodeProblem })
    const { cases } = await checkApplication(app as never, { except: ['elements'] })
    expect(cases).toMatchObject({ invalid: expect.any(Number), bodies: expect.any(Number) })
  })

  it('has every kind of input and response', { timeout: 60_000 }, async () => {
    const app = mock([Things, Half, Hidden, Locked] as never, { rows: 5 })
    // Its two responses of one status are one in a document, of which the guard asks for a body.
    const except = ['Things.create']
    const { cases } = await checkApplication(app, { seed: 2, runs: runs(2, 30), except })
    expect(cases).toMatchObject({ valid: expect.any(Number), filters: expect.any(Number) })
  })
})

it('a condition below a list and its opposite may both find an element, or neither', { timeout: 30_000 }, async () => {
  const Tagged = mediaType('Tagged', {
    attributes: { id: t.integer({ required: true }), tags: t.array(t.string({ max: 8 }), { max: 3 }) },
  })
  const All = endpoint('All', {
    mediaType: Tagged,
    actions: {
      index: {
        routing: route.get('/'),
        params: { filters: FilteringParams.for(Tagged, { tags: {} }), pagination: PaginationParams.for(Tagged) },
        responses: { ok: collectionOf(Tagged) },
      },
      create: { routing: route.post('/'), payload: { tags: inherit }, responses: { created: Tagged } },
    },
  })
  // Some elements have no tags: those come first.
  const made = async (): Promise<Application> => {
    const app = mock([All], { rows: 4 })
    const headers = { 'Content-Type': 'application/json' }
    await app.fetch(new Request('http://a/all', { method: 'POST', headers, body: '{"tags":[]}' }))
    return app
  }
  const { cases } = await checkApplication(made, { runs: runs(20, 200), only: ['filters'] })
  expect(cases['filters']).toBeGreaterThan(10)
})

const Books = endpoint('Books', {
  actions: {
    show: {
      routing: route.get('/:id'),
      params: { id: t.integer({ min: 0 }), note: t.string(), page: t.integer() },
      responses: { ok: t.object({ id: t.integer({ required: true }) }) },
    },
  },
})

function books(): Application {
  const implemented = Books.implement({
    show({ id }, { reply }) {
      if (id > 500) throw new Error('too many')
      return reply.ok({ id })
    },
  })
  return application({
    controllers: [implemented],
    logger: { info() {}, warn() {}, error() {} },
  }) as unknown as Application
}

const failed = (seed: number): Promise<CheckError> =>
  checkApplication(books, { seed, runs: 25 }).then(
    () => Promise.reject(new Error('no fault was found')),
    (error: CheckError) => error,
  )

const linesOf = ({ faults }: CheckError) =>
  faults.map(({ requests }) => requests.map(({ curl, client }) => [curl, client]))

describe('[TKT-02] the error of a fault', () => {
  it('[TKT-02] has the shortest request, as a line of the shell and as a call of the client', async () => {
    const { message, faults } = await failed(5)
    expect(faults[0]).toMatchObject({ law: 'valid', action: 'Books.show' })
    expect(faults[0]?.requests).toHaveLength(1)
    expect(faults[0]?.requests[0]?.curl).toMatch(/^curl -i 'http:\/\/localhost:3000\/books\/\d+'$/)
    expect(faults[0]?.requests[0]?.client).toMatch(/^await api\.Books\.show\(\{ id: \d+ \}\)$/)
    expect(message).toContain("Books.show breaks the law 'valid': the response is 500, which no request should get")
    expect(message).toContain("Again: checkApplication(app, { seed: 5, only: ['Books.show valid'] })")
  })

  it('[TKT-02] is the same for the same seed', async () => {
    const [one, other] = [await failed(9), await failed(9)]
    expect(linesOf(other)).toEqual(linesOf(one))
    const again = checkApplication(books, { seed: 9, runs: 25, only: [`Books.show ${one.faults[0]?.law}`] })
    expect(linesOf(await again.catch((error) => error))[0]).toEqual(linesOf(one)[0])
  })

  it('leaves out what options leave out', async () => {
    const except = ['valid', 'Books.show head', 'versions', 'Books.index']
    const report = await checkApplication(books, { seed: 1, runs: 2, except })
    expect(Object.keys(report.cases)).not.toContain('head')
    await expect(checkApplication(books, { runz: 1 } as never)).rejects.toThrow('did you mean runs?')
  })
})
