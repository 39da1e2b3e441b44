// An application and generated requests to it, for laws that hold wherever it is served: the answer is the one of app.fetch.
import { request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import { type Application, application, collectionOf, endpoint, mediaType, Responses, route, t } from 'edict'
import { docs } from 'edict/docs'
import { mapper, memoryDatastore, resource } from 'edict/mapper'
import { PaginationParams, pagination } from 'edict/pagination'
import fc from 'fast-check'
import { cert } from './serving/certificate.ts'

const Book = mediaType('Book', {
  attributes: { id: t.integer({ required: true }), title: t.string({ required: true }) },
})
const Books = endpoint('Books', {
  mediaType: Book,
  actions: {
    index: {
      routing: [route.get('/'), route.query('/')],
      params: { pagination: PaginationParams.for(Book) },
      responses: { ok: collectionOf(Book) },
    },
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: Book, notFound: true } },
    create: {
      routing: route.post('/'),
      payload: { title: t.string({ required: true, max: 50 }), size: t.bigint() },
      responses: { created: true },
    },
    remove: { routing: route.delete('/:id'), params: { id: t.integer() }, responses: { noContent: true } },
  },
})
const Things = endpoint('Things', {
  actions: {
    echo: {
      routing: route.get('/echo/:name'),
      params: { name: t.string(), q: t.string(), tags: t.array(t.string()) },
      responses: { ok: t.any() },
    },
    bytes: {
      routing: route.get('/bytes/:count'),
      params: { count: t.integer({ min: 0, max: 200_000 }) },
      responses: { ok: 'application/octet-stream' },
    },
    stream: {
      routing: route.get('/stream/:count'),
      params: { count: t.integer({ min: 0, max: 50 }) },
      responses: { ok: 'text/plain' },
    },
    cookies: { routing: route.get('/cookies'), responses: { ok: t.any() } },
    thrown: { routing: route.get('/thrown'), responses: { ok: 'text/plain' } },
    upload: {
      routing: route.post('/upload'),
      payload: { file: t.file({ required: true }) },
      responses: { ok: t.any() },
    },
  },
})

async function* counted(count: number): AsyncGenerator<string> {
  for (let n = 0; n < count; n++) yield `line ${n} ü\n`
}

/** Makes the application, whose paths begin with `basePath`. */
export function anyApplication(basePath: string): Application {
  const shelf = resource(
    memoryDatastore({
      books: {
        columns: { id: { kind: 'integer' }, title: { kind: 'text' } },
        key: ['id'],
        rows: Array.from({ length: 25 }, (_, i) => ({ id: i + 1, title: `Book ${i + 1} 情` })),
      },
    }),
    Book,
    { table: 'books' },
  )
  const books = Books.implement({
    index: async (_, { request, reply }) => reply.ok(await shelf.list(request)),
    async show({ id }, { reply }) {
      const book = await shelf.find(id)
      return book ? reply.ok(book) : reply.notFound(`There is no book ${id}.`)
    },
    create: (_, { request, href }) =>
      new Responses.Created({
        headers: { Location: href(Books, { id: 7 }), 'X-Title': encodeURIComponent(request.payload.title) },
      }),
    remove: (_, { reply }) => reply.noContent(),
  })
  const things = Things.implement({
    echo: ({ name, q, tags }, { reply }) => reply.ok({ name, q, tags }),
    bytes: ({ count }, { reply }) => reply.ok(Uint8Array.from({ length: count }, (_, i) => (i * 7) % 256)),
    stream: ({ count }, { reply }) => reply.ok(counted(count)),
    cookies: (_, { request, reply }) =>
      reply.ok(
        { cookie: request.env.headers['cookie'] ?? null },
        { headers: { 'Set-Cookie': ['a=1', 'b=2; Path=/'], Vary: ['A', 'B'] } },
      ),
    thrown() {
      throw new Error('no')
    },
    async upload(_, { request, reply }) {
      const { file } = request.payload
      return reply.ok({ name: file.filename ?? null, size: (await file.bytes()).length })
    },
  })
  return application({
    basePath,
    environment: 'production',
    controllers: [books, things],
    plugins: [mapper({ resources: [shelf] }), pagination(), docs()],
    logger: { info() {}, warn() {}, error() {} },
  })
}

/** A request, as every server can be asked it. */
export interface AnyRequest {
  readonly method: string
  /** The path behind the base path, and the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

const segment = fc.oneof(
  fc.constantFrom('1', '7', '99', 'x', '%2F', 'a%20b', '%C3%BC', 'a+b', '.', '%25'),
  fc.string({ minLength: 1, maxLength: 8 }).map(encodeURIComponent),
)
const query = fc.oneof(
  fc.constant(''),
  fc.constantFrom(
    '?',
    '?q=a%20b',
    '?q=a+b',
    '?q=%26%3D',
    '?tags=a&tags=b',
    '?q=%FF',
    '?unknown=1',
    '?pagination=items%3D3',
  ),
  fc.string({ maxLength: 10 }).map((text) => `?q=${encodeURIComponent(text)}`),
)
const path = fc
  .tuple(
    fc.oneof(
      fc.constantFrom('/books', '/books/', '/nothing', '', '/', '/things/cookies', '/things/thrown', '/docs'),
      segment.map((one) => `/books/${one}`),
      segment.map((one) => `/things/echo/${one}`),
      fc.integer({ min: 0, max: 150_000 }).map((count) => `/things/bytes/${count}`),
      fc.integer({ min: 0, max: 20 }).map((count) => `/things/stream/${count}`),
    ),
    query,
  )
  // Segments of dots are resolved by clients that are made of URLs, before anything is sent.
  .map(([one, more]) => `${one}${more}`.replaceAll(/\/\.+(?=$|[/?])/g, '/d'))
const headers = fc.record(
  {
    accept: fc.constantFrom('*/*', 'application/json', 'text/html', 'image/png'),
    cookie: fc.constantFrom('a=1', 'a=1; b=2'),
    'x-request-id': fc.constantFrom('one', 'two words'),
    'x-other': fc.constantFrom('a, b', 'ü'),
  },
  { requiredKeys: [] },
)
const jsonBody = fc.oneof(
  fc
    .record({ title: fc.string({ maxLength: 60 }), size: fc.constantFrom('12345678901234567890', '1') })
    .map(({ title, size }) => `{"title":${JSON.stringify(title)},"size":${size}}`),
  fc.constantFrom('', '{', '[]', 'null', '{"title":"a","title":"b"}', '{"__proto__":{}}'),
)
const form = (name: string, bytes: Uint8Array): Uint8Array =>
  Buffer.concat([
    Buffer.from(
      `--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
    ),
    bytes,
    Buffer.from('\r\n--b--\r\n'),
  ])

/** Requests of every kind: reads, writes, other verbs, broken bodies, unknown paths. */
export const anyRequest: fc.Arbitrary<AnyRequest> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ method: fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'DELETE', 'PUT'), path, headers }),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(headers, jsonBody, fc.constantFrom('application/json', 'text/plain'))
      .map(([own, body, type]) => ({
        method: 'POST',
        path: '/books',
        headers: { ...own, 'content-type': type },
        body,
      })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(headers, fc.constantFrom('{"pagination":"items=3"}', '{"pagination":"x"}', '{}', '[]', '{', ''), query)
      .map(([own, body, more]) => ({
        method: 'QUERY',
        path: `/books${more}`,
        headers: { ...own, 'content-type': 'application/json' },
        body,
      })),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(headers, fc.uint8Array({ maxLength: 2000 })).map(([own, bytes]) => ({
      method: 'POST',
      path: '/things/upload',
      headers: { ...own, 'content-type': 'multipart/form-data; boundary=b' },
      body: form('f.bin', bytes),
    })),
  },
)

/** An answer, as far as it is the same everywhere. */
export interface Comparable {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const CONNECTION = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'])

/** An answer without what belongs to its connection, and with what is random in it taken out. */
export function comparable(
  status: number,
  fields: Iterable<readonly [string, string | readonly string[] | undefined]>,
  bytes: Uint8Array,
): Comparable {
  const known = [...fields].filter(([name]) => !CONNECTION.has(name.toLowerCase()) && !name.startsWith(':'))
  const kept = known.map(([name, value]) => [name.toLowerCase(), [value ?? ''].flat().join(', ')] as const)
  const body = Buffer.from(bytes)
    .toString('latin1')
    .replace(/"requestId":"[^"]*"/g, '"requestId":""')
  return { status, headers: Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1))), body }
}

/** The answer of app.fetch. */
export async function byFetch(
  app: Application,
  { method, path: target, headers: sent, body }: AnyRequest,
): Promise<Comparable> {
  const request = new Request(`http://a.test${app.basePath}${target}`, {
    method,
    headers: sent,
    ...(body !== undefined && { body: body as BodyInit }),
  })
  const response = await app.fetch(request)
  const fields = new Map<string, string>(response.headers)
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) fields.set('set-cookie', cookies.join(', '))
  return comparable(response.status, fields, new Uint8Array(await response.arrayBuffer()))
}

/** Asks a server of HTTP/1.1, also over TLS. */
export async function bySocket(url: string, basePath: string, request: AnyRequest): Promise<Comparable> {
  const { method, path: target, headers: sent, body } = request
  const secure = url.startsWith('https:')
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  return new Promise((resolve, reject) => {
    const { hostname: host, port } = new URL(url)
    const options = { host, port, method, path: basePath + target || '/', headers: { ...sent, ...length } }
    const call = secure ? secureRequest({ ...options, ca: cert }) : plainRequest(options)
    call.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve(comparable(response.statusCode ?? 0, Object.entries(response.headers), Buffer.concat(chunks))),
      )
    })
    call.on('error', reject)
    call.end(body)
  })
}
