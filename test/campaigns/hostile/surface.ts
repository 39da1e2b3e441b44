// The surface that every contestant offers: each way into a server once, and nothing behind it but an echo.
import { application, endpoint, header, type Logger, mediaType, type Plugin, route, t } from 'edict'

const shown = { ok: t.any() }

const things = {
  name: t.string({ required: true, max: 50 }),
  count: t.integer({ min: 0, max: 1000 }),
  ratio: t.number(),
  big: t.bigint(),
  on: t.boolean(),
  day: t.date(),
  at: t.dateTime(),
  time: t.time(),
  tags: t.array(t.string({ max: 50 }), { max: 20 }),
  author: t.object({ id: t.integer({ required: true }), name: t.string() }),
  labels: t.record(t.integer()),
  slug: t.string({ pattern: /[a-z0-9]+(?:-[a-z0-9]+)*/, max: 64 }),
  email: t.string({ format: 'email' }),
  site: t.string({ format: 'uri' }),
  uuid: t.string({ format: 'uuid' }),
}

const note = (name: string) => mediaType(name, { attributes: { text: t.string() } })

const Surface = endpoint('Surface', {
  prefix: '/',
  actions: {
    health: { routing: route.get('/health'), responses: { ok: 'text/plain' } },
    item: { routing: route.get('/items/:id'), params: { id: t.integer({ min: 1 }) }, responses: shown },
    echo: { routing: route.get('/echo/:text'), params: { text: t.string({ max: 1000 }) }, responses: shown },
    files: {
      routing: route.get('/files/*'),
      params: { splat: t.array(t.string()) },
      responses: { ok: 'text/plain', notFound: true },
    },
    coded: {
      routing: route.get('/coded/:code', { capture: { code: /(?:[a-z0-9]+-?)+/ } }),
      params: { code: t.string() },
      responses: shown,
    },
    search: { routing: route.get('/search'), params: { ...things, name: t.string({ max: 50 }) }, responses: shown },
    create: {
      routing: route.post('/things'),
      payload: things,
      consumes: ['application/json', 'application/*+json', 'application/x-www-form-urlencoded'],
      responses: shown,
    },
    any: { routing: route.post('/any'), payload: t.any(), responses: { ok: 'text/plain' } },
    text: { routing: route.put('/text'), payload: t.string({ max: 10_000 }), responses: { ok: 'text/plain' } },
    file: { routing: route.put('/file'), payload: t.file(), responses: { ok: 'text/plain' } },
    upload: {
      routing: route.post('/upload'),
      payload: {
        title: t.string({ required: true, max: 100 }),
        tags: t.array(t.string(), { max: 20 }),
        file: t.file({ max: 64 * 1024 }),
      },
      responses: shown,
    },
    redirect: {
      routing: route.get('/redirect'),
      params: { to: t.string({ required: true, max: 4000 }) },
      responses: { found: { location: /.*/ } },
    },
    reflect: {
      routing: route.get('/reflect'),
      params: { value: t.string({ required: true, max: 4000 }) },
      responses: { ok: 'text/plain' },
    },
    kept: {
      routing: route.get('/kept'),
      headers: {
        'X-Count': header(t.integer()),
        'X-Kind': header(/[a-z]+(?:,[a-z]+)*/),
        'X-Mode': header('quiet'),
      },
      responses: shown,
    },
    negotiated: {
      routing: route.get('/negotiated'),
      responses: { ok: { mediaType: [note('Note'), note('Outline')] } },
    },
    stream: { routing: route.get('/stream'), responses: { ok: 'application/x-ndjson' } },
  },
})

const files: ReadonlyMap<string, string> = new Map([
  ['a.txt', 'a file'],
  ['deep/b.txt', 'a deeper file'],
])

async function* lines() {
  for (let i = 0; i < 100; i++) yield `${JSON.stringify({ line: i })}\n`
}

const surface = Surface.implement({
  health: () => 'ok',
  item: ({ id }, { reply }) => reply.ok({ id }),
  echo: ({ text }, { reply }) => reply.ok({ text }),
  files({ splat: [path = ''] = [] }, { reply }) {
    const text = files.get(path)
    return text === undefined ? reply.notFound(`There is no file ${path}.`) : reply.ok(text)
  },
  coded: ({ code }, { reply }) => reply.ok({ code }),
  search: (params, { reply }) => reply.ok(shownOf(params)),
  create: (_, { request, reply }) => reply.ok(shownOf(request.payload)),
  any: (_, { request }) => typeof request.payload,
  text: (_, { request }) => `${request.payload?.length ?? 0} characters`,
  file: (_, { request }) => `${request.payload?.size ?? 0} bytes`,
  upload(_, { request, reply }) {
    const { title, tags, file } = request.payload
    return reply.ok({ title, tags, file: file && { name: file.filename, type: file.type, size: file.size } })
  },
  redirect: ({ to }, { reply }) => reply.found(undefined, { location: to }),
  reflect: ({ value }, { reply }) => reply.ok('reflected', { headers: { 'X-Value': value } }),
  kept: (_, { request, reply }) => reply.ok({ ...request.headers }),
  negotiated: (_, { reply }) => reply.ok({ text: 'chosen' }),
  stream: (_, { reply }) => reply.ok(lines()),
})

/** Writes a value as JSON; bigints become text. */
const shownOf = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? String(one) : one)))

/** Bytes that a body may have on the surface, the same for every contestant. */
const BODY_LIMIT = 256 * 1024

/** Makes the surface. */
export const surfaceApp = (logger: Logger, plugins: readonly Plugin[] = []) =>
  application({ controllers: [surface], limits: { body: BODY_LIMIT }, environment: 'production', logger, plugins })
