// How many rows an engine reads for a statement, in its own words: those that it passes over count like the others.
import { createConnection } from 'mysql2/promise'
import sqlite from 'node-sqlite3-wasm'
import pg from 'pg'
import type { DialectName } from '../../../src/plugins/datastores/sql/sql.ts'

/** A statement as a client ran it. */
export interface Ran {
  readonly text: string
  readonly values: readonly unknown[]
}

/** A connection that tells what statements read. */
export interface Counter {
  rows(statement: Ran): Promise<number>
  end(): Promise<void>
}

/** Opens a connection that counts rows. */
export const openCounter = (dialect: DialectName, url: string): Promise<Counter> => COUNTERS[dialect](url)

const COUNTERS: Readonly<Record<DialectName, (url: string) => Promise<Counter>>> = {
  postgres: openPostgres,
  mysql: openMysql,
  sqlite: async (url) => openSqlite(url),
}

interface Node {
  readonly 'Node Type': string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly Node[]
}

async function openPostgres(connectionString: string): Promise<Counter> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  return {
    async rows({ text, values }) {
      const explained = `explain (analyze, timing off, format json) ${text}`
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(explained, [...values])
      return scanned(rows[0]!['QUERY PLAN'][0].Plan)
    },
    end: () => client.end(),
  }
}

/** Only scans read rows; what stands above them hands rows on. */
function scanned(node: Node): number {
  const below = (node.Plans ?? []).reduce((sum, one) => sum + scanned(one), 0)
  if (!/^(?:Seq|Index|Index Only|Bitmap Heap|Tid) Scan$/.test(node['Node Type'])) return below
  const passed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  return below + (node['Actual Rows'] + passed) * node['Actual Loops']
}

async function openMysql(uri: string): Promise<Counter> {
  const connection = await createConnection({ uri })
  const status = async (): Promise<number> => {
    const sql = `show session status where Variable_name like 'Handler\\_read%' or Variable_name like 'Handler\\_icp%'`
    const [rows] = await connection.query({ sql, rowsAsArray: true })
    return (rows as unknown as [string, string][]).reduce((sum, [name, value]) => {
      // Rows that were read and sorted are read once more, by their position.
      if (name === 'Handler_read_rnd') return sum
      // An engine that looks into the index only hands on those that match.
      if (name === 'Handler_icp_match') return sum - Number(value)
      return /deleted|retry/.test(name) ? sum : sum + Number(value)
    }, 0)
  }
  return {
    async rows({ text, values }) {
      const before = await status()
      const during = await status()
      await connection.query(text, [...values])
      // Asking reads rows as well, as many each time.
      return (await status()) - during - (during - before)
    },
    end: () => connection.end(),
  }
}

const MARKED = / as (t\d+)((?: indexed by \S+)?)( where | order by )/g

function openSqlite(url: string): Counter {
  const database = new sqlite.Database(url.replace(/^file:/, ''))
  let rows = 0
  database.function('seen', (_id) => {
    rows++
    return 1
  })
  return {
    // A condition that every row meets is asked of every row, before the others.
    async rows({ text, values }) {
      rows = 0
      const marked = text.replace(MARKED, (_, alias: string, hint: string, next: string) => {
        const seen = ` as ${alias}${hint} where seen(${alias}."id")`
        return next === ' where ' ? `${seen} and ` : `${seen}${next}`
      })
      if (marked === text) throw new Error(`Rows cannot be counted: ${text}`)
      database.all(marked, [...values] as sqlite.JSValue[])
      return rows
    },
    end: async () => database.close(),
  }
}
