// Contracts and their differences: pairs of small applications that differ in one thing, and the laws of all of them.
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { Contract } from '../../src/contract/contract.ts'
import type { ChangeKind } from '../../src/contract/diff/change.ts'
import { diffContracts } from '../../src/contract/diff/diff.ts'
import {
  type ApplicationOptions,
  type Attribute,
  application,
  charClasses,
  collectionOf,
  endpoint,
  header,
  mediaType,
  type Plugin,
  route,
  security,
  t,
  verifier,
} from '../../src/index.ts'
import { FieldSelector, FilteringParams, mapper } from '../../src/plugins/mapper/index.ts'
import { OrderingParams, PaginationParams, pagination } from '../../src/plugins/pagination/index.ts'

// The laws boot hundreds of applications, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000 })

type Loose = Record<string, unknown>

/** A tiny API of one endpoint whose action `show` is given in parts. */
function api(action: Loose = {}, options: Partial<ApplicationOptions> = {}, spec: Loose = {}): Contract {
  const actions = {
    show: { routing: route.get('/'), responses: { ok: 'text/plain' }, ...action },
    ...(spec['actions'] as Loose),
  }
  return served([endpointOf('Books', { ...spec, actions })], options)
}

const endpointOf = (name: string, spec: Loose): ReturnType<typeof endpoint> => endpoint(name, spec as never) as never

function served(
  endpoints: readonly ReturnType<typeof endpoint>[],
  options: Partial<ApplicationOptions> = {},
): Contract {
  const controllers = endpoints.map((one) => {
    const names = Object.keys((one as unknown as { spec: { actions: object } }).spec.actions)
    return (one as unknown as { implement(actions: object): never }).implement(
      Object.fromEntries(names.map((name) => [name, () => 'x'])),
    )
  })
  return application({ controllers, plugins: [pagination(), mapper()], ...options }).contract()
}

const param = (one: unknown): Contract => api({ params: { q: one } })
const header1 = (one: unknown): Contract => api({ headers: { 'X-Q': one } })
const body = (attributes: Loose): Contract => api({ routing: route.post('/'), payload: attributes })
const answer = (attributes: Loose): Contract =>
  api({ responses: { ok: mediaType('Book', { attributes: attributes as never }) } })
const routed = (...routing: { path: string }[]): Contract =>
  api({ routing, params: routing.some(({ path }) => path.includes(':id')) ? { id: t.string() } : {} })

const Book = mediaType('Book', {
  attributes: {
    id: t.integer(),
    name: t.string(),
    pages: t.integer(),
    status: t.string({ values: ['draft', 'out'] }),
    author: t.object({ name: t.string() }),
  },
  views: { short: ['id', 'name'] },
})
const paged = (settings: Loose, options: Partial<ApplicationOptions> = {}): Contract =>
  api({ params: { pagination: PaginationParams.for(Book, settings) } }, options)
const ordered = (settings: Loose, plugins?: Plugin[]): Contract =>
  api({ params: { order: OrderingParams.for(Book, settings) } }, plugins && { plugins })
const filtered = (fields: Loose): Contract => api({ params: { filters: FilteringParams.for(Book, fields as never) } })

const token = security.bearer<string>('token')
const key = security.apiKey<string>('key', { in: 'header', name: 'X-Key' })
const verifiers = [verifier(token, () => 'me'), verifier(key, () => 'me')]
const secured = (needs: unknown): Contract => api(needs === undefined ? {} : { security: needs }, { verifiers })

const big = (options: object): Contract => body({ n: t.bigint(options) })
const exact = (options: object): Contract => body({ n: t.decimal(options) })
const shape = (variants: Loose): unknown => t.union('kind', variants as never)

type Expected = readonly [kind: ChangeKind, place: string, rule: string]
type Pair = readonly [title: string, old: () => Contract, now: () => Contract, ...changes: Expected[]]

const b = (place: string, rule: string): Expected => ['breaking', place, rule]
const c = (place: string, rule: string): Expected => ['compatible', place, rule]
const d = (place: string, rule: string): Expected => ['documentation', place, rule]
const S = 'Books.show'
const Q = `${S} › params.q`
const P = `${S} › payload`
const OK = `${S} › responses.ok`
const text200 = { status: 200, mediaType: 'text/plain' }
const PG = `${S} › params.pagination`
const hidden = { actions: { hide: { routing: route.get('/h'), responses: { ok: 'text/plain' } } } }
const ping = (spec: Loose = {}) =>
  endpointOf('Ping', { actions: { ping: { routing: route.get('/'), responses: { ok: 'text/plain' } } }, ...spec })

const wholes: Pair[] = [
  [
    'an endpoint is removed',
    () => served([ping(), endpointOf('B', hidden)]),
    () => served([ping()]),
    b('B', 'endpoint-removed'),
  ],
  [
    'an endpoint is added',
    () => served([ping()]),
    () => served([ping(), endpointOf('B', hidden)]),
    c('B', 'endpoint-added'),
  ],
  [
    'a version is removed',
    () => served([ping({ version: '1' }), ping({ version: '2' })]),
    () => served([ping({ version: '2' })]),
    b('Ping (1)', 'version-removed'),
  ],
  [
    'a version is added',
    () => served([ping({ version: '1' })]),
    () => served([ping({ version: '1' }), ping({ version: '2' })]),
    c('Ping (2)', 'version-added'),
  ],
  ['an action is removed', () => api({}, {}, hidden), () => api(), b('Books.hide', 'action-removed')],
  ['an action is added', () => api(), () => api({}, {}, hidden), c('Books.hide', 'action-added')],
  [
    'the base path changes',
    () => api({}, { basePath: '/api' }),
    () => api({}, { basePath: '/v' }),
    b('API', 'base-path-changed'),
  ],
  [
    'a version carrier is removed',
    () => served([ping({ version: '1' })]),
    () => served([ping({ version: '1' })], { versionWith: ['path', 'header'] }),
    b('API', 'version-carrier-removed'),
  ],
  ['a carrier is removed where nothing has a version', () => api(), () => api({}, { versionWith: ['path'] })],
  [
    'the status of refusals changes',
    () => api(),
    () => api({}, { validation: { status: 422 } }),
    b('API', 'validation-status-changed'),
  ],
  ['the title changes', () => api(), () => api({}, { title: 'Other' }), d('API', 'title-changed')],
  [
    'the query may have fewer pairs',
    () => api(),
    () => api({}, { limits: { queryPairs: 10 } }),
    b('API', 'query-pairs-lowered'),
  ],
  ['an action gets a description', () => api(), () => api({ description: 'Shows.' }), d(S, 'description-changed')],
  ['an action is hidden from documents', () => api(), () => api({ nodoc: true }), d(S, 'nodoc-added')],
]

const routes: Pair[] = [
  [
    'a route is removed',
    () => routed(route.get('/'), route.get('/all')),
    () => routed(route.get('/')),
    b(`${S} › routing`, 'route-removed'),
  ],
  [
    'a route is added',
    () => routed(route.get('/')),
    () => routed(route.get('/'), route.get('/all')),
    c(`${S} › routing`, 'route-added'),
  ],
  [
    'the verb changes',
    () => routed(route.post('/')),
    () => routed(route.put('/')),
    b(`${S} › routing`, 'route-verb-changed'),
  ],
  [
    'any verb is taken',
    () => routed(route.post('/')),
    () => routed(route.any('/')),
    c(`${S} › routing`, 'route-verb-widened'),
  ],
  [
    'only one verb is taken',
    () => routed(route.any('/')),
    () => routed(route.post('/')),
    b(`${S} › routing`, 'route-verb-changed'),
  ],
  [
    'the path changes',
    () => routed(route.get('/a')),
    () => routed(route.get('/b')),
    b(`${S} › routing`, 'route-path-changed'),
  ],
  [
    'a capture is constrained',
    () => routed(route.get('/:id')),
    () => routed(route.get('/:id', { capture: { id: /\d+/ } })),
    b(`${S} › routing GET /books/:id`, 'capture-narrowed'),
  ],
  [
    'a capture is freed',
    () => routed(route.get('/:id', { capture: charClasses.digit })),
    () => routed(route.get('/:id')),
    c(`${S} › routing GET /books/:id`, 'capture-widened'),
  ],
  [
    'a capture takes one text more',
    () => routed(route.get('/:id', { capture: ['a', 'b'] })),
    () => routed(route.get('/:id', { capture: ['b', 'a', 'c'] })),
    c(`${S} › routing GET /books/:id`, 'capture-widened'),
  ],
  [
    'a capture is constrained otherwise',
    () => routed(route.get('/:id', { capture: /\d+/ })),
    () => routed(route.get('/:id', { capture: /[a-z]+/ })),
    b(`${S} › routing GET /books/:id`, 'capture-narrowed'),
    c(`${S} › routing GET /books/:id`, 'capture-widened'),
  ],
  [
    'an exception is added',
    () => routed(route.get('/:id')),
    () => routed(route.get('/:id', { except: '/books/new' })),
    b(`${S} › routing GET /books/:id`, 'exception-added'),
  ],
  [
    'a route gets a name',
    () => routed(route.get('/')),
    () => routed(route.get('/', { name: 'book' })),
    d(`${S} › routing GET /books`, 'route-name-changed'),
  ],
]

const inputs: Pair[] = [
  ['a required param is new', () => api(), () => param(t.string({ required: true })), b(Q, 'required-added')],
  ['an optional param is new', () => api(), () => param(t.string()), c(Q, 'input-added')],
  ['a param with a default is new', () => api(), () => param(t.integer({ default: 1 })), c(Q, 'input-added')],
  ['a param is removed', () => param(t.string()), () => api(), b(Q, 'input-removed')],
  [
    'a param is ignored instead',
    () => param(t.string()),
    () => api({ ignore: ['q*'] }),
    c(`${S} › params`, 'ignored-added'),
    c(Q, 'input-removed'),
  ],
  [
    'a name is not ignored any more',
    () => api({}, { ignore: ['utm_*'] }),
    () => api(),
    b(`${S} › params`, 'ignored-removed'),
  ],
  ['a param becomes required', () => param(t.string()), () => param(t.string({ required: true })), b(Q, 'required')],
  ['a param becomes optional', () => param(t.string({ required: true })), () => param(t.string()), c(Q, 'optional')],
  ['a default is removed', () => param(t.integer({ default: 1 })), () => param(t.integer()), b(Q, 'default-removed')],
  ['a default is added', () => param(t.integer()), () => param(t.integer({ default: 1 })), c(Q, 'default-added')],
  [
    'a default changes',
    () => param(t.integer({ default: 1 })),
    () => param(t.integer({ default: 2 })),
    b(Q, 'default-changed'),
  ],
  [
    'a computed default is removed',
    () => param(t.integer({ default: () => 1 })),
    () => param(t.integer()),
    b(Q, 'default-removed'),
  ],
  ['the type changes', () => param(t.string()), () => param(t.integer()), b(Q, 'type-changed')],
  ['the type widens', () => param(t.integer()), () => param(t.number()), c(Q, 'type-widened')],
  ['the type narrows', () => param(t.number()), () => param(t.integer()), b(Q, 'type-narrowed')],
  ['a date becomes a moment', () => param(t.date()), () => param(t.dateTime()), b(Q, 'type-changed')],
  [
    'the least value rises',
    () => param(t.integer({ min: 1 })),
    () => param(t.integer({ min: 2 })),
    b(Q, 'minimum-raised'),
  ],
  [
    'the least value falls',
    () => param(t.integer({ min: 2 })),
    () => param(t.integer({ min: 1 })),
    c(Q, 'minimum-lowered'),
  ],
  [
    'the greatest value falls',
    () => param(t.integer({ max: 9 })),
    () => param(t.integer({ max: 8 })),
    b(Q, 'maximum-lowered'),
  ],
  [
    'texts may be shorter',
    () => param(t.string({ min: 3 })),
    () => param(t.string({ min: 2 })),
    c(Q, 'min-length-lowered'),
  ],
  ['texts are limited', () => param(t.string()), () => param(t.string({ max: 5 })), b(Q, 'max-length-added')],
  [
    'a value is removed',
    () => param(t.string({ values: ['a', 'b'] })),
    () => param(t.string({ values: ['a'] })),
    b(Q, 'value-removed'),
  ],
  [
    'a value is added',
    () => param(t.string({ values: ['a'] })),
    () => param(t.string({ values: ['b', 'a'] })),
    c(Q, 'value-added'),
  ],
  ['values are listed', () => param(t.string()), () => param(t.string({ values: ['a'] })), b(Q, 'values-listed')],
  [
    'a pattern is added',
    () => param(t.string({ max: 9 })),
    () => param(t.string({ max: 9, pattern: /a+/ })),
    b(Q, 'pattern-added'),
  ],
  [
    'a pattern changes',
    () => param(t.string({ max: 9, pattern: /b+/ })),
    () => param(t.string({ max: 9, pattern: /a+/ })),
    b(Q, 'pattern-changed'),
  ],
  ['a format is added', () => param(t.string()), () => param(t.string({ format: 'uuid' })), b(Q, 'format-added')],
  [
    'elements are limited',
    () => param(t.array(t.integer())),
    () => param(t.array(t.integer(), { max: 3 })),
    b(Q, 'max-elements-added'),
  ],
  ['elements change', () => param(t.array(t.integer())), () => param(t.array(t.string())), b(`${Q}[]`, 'type-changed')],
  [
    'a param moves into the path',
    () => api({ params: { q: t.string() } }),
    () => api({ routing: route.get('/:q'), params: { q: t.string() } }),
    b(Q, 'input-moved'),
    b(Q, 'required'),
    b(`${S} › routing`, 'route-path-changed'),
  ],
  ['a param becomes a header', () => param(t.string()), () => api({ headers: { Q: t.string() } }), b(Q, 'input-moved')],
  [
    'a header becomes required',
    () => header1(t.string()),
    () => header1(header()),
    b(`${S} › headers.x-q`, 'required'),
  ],
  ['a header is removed', () => header1(header()), () => api(), c(`${S} › headers.x-q`, 'input-removed')],
  ['a required header is new', () => api(), () => header1(header()), b(`${S} › headers.x-q`, 'required-added')],
  ['the case of a header changes', () => header1(t.string()), () => api({ headers: { 'x-q': t.string() } })],
  [
    'a param is described',
    () => param(t.string()),
    () => param(t.string({ description: 'A word.' })),
    d(Q, 'description-changed'),
  ],
  ['a param has an example', () => param(t.string()), () => param(t.string({ example: 'x' })), d(Q, 'example-changed')],
]

const payloads: Pair[] = [
  [
    'a required attribute is new',
    () => body({ a: t.string() }),
    () => body({ a: t.string(), b: t.string({ required: true }) }),
    b(`${P}.b`, 'required-added'),
  ],
  [
    'an attribute is removed',
    () => body({ a: t.string(), b: t.string() }),
    () => body({ a: t.string() }),
    b(`${P}.b`, 'attribute-removed'),
  ],
  [
    'null is removed',
    () => body({ a: t.string({ nullable: true }) }),
    () => body({ a: t.string() }),
    b(`${P}.a`, 'null-removed'),
  ],
  [
    'null is added',
    () => body({ a: t.string() }),
    () => body({ a: t.string({ nullable: true }) }),
    c(`${P}.a`, 'null-added'),
  ],
  [
    'an inner attribute becomes required',
    () => body({ a: t.object({ x: t.string() }) }),
    () => body({ a: t.object({ x: t.string({ required: true }) }) }),
    b(`${P}.a.x`, 'required'),
  ],
  [
    'names become free',
    () => body({ a: t.object({}) }),
    () => body({ a: t.record(t.string()) }),
    b(`${P}.a`, 'schema-changed'),
    c(`${P}.a`, 'other-names-allowed'),
  ],
  [
    'values of a hash change',
    () => body({ a: t.record(t.string()) }),
    () => body({ a: t.record(t.integer()) }),
    b(`${P}.a.*`, 'type-changed'),
  ],
  [
    'a variant is removed',
    () => body({ a: shape({ x: {}, y: {} }) }),
    () => body({ a: shape({ x: {} }) }),
    b(`${P}.a`, 'variant-removed'),
  ],
  [
    'a variant is added',
    () => body({ a: shape({ x: {} }) }),
    () => body({ a: shape({ y: {}, x: {} }) }),
    c(`${P}.a`, 'variant-added'),
  ],
  [
    'a variant asks for more',
    () => body({ a: shape({ x: { n: t.integer() } }) }),
    () => body({ a: shape({ x: { n: t.integer({ required: true }) } }) }),
    b(`${P}.a<x>.n`, 'required'),
  ],
  ['a large number is limited', () => big({}), () => big({ min: 2n ** 70n }), b(`${P}.n`, 'minimum-added')],
  [
    'a large number may be larger',
    () => big({ max: 2n ** 70n }),
    () => big({ max: 2n ** 70n + 1n }),
    c(`${P}.n`, 'maximum-raised'),
  ],
  [
    'an exact number may be larger, by less than doubles can tell',
    () => exact({ max: '9007199254740992.1' }),
    () => exact({ max: '9007199254740992.2' }),
    c(`${P}.n`, 'maximum-raised'),
  ],
  [
    'an exact number must be larger',
    () => exact({ min: '9.5' }),
    () => exact({ min: '10' }),
    b(`${P}.n`, 'minimum-raised'),
  ],
  ['a limit of an exact number is written with more zeros', () => exact({ min: '9.5' }), () => exact({ min: '9.50' })],
  [
    'an exact number has fewer digits',
    () => exact({ scale: 2, precision: 10 }),
    () => exact({ scale: 2, precision: 9 }),
    b(`${P}.n`, 'pattern-changed'),
  ],
  ['anything becomes a text', () => body({ a: t.any() }), () => body({ a: t.string() }), b(`${P}.a`, 'type-narrowed')],
  [
    'files are limited',
    () => body({ f: t.file({ max: 10, types: ['image/png'] }) }),
    () => body({ f: t.file({ max: 5, types: ['image/*'] }) }),
    b(`${P}.f`, 'file-type-removed'),
    b(`${P}.f`, 'maximum-lowered'),
    c(`${P}.f`, 'file-type-added'),
    d(`${P}.f`, 'annotation-changed'),
  ],
  [
    'a content type is removed',
    () => api({ routing: route.post('/'), payload: { a: t.string() }, consumes: ['application/json', 'x/y+json'] }),
    () => api({ routing: route.post('/'), payload: { a: t.string() }, consumes: ['application/json'] }),
    b(P, 'content-type-removed'),
  ],
  [
    'a content type is covered',
    () => api({ routing: route.post('/'), payload: t.string(), consumes: ['text/plain'] }),
    () => api({ routing: route.post('/'), payload: t.string(), consumes: ['text/*'] }),
    c(P, 'content-type-added'),
  ],
  [
    'the limit of bodies falls',
    () => api({ routing: route.post('/'), payload: { a: t.string() } }),
    () => api({ routing: route.post('/'), payload: { a: t.string() }, bodyLimit: 9 }),
    b(P, 'body-limit-lowered'),
  ],
  [
    'the limit of the application rises',
    () => body({ a: t.string() }),
    () => api({ routing: route.post('/'), payload: { a: t.string() } }, { limits: { body: 2 ** 22 } }),
    c(P, 'body-limit-raised'),
  ],
  [
    'a payload is new and needed',
    () => api({ routing: route.post('/') }),
    () => body({ a: t.string({ required: true }) }),
    b(P, 'required-added'),
  ],
  ['a payload is new', () => api({ routing: route.post('/') }), () => body({ a: t.string() }), c(P, 'payload-added')],
  [
    'a payload is removed',
    () => body({ a: t.string() }),
    () => api({ routing: route.post('/') }),
    b(P, 'payload-removed'),
  ],
]

const lists: Pair[] = [
  ['maxItems falls', () => paged({ maxItems: 500 }), () => paged({ maxItems: 200 }), b(PG, 'max-items-lowered')],
  ['maxItems is set', () => paged({}), () => paged({ maxItems: 200 }), b(PG, 'max-items-lowered')],
  [
    'the plugin sets maxItems',
    () => paged({}),
    () => paged({}, { plugins: [pagination({ maxItems: 200 })] }),
    b(PG, 'max-items-lowered'),
  ],
  [
    'the config raises maxItems',
    () => paged({}, { plugins: [pagination({ maxItems: 200 })] }),
    () => paged({}, { plugins: [pagination({ maxItems: 200 })], config: { pagination: { maxItems: 300 } } }),
    c(PG, 'max-items-raised'),
  ],
  [
    'more than maxItems is clamped',
    () => paged({}, { plugins: [pagination({ maxItems: 200 })] }),
    () => paged({}, { plugins: [pagination({ maxItems: 200, onExceed: 'clamp' })] }),
    c(PG, 'more-than-max-items-added'),
  ],
  ['pages are smaller', () => paged({ pageSize: 50 }), () => paged({ pageSize: 20 }), b(PG, 'page-size-lowered')],
  ['pages are larger', () => paged({ pageSize: 20 }), () => paged({ pageSize: 50 }), c(PG, 'page-size-raised')],
  [
    'fields to go by shrink',
    () => paged({ byFields: ['id', 'name'] }),
    () => paged({ byFields: ['id'] }),
    b(PG, 'by-fields-removed'),
  ],
  ['a mode is disallowed', () => paged({}), () => paged({ disallow: 'cursor' }), b(PG, 'modes-removed')],
  ['a mode is allowed', () => paged({ disallow: 'cursor' }), () => paged({}), c(PG, 'modes-added')],
  ['the default mode changes', () => paged({}), () => paged({ default: { by: 'id' } }), b(PG, 'default-mode-changed')],
  ['the key changes', () => paged({}), () => paged({ key: ['name', 'id'] }), c(PG, 'key-changed')],
  [
    'leading fields shrink',
    () => ordered({ byFields: ['id', 'name'] }),
    () => ordered({ byFields: ['name'] }),
    b(`${S} › params.order`, 'by-fields-removed'),
  ],
  [
    'all fields are enforced',
    () => ordered({ byFields: ['id', 'name'] }),
    () => ordered({ byFields: ['id', 'name'], enforceFor: 'all' }),
    b(`${S} › params.order`, 'then-by-fields-removed'),
  ],
  [
    'the plugin enforces all fields',
    () => ordered({ byFields: ['id'] }),
    () => ordered({ byFields: ['id'] }, [pagination({ sorting: { enforceAllFields: true } })]),
    b(`${S} › params.order`, 'then-by-fields-removed'),
  ],
  [
    'the default order changes',
    () => ordered({ default: ['name'] }),
    () => ordered({ default: ['-name'] }),
    b(`${S} › params.order`, 'default-order-changed'),
  ],
  [
    'a filter is removed',
    () => filtered({ name: {}, pages: {} }),
    () => filtered({ name: {} }),
    b(`${S} › params.filters`, 'filter-fields-removed'),
  ],
  [
    'a filter is added',
    () => filtered({ name: {} }),
    () => filtered({ name: {}, pages: {} }),
    c(`${S} › params.filters`, 'filter-fields-added'),
  ],
  [
    'an operator is removed',
    () => filtered({ name: {} }),
    () => filtered({ name: { operators: ['='] } }),
    b(`${S} › params.filters.name`, 'operators-removed'),
  ],
  [
    'wildcards are removed',
    () => filtered({ name: { wildcards: true } }),
    () => filtered({ name: {} }),
    b(`${S} › params.filters.name`, 'wildcards-removed'),
  ],
  [
    'a field cannot be selected any more',
    () => api({ params: { fields: FieldSelector.for(Book) } }),
    () => api({ params: { fields: FieldSelector.for(Book.view('short')) } }),
    b(`${S} › params.fields`, 'selectable-fields-removed'),
  ],
]

const answers: Pair[] = [
  [
    'a success is removed',
    () => api({ responses: { ok: 'text/plain', noContent: true } }),
    () => api(),
    b(`${S} › responses.noContent`, 'response-removed'),
  ],
  [
    'a success is added',
    () => api(),
    () => api({ responses: { ok: 'text/plain', noContent: true } }),
    b(`${S} › responses.noContent`, 'response-added'),
  ],
  [
    'an attribute changes beside a response without a body',
    () => api({ responses: { ok: 'text/plain', noContent: true, resetContent: true, notModified: true } }),
    () =>
      api(
        { responses: { ok: 'text/plain', noContent: true, resetContent: true, notModified: true } },
        {},
        { mediaType: mediaType('Book', { attributes: { id: t.integer(), other: t.boolean({ required: true }) } }) },
      ),
  ],
  [
    'the status changes',
    () => api({ responses: { made: { status: 200, mediaType: 'text/plain' } } }),
    () => api({ responses: { made: { status: 201, mediaType: 'text/plain' } } }),
    b(`${S} › responses.made`, 'status-changed'),
  ],
  ['a response is renamed', () => api(), () => api({ responses: { fine: { status: 200, mediaType: 'text/plain' } } })],
  [
    'two responses of one status become one of another name',
    () => api({ responses: { one: text200, two: text200 } }),
    () => api({ responses: { three: text200 } }),
    b(`${S} › responses.one`, 'response-removed'),
    b(`${S} › responses.three`, 'response-added'),
    b(`${S} › responses.two`, 'response-removed'),
  ],
  [
    'a response becomes two of other names',
    () => api({ responses: { one: text200 } }),
    () => api({ responses: { two: text200, three: text200 } }),
    b(`${S} › responses.one`, 'response-removed'),
    b(`${S} › responses.three`, 'response-added'),
    b(`${S} › responses.two`, 'response-added'),
  ],
  [
    'a failure is added',
    () => api(),
    () => api({ responses: { ok: 'text/plain', notFound: true } }),
    c(`${S} › responses.notFound`, 'error-added'),
  ],
  [
    'a failure is removed',
    () => api({ responses: { ok: 'text/plain', notFound: true } }),
    () => api(),
    c(`${S} › responses.notFound`, 'error-removed'),
  ],
  [
    'an attribute of the answer is removed',
    () => answer({ a: t.string(), b: t.string() }),
    () => answer({ a: t.string() }),
    b(`${OK}.body.b`, 'attribute-removed'),
  ],
  [
    'an attribute of the answer is added',
    () => answer({ a: t.string() }),
    () => answer({ a: t.string(), b: t.string() }),
    c(`${OK}.body.b`, 'attribute-added'),
  ],
  [
    'an attribute may be missing',
    () => answer({ a: t.string({ required: true }) }),
    () => answer({ a: t.string() }),
    b(`${OK}.body.a`, 'optional'),
  ],
  [
    'an attribute is always there',
    () => answer({ a: t.string() }),
    () => answer({ a: t.string({ required: true }) }),
    c(`${OK}.body.a`, 'required'),
  ],
  [
    'an attribute may be null',
    () => answer({ a: t.string() }),
    () => answer({ a: t.string({ nullable: true }) }),
    b(`${OK}.body.a`, 'null-added'),
  ],
  [
    'the type of an attribute widens',
    () => answer({ a: t.integer() }),
    () => answer({ a: t.number() }),
    b(`${OK}.body.a`, 'type-widened'),
  ],
  [
    'the type of an attribute narrows',
    () => answer({ a: t.number() }),
    () => answer({ a: t.integer() }),
    c(`${OK}.body.a`, 'type-narrowed'),
  ],
  [
    'an answer has a new value',
    () => answer({ a: t.string({ values: ['x'] }) }),
    () => answer({ a: t.string({ values: ['x', 'y'] }) }),
    b(`${OK}.body.a`, 'value-added'),
  ],
  [
    'an answer has a value less',
    () => answer({ a: t.string({ values: ['x', 'y'] }) }),
    () => answer({ a: t.string({ values: ['x'] }) }),
    c(`${OK}.body.a`, 'value-removed'),
  ],
  [
    'a limit of an answer rises',
    () => answer({ a: t.integer({ max: 5 }) }),
    () => answer({ a: t.integer({ max: 6 }) }),
    b(`${OK}.body.a`, 'maximum-raised'),
  ],
  [
    'a default in an answer',
    () => answer({ a: t.integer() }),
    () => answer({ a: t.integer({ default: 6 }) }),
    d(`${OK}.body.a`, 'default-added'),
  ],
  [
    'one becomes a list',
    () => api({ responses: { ok: Book } }),
    () => api({ responses: { ok: collectionOf(Book) } }),
    b(OK, 'media-type-removed'),
    c(OK, 'media-type-added'),
  ],
  [
    'a list shows less',
    () => api({ responses: { ok: collectionOf(Book.view('default')) } }),
    () => api({ responses: { ok: collectionOf(Book.view('short')) } }),
    b(`${OK}.body[].author`, 'attribute-removed'),
    b(`${OK}.body[].pages`, 'attribute-removed'),
    b(`${OK}.body[].status`, 'attribute-removed'),
  ],
  [
    'a CSV is made for spreadsheets',
    () => api({ responses: { ok: collectionOf(Book, { as: 'csv' }) } }),
    () => api({ responses: { ok: collectionOf(Book, { as: 'csv', spreadsheet: true }) } }),
    b(`${OK}.body`, 'format-changed'),
  ],
  [
    'a CSV is plain again',
    () => api({ responses: { ok: collectionOf(Book, { as: 'csv', spreadsheet: true }) } }),
    () => api({ responses: { ok: collectionOf(Book, { as: 'csv' }) } }),
    b(`${OK}.body`, 'format-changed'),
  ],
  [
    'a media type is removed',
    () => api({ responses: { ok: { mediaType: ['text/plain', 'text/html'] } } }),
    () => api(),
    b(OK, 'media-type-removed'),
  ],
  [
    'a media type is added',
    () => api(),
    () => api({ responses: { ok: { mediaType: ['text/plain', 'text/html'] } } }),
    c(OK, 'media-type-added'),
  ],
  [
    'the first media type changes',
    () => api({ responses: { ok: { mediaType: ['text/plain', 'text/html'] } } }),
    () => api({ responses: { ok: { mediaType: ['text/html', 'text/plain'] } } }),
    b(OK, 'default-media-type-changed'),
  ],
  [
    'a header of an answer is removed',
    () => api({ responses: { ok: { mediaType: 'text/plain', headers: { ETag: true } } } }),
    () => api(),
    b(`${OK}.headers.etag`, 'header-removed'),
  ],
  [
    'a header of an answer is added',
    () => api(),
    () => api({ responses: { ok: { mediaType: 'text/plain', headers: { ETag: true } } } }),
    c(`${OK}.headers.etag`, 'header-added'),
  ],
  [
    'the rule of a header widens',
    () => api({ responses: { ok: { mediaType: 'text/plain', headers: { ETag: /".*"/ } } } }),
    () => api({ responses: { ok: { mediaType: 'text/plain', headers: { ETag: true } } } }),
    b(`${OK}.headers.etag`, 'pattern-removed'),
  ],
  [
    'the value of a header is fixed',
    () => api({ responses: { ok: { mediaType: 'text/plain', headers: { ETag: true } } } }),
    () => api({ responses: { ok: { mediaType: 'text/plain', headers: { ETag: 'x' } } } }),
    c(`${OK}.headers.etag`, 'values-listed'),
  ],
  [
    'a location is not told any more',
    () => api({ responses: { created: { location: /\/.*/ } } }),
    () => api({ responses: { created: true } }),
    b(`${S} › responses.created.headers.location`, 'header-removed'),
  ],
  [
    'a response is described',
    () => api(),
    () => api({ responses: { ok: { mediaType: 'text/plain', description: 'Text.' } } }),
    d(OK, 'description-changed'),
  ],
]

const needs: Pair[] = [
  ['security is added', () => secured(undefined), () => secured(token), b(`${S} › security`, 'security-added')],
  ['security is removed', () => secured(token), () => secured(undefined), c(`${S} › security`, 'security-removed')],
  [
    'strangers are let in',
    () => secured(token),
    () => secured([token, 'none']),
    c(`${S} › security`, 'security-removed'),
  ],
  [
    'strangers are not let in any more',
    () => secured([token, 'none']),
    () => secured(token),
    b(`${S} › security`, 'security-added'),
  ],
  [
    'a scope is added',
    () => secured(token.scopes('read')),
    () => secured(token.scopes('read', 'write')),
    b(`${S} › security`, 'scopes-added'),
  ],
  [
    'a scope is removed',
    () => secured(token.scopes('write', 'read')),
    () => secured(token.scopes('read')),
    c(`${S} › security`, 'scopes-removed'),
  ],
  ['a way in is added', () => secured(token), () => secured([token, key]), c(`${S} › security`, 'scheme-added')],
  [
    'schemes are no longer required together',
    () => secured(security.all({ token, key })),
    () => secured(token),
    c(`${S} › security`, 'scheme-added'),
  ],
  [
    'schemes become required together',
    () => secured(token),
    () => secured(security.all({ token, key })),
    b(`${S} › security`, 'scheme-removed'),
    c(`${S} › security`, 'scheme-added'),
  ],
  [
    'one of several schemes that are required together needs more',
    () => secured(security.all({ token, key })),
    () => secured(security.all({ key, other: token.scopes('r') })),
    b(`${S} › security`, 'scopes-added'),
  ],
  ['a way in is removed', () => secured([key, token]), () => secured(token), b(`${S} › security`, 'scheme-removed')],
]

const pairs: Pair[] = [...wholes, ...routes, ...inputs, ...payloads, ...lists, ...answers, ...needs]
const cases = pairs.map(([title, old, now, ...expected]) => ({ title, old, now, expected }))

describe('differences of contracts', () => {
  it.each(cases)('$title', ({ old, now, expected }) => {
    const found = diffContracts(old(), now())
    expect(found.map(({ kind, location: place, rule }) => [kind, place, rule])).toEqual(expected)
    for (const { message: what } of found) expect(what).toMatch(/^\S.*[^.]$/)
  })

  it.each(cases)('$title: the way back is no less', ({ old, now, expected }) => {
    const back = diffContracts(now(), old())
    expect(back.length > 0).toBe(expected.length > 0)
    const breaks = expected.some(([kind]) => kind === 'breaking')
    if (breaks) expect(back.some(({ kind }) => kind !== 'documentation')).toBe(true)
    const silent = expected.every(([kind]) => kind === 'documentation')
    if (silent) expect(back.every(({ kind }) => kind === 'documentation')).toBe(true)
  })

  it.each(cases)('$title: nothing differs from itself, nor after a way through JSON', ({ old, now }) => {
    for (const contract of [old(), now()]) {
      const read = JSON.parse(JSON.stringify(contract)) as Contract
      expect(read).toEqual(contract)
      expect(diffContracts(contract, read)).toEqual([])
    }
  })
})

describe('laws of differences', () => {
  const size = fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined })
  const flags = fc.record(
    { required: fc.boolean(), nullable: fc.boolean(), description: fc.constantFrom('a', 'b') },
    { requiredKeys: [] },
  )
  const bounded = fc.tuple(size, size).map(([min, max]) => ({
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max: max + 5 }),
  }))
  const leaf = fc.oneof(
    fc.tuple(flags, bounded).map(([one, limits]) => t.integer({ ...one, ...limits })),
    fc.tuple(flags, bounded).map(([one, limits]) => t.number({ ...one, ...limits })),
    fc.tuple(flags, bounded).map(([one, limits]) => t.string({ ...one, ...limits })),
    fc
      .tuple(flags, fc.subarray(['x', 'y', 'z'], { minLength: 1 }))
      .map(([one, values]) => t.string({ ...one, values })),
    flags.map((one) => t.boolean(one)),
    flags.map((one) => t.any(one)),
    flags.map((one) => t.dateTime(one)),
    fc.tuple(flags, size).map(([one, min]) => t.bigint(min === undefined ? one : { ...one, min: BigInt(min) })),
    fc.tuple(flags, size).map(([one, min]) => t.decimal(min === undefined ? one : { ...one, min: `${min}.5` })),
  )
  const { attribute } = fc.letrec((tie) => ({
    attribute: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.tuple(flags, tie('names')).map(([one, names]) => t.object(names as never, one)),
      fc.tuple(flags, tie('attribute')).map(([one, of]) => t.array(of as never, one)),
      fc.tuple(flags, tie('attribute')).map(([one, of]) => t.record(of as never, one)),
      fc.tuple(flags, tie('names')).map(([one, names]) => t.union('kind', { v: names } as never, one)),
    ),
    names: fc.dictionary(fc.constantFrom('a', 'b', 'constructor'), tie('attribute'), { maxKeys: 3 }),
  }))
  const names = (of: fc.Arbitrary<unknown>, ...some: string[]): fc.Arbitrary<Loose> =>
    fc.dictionary(fc.constantFrom(...some), of, { maxKeys: 3 })
  const declared = fc.record(
    {
      params: names(leaf, 'a', 'b', 'toString'),
      headers: names(leaf, 'c', 'd', 'valueOf'),
      payload: names(attribute, 'a', 'b', 'toString'),
      book: names(attribute, 'a', 'b', 'toString'),
      notFound: fc.boolean(),
      noContent: fc.boolean(),
      ignore: fc.subarray(['x', 'y*', '*']),
      bodyLimit: fc.constantFrom(100, 200),
      nodoc: fc.boolean(),
      routing: fc.subarray([route.post('/'), route.put('/'), route.any('/x'), route.put('/x')], { minLength: 1 }),
      security: fc.subarray([token.scopes('r'), token.scopes('w', 'r'), key, security.all({ token, key }), 'none'], {
        minLength: 1,
      }),
    },
    { requiredKeys: ['routing', 'book'] },
  )
  const made = (
    { book, notFound, noContent, ...action }: Loose,
    order: (one: Loose) => Loose = (one) => one,
  ): Contract =>
    api(
      order({
        ...action,
        ...(action['params'] !== undefined && { params: order(action['params'] as Loose) }),
        ...(action['payload'] !== undefined && { payload: order(action['payload'] as Loose) }),
        ...(action['headers'] !== undefined && { headers: order(action['headers'] as Loose) }),
        responses: order({
          ok: mediaType('Book', { attributes: order(book as Loose) as never }),
          ...(notFound === true && { notFound: true }),
          ...(noContent === true && { noContent: true }),
        }),
      }),
      { verifiers },
    )

  it('no contract differs from itself, whatever the order of its declarations', () => {
    const reversed = (one: Loose): Loose => Object.fromEntries(Object.entries(one).reverse())
    fc.assert(
      fc.property(
        declared.map((one) => [made(one), made(one, reversed)] as const),
        ([one, other]) => {
          expect(other).toEqual(one)
          expect(diffContracts(one, other)).toEqual([])
        },
      ),
      { numRuns: 100 },
    )
  })

  it('what differs one way differs the other way, and what breaks is told both ways', () => {
    fc.assert(
      fc.property(
        declared.map((one) => made(one)),
        declared.map((one) => made(one)),
        (old, now) => {
          const [there, back] = [diffContracts(old, now), diffContracts(now, old)]
          expect(there.length > 0).toBe(JSON.stringify(old) !== JSON.stringify(now))
          for (const { kind, location: place } of there) {
            const found = back.filter((change) => change.location === place)
            expect(found, place).not.toEqual([])
            if (kind === 'breaking') expect(found.some((change) => change.kind !== 'documentation')).toBe(true)
          }
          expect(diffContracts(old, JSON.parse(JSON.stringify(now)) as Contract)).toEqual(there)
        },
      ),
      { numRuns: 150 },
    )
  })

  it('recursive types are compared, and comparing ends', () => {
    const tree = (leafs: Loose): Contract => {
      const Node: Attribute = t.object({ ...leafs, of: t.array(t.ref(() => Node)) } as never)
      return api({ routing: route.post('/'), payload: { root: Node } })
    }
    expect(diffContracts(tree({ a: t.string() }), tree({ a: t.string() }))).toEqual([])
    const found = diffContracts(tree({ a: t.string() }), tree({ a: t.integer() }))
    expect(found.map(({ location: place }) => place)).toContain(`${P}.root.a`)
  })

  it('a plugin of anybody adds terms of its own', () => {
    const quota = (most: number): Plugin => ({ name: 'quota', contract: () => ({ q: { perDay: { most } } }) })
    const limited = (most: number): Contract => api({ params: { q: t.string() } }, { plugins: [quota(most)] })
    expect(diffContracts(limited(10), limited(5))).toEqual([
      { kind: 'breaking', location: Q, rule: 'per-day-lowered', message: 'perDay is 5 now, and was 10' },
    ])
  })
})
