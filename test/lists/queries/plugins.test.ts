// A QUERY passes through plugins as a GET does: limits, sessions, keys, logs, metrics and mocks.
import { application, collectionOf, endpoint, mediaType, route, t } from 'edict'
import { accessLog } from 'edict/access-log'
import { idempotency, idempotent } from 'edict/idempotency'
import { FilteringParams, mapper, memoryDatastore, resource } from 'edict/mapper'
import { mock } from 'edict/mock'
import { OrderingParams, PaginationParams, pagination } from 'edict/pagination'
import { prometheus } from 'edict/prometheus'
import { rateLimit, rateLimits } from 'edict/rate-limit'
import { session, sessions } from 'edict/sessions'
import { memoryStore } from 'edict/stores'
import { describe, expect, it } from 'vitest'
import { ask, askSocket } from '../../support/ask.ts'

const Book = mediaType('Book', {
  attributes: { id: t.integer({ required: true }), title: t.string({ required: true }) },
})

const params = {
  filters: FilteringParams.for(Book, { id: {}, title: {} }),
  order: OrderingParams.for(Book),
  pagination: PaginationParams.for(Book),
}
const responses = { ok: collectionOf(Book) }
const routing = [route.get('/'), route.query('/')] as const

const ROWS = [
  { id: 1, title: 'Emma' },
  { id: 2, title: 'Ulysses' },
]
const columns = { id: { kind: 'integer' }, title: { kind: 'text' } } as const
const books = () => resource(memoryDatastore({ books: { columns, key: ['id'], rows: ROWS } }), Book, { table: 'books' })

describe('a QUERY and plugins', () => {
  it('[LST-13] counts for a rate limit, together with the GET of its path', async () => {
    const policies = [rateLimit({ limit: 2, per: '1m', by: 'address' })]
    const Books = endpoint('Books', { actions: { index: { routing, params, responses, policies } } })
    const all = books()
    const app = application({
      plugins: [mapper({ resources: [all] }), pagination(), rateLimits(memoryStore())],
      controllers: [Books.implement({ index: async (_, { request, reply }) => reply.ok(await all.list(request)) })],
    })
    const lines = ['QUERY /books', 'GET /books', 'QUERY /books']
    const statuses: number[] = []
    for (const line of lines)
      statuses.push((await askSocket(app, line, line.startsWith('QUERY') ? { body: { filters: 'id=1' } } : {})).status)
    expect(statuses).toEqual([200, 200, 429])
  })

  it('[LST-13] is logged and counted by its method and route, without its body', async () => {
    const Books = endpoint('Books', { actions: { index: { routing, params, responses } } })
    const all = books()
    const lines: string[] = []
    const app = application({
      plugins: [
        mapper({ resources: [all] }),
        pagination(),
        accessLog({ write: (line) => lines.push(line) }),
        prometheus(),
      ],
      controllers: [Books.implement({ index: async (_, { request, reply }) => reply.ok(await all.list(request)) })],
    })
    expect((await askSocket(app, 'QUERY /books', { body: { filters: 'title=Emma' } })).json).toEqual([ROWS[0]])
    const page = await askSocket(app, 'GET /metrics')
    expect(page.text).toContain('http_requests_total{method="QUERY",route="/books",status="200"} 1')
    expect(JSON.parse(lines[0] as string)).toMatchObject({ method: 'QUERY', route: '/books', status: 200 })
    expect(lines.join()).not.toContain('Emma')
  })

  it('[LST-13] reads with a session, also where another site sends it, for it changes nothing', async () => {
    const Session = session('Session', { data: t.object({ name: t.string({ required: true }) }) })
    const Books = endpoint('Books', {
      actions: {
        index: { routing, params, responses, security: Session },
        login: { routing: route.post('/login'), policies: [Session.writes], responses: { noContent: true } },
      },
    })
    const kept = sessions(Session, { store: memoryStore(), lifetime: '8h' })
    const all = books()
    const app = application({
      plugins: [mapper({ resources: [all] }), pagination(), kept.plugin],
      verifiers: [kept.verifier],
      controllers: [
        Books.implement({
          index: async (_, { request, reply }) => reply.ok(await all.list(request)),
          login(_, { reply, session: own }) {
            own.start({ name: 'Ada' })
            return reply.noContent()
          },
        }),
      ],
    })
    const login = await askSocket(app, 'POST /books/login')
    const cookie = (login.headers['set-cookie'] as string).split(';')[0] as string
    const body = { order: '-id' }
    expect((await ask(app, 'QUERY /books', { body })).status).toBe(401)
    const read = await ask(app, 'QUERY /books', { body, headers: { cookie } })
    expect(read.json).toEqual(ROWS.toReversed())
    const headers = { cookie, 'sec-fetch-site': 'cross-site', origin: 'https://other.example' }
    expect((await ask(app, 'QUERY /books', { body, headers })).status).toBe(
      (await ask(app, 'GET /books', { headers })).status,
    )
  })

  it('[LST-13] with the key of another body is a mistake, as with every action that takes keys', async () => {
    const policies = [idempotent({ keep: '1h' })]
    const Books = endpoint('Books', {
      actions: { index: { routing: route.post('/search', { params: 'body' }), params, responses, policies } },
    })
    const all = books()
    let calls = 0
    const app = application({
      plugins: [mapper({ resources: [all] }), pagination(), idempotency(memoryStore())],
      controllers: [
        Books.implement({
          async index(_, { request, reply }) {
            calls += 1
            return reply.ok(await all.list(request))
          },
        }),
      ],
    })
    const headers = { 'idempotency-key': 'k' }
    const first = await askSocket(app, 'POST /books/search', { body: { filters: 'id=1' }, headers })
    const again = await askSocket(app, 'POST /books/search', { body: { filters: 'id=1' }, headers })
    expect([first.json, again.json, calls]).toEqual([[ROWS[0]], [ROWS[0]], 1])
    const other = await askSocket(app, 'POST /books/search', { body: { filters: 'id=2' }, headers })
    expect(other.status).toBe(422)
  })

  it('[LST-13] a mock serves it as it serves GET', async () => {
    const Books = endpoint('Books', { actions: { index: { routing, params, responses } } })
    const app = mock([Books])
    const asked = { order: '-id', pagination: 'page=1,items=2', filters: 'id>2' }
    const query = await ask(app, 'QUERY /books', { body: asked })
    const get = await ask(app, `GET /books?${new URLSearchParams(asked)}`)
    expect(query.status).toBe(200)
    expect(query.json).toHaveLength(2)
    expect(query.json).toEqual(get.json)
  })
})
