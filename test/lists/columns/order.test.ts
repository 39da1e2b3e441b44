// Every type of column that the engines know: an order by it is refused at boot, or a walk is exact over all its values.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMariadb } from '../../support/engines/mariadb.ts'
import { startPostgres } from '../../support/engines/postgres.ts'
import { startSqlite } from '../../support/engines/sqlite.ts'
import { isLong, runs } from '../../support/runs.ts'
import { type Client, type Connection, NULLS, openConnection, openStore } from '../walks/targets.ts'
import { follow, type WalkedPage } from '../walks/walk.ts'
import { ATTRIBUTES, type AttributeName, drizzleTable, listBy, tableName, tableOf } from './tables.ts'
import { type ColumnType, TYPES } from './types.ts'

const SLOW = 600_000
type Way = readonly [order: string, items: number]
const USUAL: readonly Way[] = [
  ['x', 3],
  ['-x', 3],
]
const ALL: readonly Way[] = [...USUAL, ['x,-id', 1], ['-x,id', 3], ['x', 1]]
/** How a column is walked as the first attribute that it fits, and how as the others; as how many it is walked. */
const FIRST: readonly Way[] = ALL.slice(0, runs(2, 5))
const LATER: readonly Way[] = isLong ? ALL : [['-x,id', 3]]
const FITS = runs(1, Number.POSITIVE_INFINITY)

const idsOf = (pages: readonly WalkedPage[]): unknown[] =>
  pages.flatMap(({ elements }) => elements.map((element) => (element as { id: number }).id))

for (const need of await Promise.all([startSqlite(), startPostgres(), startMariadb()])) {
  const { dialect } = need

  /** The types with values, and all others that the catalogue has. */
  async function typesOf(query: Connection['query']): Promise<readonly ColumnType[]> {
    const known = TYPES[dialect]
    if (dialect !== 'postgres') return known
    const rows = await query(
      `select t.typname::text from pg_type t join pg_namespace n on n.oid = t.typnamespace
       where n.nspname = 'pg_catalog' and t.typtype in ('b', 'r', 'm') and t.typname <> 'cstring'
       and not exists (select 1 from pg_type e where e.oid = t.typelem and e.typtype in ('c', 'p')) order by 1`,
    )
    const names = new Set(known.map(({ type }) => type.replaceAll('"', '')))
    const others = rows.map(([name]) => String(name)).filter((name) => !names.has(name))
    return [...known, ...others.map((name) => ({ type: `"${name}"`, values: [] }))]
  }

  need.describe((engine) => {
    let database: Awaited<ReturnType<typeof engine.createDatabase>>
    let connection: Connection
    let types: readonly ColumnType[]

    beforeAll(async () => {
      database = await engine.createDatabase()
      connection = await openConnection(dialect, database.url)
      types = await typesOf(connection.query)
      // Values that only old settings take may be in a table all the same.
      if (dialect === 'mysql') await connection.query("set sql_mode = 'ALLOW_INVALID_DATES'")
      for (const [index, type] of types.entries())
        for (const statement of tableOf(type, index)) await connection.query(statement)
    }, SLOW)
    afterAll(async () => {
      await connection?.end()
      await database?.close()
    })

    for (const client of ['Drizzle', 'Kysely'] as const) {
      describe(client, () => {
        test('[PGN-14] [MAP-01] every type is refused at boot, or walked exactly', { timeout: SLOW }, async () => {
          const { datastore, end } = await openStore(client, dialect, database.url)
          const results: [type: string, result: string][] = []
          for (const [index, type] of types.entries()) {
            const table = (client === 'Drizzle' ? drizzleTable(dialect, type, index) : tableName(index)) as never
            const result = await resultOf(type, index, (attribute) => listBy(datastore, table, attribute))
            results.push([type.type.slice(0, 40), result])
          }
          await end()
          console.log(printed(client, results))
          expect(results.filter(([, result]) => result.startsWith('LOST'))).toEqual([])
          expect(results.some(([, result]) => result.startsWith('walked'))).toBe(true)
        })
      })
    }

    type List = (attribute: AttributeName) => ReturnType<typeof listBy>

    async function resultOf(type: ColumnType, index: number, list: List): Promise<string> {
      const walked: string[] = []
      for (const attribute of Object.keys(ATTRIBUTES) as AttributeName[]) {
        const app = list(attribute)
        if (app === undefined) continue
        if (type.values.length === 0) return `LOST: boots as ${attribute}`
        if (walked.length >= FITS) break
        try {
          const ways = walked.length === 0 ? FIRST : LATER
          for (const [order, items] of ways) await walkBoth({ app }, index, order, items)
        } catch (error) {
          // A problem that only the catalogue shows is reported with the first list, and on no page of it.
          if (String(error).includes(`The list of ${tableName(index)} goes by 'x', and`))
            return 'refused with its first list'
          return `LOST as ${attribute}: ${String(error).slice(0, 400)}`
        }
        walked.push(attribute)
      }
      return walked.length === 0 ? 'refused' : `walked as ${walked.join(', ')}`
    }

    async function walkBoth(
      served: { app: never | NonNullable<ReturnType<List>> },
      index: number,
      order: string,
      items: number,
    ) {
      const terms = order.split(',').map((term) => [term.replace(/^-/, ''), term.startsWith('-')] as const)
      const steps = terms.length > 1 ? terms : [...terms, ['id', terms[0]?.[1] ?? false] as const]
      const sorted = steps.map(([column, descending]) => NULLS[dialect](column, descending)).join()
      const prefix = dialect === 'mysql' ? 'set statement max_sort_length = 100000 for ' : ''
      const rows = await connection.query(`${prefix}select id from ${tableName(index)} order by ${sorted}`)
      const expected = rows.map(([id]) => Number(id))
      const start = `/cells?fields=id&order=${order}&pagination=by=x,items=${items}`
      const there = await follow(served, start, 'next', false)
      expect(idsOf(there)).toEqual(expected)
      const prev = there.at(-1)?.links.get('prev')
      const back = prev === undefined ? [] : await follow(served, prev, 'prev', false)
      expect(idsOf(back.toReversed())).toEqual(expected.slice(0, (there.length - 1) * items))
    }
  })

  function printed(client: Client, results: readonly (readonly [string, string])[]): string {
    const lines = results
      .filter(([, result]) => result !== 'refused')
      .map(([type, result]) => `| ${need.name} | ${client} | ${type} | ${result} |`)
    const refused = results.flatMap(([type, result]) => (result === 'refused' ? [type] : [])).join(' ')
    const last = `| ${need.name} | ${client} | ${refused} | refused |`
    return ['| Engine | Datastore | Type | Result |', '|---|---|---|---|', ...lines, last].join('\n')
  }
}
