// Failures of lists, as clients see them: problem documents that name the parameter and what may be used instead.
import { application, collectionOf, endpoint, mediaType, problemEncoder, route, t } from 'edict'
import { OrderingParams, PaginationParams, paginate, pagination } from 'edict/pagination'
import { expect, it } from 'vitest'
import { ask } from '../support/ask.ts'

const Book = mediaType('Book', {
  attributes: { id: t.integer({ required: true }), name: t.string(), created_at: t.dateTime() },
})
const Books = endpoint('Books', {
  actions: {
    index: {
      routing: route.get('/'),
      params: {
        pagination: PaginationParams.for(Book),
        order: OrderingParams.for(Book, { byFields: ['id', 'name'] }),
        since: t.integer(),
      },
      responses: { ok: collectionOf(Book) },
    },
  },
})
let runs = 0
const books = Books.implement({
  index: (_, { request, reply }) => {
    runs++
    return reply.ok(paginate(request, [{ id: 1 }]))
  },
})
const app = application({ plugins: [pagination()], controllers: [books] })

/** The one error of a refused request; the action must not have run. */
async function errorOf(query: string): Promise<unknown> {
  const before = runs
  const { status, headers, json } = await ask(app, `GET /books?${query}`)
  expect([status, headers['content-type'], json.code]).toEqual([400, 'application/problem+json', 'validation'])
  expect([runs, headers['link'], json.errors.length]).toEqual([before, undefined, 1])
  const { in: part, pointer, code, message } = json.errors[0]
  return [`${part}${pointer}`, code, message]
}

it('[ERR-04] an order field that is unknown, or outside byFields, is a validation error', async () => {
  expect(await errorOf('order=title')).toEqual([
    'params/order',
    'order-field',
    "The parameter 'order' must not order by 'title'; use some of id, name, created_at",
  ])
  expect(await errorOf('order=id,-title')).toContain('order-field')
  expect(await errorOf('order=-created_at')).toEqual([
    'params/order',
    'order-field',
    "The parameter 'order' must not order by 'created_at'; use some of id, name",
  ])
})

it('[ERR-05] by and an order that begins with another field are refused', async () => {
  expect(await errorOf('order=name&pagination=by=id')).toEqual([
    'params/order',
    'order-by',
    "The parameter 'order' must begin with 'id', as pagination does",
  ])
  expect(await errorOf('order=name,id&pagination=by=id,from=1')).toContain('order-by')
  expect((await ask(app, 'GET /books?order=-id,name&pagination=by=id')).status).toBe(200)
})

it('[ERR-04] errors of lists and of other params are told together', async () => {
  const { json } = await ask(app, 'GET /books?order=title&pagination=page=0&since=x')
  expect(json.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`)).toEqual([
    '/pagination pagination-number',
    '/order order-field',
    '/since type',
  ])
})

it('[ERR-04] the application may choose 422 and its own form', async () => {
  const own = application({
    plugins: [pagination()],
    controllers: [books],
    validation: { status: 422 },
    encodeProblem: problemEncoder('application/json', ({ status, errors = [] }) => ({
      body: { status, count: errors.length },
    })),
  })
  expect(await ask(own, 'GET /books?order=title')).toMatchObject({ status: 422, json: { status: 422, count: 1 } })
})
