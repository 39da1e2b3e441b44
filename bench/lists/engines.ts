// The databases of the benchmark: made, filled without sending rows, and asked how they read a page.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type InValue } from '@libsql/client'
import pg from 'pg'
import { servePostgres } from '../../test/support/engines/postgres-server.ts'

export type EngineName = 'sqlite' | 'postgres'

/** A statement as a contestant ran it. */
export interface Recorded {
  readonly text: string
  readonly values: readonly unknown[]
}

/** How a database reads a page. */
export interface PagePlan {
  readonly line: string
  /** The index alone gives the rows in their order, from where the page begins. */
  readonly isIndexed: boolean
  /** Rows and blocks that were touched, where the database tells. */
  readonly touched?: { readonly rows: number; readonly blocks: number }
}

/** A database that is filled. */
export interface Bench {
  readonly url: string
  /** The moment of a row, counted from the end of the list that begins with the latest. */
  explain(statement: Recorded): Promise<PagePlan>
  /** The CPU time that the database has spent for a contestant, in microseconds; undefined when it is in the contestant's. */
  cpu(contestant: string): Promise<number | undefined>
  close(): Promise<void>
}

/** So many rows share a moment: two pages. */
export const TIES = 100
const INDEX = 'items_by_moment'
const FIRST = Date.UTC(2020, 0, 1)
const NOTED = 1000

/** The moment of a row by its number, from 0. */
export const momentOf = (row: number): string => new Date(FIRST + Math.floor(row / TIES) * 60_000).toISOString()

const told = (text: string): void => void process.stderr.write(`${text}\n`)

/** Makes a database with so many items. */
export const OPEN: Readonly<Record<EngineName, (rows: number) => Promise<Bench>>> = {
  sqlite: openSqlite,
  postgres: openPostgres,
}

// --- SQLite ----------------------------------------------------------------------------

async function openSqlite(rows: number): Promise<Bench> {
  const folder = mkdtempSync(join(tmpdir(), 'edict-lists-'))
  const url = `file:${join(folder, 'lists.db')}`
  const client = createClient({ url })
  for (const text of [
    'pragma journal_mode = wal',
    'create table items (id integer primary key, title text not null, kind text not null, price real, stock integer not null, active boolean not null, created_at text not null)',
    'create table notes (id integer primary key, item_id integer not null, text text not null)',
  ])
    await client.execute(text)
  const step = 100_000
  for (let from = 0; from < rows; from += step) {
    told(`SQLite: ${from} of ${rows} rows`)
    await client.execute(sqliteRows(from, Math.min(rows, from + step)))
  }
  for (const text of [
    `insert into notes (item_id, text) select id, 'note of ' || id from items where id <= ${NOTED}`,
    `create index ${INDEX} on items (created_at desc, id)`,
    'create index notes_by_item on notes (item_id)',
    'analyze',
  ])
    await client.execute(text)
  return {
    url,
    cpu: async () => undefined,
    async explain({ text, values }) {
      const plan = await client.execute({ sql: `explain query plan ${text}`, args: values as InValue[] })
      const line = plan.rows.map(({ detail }) => String(detail)).join('; ')
      // A page is read as stretches of its index, one behind the other.
      const reads = plan.rows.map(({ detail }) => String(detail)).filter((one) => /^(?:SEARCH|SCAN) t\d/.test(one))
      const byIndex = reads.length > 0 && reads.every((one) => one.includes(INDEX))
      return { line, isIndexed: byIndex && !line.includes('TEMP B-TREE') }
    },
    async close() {
      client.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const sqliteRows = (from: number, to: number): string => `
  with recursive n (i) as (select ${from} union all select i + 1 from n where i + 1 < ${to})
  insert into items select i + 1, 'The item number ' || (i * 7919 % 1000003), case i % 4 when 0 then 'book' when 1 then 'film' when 2 then 'game' else 'song' end,
    case when i % 10 = 0 then null else (i % 500) + 0.25 end, i % 97, i % 3 = 0,
    strftime('%Y-%m-%dT%H:%M:%S', ${FIRST / 1000} + (i / ${TIES}) * 60, 'unixepoch') || '.000Z' from n`

// --- PostgreSQL ------------------------------------------------------------------------

async function openPostgres(rows: number): Promise<Bench> {
  const { started, stop } = await servePostgres()
  const { url } = started as { url: string }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  told(`PostgreSQL: ${rows} rows`)
  for (const text of [
    'create table items (id integer primary key, title text not null, kind text not null, price double precision, stock integer not null, active boolean not null, created_at timestamptz not null)',
    'create table notes (id integer primary key, item_id integer not null, text text not null)',
    `insert into items select i + 1, 'The item number ' || (i::bigint * 7919 % 1000003), (array['book', 'film', 'game', 'song'])[i % 4 + 1],
      case when i % 10 = 0 then null else (i % 500) + 0.25 end, i % 97, i % 3 = 0,
      to_timestamp(${FIRST / 1000} + (i / ${TIES}) * 60) from generate_series(0, ${rows - 1}) as i`,
    `insert into notes select i, i, 'note of ' || i from generate_series(1, ${NOTED}) as i`,
    `create index ${INDEX} on items (created_at desc, id)`,
    'create index notes_by_item on notes (item_id)',
    'vacuum analyze items',
    'vacuum analyze notes',
    'checkpoint',
  ])
    await client.query(text)
  return {
    url,
    explain: (statement) => explainPostgres(client, statement),
    cpu: (contestant) => backendCpu(client, contestant),
    async close() {
      await client.end()
      await stop()
    },
  }
}

interface PgNode {
  readonly 'Node Type': string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly 'Actual Rows': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
  readonly Plans?: readonly PgNode[]
}

async function explainPostgres(client: pg.Client, { text, values }: Recorded): Promise<PagePlan> {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PgNode; 'Execution Time': number }] }>(
    `explain (analyze, buffers, format json) ${text}`,
    [...values],
  )
  const [{ Plan: top, 'Execution Time': ms }] = rows[0]!['QUERY PLAN']
  const nodes = flat(top)
  const scans = nodes.filter((node) => node['Node Type'].includes('Scan') && node['Node Type'] !== 'Subquery Scan')
  const sum = (of: (scan: PgNode) => number): number => scans.reduce((total, scan) => total + of(scan), 0)
  const read = sum((scan) => scan['Actual Rows'])
  const removed = sum((scan) => scan['Rows Removed by Filter'] ?? 0)
  const conditions = scans.map((scan) => `${scan['Index Name']} on ${scan['Index Cond'] ?? 'all'}`).join(', ')
  const blocks = top['Shared Hit Blocks'] + top['Shared Read Blocks']
  const shape = nodes.map((node) => node['Node Type']).join(' > ')
  return {
    line: `${shape} using ${conditions}: ${read} rows, ${removed} passed over, ${blocks} blocks, ${ms} ms`,
    isIndexed:
      scans.every((scan) => scan['Index Name'] === INDEX) && !nodes.some((node) => node['Node Type'] === 'Sort'),
    touched: { rows: read + removed, blocks },
  }
}

const flat = (node: PgNode): PgNode[] => [node, ...(node.Plans ?? []).flatMap(flat)]

/** The CPU time of the backends of a contestant, as Linux tells it. */
async function backendCpu(client: pg.Client, contestant: string): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity where application_name = $1', [
    contestant,
  ])
  try {
    const nanos = rows.map(({ pid }) => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]))
    return nanos.reduce((sum, one) => sum + one, 0) / 1000
  } catch {
    return undefined
  }
}
