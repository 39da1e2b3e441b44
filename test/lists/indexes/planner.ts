// The plan of an engine for a statement: whether it sorts, and how much it reads.
import { createConnection } from 'mysql2/promise'
import sqlite from 'node-sqlite3-wasm'
import pg from 'pg'
import type { DialectName } from '../../../src/plugins/datastores/sql/sql.ts'
import { openCounter, type Ran } from '../cost/counters.ts'

/** The result of EXPLAIN for a statement. */
interface Explained {
  /** Whether rows are sorted. */
  readonly sorts: boolean
  /** The rows that were read, those that were passed over included. */
  readonly rows: number
  /** The pages that were read, where the engine passes over entries of an index without counting them. */
  readonly pages: number
  /** The plan, for people. */
  readonly plan: string
}

/** A connection that explains statements. */
export interface Planner {
  /** Names of the indexes that it can be led to, of a table with these of its own; none where it finds its way alone. */
  indexes(own: readonly string[], key: 'integer' | 'varchar(40)'): readonly string[]
  /** Explains a statement, led to an index. */
  explain(statement: Ran, index?: string): Promise<Explained>
  /** Tells whether a statement finds nothing by its conditions alone, so that there is no plan. */
  isVoid(statement: Ran): Promise<boolean>
  end(): Promise<void>
}

/** Opens a connection that explains statements. */
export const openPlanner = (dialect: DialectName, url: string): Promise<Planner> => PLANNERS[dialect](url)

const PLANNERS: Readonly<Record<DialectName, (url: string) => Promise<Planner>>> = {
  sqlite: openSqlite,
  postgres: openPostgres,
  mysql: openMysql,
}

async function openSqlite(url: string): Promise<Planner> {
  const database = new sqlite.Database(url.replace(/^file:/, ''))
  return {
    indexes: (own, key) => ['primary key', ...(key === 'integer' ? [] : ['sqlite_autoindex_items_1']), ...own],
    async explain({ text, values }, index) {
      // The schema that others have changed is read with the next row, and EXPLAIN reads none.
      const made = database.all(`select name, sql from sqlite_master where type = 'index'`)
      const hint = index === 'primary key' ? 'not indexed' : `indexed by ${index}`
      const led = index === undefined ? text : text.replaceAll(/( from "items" as t\d+)/g, `$1 ${hint}`)
      const plan = stepsOf(database, led, values)
      if (plan === undefined) return { sorts: true, rows: Infinity, pages: 0, plan: `cannot be ${hint}` }
      const searches = plan.filter((step) => /^(?:SEARCH|SCAN) t\d/.test(step))
      const kept = new Map(made.map(({ name, sql }) => [String(name), / where (\w+) is null$/.exec(String(sql))?.[1]]))
      const isBounded = text.split(' union all ').every((stretch, i) => isEntered(stretch, searches[i] ?? '', kept))
      return {
        sorts: plan.some((step) => step.includes('TEMP B-TREE')),
        rows: isBounded ? 0 : Infinity,
        pages: 0,
        plan: plan.join('; '),
      }
    },
    isVoid: async () => false,
    end: async () => database.close(),
  }
}

/** The steps of a plan; undefined where SQLite cannot take the index that it is led to. */
function stepsOf(database: sqlite.Database, text: string, values: readonly unknown[]): string[] | undefined {
  try {
    const steps = database.all(`explain query plan ${text}`, [...values] as sqlite.JSValue[])
    return steps.map(({ detail }) => String(detail))
  } catch (error) {
    if (String(error).includes('no query solution')) return undefined
    throw error
  }
}

/** Tells whether an index is entered with every condition of a stretch: the others are asked of row after row. */
function isEntered(stretch: string, step: string, kept: ReadonlyMap<string, string | undefined>): boolean {
  const bounds = new Set(Array.from(step.matchAll(/(\w+)([=<>])\?/g), ([, name, op]) => `${name}${op}`))
  const isKept = kept.get(/INDEX (\w+)/.exec(step)?.[1] ?? '')
  const where = / where (.*?) order by /.exec(stretch)?.[1] ?? ''
  return Array.from(where.matchAll(/t\d\."(\w+)" (=|<=|>=|<|>|is not null|is null)/g)).every(
    ([, name = '', op = '']) => {
      const names = name === 'id' ? ['id', 'rowid'] : [name]
      if (op === 'is null') return name === isKept || bounds.has(`${name}=`)
      const signs = op === 'is not null' ? ['>', '<', '='] : [op[0], '=']
      return names.some((one) => signs.some((sign) => bounds.has(`${one}${sign}`)))
    },
  )
}

interface Node {
  readonly 'Node Type': string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Filter?: string
  readonly Plans?: readonly Node[]
}

// Costs have no say: whatever way there is without a sort is taken, however many rows a table has.
const FREE = ['seqscan', 'bitmapscan', 'sort', 'incremental_sort', 'hashagg', 'material']
  .map((one) => `set enable_${one} = off`)
  .join('; ')

async function openPostgres(connectionString: string): Promise<Planner> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(`${FREE}; set jit = off`)
  return {
    indexes: () => [],
    async explain({ text, values }) {
      const explained = `explain (analyze, buffers, timing off, format json) ${text}`
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(explained, [...values])
      const top = rows[0]!['QUERY PLAN'][0].Plan
      const nodes = [...nodesOf(top)]
      return {
        sorts: nodes.some((node) => /Sort|Seq Scan/.test(node['Node Type'])),
        rows: nodes.reduce((sum, node) => sum + readBy(node), 0),
        pages: top['Shared Hit Blocks'] + top['Shared Read Blocks'],
        plan: nodes.map(inWords).join('; '),
      }
    },
    isVoid: async () => false,
    end: () => client.end(),
  }
}

const inWords = (node: Node): string =>
  [node['Node Type'], node['Index Name'], node['Index Cond'], node.Filter && `filter ${node.Filter}`]
    .filter(Boolean)
    .join(' ')

function* nodesOf(node: Node): Generator<Node> {
  yield node
  for (const one of node.Plans ?? []) yield* nodesOf(one)
}

const readBy = (node: Node): number =>
  /Scan$/.test(node['Node Type'])
    ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
    : 0

async function openMysql(uri: string): Promise<Planner> {
  const counter = await openCounter('mysql', uri)
  const connection = await createConnection({ uri })
  const steps = async (text: string, values: readonly unknown[]) => {
    const [rows] = await connection.query(`explain ${text.replaceAll(/\/\*.*?\*\/ /g, '')}`, [...values])
    const told = rows as { type: string | null; key: string | null; ref: string | null; Extra: string }[]
    const plan = told.map(({ type, key, ref, Extra }) => `${type} ${key} ${ref} ${Extra}`).join('; ')
    const sorts = /filesort|temporary/.test(plan) || told.some(({ type }) => type === 'ALL')
    return { sorts, plan }
  }
  return {
    indexes: (own) => ['PRIMARY', ...own],
    // Like PostgreSQL, it is asked whether there is a way without a sort, and not what it expects of others.
    async explain({ text, values }, index) {
      const hint = ` force index (\`${index}\`)`
      const led =
        index === undefined
          ? text
          : text.replaceAll(/( from `(?:items|others)` as t\d+)(?: ignore index \(primary\))?/g, `$1${hint}`)
      return { ...(await steps(led, values)), rows: await counter.rows({ text: led, values }), pages: 0 }
    },
    isVoid: async ({ text, values }) => (await steps(text, values)).plan.includes('Impossible WHERE'),
    async end() {
      await connection.end()
      await counter.end()
    },
  }
}
