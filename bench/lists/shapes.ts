// Measures pages of lists in orders that are hard on planners: few values, many ties, nulls, mixed directions, filters. Each
// page must read at most twice its rows, and take about as long in the middle and at the end as at the start.
// `tsx bench/lists/shapes.ts [--rows n] [--engine name] [--rounds n] [--json file] [--write]`; ends with 1 when a bound is broken.
import { writeFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { createClient } from '@libsql/client'
import { createConnection } from 'mysql2/promise'
import pg from 'pg'
import { kyselyDatastore } from '../../src/plugins/datastores/kysely/kysely.ts'
import type { DialectName } from '../../src/plugins/datastores/sql/sql.ts'
import type { Datastore, Operand, Select } from '../../src/plugins/query/query.ts'
import { type Counter, openCounter, type Ran } from '../../test/lists/cost/counters.ts'
import { type Field, filled, indexed, type Term } from '../../test/lists/cost/table.ts'
import { openKysely } from '../../test/support/engines/kysely.ts'
import { serveMariadb } from '../../test/support/engines/mariadb-server.ts'
import { servePostgres } from '../../test/support/engines/postgres-server.ts'
import { createSqliteDatabase } from '../../test/support/engines/sqlite-database.ts'
import { ratio, writeNotes } from './report.ts'

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    engine: { type: 'string', multiple: true, default: ['sqlite', 'postgres', 'mysql'] },
    rounds: { type: 'string', default: '41' },
    json: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})

const ROWS = Number(options.rows)
const LIMIT = 51
const [DEEP, READ] = [1.2, 2 * LIMIT]
const PART = 3

/** An order, and whether the list is filtered by its part. */
const SHAPES = [
  'two',
  '-two',
  'two,-own',
  '-three,own',
  'two,-three,own',
  '-two,three,-own',
  'tied',
  '-tied,own',
  'sparse',
  '-sparse',
  'dense,-own',
  '-dense',
  'two,sparse',
  'three,-dense',
  'sparse,dense',
  'part: sparse',
  'part: -own',
] as const

const PLACES = ['first', 'start', 'middle', 'end'] as const
type Place = (typeof PLACES)[number]

interface Measured {
  readonly engine: string
  readonly shape: string
  readonly place: Place
  readonly statements: number
  readonly rows: number
  readonly ms: readonly number[]
}

interface Opened {
  readonly name: string
  readonly dialect: DialectName
  readonly url: string
  run(statement: string): Promise<unknown>
  close(): Promise<unknown>
}

const OPEN: Readonly<Record<string, () => Promise<Opened>>> = {
  async sqlite() {
    const { url, close } = await createSqliteDatabase()
    const client = createClient({ url })
    return { name: 'SQLite', dialect: 'sqlite', url, run: (sql) => client.execute(sql), close }
  },
  async postgres() {
    const { started, stop } = await servePostgres()
    const { url } = started as { url: string }
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const close = () => client.end().then(stop)
    return { name: 'PostgreSQL', dialect: 'postgres', url, run: (sql) => client.query(sql), close }
  },
  async mysql() {
    const { started, stop } = await serveMariadb()
    const { url: server } = started as { url: string }
    const connection = await createConnection({ uri: server })
    await connection.query('create database bench')
    await connection.query('use bench')
    const close = () => connection.end().then(stop)
    return { name: 'MariaDB', dialect: 'mysql', url: `${server}/bench`, run: (sql) => connection.query(sql), close }
  },
}

const results: Measured[] = []
for (const engine of options.engine) {
  const opened = await (OPEN[engine] as () => Promise<Opened>)()
  try {
    await measureAll(opened)
  } finally {
    await opened.close()
  }
}
const table = written()
console.log(`\n${table}\n`)
const broken = verdicts()
for (const text of broken) console.log(`BROKEN ${text}`)
console.log(broken.length === 0 ? 'All bounds hold.' : `${broken.length} bounds are broken.`)
if (options.write) writeNotes(table, 'shapes.ts')
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(results, null, 2)}\n`)
process.exitCode = broken.length === 0 ? 0 : 1

async function measureAll(opened: Opened): Promise<void> {
  const { dialect, url, name } = opened
  process.stderr.write(`${name}: ${ROWS} rows\n`)
  for (const statement of filled(dialect, ROWS)) await opened.run(statement)
  const ran: Ran[] = []
  const db = openKysely<{ items: object }>(dialect, url, {
    log: ({ query }) => void ran.push({ text: query.sql, values: query.parameters }),
  })
  const counter = await openCounter(dialect, url)
  for (const shape of SHAPES) {
    const [order, isPart] = parsed(shape)
    const [make, drop] = indexed(dialect, order, isPart)
    await opened.run(make)
    // The catalogue is read once: an application starts with its indexes.
    const datastore = await kyselyDatastore(db)
    ran.length = 0
    const started = performance.now()
    results.push(...(await measureShape({ name, shape, datastore, counter, ran }, order, isPart)))
    process.stderr.write(`${name}: ${shape}, ${Math.round(performance.now() - started)} ms\n`)
    await opened.run(drop)
  }
  await counter.end()
  await db.destroy()
}

function parsed(shape: string): [readonly Term[], boolean] {
  const isPart = shape.startsWith('part: ')
  const terms = shape.replace('part: ', '').split(',')
  return [terms.map((term) => ({ field: term.replace('-', '') as Field, descending: term.startsWith('-') })), isPart]
}

interface Shaped {
  readonly name: string
  readonly shape: string
  readonly datastore: Datastore<'items'>
  readonly counter: Counter
  readonly ran: Ran[]
}

async function measureShape(
  { name, shape, datastore, counter, ran }: Shaped,
  terms: readonly Term[],
  isPart: boolean,
): Promise<Measured[]> {
  const from = datastore.table('items')
  const at = (column: string) => ({ source: 0, column: from.columns.get(column)! })
  const last = terms.at(-1)?.descending ?? false
  const order = [...terms, { field: 'id', descending: last }].map(({ field, descending }) => {
    return { reference: at(field), descending }
  })
  const all: Select<'items'> = {
    from,
    joins: [],
    columns: [...new Set([...order.map(({ reference }) => reference), ...[...from.columns.keys()].map(at)])],
    filter: isPart ? { op: '=', reference: at('part'), value: PART } : undefined,
    order,
    limit: LIMIT,
    offset: 0,
  }
  const length = isPart ? await datastore.count(all) : ROWS
  const places: Readonly<Record<Place, number | undefined>> = {
    first: undefined,
    start: LIMIT - 2,
    middle: length >> 1,
    end: length - 5 * LIMIT,
  }
  const made: (Measured & { readonly query: Select<'items'>; readonly ms: number[] })[] = []
  for (const place of PLACES) {
    const offset = places[place]
    const query = { ...all, after: offset === undefined ? undefined : await placeAt(datastore, all, offset) }
    ran.length = 0
    await datastore.select(query)
    const statements = ran.splice(0)
    let rows = 0
    for (const statement of statements) rows += await counter.rows(statement)
    made.push({ engine: name, shape, place, statements: statements.length, rows, query, ms: [] })
  }
  for (let round = -3; round < Number(options.rounds); round++)
    for (const { query, ms } of made) {
      const before = performance.now()
      await datastore.select(query)
      if (round >= 0) ms.push(performance.now() - before)
    }
  ran.length = 0
  return made.map(({ query: _, ...one }) => one)
}

async function placeAt(datastore: Datastore<'items'>, all: Select<'items'>, offset: number): Promise<Operand[]> {
  const read = await datastore.select({
    ...all,
    columns: all.order.map(({ reference }) => reference),
    limit: 1,
    offset,
  })
  return all.order.map((_, column) => ({ cursorValue: read.cursorValue(0, column) }))
}

function depth(one: Measured): number {
  const start = results.find(({ engine, shape, place }) => {
    return engine === one.engine && shape === one.shape && place === 'start'
  }) as Measured
  return ratio(one.ms, start.ms)
}

function written(): string {
  const head = ['Engine', 'Order', ...PLACES.map((place) => `${place}: rows`), 'statements', 'middle', 'end']
  const lines = results.flatMap(({ engine, shape, place }) => {
    if (place !== 'first') return []
    const own = PLACES.map((one) => results.find((r) => r.engine === engine && r.shape === shape && r.place === one)!)
    const most = Math.max(...own.map(({ statements }) => statements))
    const times = own.slice(2).map((one) => depth(one).toFixed(2))
    return [[engine, `\`${shape}\``, ...own.map(({ rows }) => rows), most, ...times]]
  })
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function verdicts(): string[] {
  return results.flatMap((one) => {
    const title = `${one.engine}, ${one.shape}, ${one.place}`
    const isDeep = one.place === 'middle' || one.place === 'end'
    return [
      ...(one.rows > READ ? [`${title}: ${one.rows} rows read (at most ${READ})`] : []),
      ...(isDeep && depth(one) > DEEP ? [`${title}: ${depth(one).toFixed(2)} times the start (at most ${DEEP})`] : []),
    ]
  })
}
