// Declarations with every setting that there is, made through an editor that can spoil any of them.
import {
  type Application,
  type Attribute,
  application,
  atLeastOne,
  atMostOne,
  childOf,
  collectionOf,
  controller,
  endpoint,
  header,
  inherit,
  type MediaType,
  mediaType,
  payloadOf,
  problemEncoder,
  response,
  route,
  security,
  t,
  verifier,
} from 'edict'
import { docs } from 'edict/docs'
import { computed, FieldSelector, FilteringParams, many, mapper, memoryDatastore, one, resource } from 'edict/mapper'
import { mock } from 'edict/mock'
import { OrderingParams, PaginationParams, pagination } from 'edict/pagination'
import { checkServeArguments } from '../../../src/adapters/node/serve-option-forms.ts'
import type { Editor } from './edits.ts'

/** Something that is declared, and what becomes of it. */
export type Sink = (edit: Editor) => Application

const ok = { ok: true } as const
const id = t.integer({ required: true })
const title = t.string()
const quiet = { info() {}, warn() {}, error() {} }

/** An application of one action `GET /` with these parts of it. */
const plain = (action: object, more: object = {}, options: object = {}): Application =>
  only({ routing: route.get('/'), responses: ok, ...action }, more, options)

/** An application of this action alone. */
const only = (action: object, more: object = {}, options: object = {}): Application =>
  application({
    logger: quiet,
    controllers: [
      endpoint('Things', {
        prefix: '//',
        ...more,
        actions: { list: action },
      } as never).implement({ list: () => 'x' } as never),
    ],
    ...options,
  })

const Book = mediaType('Book', { attributes: { id, title } })

/** The options that every attribute takes. */
const shared = (more: object) => ({ required: false, nullable: true, description: 'x', ...more })

/** Each kind of attribute with all of its options, as a param. */
const kinds: Readonly<Record<string, (e: Editor) => Attribute>> = {
  string: (e) =>
    t.string(
      e.settings('string', shared({ min: 1, max: 3, pattern: /^a+$/, default: 'a', example: 'aa', allowNul: false })),
    ),
  listed: (e) => t.string(e.settings('listed', { values: ['a', 'b'] })),
  format: (e) => t.string(e.settings('format', { format: 'uuid' as const })),
  integer: (e) => t.integer(e.settings('integer', shared({ min: 1, max: 3, default: 1, example: 2, values: [1, 2] }))),
  number: (e) => t.number(e.settings('number', shared({ min: 1, max: 3, default: 1, example: 2, values: [1, 2] }))),
  bigint: (e) =>
    t.bigint(e.settings('bigint', shared({ min: 1n, max: 3n, default: 1n, example: 2n, values: [1n, 2n] }))),
  decimal: (e) => t.decimal(e.settings('decimal', shared({ min: '1', max: '3', default: '1.5', example: '2' }))),
  scaled: (e) => t.decimal(e.settings('scaled', { precision: 4, scale: 2 })),
  boolean: (e) => t.boolean(e.settings('boolean', shared({ default: true, example: false }))),
  date: (e) => t.date(e.settings('date', shared({ default: '2024-01-01', example: '2024-01-01' }))),
  dateTime: (e) => t.dateTime(e.settings('dateTime', shared({ default: new Date(0), example: new Date(0) }))),
  time: (e) => t.time(e.settings('time', shared({ default: '10:00', example: '10:00' }))),
  any: (e) => t.any(e.settings('any', shared({ default: 'x', example: 'x' }))),
  collection: (e) =>
    t.array(
      e.argument('collection.of', t.string()),
      e.settings('collection', shared({ min: 0, max: 3, default: ['a'], example: ['a'] })),
    ),
  hash: (e) =>
    t.record(
      e.argument('hash.of', t.string()),
      e.settings('hash', shared({ min: 0, max: 3, default: { a: 'a' }, example: { a: 'a' } })),
    ),
  struct: (e) =>
    t.object(
      e.entries('struct.attributes', { a: t.string(), b: t.string() }),
      e.settings('struct', shared({ default: { a: 'a' }, example: { a: 'a' }, requires: [atLeastOne('a', 'b')] })),
    ),
  union: (e) =>
    t.union(
      e.argument('union.discriminator', 'type'),
      e.entries('union.variants', { a: e.entries('union.a', { x: t.string() }), b: {} }),
      e.settings('union', shared({ default: { type: 'a' } })),
    ),
  json: (e) =>
    t.json(e.argument('json.of', t.object({ a: t.string() })), e.settings('json', shared({ default: { a: 'a' } }))),
  ref: (e) => t.ref(e.argument('ref.target', t.string()), e.settings('ref', { description: 'x' })),
  lazy: (e) =>
    t.ref(
      e.argument('lazy.target', () => t.string()),
      e.settings('lazy', { name: 'Lazy', description: 'x' }),
    ),
  schema: (e) =>
    t.standard(
      e.argument('schema.standard', {
        '~standard': { version: 1, vendor: 'x', validate: (value: unknown) => ({ value }) },
      } as never),
      e.settings('schema', { description: 'x' }),
    ),
}

const kindSinks = Object.fromEntries(
  Object.entries(kinds).map(([name, make]): [string, Sink] => [
    `t.${name}`,
    (e) => plain({ params: { [name]: make(e) } }),
  ]),
)

const mediaTypes: Sink = (e) => {
  const Author = mediaType('Author', { attributes: { id, name: t.string() } })
  const Made = mediaType(
    e.argument('mediaType.name', 'Made'),
    e.settings('mediaType', {
      identifier: 'application/vnd.made+json',
      description: 'x',
      attributes: e.entries('mediaType.attributes', { id, title, author: t.ref(() => Author) }),
      views: e.entries('mediaType.views', { short: ['id'] }) as never,
    }) as never,
  )
  const collection = collectionOf(
    e.argument('collectionOf.of', Made as MediaType),
    e.settings('collectionOf', { view: 'short' }) as never,
  )
  return plain(
    { responses: { ok: 'text/plain', created: collection } },
    { mediaType: e.argument('endpoint.mediaType', Made) },
  )
}

const scheme = security.bearer<string>('Token')
const verifiers = [verifier(scheme, () => 'x')]

const endpoints: Sink = (e) => {
  const Shelves = endpoint('Shelves', {
    actions: { show: { routing: route.get('/:id'), params: { id }, responses: ok } },
  })
  const Books = endpoint(
    e.argument('endpoint.name', 'Books'),
    e.settings('endpoint', {
      description: 'x',
      prefix: '/books',
      mediaType: Book,
      version: '1',
      parent: childOf(e.argument('childOf.parent', Shelves), e.entries('childOf.mapping', { id: 'shelf' })),
      canonicalPath: 'show',
      singular: 'book',
      nodoc: false,
      actionDefaults: e.settings('actionDefaults', {
        params: e.entries('actionDefaults.params', { a: t.string() }),
        payload: e.entries('actionDefaults.payload', { title: inherit }),
        consumes: ['application/json'],
        requires: e.settings('actionDefaults.requires', { params: [], payload: [] }),
        headers: e.entries('actionDefaults.headers', { 'X-B': t.string() }),
        responses: e.entries('actionDefaults.responses', { notFound: true }),
        security: scheme,
      }),
      actions: e.entries('actions', {
        show: { routing: route.post('/:id'), params: { id }, responses: ok, security: 'none' },
      }),
    }) as never,
  )
  const made = controller(
    e.argument('controller.definition', Books),
    e.entries('implementation', { show: () => 'x' }) as never,
  )
    .before(
      e.argument('before.stage', 'action'),
      e.settings('before', { actions: ['show'] as never }),
      e.argument('before.callback', () => {}),
    )
    .around(e.argument('around.callback', (_: unknown, next: () => Promise<void>) => next()) as never)
  return application({ logger: quiet, controllers: [made as never], verifiers })
}

const inputs: Sink = (e) =>
  only(
    e.settings('action', {
      description: 'x',
      routing: [
        route.prefix(e.argument('route.prefix', '/volumes')),
        route.post(
          e.argument('route.path', '/:id'),
          e.settings('route', { name: 'volume', capture: { id: /[0-9]+/ }, except: '/0' }) as never,
        ),
      ],
      params: e.entries('action.params', { id, q: t.string(), r: t.string() }),
      requires: e.settings('action.requires', { params: [atMostOne('q', 'r')] }),
      headers: e.entries('action.headers', {
        'X-C': header(e.argument('header.value', 'c'), e.settings('header', { required: false })),
        'X-D': header(e.argument('header.pattern', /d/)),
      }),
      payload: payloadOf(
        e.argument('payloadOf.reference', Book) as never,
        e.entries('payloadOf.attributes', {
          title: inherit(e.settings('inherit', { required: true })),
          id: inherit,
          own: t.string(),
        }) as never,
      ),
      bodyLimit: 100,
      consumes: ['application/json'],
      responses: ok,
      security: [scheme.scopes(e.argument('scope', 'read')), 'none'],
      ignore: ['x'],
      nodoc: false,
    }),
    { mediaType: Book },
    { verifiers },
  )

const responses: Sink = (e) =>
  plain({
    routing: route.post('/'),
    responses: e.entries('responses', {
      created: e.settings('responses.created', {
        description: 'x',
        mediaType: Book,
        location: /x/,
        headers: e.entries('responses.created.headers', { 'X-E': 'e', 'X-F': /f/, 'X-G': t.string(), 'X-H': true }),
      }),
      quiet: response(
        e.argument('response.name', 'quiet'),
        e.settings('response', { status: 420, description: 'x', headers: { 'X-A': 'a' }, location: '/x' }),
      ),
      odd: e.settings('responses.odd', { status: 421 }),
    }),
  })

const applications: Sink = (e) =>
  application(
    e.settings('application', {
      title: 'x',
      description: 'x',
      basePath: '',
      controllers: [
        e.argument(
          'application.controllers[0]',
          endpoint('Things', {
            prefix: '//',
            actions: { list: { routing: route.get('/'), responses: ok } },
          }).implement({ list: () => 'x' }),
        ),
      ],
      plugins: [e.argument('application.plugins[0]', { name: 'own' }), e.settings('plugin', plugin) as never],
      config: { own: {} },
      versionWith: ['path'] as never,
      verifiers: [
        e.argument(
          'application.verifiers[0]',
          verifier(Token, () => 'x'),
        ),
      ],
      validation: e.settings('application.validation', { status: 422 as const }),
      ignore: ['x'],
      consumes: ['application/json'],
      limits: e.settings('application.limits', { body: 100, queryPairs: 10, queryDepth: 3 }),
      encodeProblem: problemEncoder('text/plain', () => ({ body: '' })),
      validateResponses: 'always' as const,
      timeout: 1000,
      logger: quiet,
      logRequests: false,
      requestId: e.settings('application.requestId', { header: 'X-Id', trust: true }),
      environment: 'test' as const,
    }) as never,
  )

const Token = security.bearer<string>('Token')
const plugin = {
  name: 'other',
  provides: ['more'],
  requires: ['own'],
  apply: (options: object) => options,
  checkOptions: () => {},
  check: () => {},
  paramNotes: () => ({}),
  contract: () => ({}),
}

const schemes: Sink = (e) => {
  const made = [
    security.bearer(e.argument('bearer.name', 'Bearer'), e.settings('bearer', { description: 'x', format: 'x' })),
    security.basic(e.argument('basic.name', 'Basic'), e.settings('basic', { description: 'x' })),
    security.apiKey(
      e.argument('apiKey.name', 'Key'),
      e.settings('apiKey', { in: 'header' as const, name: 'X-Key', description: 'x' }),
    ),
    security.http(e.argument('http.name', 'Http'), e.settings('http', { scheme: 'Token', description: 'x' })),
    security.oauth2(e.argument('oauth2.name', 'OAuth'), e.settings('oauth2', { flows: { implicit: {} } })),
    security.openIdConnect(
      e.argument('openIdConnect.name', 'Connect'),
      e.settings('openIdConnect', { url: 'https://example.com/' }),
    ),
  ]
  const verifiers = made.map((scheme) =>
    verifier(
      e.argument('verifier.scheme', scheme) as never,
      e.argument('verifier.check', () => 'x'),
    ),
  )
  return plain({ security: made }, {}, { verifiers })
}

const lists: Sink = (e) =>
  plain(
    {
      params: {
        pagination: PaginationParams.for(
          e.argument('pagination.mediaType', Book),
          e.settings('PaginationParams', {
            byFields: ['id'],
            key: ['id'],
            maxItems: 50,
            pageSize: 10,
            disallow: 'none',
            default: e.settings('PaginationParams.default', { page: 1 }),
          }) as never,
          e.settings('pagination.options', { description: 'x' }),
        ),
        order: OrderingParams.for(
          e.argument('order.mediaType', Book),
          e.settings('OrderingParams', {
            byFields: ['id'],
            enforceFor: 'all',
            default: ['-id'],
          }) as never,
          e.settings('order.options', { description: 'x' }),
        ),
        filters: FilteringParams.for(
          e.argument('filters.mediaType', Book),
          e.entries('FilteringParams', {
            title: e.settings('FilteringParams.title', {
              operators: ['='] as never,
              wildcards: true,
            }),
          }),
          e.settings('filters.options', { description: 'x' }),
        ),
        fields: FieldSelector.for(
          e.argument('fields.mediaType', Book),
          e.settings('fields.options', { description: 'x' }),
        ),
      },
      responses: { ok: 'text/plain' },
    },
    { mediaType: Book },
    {
      plugins: [
        e.argument(
          'plugins[0]',
          pagination(
            e.settings('pagination', {
              maxItems: 100,
              defaultPageSize: 10,
              disallowPagingByDefault: false,
              disallowCursorByDefault: false,
              pagingDefaultMode: e.settings('pagination.pagingDefaultMode', { page: 1 }),
              sorting: e.settings('pagination.sorting', { enforceAllFields: true }),
              onExceed: 'clamp',
            }) as never,
          ),
        ),
        mapper(e.settings('mapper', { resources: { books: bookResource } })),
        docs(e.settings('docs', { path: '/documentation' })),
      ],
      config: e.settings('config', { pagination: e.settings('config.pagination', { maxItems: 60 }), docs: {} }),
    },
  )

const column = (kind: 'text' | 'integer') => ({ kind, nullable: true })
const store = memoryDatastore({
  books: { key: ['id'], columns: { id: { kind: 'integer', generated: true }, title: column('text') } },
  shelves: { key: ['id'], columns: { id: column('integer'), book: column('integer') } },
  between: { key: ['a', 'b'], columns: { a: column('integer'), b: column('integer') } },
})
const bookResource = resource(store, Book, { table: 'books' })

const resources: Sink = (e) => {
  const Shelf = mediaType('Shelf', {
    attributes: { id, book: Book, books: t.array(Book), size: t.integer(), count: t.integer() },
  })
  const shelves = resource(
    e.argument('resource.datastore', store),
    e.argument('resource.mediaType', Shelf),
    e.settings('resource', {
      table: 'shelves',
      key: ['id'],
      attributes: e.entries('resource.attributes', {
        book: one(e.argument('one.target', bookResource), e.entries('one.on', { book: 'id' })),
        books: many(
          e.argument('many.target', () => bookResource),
          e.entries('many.on', { id: 'a' }),
          e.settings('many', {
            order: ['-id'],
            through: e.settings('many.through', { table: 'between', on: e.entries('through.on', { b: 'id' }) }),
          }),
        ),
        size: computed(
          e.argument('computed.needs', ['id']) as never,
          e.argument('computed.run', () => 1),
        ),
        count: false,
      }),
    }) as never,
  )
  return plain({}, {}, { plugins: [mapper({ resources: { shelves } })] })
}

const Mocked = endpoint('Mocked', {
  prefix: '//',
  actions: { list: { routing: route.get('/'), responses: { ok: Book } } },
})

const mocks: Sink = (e) =>
  mock(
    e.argument('mock.declared', [Mocked]),
    e.settings('mock', { rows: 2, auth: 'open' as const, logger: quiet, environment: 'test' as const }),
  )

// Without a socket: a wrong host or a number of workers would reach for more than this process.
const served: Sink = (e) => {
  const app = plain({})
  checkServeArguments(
    e.argument('serve.app', app),
    e.settings('serve', {
      port: 0,
      host: '127.0.0.1',
      backlog: 10,
      workers: 1,
      logger: quiet,
      signals: false,
      fatal: false,
      timeouts: e.settings('serve.timeouts', {
        headers: 1000,
        request: 1000,
        response: 1000,
        keepAlive: 1000,
        drain: 100,
      }),
      maxHeaderSize: 16_384,
      maxRequests: 10,
      maxPipelined: 10,
      maxDelay: 0,
      onClose: () => {},
      http: {},
    }),
  )
  return app
}

/** All of them, by name; those of `serve` and `mock` throw a TypeError, the others a DefinitionError. */
export const sinks: Readonly<Record<string, Sink>> = {
  ...kindSinks,
  mediaTypes,
  endpoints,
  inputs,
  responses,
  applications,
  schemes,
  lists,
  resources,
  mocks,
  served,
}
