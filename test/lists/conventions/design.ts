// The lists of the walks in every convention: one action for each of them, over the same two tables.
import { type Application, application, type Context, controller, endpoint, route } from 'edict'
import { type Datastore, mapper } from 'edict/mapper'
import {
  aip,
  cursors,
  elasticsearch,
  github,
  graph,
  jsonApi,
  jsonApiPages,
  limitOffset,
  odata,
  pageNumbers,
  pagination,
  relay,
  slack,
  stripe,
} from 'edict/pagination'
import { elementsOf, FILTERED, Item, ORDERED, resourcesIn, type Tables } from '../walks/design.ts'

const wildcards = { wildcards: true } as const

const filterBy = {
  ...Object.fromEntries(FILTERED.map((field) => [field, {}])),
  word: wildcards,
  note: wildcards,
  'owner.name': wildcards,
  'marks.note': wildcards,
}

const PLAIN = ['section', 'number', 'word', 'count', 'size', 'flag', 'day', 'owner.rank'] as const

/** Stripe's lists take no order: each has one of its own. */
export const STRIPE_ORDERS = { key: [], word: ['word'], size: ['-size', 'flag'], moment: ['at', '-note'] } as const

/** The number of elements of a page of OData, which has no param for it. */
export const ODATA_ITEMS = 2

/** The lists of a table with a key. */
function listsOf<K extends readonly ('section' | 'number')[]>(key: K) {
  const common = { key, orderBy: ORDERED, filterBy } as const
  return {
    'limit-offset': limitOffset.for(Item, { ...common, body: { articles: 'elements', articlesCount: 'total' } }),
    'page-numbers': pageNumbers.for(Item, { ...common, headers: { link: true, total: 'X-Total-Count' } }),
    aip: aip.for(Item, common),
    cursors: cursors.for(Item, common),
    github: github.for(Item, { key, orderBy: ORDERED, headers: { link: 'counted', total: 'X-Total-Count' } }),
    graph: graph.for(Item, common),
    relay: relay.for(Item, { key, orderBy: ORDERED }),
    elasticsearch: elasticsearch.for(Item, common),
    odata: odata.for(Item, { ...common, pageSize: ODATA_ITEMS }),
    slack: slack.for(Item, { key, order: ['word', '-size'] }),
    'json-api': jsonApi.for(Item, { key, orderBy: ORDERED, filterBy: equal, type: 'items' }),
    'json-api-pages': jsonApiPages.for(Item, { key, orderBy: ORDERED, filterBy: equal, type: 'items' }),
  }
}

// The conditions that a structure of values can express.
const equal = Object.fromEntries(PLAIN.map((field) => [field, {}]))

const stripes = Object.fromEntries(
  Object.entries(STRIPE_ORDERS).map(([name, order]) => [
    `stripe-${name}`,
    stripe.for(Item, { key: ['number'], order: order as never }),
  ]),
)

/** The URL that absolute links begin with. */
export const BASE_URL = 'https://lists.test/api'

interface AnyList {
  readonly params: object
  readonly body: never
  answer(request: Context['request'], page: never): never
  page(request: Context['request'], elements: never): never
}

const LISTS = {
  singles: { ...listsOf(['number']), ...stripes },
  pairs: listsOf(['section', 'number']),
} as unknown as Readonly<Record<'singles' | 'pairs', Readonly<Record<string, AnyList>>>>

/** The names of the conventions that a table's lists have. */
export const conventionsOf = (table: 'singles' | 'pairs'): readonly string[] => Object.keys(LISTS[table])

type Lists = Pick<ReturnType<typeof resourcesIn>['singles'], 'list'>

type ReadPage = (list: AnyList, from: Lists, request: Context['request']) => Promise<never>

/** Serves the lists from a datastore. */
export const conventionsIn = <T>(datastore: Datastore<T>, tables: Tables<T>): Application =>
  served(datastore, tables, async (_, from, request) => (await from.list(request as never)) as never)

/** Serves the lists from elements in memory. */
export const elementsIn = <T>(datastore: Datastore<T>, tables: Tables<T>): Application =>
  served(datastore, tables, async (list, from, request) => list.page(request, await elementsOf(from)))

function served<T>(datastore: Datastore<T>, tables: Tables<T>, read: ReadPage): Application {
  const resources = resourcesIn(datastore, tables)
  const controllers = (['singles', 'pairs'] as const).map((table) => {
    const lists = Object.entries(LISTS[table])
    const actions = lists.map(([name, { params, body }]) => [
      name,
      { routing: route.get(`/${name}`), params, responses: { ok: body } },
    ])
    const definition = endpoint(table === 'singles' ? 'Singles' : 'Pairs', {
      actions: Object.fromEntries(actions) as Record<string, never>,
    })
    const functions = lists.map(([name, list]) => [
      name,
      async (_: unknown, { request, reply }: Context) =>
        (reply as never as { ok(body: unknown): never }).ok(
          list.answer(request, await read(list, resources[table], request)),
        ),
    ])
    return controller(definition, Object.fromEntries(functions) as never)
  })
  return application({
    environment: 'test',
    plugins: [mapper({ resources }), pagination({ maxItems: 1000, baseUrl: BASE_URL })],
    controllers: controllers as never,
  })
}
