// The rows that a page reads where an index serves order and filter, and others tempt the planner: the page, and what the
// filter discards between its bounds, and hardly more.
import { application, collectionOf, controller, endpoint, mediaType, route, t } from 'edict'
import { type Datastore, FieldSelector, FilteringParams, mapper, resource } from 'edict/mapper'
import { kyselyDatastore } from 'edict/mapper/kysely'
import { OrderingParams, PaginationParams, pagination } from 'edict/pagination'
import fc from 'fast-check'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Engine, TestDatabase } from '../../support/engines/engine.ts'
import { openKysely } from '../../support/engines/kysely.ts'
import { startMariadb } from '../../support/engines/mariadb.ts'
import { startPostgres } from '../../support/engines/postgres.ts'
import { startSqlite } from '../../support/engines/sqlite.ts'
import { runs } from '../../support/runs.ts'
import { pageAt } from '../walks/walk.ts'
import { type Counter, openCounter, type Ran } from './counters.ts'
import {
  analysed,
  boundsOf,
  type Case,
  cases,
  columnsOf,
  compare,
  filledWith,
  hasLaterNulls,
  meets,
  otherWay,
  type Row,
  rowsOf,
  type Step,
  textOf,
} from './tempting.ts'

const SLOW = 600_000
const ROWS = 20_000
const ITEMS = 50
// Rows that only tell where a stretch begins: MariaDB counts one for each range, and a look for a value reads one.
const SEEKS = 12
const CASES = Number(process.env['CASES'] ?? runs(3, 300))
const SEED = Number(process.env['SEED'] ?? 3)

const Item = mediaType('Item', {
  attributes: {
    id: t.integer({ required: true }),
    t: t.integer({ required: true }),
    s: t.string({ required: true }),
    b: t.integer({ required: true }),
    nb: t.integer({ nullable: true }),
    ns: t.string({ nullable: true }),
  },
})
const byFields = ['t', 's', 'b', 'nb', 'ns'] as const
const Items = endpoint('Items', {
  mediaType: Item,
  actions: {
    index: {
      routing: route.get('/'),
      params: {
        fields: FieldSelector.for(Item),
        filters: FilteringParams.for(Item),
        pagination: PaginationParams.for(Item, { byFields: [...byFields] }),
        order: OrderingParams.for(Item, { byFields: [...byFields] }),
      },
      responses: { ok: collectionOf(Item) },
    },
  },
})

function applicationIn(datastore: Datastore<'items'>) {
  const items = resource(datastore, Item, { table: 'items' })
  return application({
    environment: 'test',
    plugins: [mapper({ resources: { items } }), pagination({ maxItems: ROWS })],
    controllers: [controller(Items, { index: async (_, { request, reply }) => reply.ok(await items.list(request)) })],
  })
}

const rows = rowsOf(ROWS)

interface Opened {
  readonly engine: Engine
  readonly database: TestDatabase
  readonly db: Kysely<{ items: object }>
  readonly counter: Counter
  readonly ran: Ran[]
}

async function open(engine: Engine): Promise<Opened> {
  const database = await engine.createDatabase()
  await database.run(...filledWith(rows))
  const ran: Ran[] = []
  const db = openKysely<{ items: object }>(engine.dialect, database.url, {
    log: ({ query }) => void ran.push({ text: query.sql, values: query.parameters }),
  })
  return { engine, database, db, counter: await openCounter(engine.dialect, database.url), ran }
}

/** The rows of the way along the serving index, from the row before a page to the one behind it. */
function walkedBy(one: Case, bounded: readonly Row[], page: readonly Row[]): number {
  const isOutside = (row: Row): boolean => one.filter.every((condition) => meets(condition, row)) && !page.includes(row)
  const [first, last] = [page[0], page.at(-1)].map((row) => (row === undefined ? 0 : bounded.indexOf(row))) as [
    number,
    number,
  ]
  const from = bounded.slice(0, first).findLastIndex(isOutside) + 1
  const behind = bounded.slice(last).findIndex(isOutside)
  return (behind < 0 ? bounded.length : last + behind + 1) - from
}

/** A page of a list, and what it read. */
interface Read {
  readonly rows: number
  /** The rows of the way along the serving index. */
  readonly walked: number
  readonly text: string
}

/** Reads pages of a list at its beginning, after it, in the middle and at its end, and backwards from there. */
async function readPages(opened: Opened, one: Case): Promise<readonly Read[]> {
  const { engine, database, db, counter, ran } = opened
  const all = [one.serving, ...one.others]
  const drop = all.map((_, i) => `drop index i${i}${engine.dialect === 'mysql' ? ' on items' : ''}`)
  await database.run(...all.map((index, i) => `create index i${i} on items (${columnsOf(index)})`))
  // Without statistics PostgreSQL takes every condition for one of a few rows, and each way for as good as the others.
  if (one.analysed || engine.dialect === 'postgres') await database.run(analysed(engine.dialect))
  try {
    const app = applicationIn(await kyselyDatastore(db))
    const bounds = boundsOf(one)
    const bounded = rows.filter((row) => bounds.every((bound) => meets(bound, row))).sort(compare(one.order))
    const fitting = bounded.filter((row) => one.filter.every((condition) => meets(condition, row)))
    const text = one.order.map(({ name, descending }) => (descending ? '-' : '') + name).join()
    const filter = textOf(one.filter)
    const kept = filter === '' ? '' : `&filters=${encodeURIComponent(filter)}`
    const path = `/items?fields=id&order=${text}${kept}&pagination=by=${one.order[0]?.name},items=`
    const reads: Read[] = []
    const places = [ITEMS, fitting.length >> 1, fitting.length - ITEMS - 9]
    for (const before of new Set([0, ...places.filter((at) => at > 0 && at < fitting.length)])) {
      let link = path + ITEMS
      if (before > 0) {
        const { links } = await pageAt({ app }, path + before, false)
        link = (links.get('next') as string).replace(`items%3D${before}`, `items%3D${ITEMS}`)
      }
      for (const relation of ['next', 'prev'] as const) {
        ran.length = 0
        const { elements, links } = await pageAt({ app }, link, false)
        const statements = ran.splice(0)
        const at = relation === 'next' ? before : Math.max(0, before - ITEMS)
        const page = fitting.slice(at, relation === 'next' ? before + ITEMS : before)
        expect(elements, `${text} ${filter}`).toEqual(page.map(({ id }) => ({ id })))
        let read = 0
        for (const statement of statements) read += await counter.rows(statement)
        reads.push({
          rows: read,
          walked: walkedBy(one, bounded, page),
          text: `order=${text} filter=${filter} at ${before} ${relation}, ${all.map(columnsOf).join(' | ')}${one.analysed ? ', analysed' : ''}`,
        })
        if (before === 0 || links.get('prev') === undefined) break
        link = links.get('prev') as string
      }
    }
    return reads
  } finally {
    await database.run(...drop)
  }
}

/** Reads pages of a list, and tells which of them read too much. */
async function judge(opened: Opened, one: Case): Promise<readonly string[]> {
  // SQLite and MariaDB look for the value up to which such a page reaches, and read its rows after that.
  const share = opened.engine.dialect !== 'postgres' && hasLaterNulls(one) ? 2 : 1.2
  const other = otherWay(one, rows)
  return (await readPages(opened, one)).flatMap(({ rows: read, walked, text }) => {
    const most = share * Math.max(walked, other) + SEEKS
    return read > most ? [`${text}: ${read} of ${Math.round(most)} rows`] : []
  })
}

const engines = await Promise.all([startSqlite(), startPostgres(), startMariadb()])

const ascending = (...names: readonly (keyof Row)[]) => names.map((name) => ({ name, descending: false }))

const descending = (name: keyof Row): Step => ({ name, descending: true })

/** What was found from outside, and by longer runs. */
const found: readonly Pick<Case, 'order' | 'filter' | 'serving' | 'others'>[] = [
  {
    order: ascending('nb'),
    filter: [{ field: 'ns', operator: '!!', value: '' }],
    serving: ascending('nb', 'id'),
    others: [ascending('nb', 'ns', 'id')],
  },
  {
    order: [...ascending('s'), descending('b')],
    filter: [],
    serving: [...ascending('s'), descending('b'), descending('id')],
    others: [ascending('s', 'b', 'id')],
  },
  // A bound of the filter was hidden from the planner, like conditions that enter no index.
  {
    order: ascending('b'),
    filter: [{ field: 'b', operator: '>', value: 100 }],
    serving: ascending('b', 'id'),
    others: [ascending('b', 's'), ascending('b', 'ns', 'nb', 's')],
  },
  // A range was taken for one of few rows, read as a whole and sorted; backwards, SQLite entered it at the filter's bound.
  {
    order: ascending('nb'),
    filter: [
      { field: 's', operator: '=', value: 's2' },
      { field: 'nb', operator: '<', value: 450 },
    ],
    serving: ascending('nb', 'id'),
    others: [ascending('nb', 's', 't', 'b'), ascending('nb')],
  },
  {
    order: [descending('ns'), ...ascending('nb')],
    filter: [],
    serving: [descending('ns'), ...ascending('nb', 'id')],
    others: [[descending('t'), descending('ns'), ...ascending('nb', 'id')], ascending('nb', 'id')],
  },
  {
    order: ascending('ns', 's'),
    filter: [{ field: 'ns', operator: '<', value: 'n3' }],
    serving: ascending('ns', 's', 'id'),
    others: [ascending('ns', 't', 'id'), ascending('ns', 'nb', 'id'), ascending('ns', 's', 'nb', 'id')],
  },
  // Nulls that the filter leaves out were looked for.
  {
    order: ascending('b', 'ns'),
    filter: [{ field: 'ns', operator: '<', value: 'n20' }],
    serving: ascending('b', 'ns', 'id'),
    others: [ascending('b', 'ns', 'nb', 'id')],
  },
]
const FOUND: readonly Case[] = found.map((one) => ({ ...one, pinned: 0, analysed: true }))

for (const need of engines) {
  need.describe((engine) => {
    let opened: Opened
    beforeAll(async () => {
      opened = await open(engine)
    }, SLOW)
    afterAll(async () => {
      await opened?.counter.end()
      await opened?.db.destroy()
      await opened?.database.close()
    })

    test('[PGN-14] a page reads its rows and those that the filter discards, also next to competing indexes', {
      timeout: SLOW,
    }, async () => {
      const broken: string[] = []
      for (const one of [...FOUND, ...fc.sample(cases, { numRuns: CASES, seed: SEED })])
        broken.push(...(await judge(opened, one)))
      expect(broken).toEqual([])
    })

    test('[LST-11] a list goes on when an index that it is read by is removed', { timeout: SLOW }, async () => {
      const { database, db } = opened
      await database.run('create index own on items (b, id)', 'create index other on items (b, ns, id)')
      const app = applicationIn(await kyselyDatastore(db))
      const path = '/items?fields=id&order=b&filters=ns!&pagination=by=b,items=5'
      const before = await pageAt({ app }, path, false)
      await database.run(
        ...['own', 'other'].map((name) => `drop index ${name}${engine.dialect === 'mysql' ? ' on items' : ''}`),
      )
      expect((await pageAt({ app }, path, false)).elements).toEqual(before.elements)
    })
  })
}
