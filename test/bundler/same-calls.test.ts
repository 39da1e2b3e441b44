// Tables of calls against the declarations that they are made of: the same requests, and the same results.
import { collectionOf, endpoint, mediaType, response, route, t } from 'edict'
import * as declared from 'edict/client'
import * as table from 'edict/client/table'
import * as idempotency from 'edict/idempotency'
import { FieldSelector, FilteringParams } from 'edict/mapper'
import * as mapper from 'edict/mapper/extend'
import { OrderingParams, PaginationParams } from 'edict/pagination'
import * as pagination from 'edict/pagination/extend'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { writeTable } from '../../src/bundler/write-table.ts'
import { runs } from '../support/runs.ts'

const modules: Readonly<Record<string, object>> = {
  'edict/client/table': table,
  'edict/idempotency': idempotency,
  'edict/mapper/extend': mapper,
  'edict/pagination/extend': pagination,
}

/** Runs a written module, without a bundler. */
function load(exports: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const written = writeTable(exports)
  if (!('code' in written)) throw new Error(written.reason)
  const body = written.code
    .replaceAll(/^import \{(.*)\} from (.*)$/gm, (_, names: string, from: string) => {
      return `const {${names.replaceAll(' as ', ': ')}} = modules[${from}]`
    })
    .replaceAll(/^export const (\w+) =/gm, 'exports.$1 =')
  const made: Record<string, unknown> = {}
  new Function('modules', 'exports', body)(modules, made)
  return made
}

// --- generated declarations ------------------------------------------------------------------

const flags = fc.constantFrom({}, { required: true as const }, { nullable: true as const })
const scalar = fc
  .tuple(
    fc.constantFrom('string', 'integer', 'number', 'boolean', 'bigint', 'decimal', 'date', 'dateTime', 'any'),
    flags,
  )
  .map(([kind, options]) => (t as never as Record<string, (options: object) => never>)[kind]?.(options) as never)
const tree = fc.letrec((tie) => ({
  one: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    { weight: 4, arbitrary: scalar },
    tie('list'),
    tie('object'),
    tie('more'),
  ),
  list: fc.tuple(tie('one'), flags).map(([one, options]) => t.array(one as never, options as never)),
  object: fc
    .tuple(fc.dictionary(fc.constantFrom('a', 'b', 'c d', 'ü'), tie('one'), { maxKeys: 3 }), flags)
    .map(([members, options]) => t.object(members as never, options as never)),
  more: fc.oneof(
    fc.tuple(tie('one'), flags).map(([one, options]) => t.record(one as never, options as never)),
    fc.tuple(tie('one')).map(([one]) => t.json(one as never)),
    fc.tuple(scalar, scalar).map(([a, b]) => t.union('kind', { x: { a }, y: { b } } as never)),
    scalar.map((one) => t.ref(() => one as never)),
    fc.constantFrom(
      t.integer({ default: 7 }),
      t.array(t.string(), { default: ['a'], delimiter: '|' }),
      t.array(t.integer(), { delimiter: ',' }),
    ),
  ),
})).one
const attributes = fc.dictionary(fc.constantFrom('id', 'title', 'at', '__proto__', 'x-y'), tree, { maxKeys: 4 })
const paths = fc.constantFrom('/', '/:id', '/a b/:id', '/:id/x(/:rest)', '/files/*path', '/:id(.json)')
const consumes = fc.constantFrom(
  undefined,
  ['application/json'],
  ['application/x-www-form-urlencoded'],
  ['multipart/form-data'],
  ['application/vnd.x+json'],
)

const action = fc.record({
  verb: fc.constantFrom('get', 'post', 'put', 'delete', 'query', 'any'),
  path: paths,
  params: attributes,
  payload: fc.option(attributes, { nil: undefined }),
  consumes,
  headers: fc.constantFrom({}, { 'X-At': t.dateTime(), 'X-J': t.json(t.object({ a: t.bigint() })) }),
  form: fc.constantFrom('one', 'list', 'view', 'envelope', 'lines', 'csv', 'bytes', 'text', 'none'),
  isKeyed: fc.boolean(),
})

function declare(
  media: object,
  specs: readonly (typeof action extends fc.Arbitrary<infer A> ? A : never)[],
  version?: string,
) {
  const Thing = mediaType('Thing', {
    attributes: { ...media, id: t.integer({ required: true }), self: t.ref(() => Thing as never) } as never,
    views: { short: ['id'] } as never,
  }) as never as ReturnType<typeof mediaType>
  const forms: Readonly<Record<string, unknown>> = {
    one: Thing,
    list: collectionOf(Thing as never),
    view: Thing.view('short' as never),
    envelope: t.object({ data: t.object({ things: t.array(Thing as never) }), total: t.integer() }),
    lines: collectionOf(Thing as never, { as: 'ndjson' }),
    csv: collectionOf(Thing as never, { as: 'csv' }),
    bytes: 'image/png',
    text: 'text/plain',
    none: true,
  }
  const Busy = response('busy', { status: 423, mediaType: t.object({ until: t.dateTime({ required: true }) }) })
  const actions = specs.map((one, i) => {
    const takesBody = one.payload !== undefined && /post|put/.test(one.verb)
    const captured = Object.fromEntries([...one.path.matchAll(/[:*](\w+)/g)].map(([, name]) => [name, t.string()]))
    return [
      `action${i}`,
      {
        routing: (route as never as Record<string, (path: string) => unknown>)[one.verb]?.(`/${i}${one.path}`),
        params: { ...one.params, ...captured, fields: FieldSelector.for(Thing as never) },
        ...(takesBody && { payload: one.payload, ...(one.consumes && { consumes: one.consumes }) }),
        headers: one.headers,
        ...(one.isKeyed && { policies: [idempotency.idempotent({ within: '1h', keep: '1h' } as never)] }),
        responses: { ok: forms[one.form], notFound: true, busy: Busy, ...(one.form === 'none' && { noContent: true }) },
      },
    ] as const
  })
  const spec = { mediaType: Thing, actions: Object.fromEntries(actions), ...(version !== undefined && { version }) }
  return { Things: endpoint('Things', spec as never) }
}

// --- what is sent, and what is read -----------------------------------------------------------

const values = fc.letrec((tie) => ({
  one: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom<unknown>(
      null,
      undefined,
      '',
      'a/b',
      'ü, &',
      7,
      -1.5,
      2n ** 70n,
      true,
      '12.50',
      '2020-01-02',
      '2020-01-02T03:04:05Z',
    ),
    fc.constantFrom<unknown>(new Date(0), new Date(1e12)),
    fc.array(tie('one'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'kind', 'id', 'title', 'at', 'x-y'), tie('one'), { maxKeys: 4 }),
    fc.record({ kind: fc.constantFrom('x', 'y', 'z'), a: tie('one') }),
  ),
})).one
const params = fc.record(
  {
    id: fc.constantFrom<unknown>(1, 'a b', '', undefined, 'x/y'),
    rest: fc.constantFrom('r', ''),
    path: fc.constantFrom('p/q', '..'),
    title: values,
    at: values,
    'x-y': values,
    fields: fc.constantFrom(['id'], 'id,title', undefined),
  },
  { requiredKeys: [] },
)
const plainParams = fc.constant<object>({ id: '1', rest: 'r', path: 'p/q' })
const call = fc.record({
  params: fc.oneof(plainParams, params),
  payload: fc.oneof(fc.constant(undefined), values, fc.dictionary(fc.constantFrom('id', 'title', 'at', 'x-y'), values)),
  headers: fc.constantFrom({}, { 'X-At': new Date(5), 'X-J': { a: 1n } }, { 'X-Other': 'o' }),
  stream: fc.constantFrom(false, false, false, false, true),
  member: fc.constantFrom('plain', 'plain', 'ok', 'all', 'pages'),
})
const reply = fc.record({
  status: fc.constantFrom(200, 200, 200, 204, 404, 423, 502, 303),
  type: fc.constantFrom(
    'application/vnd.thing+json',
    'application/vnd.thing+json;type=collection',
    'application/json',
    'application/x-ndjson',
    'text/csv',
    'text/plain',
    'image/png',
    'text/html',
    'application/problem+json',
  ),
  body: fc.oneof(
    values,
    fc.record({ id: fc.integer(), title: values, at: values, self: fc.constantFrom(undefined, { id: 3 }, {}) }),
    fc.array(fc.record({ id: fc.integer(), title: values }), { maxLength: 2 }),
    fc.record({ data: fc.record({ things: fc.array(fc.record({ id: fc.integer() }), { maxLength: 2 }) }) }),
    fc.constant({ until: '2020-01-01T00:00:00Z' }),
    fc.constant({ code: 'x', detail: 'd' }),
  ),
  link: fc.option(fc.constant('</v1/things/9>; rel=next'), { nil: undefined }),
})

/** Replies that fit, by the form of the response. */
const FITTING: Readonly<Record<string, readonly [type: string, body: unknown]>> = {
  one: ['application/vnd.thing+json', { id: 3, title: null, self: { id: 4 } }],
  view: ['application/vnd.thing+json', { id: 3, title: 'hidden' }],
  list: ['application/vnd.thing+json;type=collection', [{ id: 1 }, { id: 2 }]],
  envelope: ['application/json', { data: { things: [{ id: 1 }] }, total: 1 }],
  lines: ['application/x-ndjson', { id: 5 }],
  csv: ['text/csv', 'a,b'],
  text: ['text/plain', 'text'],
  bytes: ['image/png', 'bytes'],
  none: ['application/json', null],
}

type Reply = typeof reply extends fc.Arbitrary<infer A> ? A : never

/** Says all that a call did: the requests that it sent, and what came of it. */
async function trace(make: typeof declared.client, things: object, given: unknown, one: Reply): Promise<unknown> {
  const { member, ...input } = given as Readonly<Record<string, unknown>> & {
    readonly member: string
    readonly name: string
  }
  const sent: unknown[] = []
  const api = make(things, {
    baseUrl: 'http://things.test/api',
    attempts: 2,
    headers: { 'X-Client': 'c' },
    fetch: async (request: Request) => {
      const headers = [...request.headers].map(([name, value]) => [
        name,
        name === 'idempotency-key' ? 'a key' : value.replace(/boundary=.*/, 'boundary'),
      ])
      const body = (await request.text()).replaceAll(/-{4,}[\w-]*formdata[\w-]*/gi, 'boundary')
      sent.push([request.method, request.url, headers, body])
      const text = JSON.stringify(one.body, (_, value) => (typeof value === 'bigint' ? String(value) : value))
      const isEmpty = one.status === 204 || text === undefined
      return new Response(isEmpty ? null : text, {
        status: one.status,
        headers: { 'Content-Type': one.type, ...(one.link !== undefined && sent.length < 3 && { Link: one.link }) },
      })
    },
  }) as unknown as Readonly<Record<string, Readonly<Record<string, Function & Readonly<Record<string, Function>>>>>>
  const action = api['Things']?.[input.name]
  const call = member === 'plain' ? action : action?.[member]
  if (call === undefined) return { sent, member: 'missing' }
  try {
    const result: unknown = await call(input['params'], {
      ...(input['payload'] !== undefined && { payload: input['payload'] }),
      headers: input['headers'],
      ...(input['stream'] === true && { stream: true }),
    })
    return { sent, result: await drain(result) }
  } catch (error) {
    const { name, message } = error as Error
    return { sent, name, message: message.replaceAll(/[\s\S]*boundary=.*/g, '') }
  }
}

async function drain(result: unknown): Promise<unknown> {
  if (result instanceof Response || typeof result !== 'object' || result === null) return result
  if (result instanceof ReadableStream) return await new Response(result).text()
  if (Symbol.asyncIterator in result) {
    const found: unknown[] = []
    for await (const one of result as AsyncIterable<unknown>) found.push(await drain(one))
    return [found, (result as { readonly cursor?: string }).cursor]
  }
  const { headers, body, ...more } = result as { readonly headers?: Headers; readonly body?: unknown }
  return headers instanceof Headers ? { ...more, headers: [...headers], body: await drain(body) } : result
}

it('[FRT-01] tables send the same requests and read the same results as declarations', async () => {
  let compared = 0
  let successes = 0
  const cases = fc.tuple(
    attributes,
    fc.array(action, { minLength: 1, maxLength: 3 }),
    fc.option(fc.constant('1'), { nil: undefined }),
    fc.array(fc.tuple(call, reply), { minLength: 8, maxLength: 8 }),
  )
  await fc.assert(
    fc.asyncProperty(cases, async ([media, specs, version, calls]) => {
      const things = declare(media, specs, version)
      const tabled = load(things)
      for (const [i, [given, answer]] of calls.entries()) {
        const { form } = specs[i % specs.length] as (typeof specs)[number]
        // Every other call fits what is declared.
        const isFitting = i % 2 === 0
        const fitting = { ...given, params: { id: '1', rest: 'r', path: 'p/q' }, payload: undefined, stream: false }
        const input = { ...(isFitting ? fitting : given), name: `action${i % specs.length}` }
        const [type, body] = FITTING[form] as readonly [string, unknown]
        const one = (isFitting ? { status: 200, type, body, link: undefined } : answer) as Reply
        const [expected, actual] = [
          await trace(declared.client, things, input, one),
          await trace(table.client as never, tabled, input, one),
        ]
        expect(actual).toEqual(expected)
        compared++
        if ('result' in (expected as object)) successes++
      }
    }),
    { numRuns: runs(40, 2000) },
  )
  // Most calls must get somewhere, or the test says little.
  expect(successes).toBeGreaterThan(compared / 10)
}, 120_000)

// No attribute may be called `__proto__`.
const INHERITED = ['constructor', 'toString', 'valueOf', 'hasOwnProperty']

it.each(INHERITED)('[FRT-01] no inherited name is an argument of a path: %s', async (name) => {
  const paths = ['/:', '/x/*', '/x(/:', '/x/(a|:'].map(
    (start) => start + name + ')'.repeat(start.split('(').length - 1),
  )
  for (const path of paths) {
    const params = Object.fromEntries([[name, t.string()]])
    const actions = { show: { routing: route.get(path), params, responses: { ok: 'text/plain' } } }
    const things = { Things: endpoint('Things', { actions } as never) }
    const tabled = load(things) as typeof things
    const hrefOf = ({ Things }: typeof things, args?: object): unknown => {
      try {
        return Things.toHref(args as never)
      } catch (error) {
        return (error as Error).message
      }
    }
    const sent = Object.fromEntries([[name, 'given']])
    for (const args of [undefined, {}, { other: 1 }, sent]) {
      const href = hrefOf(things, args)
      expect(String(href), path).not.toMatch(/native|object|function/i)
      if (args === sent) expect(href).toContain('given')
      expect([path, typeof hrefOf(tabled, args)]).toEqual([path, 'string'])
      if (!String(href).includes(' ')) expect(hrefOf(tabled, args)).toBe(href)
      const input = { name: 'show', member: 'plain', params: args ?? {}, headers: {}, stream: false }
      const reply = { status: 200, type: 'text/plain', body: 'text', link: undefined } as never
      const [expected, actual] = [
        await trace(declared.client, things, input, reply),
        await trace(table.client as never, tabled, input, reply),
      ]
      expect(actual).toEqual(expected)
      expect(JSON.stringify(expected)).not.toMatch(/native/)
    }
  }
})

it('[FRT-01] the params of lists, hrefs and exported media types are those of the declarations', async () => {
  const Book = mediaType('Book', {
    attributes: { id: t.integer({ required: true }), title: t.string(), at: t.dateTime() },
  })
  const Books = endpoint('Books', {
    mediaType: Book,
    actions: {
      show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: Book } },
      index: {
        routing: route.get('/'),
        params: {
          fields: FieldSelector.for(Book),
          filters: FilteringParams.for(Book),
          order: OrderingParams.for(Book),
          pagination: PaginationParams.for(Book),
        },
        responses: { ok: collectionOf(Book) },
      },
    },
  })
  const tabled = load({ Books, Book }) as unknown as { readonly Books: typeof Books; readonly Book: typeof Book }
  const json = { id: 1, at: '2020-01-01T00:00:00.000Z', unknown: 1 }
  expect(table.readValue(tabled.Book, json)).toEqual(declared.readValue(Book, json))
  expect(table.writeValue(tabled.Book, { id: 1, at: new Date(0) })).toEqual(
    declared.writeValue(Book, { id: 1, at: new Date(0) }),
  )
  expect(tabled.Book.identifier).toBe(Book.identifier)
  expect([tabled.Books.toHref({ id: 7 }), () => tabled.Books.toHref({} as never)][0]).toBe(Books.toHref({ id: 7 }))
  expect(() => tabled.Books.toHref({} as never)).toThrow(/lacks a value/)
  const urls: string[] = []
  for (const [make, books] of [
    [declared.client, Books],
    [table.client, tabled.Books],
  ] as const) {
    const fetch = async ({ url }: Request) => {
      urls.push(url)
      return Response.json([], { headers: { 'Content-Type': 'application/vnd.book+json;type=collection' } })
    }
    await make({ Books: books }, { baseUrl: 'http://books.test', fetch }).Books.index({
      fields: ['id', 'title'],
      filters: 'id>=1',
      order: [{ field: 'id', descending: true }],
      pagination: 'items=2',
    })
  }
  expect(urls[0]).toContain('fields=')
  expect(urls[1]).toBe(urls[0])
})
