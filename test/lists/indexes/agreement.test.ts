// The tool `indexes` against the planners of the engines: for random tables, indexes and declarations, both say the same.
import { application, collectionOf, controller, endpoint, mediaType, route, t } from 'edict'
import { type Datastore, FilteringParams, mapper, resource } from 'edict/mapper'
import { kyselyDatastore } from 'edict/mapper/kysely'
import { OrderingParams, PaginationParams, pagination } from 'edict/pagination'
import fc from 'fast-check'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { IndexesReport, ListReport } from '../../../src/plugins/mapper/indexes/report.ts'
import type { Engine, TestDatabase } from '../../support/engines/engine.ts'
import { openKysely } from '../../support/engines/kysely.ts'
import { startMariadb } from '../../support/engines/mariadb.ts'
import { startPostgres } from '../../support/engines/postgres.ts'
import { startSqlite } from '../../support/engines/sqlite.ts'
import { runs } from '../../support/runs.ts'
import type { Ran } from '../cost/counters.ts'
import { pageAt } from '../walks/walk.ts'
import { openPlanner, type Planner } from './planner.ts'
import {
  copied,
  created,
  type Declaration,
  declarations,
  filled,
  type RandomColumn,
  type RandomTable,
  tables,
  WITHOUT_NULLS,
} from './tables.ts'

/** As many as let the engine's own counts tell a part of an index from all of it. */
const ROWS = { sqlite: 2000, postgres: 20_000, mysql: 10_000 } as const
const ITEMS = 10
const SLOW = 1_200_000
/** Twice a page, and the looks that find where stretches begin. */
const MOST_ROWS = 2 * (ITEMS + 1) + 12
/** One page of the table for each row, and those that lead to entries of an index. */
const MOST_PAGES = 25
const TABLES = runs(1, 20)
const DECLARATIONS = runs(4, 10)

const attributeOf = ({ type, nullable }: RandomColumn) =>
  type === 'varchar(40)' ? t.string({ nullable }) : t.integer({ nullable })

function applicationIn(datastore: Datastore<string>, table: RandomTable, declared: Declaration) {
  const Item = mediaType('Item', {
    attributes: {
      id: table.key === 'integer' ? t.integer({ required: true }) : t.string({ required: true }),
      ...Object.fromEntries(table.columns.map((column) => [column.name, attributeOf(column)])),
    },
  })
  const fields = [...new Set([...declared.orders, ...declared.initial.map((term) => term.replace('-', '')), 'id'])]
  const Items = endpoint('Items', {
    mediaType: Item,
    actions: {
      index: {
        routing: route.get('/'),
        params: {
          ...(declared.filters.length > 0 && {
            filters: FilteringParams.for(Item, Object.fromEntries(declared.filters.map((name) => [name, {}])) as never),
          }),
          pagination: PaginationParams.for(Item, { byFields: fields as never[] }),
          order: OrderingParams.for(Item, {
            byFields: fields as never[],
            ...(declared.initial.length > 0 && { default: declared.initial as never[] }),
          }),
        },
        responses: { ok: collectionOf(Item) },
      },
    },
  })
  const caller: { value: (column: string) => unknown } = { value: () => undefined }
  const items = resource(datastore, Item, {
    table: 'items',
    ...(declared.scope.length > 0 && {
      scope: (context: typeof caller) =>
        Object.fromEntries(declared.scope.map(({ name, isNull }) => [name, isNull ? null : context.value(name)])),
    }),
  }) as never as { within(context: object): { list(request: unknown): Promise<never> } }
  const app = application({
    environment: 'test',
    plugins: [mapper({ resources: { items: items as never } }), pagination()],
    controllers: [
      controller(Items, {
        index: async (_: never, { request, reply }: never) =>
          (reply as { ok(page: unknown): unknown }).ok(await items.within(caller).list(request)),
      } as never),
    ],
  })
  return { app, caller }
}

/** The same without conditions that no row could ever meet. */
function fitting(declared: Declaration, { columns }: RandomTable): Declaration {
  const isNullable = (wanted: string) => columns.find(({ name }) => name === wanted)?.nullable === true
  return {
    ...declared,
    scope: declared.scope.filter(({ name, isNull }) => !isNull || isNullable(name)),
    filters: declared.filters.filter((field) => !declared.scope.some(({ name, isNull }) => isNull && name === field)),
  }
}

/** The value of a column in the first row that has one, and one that no row has. */
const commonOf = ({ type }: RandomColumn): unknown => (type === 'varchar(40)' ? 'v1' : 1)
const rareOf = ({ type }: RandomColumn): unknown => (type === 'varchar(40)' ? 'w' : 900_001)

type ValueOf = (column: RandomColumn) => unknown

/** Values of the scope and of the client, and whether all that was read counts: where most rows fit, planners may pass over some. */
type Way = readonly [scoped: ValueOf, asked: ValueOf, counts: boolean]

function waysOf({ scope, filters }: ListReport): readonly Way[] {
  const pinned = scope.split(', ').filter((one) => one.endsWith('='))
  const isEqual = /^\w+=$/.test(filters)
  const isTwice = isEqual && pinned.includes(filters)
  return [
    [commonOf, commonOf, (pinned.length === 0 && !isEqual) || scope.includes('is null')],
    ...(isEqual && !isTwice ? ([[commonOf, rareOf, true]] as const) : []),
    ...(pinned.length > 0 ? ([[rareOf, isTwice ? rareOf : commonOf, true]] as const) : []),
  ]
}

/** A statement of a list. */
interface Asked extends Ran {
  /** Whether all that is read counts. */
  readonly counts: boolean
  /** Whether it wants rows without a value in some column, of which there may be none. */
  readonly isNull: boolean
  /** Whether it has so few rows that a sort costs nothing. */
  readonly maySort: boolean
}

class Judge {
  readonly #dialect: Engine['dialect']
  readonly #database: TestDatabase
  readonly #db: Kysely<Record<string, object>>
  readonly #planner: Planner
  readonly #ran: Ran[]

  constructor(engine: Engine, database: TestDatabase, planner: Planner) {
    this.#dialect = engine.dialect
    this.#database = database
    this.#planner = planner
    const ran: Ran[] = []
    this.#ran = ran
    this.#db = openKysely(engine.dialect, database.url, {
      log: ({ query }) => void ran.push({ text: query.sql, values: query.parameters }),
    })
  }

  async end(): Promise<void> {
    await this.#planner.end()
    await this.#db.destroy()
  }

  /** Tells where the tool and the planner disagree about a declaration. */
  async disagreements(table: RandomTable, declared: Declaration): Promise<readonly string[]> {
    const statements = declared.indexes.map((index, i) => created(this.#dialect, 'items', `i${i}`, index))
    const absent = declared.scope.flatMap(({ name, isNull }) => (isNull ? [name] : []))
    await this.#database.run(...statements, ...(absent.length > 0 ? copied(this.#dialect, table, absent) : []))
    try {
      const { app, caller } = applicationIn(await kyselyDatastore(this.#db), table, declared)
      const { lists } = (await app.tools['indexes']!()) as IndexesReport
      const found: string[] = []
      const all = this.#planner.indexes(
        declared.indexes.map((_, n) => `i${n}`),
        table.key,
      )
      for (const list of lists) {
        counts.lists++
        if (list.index !== undefined) counts.served++
        const asked = await this.#statements({ app, caller }, table, list)
        // No value meets some filters: there is nothing to plan, and nothing to agree about.
        if (asked.length === 0) continue
        // An index serves a list if it serves it with every value: other ways for other values are none.
        const ways = list.index === undefined || all.length === 0 ? all : [list.index]
        const judged: (readonly string[])[] = []
        for (const way of ways.length === 0 ? [undefined] : ways) judged.push(await this.#broken(asked, way))
        const isServed = judged.some((broken) => broken.length === 0)
        if (isServed !== (list.index !== undefined))
          found.push(
            [
              `${list.origin} order=${list.order} ${list.filters} -> ${list.index ?? list.create ?? list.reason}`,
              ...judged.map((broken, n) => `    ${ways[n] ?? 'planner'}: ${broken[0] ?? 'serves it'}`),
              ...statements.map((one) => `    ${one}`),
            ].join('\n'),
          )
      }
      return found
    } finally {
      const end = this.#dialect === 'mysql' ? ' on items' : ''
      await this.#database.run(...declared.indexes.map((_, i) => `drop index i${i}${end}`))
      await this.#database.run(`drop table if exists ${WITHOUT_NULLS}`)
    }
  }

  /** The statements that a list sends with every kind of value, for its first page and those around it. */
  async #statements(
    list: ReturnType<typeof applicationIn>,
    table: RandomTable,
    report: ListReport,
  ): Promise<readonly Asked[]> {
    const { order, filters } = report
    const columns = new Map(table.columns.map((column) => [column.name, column]))
    const own = /^(\w+)(=|<=|>=|<|>)$/.exec(filters)
    const statements: Asked[] = []
    for (const [scoped, asked, counts] of waysOf(report)) {
      list.caller.value = (name) => scoped(columns.get(name) as RandomColumn)
      const value = own === null ? '' : `${filters}${asked(columns.get(own[1] as string) as RandomColumn)}`
      const part = order === '' ? '' : `by=${order.split(',')[0]?.replace('-', '')},`
      const sent = { pagination: `${part}items=${ITEMS}`, ...(order && { order }), ...(value && { filters: value }) }
      let path = `/items?${new URLSearchParams(sent)}`
      for (const rel of ['next', 'prev', '']) {
        this.#ran.length = 0
        const { links } = await pageAt(list, path, false)
        for (const [i, { text, values }] of Array.from(this.#ran).entries()) {
          if (await this.#planner.isVoid({ text, values })) continue
          const isNull = report.scope.includes('is null')
          statements.push({
            text,
            values,
            counts,
            isNull,
            maySort: !/[<>]/.test(filters) && isNear(text, this.#ran[i - 1]?.text),
          })
        }
        const link = links.get(rel)
        if (link === undefined || asked === rareOf || scoped === rareOf) break
        path = link
      }
    }
    return statements
  }

  /** The plans by which an index does not serve a list. */
  async #broken(statements: readonly Asked[], index: string | undefined): Promise<readonly string[]> {
    const found: string[] = []
    for (const { counts, isNull, maySort, ...statement } of statements)
      for (const table of isNull && this.#dialect !== 'sqlite' ? ['items', WITHOUT_NULLS] : ['items']) {
        const text = statement.text.replaceAll(/( from ["`])items(["`] as )/g, `$1${table}$2`)
        const { sorts, rows, pages, plan } = await this.#planner.explain({ ...statement, text }, index)
        // Where every row is likely to fit, a planner may well pass over some on another way.
        const isRead = counts && (rows > MOST_ROWS || pages > MOST_PAGES)
        if ((sorts && !maySort) || isRead)
          found.push(`${table}, ${rows} rows, ${pages} pages: ${plan} <- ${statement.text}`)
      }
    return found
  }
}

// Rows between two values, or behind the last one that was looked for, are fewer than a page. They are sorted where nulls keep an
// index from having their order.
function isNear(text: string, before: string | undefined): boolean {
  // A list has more columns than one, and looks for the next value of one column.
  if (before === undefined || before.includes(' as c1') || !/ limit 1(?: offset \d+)?$/.test(before)) return false
  const column = Array.from(before.matchAll(/(t0\.["`]\w+["`]) (?:asc|desc)/g)).at(-1)?.[1]
  const [first = ''] = text.split(' union all ')
  return !first.includes(`${column} = `) && !first.includes(`${column} >= `)
}

const counts = { lists: 0, served: 0 }

const engines = await Promise.all([startSqlite(), startPostgres(), startMariadb()])

for (const need of engines) {
  need.describe((engine) => {
    let database: TestDatabase
    let judge: Judge
    beforeAll(async () => {
      database = await engine.createDatabase()
      judge = new Judge(engine, database, await openPlanner(engine.dialect, database.url))
    }, SLOW)
    afterAll(async () => {
      await judge?.end()
      await database?.close()
    })

    test('[LST-11] says of random declarations what EXPLAIN says', { timeout: SLOW }, async () => {
      const seed = Number(process.env['SEED'] ?? 11)
      const found: string[] = []
      Object.assign(counts, { lists: 0, served: 0 })
      for (const [i, table] of fc.sample(tables, { numRuns: TABLES, seed }).entries()) {
        await database.run(...filled(engine.dialect, 'items', table, ROWS[engine.dialect]))
        for (const declared of fc.sample(declarations, { numRuns: DECLARATIONS, seed: seed + i }))
          found.push(...(await judge.disagreements(table, fitting(declared, table))))
        await database.run('drop table items')
      }
      expect(counts.served).toBeGreaterThan(0)
      expect(counts.served).toBeLessThan(counts.lists)
      if (process.env['SEED'] !== undefined) console.log(engine.name, counts, found.length)
      expect(found.join('\n')).toBe('')
    })
  })
}
