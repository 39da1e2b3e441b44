// Conditional requests: tags and times that follow from attributes or bodies, reads that load nothing, changes under conditions.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { application, collectionOf, endpoint, mediaType, route, t } from '../../src/index.ts'
import { checkConditions, conditional, etag, lastModified } from '../../src/plugins/conditional/index.ts'
import { type Datastore, FieldSelector, mapper, memoryDatastore, resource } from '../../src/plugins/mapper/index.ts'
import { type Answered, type Asked, ask, askFetch, askSocket, mistakesOf, recorder } from '../support/ask.ts'
import { runs } from '../support/runs.ts'

const Book = mediaType('Book', {
  identifier: 'application/vnd.book+json',
  attributes: {
    id: t.integer(),
    title: t.string(),
    version: t.integer(),
    updated_at: t.dateTime(),
  },
  views: { default: ['id', 'title'] },
})

const id = { id: t.integer() }

const Books = endpoint('Books', {
  mediaType: Book,
  actionDefaults: { policies: [etag('version')] },
  actions: {
    index: { routing: route.get('/'), policies: [etag('body')], responses: { ok: collectionOf(Book) } },
    show: {
      routing: route.get('/:id'),
      params: { ...id, fields: FieldSelector.for(Book) },
      policies: [lastModified('updated_at')],
      responses: { ok: Book, notFound: true },
    },
    create: { routing: route.post('/'), payload: { title: t.string() }, responses: { created: Book } },
    change: {
      routing: route.patch('/:id'),
      params: id,
      payload: { title: t.string() },
      policies: [etag('version', { required: true }), lastModified('updated_at')],
      responses: { ok: Book, notFound: true },
    },
    put: {
      routing: route.put('/:id'),
      params: id,
      payload: { title: t.string() },
      responses: { ok: Book, created: Book },
    },
    remove: { routing: route.delete('/:id'), params: id, responses: { noContent: true, notFound: true } },
    own: { routing: route.get('/own/:id'), params: id, policies: [etag('version')], responses: { ok: Book } },
    ownChange: { routing: route.put('/own/:id'), params: id, responses: { ok: Book } },
    careless: { routing: route.put('/careless'), responses: { ok: Book } },
    forms: {
      routing: route.get('/forms'),
      policies: [etag('version')],
      responses: { ok: { mediaType: [Book, 'text/plain'] } },
    },
    stream: { routing: route.get('/stream'), policies: [etag('body')], responses: { ok: 'text/plain' } },
  },
})

const was = new Date('2026-01-02T03:04:05.600Z')
const row = { id: 1, title: 'Emma', version: 7, updated_at: was }

/** A library of its own, and the statements that were run on it. */
function library() {
  const memory = memoryDatastore({
    books: {
      columns: {
        id: { kind: 'integer', generated: true },
        title: { kind: 'text' },
        version: { kind: 'integer' },
        updated_at: { kind: 'dateTime', default: () => was },
      },
      key: ['id'],
      rows: [row],
    },
  })
  const statements: string[] = []
  const store: Datastore<string> = {
    ...memory,
    select: (query) => {
      statements.push(`select ${query.columns.map(({ column }) => column.name).join()}`)
      return memory.select(query)
    },
    count: (query) => {
      statements.push('count')
      return memory.count(query)
    },
    update: (...given) => {
      statements.push('update')
      return memory.update(...given)
    },
    delete: (...given) => {
      statements.push('delete')
      return memory.delete(...given)
    },
  }
  const books = resource(store, Book, { table: 'books', version: 'version' })
  const logger = recorder()
  const app = application({
    plugins: [mapper({ resources: { books } }), conditional()],
    logger,
    controllers: [
      Books.implement({
        index: async (_, { reply }) => reply.ok([(await books.find(1, Book)) as never]),
        async show({ id }, { request, reply }) {
          const book = await books.find(id, request)
          return book ? reply.ok(book) : reply.notFound()
        },
        async create(_, { request, reply }) {
          const key = await books.create(request.payload)
          return reply.created((await books.find(key.id, request)) as never)
        },
        async change({ id }, { request, reply }) {
          const changed = await books.update(id, request.payload, { request })
          const book = changed ? await books.find(id, request) : undefined
          return book ? reply.ok(book) : reply.notFound()
        },
        async put({ id }, { request, reply }) {
          if (await books.update(id, request.payload, { request }))
            return reply.ok((await books.find(id, request)) as never)
          await books.create({ id, ...request.payload })
          return reply.created((await books.find(id, request)) as never)
        },
        remove: async ({ id }, { request, reply }) =>
          (await books.delete(id, { request })) ? reply.noContent() : reply.notFound(),
        own: ({ id }, { reply }) => reply.ok({ ...row, id }),
        ownChange({ id }, { request, reply }) {
          checkConditions(request, { ...row, id })
          return reply.ok({ ...row, id, version: 8 })
        },
        careless: (_, { reply }) => reply.ok(row),
        forms: (_, { request, reply }) =>
          request.accepts('ok') === 'text/plain' ? reply.ok('Emma', { mediaType: 'text/plain' }) : reply.ok(row),
        stream: (_, { reply }) =>
          reply.ok(
            (async function* () {
              yield 'a'
            })(),
          ),
      }),
    ],
  })
  return { app, statements, logger }
}

type Ask = (line: string, headers?: Record<string, string>, body?: unknown) => Promise<Answered>

const ways: [name: string, open: () => { ask: Ask; statements: string[] }][] = [
  ['over a socket', () => opened(askSocket)],
  ['through fetch', () => opened(askFetch)],
]

function opened(send: (app: ReturnType<typeof library>['app'], line: string, asked: Asked) => Promise<Answered>) {
  const { app, statements } = library()
  const ask: Ask = (line, headers = {}, body) => send(app, line, { headers, ...(body !== undefined && { body }) })
  return { ask, statements }
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const
const two = (value: number): string => String(value).padStart(2, '0')

/** The parts of a date, which may be none. */
const anyDate = fc.record({
  weekday: fc.constantFrom(...DAYS.keys()),
  day: fc.integer({ min: 0, max: 32 }),
  month: fc.constantFrom(...MONTHS.keys()),
  year: fc.integer({ min: 2020, max: 2030 }),
  hour: fc.integer({ min: 0, max: 25 }),
  form: fc.constantFrom('preferred', 'obsolete', 'asctime'),
  /** Whether the weekday is that of the date. */
  truly: fc.boolean(),
})

/** Writes a date, and says when it is; undefined for one that does not exist. */
function written({ day, month, year, hour, form, truly, ...date }: Parameters<Parameters<typeof anyDate.map>[0]>[0]) {
  const time = new Date(Date.UTC(year, month, day, hour))
  const weekday = truly ? time.getUTCDay() : date.weekday
  const [long = '', name] = [DAYS[weekday], MONTHS[month]]
  const clock = `${two(hour)}:00:00`
  const text = {
    preferred: `${long.slice(0, 3)}, ${two(day)} ${name} ${year} ${clock} GMT`,
    obsolete: `${long}, ${two(day)}-${name}-${two(year % 100)} ${clock} GMT`,
    asctime: `${long.slice(0, 3)} ${name} ${String(day).padStart(2)} ${clock} ${year}`,
  }[form]
  const exists = time.getUTCDate() === day && time.getUTCMonth() === month && time.getUTCHours() === hour
  return { text, time: exists && time.getUTCDay() === weekday ? time.getTime() : undefined }
}

const LATER = new Date(was.getTime() + 5000).toUTCString()
const THEN = was.toUTCString()
const EARLIER = new Date(was.getTime() - 5000).toUTCString()

describe.each(ways)('%s', (_, open) => {
  it('[CND-03] a date that does not exist is no condition that a change could be under', async () => {
    await fc.assert(
      fc.asyncProperty(anyDate.map(written), async ({ text, time }) => {
        const { ask } = open()
        const changed = await ask('PATCH /books/1', { 'if-unmodified-since': text }, { title: 'Persuasion' })
        const isMet = time !== undefined && time >= Math.floor(was.getTime() / 1000) * 1000
        const verdict = isMet ? 200 : 412
        expect(changed.status, text).toBe(time === undefined ? 400 : verdict)
        // A read without a condition is whole.
        const read = await ask('GET /books/1', { 'if-modified-since': text })
        if (!isMet) expect(read.status, text).toBe(200)
      }),
      { numRuns: runs(40, 1000) },
    )
  })

  it('[CND-01] an attribute that the view hides gives the tag, another the time', async () => {
    const { ask, statements } = open()
    const { status, headers, json } = await ask('GET /books/1')
    expect(status).toBe(200)
    expect(headers).toMatchObject({ etag: '"7"', 'last-modified': THEN })
    expect(json).toEqual({ id: 1, title: 'Emma' })
    expect((await ask('GET /books/1?fields=title')).headers).toMatchObject({ etag: '"7"' })
    expect((await ask('HEAD /books/1')).headers).toMatchObject({ etag: '"7"', 'last-modified': THEN })
    expect(statements).toHaveLength(3)
  })

  it('[CND-01] a body gives the tag of lists and everything else', async () => {
    const { ask } = open()
    const { headers } = await ask('GET /books')
    expect(headers['etag']).toMatch(/^"[\w-]{10,}"$/)
    const tag = headers['etag'] as string
    expect(await ask('GET /books', { 'if-none-match': tag })).toMatchObject({
      status: 304,
      text: '',
      headers: { etag: tag },
    })
    expect(await ask('GET /books', { 'if-none-match': `W/${tag}` })).toMatchObject({ status: 304 })
    expect(await ask('GET /books', { 'if-match': '"other"' })).toMatchObject({ status: 412 })
    expect(await ask('GET /books', { 'if-match': tag })).toMatchObject({ status: 200 })
    await ask('PATCH /books/1', { 'if-match': '"7"' }, { title: 'Persuasion' })
    const other = await ask('GET /books', { 'if-none-match': tag })
    expect(other.status).toBe(200)
    expect(other.headers['etag']).not.toBe(tag)
    expect((await ask('GET /books/stream')).headers).not.toHaveProperty('etag')
  })

  it('[CND-01] an element that the action makes by itself is tagged, each form of it apart', async () => {
    const { ask } = open()
    expect((await ask('GET /books/own/1')).headers['etag']).toBe('"7"')
    const json = await ask('GET /books/forms', { accept: 'application/vnd.book+json' })
    expect(json.headers['etag']).toBe('"7;0"')
    expect(
      await ask('GET /books/forms', { accept: 'application/vnd.book+json', 'if-none-match': '"7;0"' }),
    ).toMatchObject({
      status: 304,
      headers: { etag: '"7;0"' },
    })
  })

  it.each([
    ['"7"', 304],
    ['W/"7"', 304],
    ['"7;br"', 304],
    ['"1", W/"x,\\", "7"', 304],
    ['*', 304],
    ['"8"', 200],
    ['7', 200],
    ['', 200],
  ])('[CND-02] If-None-Match: %s gives %d', async (tags, status) => {
    const { ask, statements } = open()
    const answer = await ask('GET /books/1', { 'if-none-match': tags })
    expect(answer.status).toBe(status)
    if (status === 304) {
      expect(answer.text).toBe('')
      expect(statements).toEqual(['select version,updated_at'])
      expect(answer.headers).toMatchObject({ 'last-modified': THEN })
    }
  })

  it('[CND-02] times count where there are no tags, in whole seconds', async () => {
    const { ask, statements } = open()
    expect(await ask('GET /books/1', { 'if-modified-since': THEN })).toMatchObject({ status: 304 })
    expect(statements).toEqual(['select version,updated_at'])
    expect(await ask('GET /books/1', { 'if-modified-since': EARLIER })).toMatchObject({ status: 200 })
    expect(await ask('GET /books/1', { 'if-modified-since': 'yesterday' })).toMatchObject({ status: 200 })
    expect(await ask('GET /books/1', { 'if-modified-since': LATER, 'if-none-match': '"8"' })).toMatchObject({
      status: 200,
    })
    expect(await ask('HEAD /books/1', { 'if-modified-since': LATER })).toMatchObject({ status: 304 })
  })

  it('[CND-02] reads under If-Match and If-Unmodified-Since give 412, and what is not there stays a 404', async () => {
    const { ask, statements } = open()
    expect(await ask('GET /books/1', { 'if-match': '"7"' })).toMatchObject({ status: 200 })
    expect(await ask('GET /books/1', { 'if-match': '"8"' })).toMatchObject({
      status: 412,
      json: { code: 'precondition-failed' },
    })
    expect(await ask('GET /books/1', { 'if-unmodified-since': EARLIER })).toMatchObject({ status: 412 })
    statements.length = 0
    expect(await ask('GET /books/9', { 'if-none-match': '"7"' })).toMatchObject({ status: 404 })
    expect(statements).toHaveLength(1)
  })

  it('[CND-03] a change under the version that there is goes on, and the version grows in the same statement', async () => {
    const { ask, statements } = open()
    const changed = await ask('PATCH /books/1', { 'if-match': '"7"' }, { title: 'Persuasion' })
    expect(changed).toMatchObject({ status: 200, headers: { etag: '"8"' } })
    expect(statements.slice(0, 1)).toEqual(['update'])
    expect(statements).toHaveLength(2)
    expect(await ask('PATCH /books/1', { 'if-match': '"7"' }, { title: 'Late' })).toMatchObject({ status: 412 })
    expect((await ask('GET /books/1')).json).toEqual({ id: 1, title: 'Persuasion' })
    expect(await ask('PATCH /books/9', { 'if-match': '"7"' }, { title: 'None' })).toMatchObject({ status: 404 })
  })

  it.each([
    [{ 'if-match': '"6", "7;gzip"' }, 200],
    [{ 'if-match': '*' }, 200],
    [{ 'if-match': 'W/"7"' }, 412],
    [{ 'if-match': '"6"' }, 412],
    [{ 'if-match': '"seven"' }, 412],
    [{ 'if-match': '"7;0;gzip", "6"' }, 200],
    [{ 'if-match': '"7;1;br"' }, 200],
    [{ 'if-match': 'nonsense' }, 400],
    [{ 'if-match': '' }, 400],
    [{ 'if-match': ',' }, 400],
    [{ 'if-match': '7' }, 400],
    [{ 'if-match': '"7;evil"' }, 400],
    [{ 'if-match': '"7", "7;evil"' }, 400],
    [{ 'if-match': '"7;gzip;evil"' }, 400],
    [{ 'if-match': '"7;gzip;gzip"' }, 400],
    [{ 'if-match': '"7;gzip;0"' }, 400],
    [{ 'if-match': '"7;2"' }, 400],
    [{ 'if-match': '"7;00"' }, 400],
    [{ 'if-match': '"7;~evil"' }, 400],
    [{ 'if-match': '"7;"' }, 400],
    [{ 'if-match': '"7", *' }, 400],
    [{ 'if-match': '"7"', 'if-none-match': 'nonsense' }, 400],
    [{ 'if-match': '"7"', 'if-none-match': '"6;evil"' }, 400],
    [{ 'if-match': '"7"', 'if-unmodified-since': 'never' }, 400],
    [{ 'if-none-match': '*' }, 412],
    [{ 'if-none-match': '"6"' }, 428],
    [{ 'if-match': '"7"', 'if-unmodified-since': EARLIER }, 200],
    [{ 'if-unmodified-since': THEN }, 200],
    [{ 'if-unmodified-since': EARLIER }, 412],
    [{ 'if-match': '"7"', 'if-none-match': '"7"' }, 412],
    [{}, 428],
    [{ 'if-unmodified-since': 'never' }, 400],
    [{ 'if-unmodified-since': `${THEN}, ${THEN}` }, 400],
  ] as [Record<string, string>, number][])('[CND-03] a change with %j gives %d', async (headers, status) => {
    const { ask, statements } = open()
    expect((await ask('PATCH /books/1', headers, { title: 'Changed' })).status).toBe(status)
    if (status === 428) expect(statements).toEqual([])
    expect((await ask('GET /books/1')).json.title).toBe(status === 200 ? 'Changed' : 'Emma')
  })

  it('[CND-03] a removal under another version removes nothing', async () => {
    const { ask } = open()
    expect(await ask('DELETE /books/1', { 'if-match': '"6"' })).toMatchObject({ status: 412 })
    expect(await ask('DELETE /books/1', { 'if-match': '"7"' })).toMatchObject({ status: 204 })
    expect(await ask('DELETE /books/1', { 'if-match': '"7"' })).toMatchObject({ status: 404 })
  })

  it('[CND-03] If-None-Match: * makes an element only where there is none', async () => {
    const { ask } = open()
    const any = { 'if-none-match': '*' }
    expect(await ask('PUT /books/1', any, { title: 'Again' })).toMatchObject({ status: 412 })
    expect(await ask('PUT /books/2', any, { title: 'New' })).toMatchObject({ status: 201, headers: { etag: '"1"' } })
    expect(await ask('PUT /books/2', any, { title: 'New' })).toMatchObject({ status: 412 })
    expect(await ask('PUT /books/2', {}, { title: 'Newer' })).toMatchObject({ status: 200, headers: { etag: '"2"' } })
  })

  it('[CND-03] If-None-Match: * satisfies an action that requires a condition, so that clients can create only', async () => {
    const Strict = endpoint('Strict', {
      mediaType: Book,
      actionDefaults: { policies: [etag('version', { required: true })] },
      actions: { put: { routing: route.put('/:id'), params: id, responses: { ok: Book, created: Book } } },
    })
    const rows = new Map([[1, { id: 1, title: 'Emma', version: 7 }]])
    const strict = application({
      controllers: [
        Strict.implement({
          put({ id: key }, { request, reply }) {
            const before = rows.get(key)
            checkConditions(request, before)
            const made = { id: key, title: 'New', version: (before?.version ?? 0) + 1 }
            rows.set(key, made)
            return before === undefined ? reply.created(made) : reply.ok(made)
          },
        }),
      ],
      plugins: [conditional()],
      logger: recorder(),
    })
    const put = async (key: number, headers: Record<string, string>) =>
      (await askFetch(strict, `PUT /strict/${key}`, { headers })).status
    expect([await put(2, {}), await put(2, { 'if-none-match': '"7"' })]).toEqual([428, 428])
    expect([await put(2, { 'if-none-match': '*' }), await put(2, { 'if-none-match': '*' })]).toEqual([201, 412])
    expect([await put(2, { 'if-match': '"1"' }), await put(1, { 'if-none-match': '*' })]).toEqual([200, 412])
  })

  it('[CND-02] a tag that the API never writes is none that a client knows, and If-Match of another form is a 400', async () => {
    const { ask } = open()
    for (const tag of ['"7;evil"', '"7;~evil"', '"7;"', 'nonsense'])
      expect(await ask('GET /books/1', { 'if-none-match': tag }), tag).toMatchObject({ status: 200 })
    expect(await ask('GET /books/1', { 'if-none-match': '"7;evil", "7"' })).toMatchObject({ status: 304 })
    for (const tag of ['"7;evil"', 'nonsense', ''])
      expect(await ask('GET /books/1', { 'if-match': tag }), tag).toMatchObject({
        status: 400,
        json: { errors: [{ in: 'headers', pointer: '/If-Match', code: 'format' }] },
      })
  })

  it('[CND-03] an action without a resource compares by itself', async () => {
    const { ask } = open()
    expect(await ask('PUT /books/own/1', { 'if-match': '"7"' })).toMatchObject({
      status: 200,
      headers: { etag: '"8"' },
    })
    expect(await ask('PUT /books/own/1', { 'if-match': '"6"' })).toMatchObject({ status: 412 })
  })

  it('[CND-03] POST has no conditions, and its response a tag', async () => {
    const { ask } = open()
    const made = await ask('POST /books', { 'if-match': '"7"' }, { title: 'New' })
    expect(made).toMatchObject({ status: 201, headers: { etag: '"1"' } })
  })
})

it('[CND-03] an action that compares nothing is told so at its first call', async () => {
  const { app, logger } = library()
  expect(await ask(app, 'PUT /books/careless')).toMatchObject({ status: 500 })
  expect(String(logger.entries[0]?.fields.err)).toContain('hand the request to the resource')
})

it('[CND-03] documents and contract say what each verb reads and returns', () => {
  const { app } = library()
  const { get, patch, post } = { ...app.openapi().paths['/books/{id}'], ...app.openapi().paths['/books'] }
  const read = (operation: typeof get) =>
    operation?.parameters?.flatMap(({ name, in: place }) => (place === 'header' ? [name] : []))
  expect(read(patch)).toEqual(['If-None-Match', 'If-Match', 'If-Modified-Since', 'If-Unmodified-Since'])
  expect(Object.keys(patch?.responses ?? {})).toEqual(expect.arrayContaining(['412', '428']))
  expect(Object.keys(post?.responses ?? {})).not.toContain('412')
  const show = app.openapi().paths['/books/{id}']?.['get']
  expect(Object.keys(show?.responses ?? {})).toEqual(expect.arrayContaining(['200', '304', '412']))
  expect(Object.keys(show?.responses ?? {})).not.toContain('428')
  expect(show?.responses['200']?.headers).toHaveProperty('ETag')
  expect(app.contract().endpoints[0]?.actions['change']?.policies).toMatchObject({
    etag: { required: { means: true } },
  })
})

it.each([
  ['get', true, false],
  ['query', true, false],
  ['put', false, true],
  ['patch', false, true],
  ['delete', false, true],
  ['post', false, false],
] as const)('[CND-03] the contract of %s has 304: %j, and a condition that is required: %j', (verb, reads, changes) => {
  const policies = [etag('version', { required: true }), lastModified('updated_at', { required: true })]
  const Tagged = endpoint('Tagged', {
    mediaType: Book,
    actions: { act: { routing: route[verb]('/:id'), params: id, policies, responses: { ok: Book } } },
  })
  const controllers = [Tagged.implement({ act: (_, { reply }) => reply.ok(row) })]
  const app = application({ controllers, plugins: [conditional()] })
  const { responses, headers, policies: terms } = app.contract().endpoints[0]!.actions['act']!
  const told = Object.values(responses).map(({ status }) => status)
  const all = ['if-match', 'if-modified-since', 'if-none-match', 'if-unmodified-since']
  expect(told.includes(304)).toBe(reads)
  expect(Object.keys(headers)).toEqual(reads || changes ? all : [])
  const required = changes ? { required: { means: true } } : {}
  expect(terms).toEqual({
    etag: { ...required, by: { info: 'version' } },
    'last-modified': { ...required, by: { info: 'updated_at' } },
  })
})

it.each([
  [etag('nothing'), /no attribute 'nothing'/],
  [etag('body', { required: true }), /cannot be a condition of a statement/],
  [lastModified('version'), /no t.dateTime/],
  [etag('version', { requierd: true } as never), /requierd|setting/],
])('[CND-01] refuses what cannot distinguish versions at boot', (policy, expected) => {
  const Odd = endpoint('Odd', {
    mediaType: Book,
    actions: { put: { routing: route.put('/:id'), params: id, policies: [policy], responses: { ok: Book } } },
  })
  const [mistake] = mistakesOf(() =>
    application({ controllers: [Odd.implement({ put: (_, { reply }) => reply.ok(row) })], plugins: [conditional()] }),
  )
  expect(`${mistake?.setting} ${mistake?.problem}`).toMatch(expected)
})

it('[CND-01] refuses an attribute for a list, and the policy without its plugin', () => {
  const Odd = endpoint('Odd', {
    mediaType: Book,
    actions: { index: { routing: route.get('/'), policies: [etag('version')], responses: { ok: collectionOf(Book) } } },
  })
  const made = (plugins: ReturnType<typeof conditional>[]) => () =>
    application({ controllers: [Odd.implement({ index: (_, { reply }) => reply.ok([]) })], plugins })
  expect(mistakesOf(made([conditional()]))[0]?.problem).toContain('responds with a list')
  expect(mistakesOf(made([]))[0]?.problem).toContain('needs the plugin conditional')
})

describe('[CND-02] a request with secrets, which the policy does not see, has the same conditions', () => {
  const secret = t.string({ secret: true })
  const kinds = {
    none: { payload: { title: t.string() } },
    payload: { payload: { title: t.string(), pin: secret } },
    params: { params: { ...id, pin: secret }, payload: { title: t.string() } },
    headers: { headers: { 'X-Pin': secret }, payload: { title: t.string() } },
  }
  const Locked = endpoint('Locked', {
    mediaType: Book,
    actionDefaults: { policies: [etag('version')], params: id },
    actions: {
      none: { routing: route.patch('/none/:id'), ...kinds.none, responses: { ok: Book } },
      payload: { routing: route.patch('/payload/:id'), ...kinds.payload, responses: { ok: Book } },
      params: { routing: route.patch('/params/:id'), ...kinds.params, responses: { ok: Book } },
      headers: { routing: route.patch('/headers/:id'), ...kinds.headers, responses: { ok: Book } },
      forms: {
        routing: route.get('/forms/:id'),
        params: { ...id, pin: secret },
        responses: { ok: { mediaType: ['text/plain', Book] } },
      },
    },
  })
  const columns = {
    id: { kind: 'integer' },
    title: { kind: 'text' },
    version: { kind: 'integer' },
    updated_at: { kind: 'dateTime' },
  } as const
  const open = () => {
    const store = memoryDatastore({ books: { columns, key: ['id'], rows: [row] } })
    const books = resource(store, Book, { table: 'books', version: 'version' })
    const change = async (id: number, title: string | undefined, request: object) => {
      await books.update(id, { title: title ?? '' }, { request })
      return (await books.find(id, Book)) as never
    }
    const controller = Locked.implement({
      none: async ({ id }, { request, reply }) => reply.ok(await change(id, request.payload.title, request)),
      payload: async ({ id }, { request, reply }) => reply.ok(await change(id, request.payload.title, request)),
      params: async ({ id }, { request, reply }) => reply.ok(await change(id, request.payload.title, request)),
      headers: async ({ id }, { request, reply }) => reply.ok(await change(id, request.payload.title, request)),
      forms: (_, { request, reply }) =>
        request.accepts('ok') === 'text/plain' ? reply.ok('Emma', { mediaType: 'text/plain' }) : reply.ok(row),
    })
    return application({ controllers: [controller], plugins: [mapper({ resources: { books } }), conditional()] })
  }
  const sent = {
    none: ['/locked/none/1', {}, {}],
    payload: ['/locked/payload/1', {}, { pin: 'x' }],
    params: ['/locked/params/1?pin=x', {}, {}],
    headers: ['/locked/headers/1', { 'x-pin': 'x' }, {}],
  } as const

  it.each(Object.entries(sent))('%s', async (_, [url, headers, body]) => {
    const app = open()
    const send = (tag: string) =>
      askSocket(app, `PATCH ${url}`, { headers: { ...headers, 'if-match': tag }, body: { title: 'Emma', ...body } })
    expect((await send('"6"')).status).toBe(412)
    expect((await send('"7"')).status).toBe(200)
    expect((await send('"7"')).status).toBe(412)
  })

  it('and the same tag for each form of a response', async () => {
    const tagOf = async (accept: string) =>
      (await ask(open(), 'GET /locked/forms/1?pin=x', { headers: { accept } })).headers['etag']
    expect(await tagOf('application/vnd.book+json')).toBe('"7;1"')
    expect(await tagOf('text/plain')).toBeUndefined()
  })
})
