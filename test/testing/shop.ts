// A shop with two clients, each with articles of its own: everything that the laws of the test kit are about, and no fault.
import {
  type Application,
  application,
  collectionOf,
  endpoint,
  inherit,
  mediaType,
  route,
  security,
  t,
  verifier,
} from 'edict'
import { cacheControl } from 'edict/cache'
import { conditional, etag } from 'edict/conditional'
import { idempotency, idempotent } from 'edict/idempotency'
import { FieldSelector, FilteringParams, mapper, memoryDatastore, resource } from 'edict/mapper'
import { OrderingParams, PaginationParams, pagination } from 'edict/pagination'
import { memoryStore } from 'edict/stores'

/** A client of the shop. */
interface Owner {
  readonly id: number
}

const Token = security.bearer<Owner>('Token')

const Article = mediaType('Article', {
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ required: true, min: 1, max: 20 }),
    price: t.decimal({ required: true, scale: 2, min: '0.00', max: '999.99' }),
    stock: t.integer({ nullable: true, min: 0, max: 1000 }),
    kind: t.string({ required: true, values: ['book', 'game', 'map'] }),
    version: t.integer({ required: true }),
  },
  views: { brief: ['id', 'title', 'price', 'stock', 'kind'] },
})

const id = t.integer()

const Articles = endpoint('Articles', {
  mediaType: Article,
  version: '1.0',
  actionDefaults: { security: Token },
  actions: {
    index: {
      routing: route.get('/'),
      params: {
        filters: FilteringParams.for(Article, { id: {}, title: { wildcards: true }, price: {}, stock: {}, kind: {} }),
        order: OrderingParams.for(Article, { byFields: ['id', 'title', 'price', 'stock'] }),
        pagination: PaginationParams.for(Article, { byFields: ['id', 'title', 'price'], maxItems: 50, pageSize: 20 }),
        fields: FieldSelector.for(Article),
      },
      responses: { ok: collectionOf(Article, { view: 'brief' }) },
    },
    show: {
      routing: route.get('/:id'),
      params: { id },
      policies: [etag('version'), cacheControl({ noCache: true })],
      responses: { ok: Article, notFound: true },
    },
    create: {
      routing: route.post('/'),
      policies: [idempotent({ keep: '1h' })],
      payload: { title: inherit, price: inherit, stock: inherit, kind: inherit },
      responses: { created: { location: /.*\/articles\/\d+/, mediaType: Article } },
    },
    update: {
      routing: route.patch('/:id'),
      params: { id },
      policies: [etag('version')],
      payload: {
        title: inherit({ required: false }),
        price: inherit({ required: false }),
        stock: inherit,
        kind: inherit({ required: false }),
      },
      responses: { ok: Article, notFound: true },
    },
    remove: { routing: route.delete('/:id'), params: { id }, responses: { noContent: true, notFound: true } },
  },
})

const ROWS = Array.from({ length: 14 }, (_, i) => ({
  id: i + 1,
  title: ['Atlas', 'Chess', 'Emma', 'Emil', 'Ulysses', 'Äsop', 'Zen'][i % 7] as string,
  price: `${(i * 7) % 30}.50`,
  stock: i % 4 === 0 ? null : i % 5,
  kind: ['book', 'game', 'map'][i % 3] as string,
  version: 1,
  owner_id: i % 2 === 0 ? 1 : 2,
}))

/** The rows of the shop, by a resource with the scope of its client and by one without. */
function storage() {
  const datastore = memoryDatastore({
    articles: {
      columns: {
        id: { kind: 'integer', generated: true },
        title: { kind: 'text' },
        price: { kind: 'decimal' },
        stock: { kind: 'integer', nullable: true },
        kind: { kind: 'text' },
        version: { kind: 'integer' },
        owner_id: { kind: 'integer' },
      },
      key: ['id'],
      rows: ROWS,
    },
  })
  const mapping = { table: 'articles', version: 'version' } as const
  return {
    own: resource(datastore, Article, {
      ...mapping,
      scope: ({ principal }: { readonly principal: Owner }) => ({ owner_id: principal.id }),
    }),
    all: resource(datastore, Article, mapping),
  }
}

type Storage = ReturnType<typeof storage>

/** The change of a fault in the functions of the shop. */
export type Change = (functions: Functions, storage: Storage) => Partial<Functions>

// Faults replace functions one by one; their types are those of any function.
type Functions = Record<'index' | 'show' | 'create' | 'update' | 'remove', (params: any, context: any) => any>

// A fault may put something else in the place of the payload.
const sentIn = ({ sent, request }: any): any => sent ?? request.payload ?? {}

const functionsOf = ({ own }: Storage): Functions => ({
  index: async (_, context) => context.reply.ok(await own.within(context).list(context.request)),
  async show({ id }, context) {
    const found = await own.within(context).find(id, context.request)
    return found ? context.reply.ok(found) : context.reply.notFound()
  },
  async create(_, context) {
    const { id } = await own.within(context).create({ ...sentIn(context), version: 1 })
    const made = await own.within(context).find(id)
    return context.reply.created(made, { location: context.href(Articles, { id }) })
  },
  async update({ id }, context) {
    const isThere = await own.within(context).update(id, sentIn(context), { request: context.request })
    return isThere ? context.reply.ok(await own.within(context).find(id)) : context.reply.notFound()
  },
  async remove({ id }, context) {
    return (await own.within(context).delete(id)) ? context.reply.noContent() : context.reply.notFound()
  },
})

/** The clients of the shop. */
export const principals = { ada: { Authorization: 'Bearer 1' }, grace: { Authorization: 'Bearer 2' } }

/** Makes the shop, with some of its functions replaced. */
export function shop(change: Change = () => ({})): Application {
  const stored = storage()
  const functions = functionsOf(stored)
  return application({
    title: 'Shop',
    basePath: '/shop',
    controllers: [Articles.implement({ ...functions, ...change(functions, stored) } as never)],
    plugins: [mapper(), pagination(), conditional(), idempotency(memoryStore())],
    verifiers: [verifier(Token, (token) => (/^[12]$/.test(token) ? { id: Number(token) } : undefined))],
    logger: { info() {}, warn() {}, error() {} },
  }) as Application
}
