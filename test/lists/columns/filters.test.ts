// Filters over every type of column, with generated values: none fails, they divide a list, and they mean what they mean in memory.
import * as my from 'drizzle-orm/mysql-core'
import * as pg from 'drizzle-orm/pg-core'
import * as lite from 'drizzle-orm/sqlite-core'
import { type Application, t } from 'edict'
import { memoryDatastore } from 'edict/mapper'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DialectName } from '../../../src/plugins/datastores/sql/sql.ts'
import { askFetch } from '../../support/ask.ts'
import type { TestDatabase } from '../../support/engines/engine.ts'
import { startMariadb } from '../../support/engines/mariadb.ts'
import { startPostgres } from '../../support/engines/postgres.ts'
import { startSqlite } from '../../support/engines/sqlite.ts'
import { runs } from '../../support/runs.ts'
import { openConnection, openStore } from '../walks/targets.ts'
import { filterValues, written } from './drawn-values.ts'
import { FILTERED, type FilteredColumn } from './filterable.ts'
import { ATTRIBUTES, type AttributeName, drizzleTable, filteredBy, tableName, tableOf } from './tables.ts'
import { TYPES } from './types.ts'

const SLOW = 600_000
/** Values that are tried with each column. */
const RUNS = runs(1, 12)
/** As how many attributes that it fits a column is filtered. */
const FITS = runs(1, Number.POSITIVE_INFINITY)

type Answer = number[] | string

/** The ids that a filter gives, or why it gives none. */
async function idsOf(app: Application, filter: string): Promise<Answer> {
  const path = `/cells?fields=id&filters=${encodeURIComponent(filter)}`
  const { status, json } = await askFetch(app, `GET ${path}`)
  return status === 200 ? json.map(({ id }: { id: number }) => id).sort((a: number, b: number) => a - b) : `${status}`
}

const isRefusal = (answer: Answer): boolean => typeof answer === 'string' && /^4/.test(answer)

/** Checks a law with generated values, and gives what breaks it. */
async function broken(
  name: string,
  values: fc.Arbitrary<string>,
  law: (value: string) => Promise<string | undefined>,
): Promise<string[]> {
  const property = fc.asyncProperty(values, async (value) => {
    const problem = await law(value)
    if (problem !== undefined) throw new Error(`${JSON.stringify(value).slice(0, 200)} ${problem}`)
  })
  // Characters that patterns of SQLite cannot tell apart.
  const examples: [string][] = name.endsWith('as string') ? [['\ufffd'], ['\ufffe'], ['\uffff']] : []
  const { failed, errorInstance, seed } = await fc.check(property, { numRuns: RUNS + examples.length, examples })
  return failed ? [`${name}, seed ${seed}: ${errorInstance}`.slice(0, 700)] : []
}

// --- as memory does ---------------------------------------------------------------------

/** Decimals without a limit, where a database has none. */
const declaredOf = (dialect: DialectName, attribute: AttributeName) =>
  attribute === 'decimal' && dialect !== 'sqlite' ? t.decimal({ nullable: true }) : ATTRIBUTES[attribute]

const KINDS = {
  ...Object.fromEntries(Object.keys(ATTRIBUTES).map((name) => [name, name])),
  string: 'text',
} as Readonly<Record<AttributeName, string>>

function inMemory({ attribute, values }: FilteredColumn, dialect: DialectName): Application {
  const stored = (text: string): unknown => {
    if (attribute === 'integer' || attribute === 'number') return Number(text)
    if (attribute === 'bigint') return BigInt(text)
    if (attribute === 'boolean') return text === 'true'
    return attribute === 'dateTime' ? new Date(text) : text
  }
  const rows = [...values.map((text, id) => ({ id, x: stored(text) })), { id: values.length, x: null }]
  const columns = { id: { kind: 'integer' }, x: { kind: KINDS[attribute], nullable: true } } as never
  const datastore = memoryDatastore({ cells: { columns, key: ['id'], rows } })
  return filteredBy(datastore, 'cells', attribute, declaredOf(dialect, attribute)) as Application
}

const literal = (dialect: DialectName, attribute: AttributeName, text: string): string => {
  if (attribute === 'boolean') return text
  if (attribute === 'dateTime' && dialect === 'mysql') return `'${text.replace('T', ' ').replace('Z', '')}'`
  return dialect === 'postgres' || ['string', 'date', 'time', 'dateTime'].includes(attribute)
    ? `'${text.replaceAll("'", "''")}'`
    : text
}

const tableFor = (dialect: DialectName, name: string, { drizzle }: FilteredColumn): unknown => {
  const x = drizzle?.() as never
  if (dialect === 'postgres') return pg.pgTable(name, { id: pg.integer().primaryKey(), x })
  if (dialect === 'mysql') return my.mysqlTable(name, { id: my.int().primaryKey(), x })
  return lite.sqliteTable(name, { id: lite.integer().primaryKey(), x })
}

/** A known gap (docs/guide/columns.md): ucs2 of MariaDB has no order for what it cannot hold. */
const isUnordered = (type: string, value: string): boolean =>
  type.includes('ucs2') && /[\u{10000}-\u{10ffff}]/u.test(value)

function filtersOf({ type, attribute, unordered }: FilteredColumn, value: string): string[] {
  const text = written(value)
  const equal = [`x=${text}`, `x!=${text}`, `x=${text},${text}`]
  if (attribute === 'boolean') return equal
  const ordered = (unordered || isUnordered(type, value) ? [] : ['<', '<=', '>', '>=']).map((op) => `x${op}${text}`)
  const like = attribute === 'string' && value !== '' ? [`x=*${text}*`, `x=${text}*`, `x!=*${text}`] : []
  return [...equal, ...ordered, ...like]
}

/** The client of SQLite that Kysely has in these tests cuts a text at U+0000 when it binds it. */
const isCut = (dialect: DialectName, client: string, value: string): boolean =>
  dialect === 'sqlite' && client === 'Kysely' && value.includes('\0')

for (const need of await Promise.all([startSqlite(), startPostgres(), startMariadb()])) {
  const { dialect } = need
  need.describe((engine) => {
    let database: TestDatabase
    beforeAll(async () => {
      database = await engine.createDatabase()
      const connection = await openConnection(dialect, database.url)
      if (dialect === 'mysql') await connection.query("set sql_mode = 'ALLOW_INVALID_DATES', time_zone = '+00:00'")
      for (const [index, type] of TYPES[dialect].entries())
        for (const statement of tableOf(type, index)) await connection.query(statement)
      for (const [index, { type, attribute, values }] of FILTERED[dialect].entries()) {
        const rows = values.map((text, id) => `(${id}, ${literal(dialect, attribute, text)})`)
        await connection.query(`create table f${index} (id integer primary key, x ${type})`)
        await connection.query(`insert into f${index} values ${[...rows, `(${values.length}, null)`].join()}`)
      }
      await connection.end()
    }, SLOW)
    afterAll(() => database?.close())

    const clients = test.each(['Drizzle', 'Kysely'] as const)

    clients('generated values filter as in memory: %s', { timeout: SLOW }, async (client) => {
      const { datastore, end } = await openStore(client, dialect, database.url)
      const wrong: string[] = []
      for (const [index, column] of FILTERED[dialect].entries()) {
        if (client === 'Drizzle' && column.drizzle === undefined) continue
        const { type, attribute, values } = column
        const table = (client === 'Drizzle' ? tableFor(dialect, `f${index}`, column) : `f${index}`) as never
        const app = filteredBy(datastore, table, attribute, declaredOf(dialect, attribute))
        if (app === undefined) throw new Error(`${type} as ${attribute} does not boot`)
        const memory = inMemory(column, dialect)
        const law = async (value: string): Promise<string | undefined> => {
          if (isCut(dialect, client, value)) return undefined
          for (const filter of filtersOf(column, value)) {
            const [found, expected] = [await idsOf(app, filter), await idsOf(memory, filter)]
            if (String(found) !== String(expected)) return `${filter}: ${found} in place of ${expected}`
          }
          return undefined
        }
        wrong.push(...(await broken(`${type} as ${attribute}`, filterValues(attribute, values), law)))
      }
      await end()
      expect(wrong).toEqual([])
    })

    clients('generated values divide a list of any type, or are refused: %s', { timeout: SLOW }, async (client) => {
      const { datastore, end } = await openStore(client, dialect, database.url)
      const wrong: string[] = []
      let count = 0
      for (const [index, type] of TYPES[dialect].entries()) {
        const table = (client === 'Drizzle' ? drizzleTable(dialect, type, index) : tableName(index)) as never
        let fits = 0
        for (const attribute of Object.keys(ATTRIBUTES) as AttributeName[]) {
          const app = filteredBy(datastore, table, attribute)
          const present = app && (await idsOf(app, 'x!'))
          if (app === undefined || !Array.isArray(present)) continue
          count++
          const name = `${type.type.slice(0, 40)} as ${attribute}`
          const law = async (value: string) =>
            isCut(dialect, client, value) ? undefined : divided(app, attribute, present, { name, value })
          wrong.push(...(await broken(name, filterValues(attribute, []), law)))
          if (++fits >= FITS) break
        }
      }
      await end()
      expect(count).toBeGreaterThan(20)
      expect(wrong).toEqual([])
    })
  })
}

/** Tells where a value does not divide the rows that have one into those below it, at it and above it. */
async function divided(
  app: Application,
  attribute: AttributeName,
  present: readonly number[],
  { name, value }: { readonly name: string; readonly value: string },
): Promise<string | undefined> {
  const text = written(value)
  const ops = attribute === 'boolean' ? ['='] : ['<', '=', '>']
  const parts: number[] = []
  for (const op of [...ops, '!=', ...(attribute === 'boolean' ? [] : ['<=', '>='])]) {
    const found = await idsOf(app, `x${op}${text}`)
    if (!Array.isArray(found) && !isRefusal(found)) return `${op} is ${found}`
    if (!Array.isArray(found)) return undefined
    if (op === '<' || op === '=' || op === '>') parts.push(...found)
  }
  const like = attribute === 'string' && value !== '' ? await idsOf(app, `x=*${text}*`) : []
  if (!Array.isArray(like) && !isRefusal(like)) return `*x* is ${like}`
  // A text that is none of the type compares with nothing there.
  if (attribute === 'boolean' || (parts.length === 0 && /^(?:inet|uuid)/.test(name))) return undefined
  return String(parts.sort((a, b) => a - b)) === String(present) ? undefined : `divides ${present} into ${parts}`
}
