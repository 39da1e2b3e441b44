// Measures related lists with a limit: the latest 5 notes of each of 20 items, read in one statement, against the same written
// by hand, a lateral join where the database has one. It measures the built package: functions of sources cost more under
// tsx, which gives each of them its name anew. `tsx bench/lists/related.ts [--engine name] [--rounds n]`; ends with 1 when a
// bound is broken.
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { createClient } from '@libsql/client'
import { createConnection } from 'mysql2/promise'
import pg from 'pg'
import type { Datastore } from '../../src/plugins/mapper/index.ts'
import { openKysely } from '../../test/support/engines/kysely.ts'
import { serveMariadb } from '../../test/support/engines/mariadb-server.ts'
import { servePostgres } from '../../test/support/engines/postgres-server.ts'
import { createSqliteDatabase } from '../../test/support/engines/sqlite-database.ts'
import { judgeEach, median } from './report.ts'

// A path that the compiler cannot follow, because the built package is there only after a build.
const load = async <T>(file: string): Promise<T> => import(new URL(`../../dist/${file}`, import.meta.url).href)
const { mediaType, t } = await load<typeof import('../../src/index.ts')>('index.js')
const { many, resource } = await load<typeof import('../../src/plugins/mapper/index.ts')>('plugins/mapper/index.js')
const { kyselyDatastore } = await load<typeof import('../../src/plugins/datastores/kysely/kysely.ts')>(
  'plugins/datastores/kysely/kysely.js',
)
const { mysql2Datastore } = await load<typeof import('../../src/plugins/datastores/plain/mysql2.ts')>(
  'plugins/datastores/plain/mysql2.js',
)
const { pgDatastore } = await load<typeof import('../../src/plugins/datastores/plain/pg.ts')>(
  'plugins/datastores/plain/pg.js',
)

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string', multiple: true, default: ['sqlite', 'postgres', 'mysql'] },
    rounds: { type: 'string', default: '1500' },
  },
})

const [PARENTS, EACH, ITEMS, NOTES] = [20, 5, 1000, 200]
const MOST = 1.25
/** Rounds that are not counted, in which the machine code of both is made. */
const WARM = 1000

const Note = mediaType('Note', {
  attributes: { id: t.integer({ required: true }), item_id: t.integer(), made: t.integer(), text: t.string() },
})
const Item = mediaType('Item', {
  attributes: { id: t.integer({ required: true }), title: t.string(), notes: t.array(Note) },
})

type Rows = readonly Readonly<Record<string, unknown>>[]

interface Opened {
  readonly name: string
  readonly datastore: Datastore<string>
  /** Runs a statement of its own. */
  run(text: string, values?: readonly unknown[]): Promise<Rows>
  /** The statement by hand for the notes of so many items, and what it binds. */
  byHand(ids: readonly unknown[]): readonly [text: string, values: readonly unknown[]]
  close(): Promise<unknown>
}

const signs = (ids: readonly unknown[]): string => ids.map(() => '?').join(', ')
const numbered = (ids: readonly unknown[]): readonly [string, readonly unknown[]] => [
  `select id, item_id, made, text from (select id, item_id, made, text, row_number() over (partition by item_id order by made desc, id) as n from notes where item_id in (${signs(ids)})) as r where n <= ${EACH} order by item_id, n`,
  ids,
]

const OPEN: Readonly<Record<string, () => Promise<Opened>>> = {
  async sqlite() {
    const { url, close } = await createSqliteDatabase()
    const client = createClient({ url })
    await fill((text) => client.execute(text), 'sqlite')
    const datastore = (await kyselyDatastore(openKysely('sqlite', url))) as unknown as Datastore<string>
    const run = async (sql: string, args: readonly unknown[] = []) =>
      (await client.execute({ sql, args: args as never })).rows as unknown as Rows
    return { name: 'SQLite', datastore, run, byHand: numbered, close }
  },
  async postgres() {
    const { started, stop } = await servePostgres()
    const pool = new pg.Pool({ connectionString: (started as { url: string }).url, max: 1 })
    await fill((text) => pool.query(text), 'postgres')
    return {
      name: 'PostgreSQL',
      datastore: await pgDatastore(pool),
      run: async (text, values = []) => (await pool.query(text, values as unknown[])).rows,
      byHand: (ids) => [
        `select r.* from unnest($1::int[]) as k (id) cross join lateral (select id, item_id, made, text from notes where item_id = k.id order by made desc, id limit ${EACH}) as r`,
        [ids],
      ],
      close: () => pool.end().then(stop),
    }
  },
  async mysql() {
    const { started, stop } = await serveMariadb()
    const connection = await createConnection({ uri: (started as { url: string }).url })
    await connection.query('create database bench')
    await connection.query('use bench')
    await fill((text) => connection.query(text), 'mysql')
    return {
      name: 'MariaDB',
      datastore: await mysql2Datastore(connection),
      run: async (text, values = []) => (await connection.query(text, values as unknown[]))[0] as Rows,
      byHand: numbered,
      close: () => connection.end().then(stop),
    }
  },
}

async function fill(run: (text: string) => Promise<unknown>, engine: string): Promise<void> {
  const series = (count: number, of: string): string => {
    if (engine === 'postgres') return `(select i from generate_series(1, ${count}) as i) as ${of}`
    if (engine === 'mysql') return `(select seq as i from seq_1_to_${count}) as ${of}`
    return `(with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count}) select i from n) as ${of}`
  }
  const text = engine === 'mysql' ? 'varchar(100)' : 'text'
  for (const statement of [
    `create table items (id integer not null primary key, title ${text} not null)`,
    `create table notes (id integer not null primary key, item_id integer not null, made integer not null, text ${text} not null)`,
    `insert into items select i, 'An item' from ${series(ITEMS, 'a')}`,
    `insert into notes select (a.i - 1) * ${NOTES} + b.i, a.i, b.i * 7919 % 1009, 'Something that was noted' from ${series(ITEMS, 'a')} cross join ${series(NOTES, 'b')}`,
    'create index notes_by_item on notes (item_id, made desc, id)',
    engine === 'mysql' ? 'analyze table notes, items' : 'analyze',
  ])
    await run(statement)
}

async function contest({ name, datastore, run, byHand }: Opened): Promise<boolean> {
  const notes = resource(datastore, Note, { table: 'notes' })
  const items = resource(datastore, Item, {
    table: 'items',
    attributes: { notes: many(notes, { id: 'item_id' }, { order: ['-made'], limit: EACH }) },
  })
  const hand = async (): Promise<Rows> => {
    const found = await run(`select id, title from items order by id limit ${PARENTS}`)
    const related = await run(...byHand(found.map(({ id }) => id)))
    return found.map((item) => ({ ...item, notes: related.filter((note) => note['item_id'] === item['id']) }))
  }
  const own = (): Promise<Rows> => items.list({ limit: PARENTS, fields: ['id', 'title', 'notes'] }) as never
  const [a, b] = [JSON.stringify(await own()), JSON.stringify(await hand())]
  if (a !== b) throw new Error(`${name}: the two differ\n${a}\n${b}`)
  const spent: Readonly<Record<'own' | 'hand', number[]>> = { own: [], hand: [] }
  for (let round = -WARM; round < Number(options.rounds); round++)
    for (const [which, work] of [
      ['own', own],
      ['hand', hand],
    ] as const) {
      const before = performance.now()
      await work()
      if (round >= 0) spent[which].push(performance.now() - before)
    }
  const ratio = median(spent.own) / median(spent.hand)
  const figures = `${(median(spent.own) * 1000).toFixed(0)} µs, by hand ${(median(spent.hand) * 1000).toFixed(0)} µs`
  const holds = ratio <= MOST
  console.log(
    `${holds ? 'holds ' : 'BROKEN'} ${name}: ${PARENTS} × ${EACH} take ${ratio.toFixed(2)} times the same by hand (at most ${MOST}): ${figures}`,
  )
  return holds
}

await judgeEach(options.engine, OPEN, contest)
