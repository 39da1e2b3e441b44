// Unique indexes over expressions, from rows of the catalogue as MySQL 8 has them: what is unique of an index is all of its
// parts, so that no columns of one with an expression are unique.
import fc from 'fast-check'
import { createConnection, type RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMariadb } from '../../../../test/support/engines/mariadb.ts'
import { runs } from '../../../../test/support/runs.ts'
import type { SqlClient, Statement } from '../sql/sql.ts'
import { findUniqueSets, readCatalogue } from './catalogue.ts'

// The parts of the tables in information_schema that the catalogue reads, with the types that they have there.
const RECORDED = [
  'create table tables (table_schema varchar(64), table_name varchar(64), table_type varchar(64))',
  `create table columns (table_schema varchar(64), table_name varchar(64), column_name varchar(64), data_type longtext,
    column_type longtext, is_nullable varchar(3), column_default longtext, extra varchar(256), collation_name varchar(64),
    ordinal_position bigint, generation_expression longtext)`,
  `create table statistics (table_schema varchar(64), table_name varchar(64), non_unique int, index_name varchar(64),
    seq_in_index int, column_name varchar(64), collation varchar(1), sub_part bigint, index_type varchar(11), expression longtext)`,
  `create table key_column_usage (table_schema varchar(64), table_name varchar(64), column_name varchar(64),
    constraint_name varchar(64), ordinal_position int)`,
  'create table check_constraints (constraint_schema varchar(64), table_name varchar(64), check_clause longtext)',
]

const COLUMNS = ['email', 'tenant_id', 'name', 'created_on'] as const

/** A part of an index: a column, the beginning of one, or an expression. */
type Part = { readonly column: (typeof COLUMNS)[number]; readonly length?: number } | { readonly expression: string }
interface Index {
  readonly isUnique: boolean
  readonly parts: readonly Part[]
}

const parts: fc.Arbitrary<Part> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ column: fc.constantFrom(...COLUMNS) }) },
  { weight: 1, arbitrary: fc.record({ column: fc.constantFrom(...COLUMNS), length: fc.constant(10) }) },
  {
    weight: 2,
    arbitrary: fc.record({ expression: fc.constantFrom('lower(`email`)', '(`tenant_id` + 1)', 'year(`created_on`)') }),
  },
)
const indexes: fc.Arbitrary<readonly Index[]> = fc.array(
  fc.record({
    isUnique: fc.boolean(),
    parts: fc.uniqueArray(parts, {
      minLength: 1,
      maxLength: 3,
      selector: (one) => ('column' in one ? one.column : one.expression),
    }),
  }),
  { maxLength: 4 },
)

const need = await startMariadb()
need.describe((engine) => {
  let database: Awaited<ReturnType<typeof engine.createDatabase>>
  let connection: Awaited<ReturnType<typeof createConnection>>

  beforeAll(async () => {
    database = await engine.createDatabase()
    await database.run(...RECORDED)
    connection = await createConnection({ uri: database.url, rowsAsArray: false })
  })
  afterAll(async () => {
    await connection?.end()
    await database?.close()
  })

  // The statements of the catalogue, on the recorded rows instead of those of this server.
  const client = {
    dialect: 'mysql',
    query: async ({ strings, values }: Statement) => {
      const sql = strings.join('?').replaceAll('information_schema.', '')
      const [rows] = await connection.query<RowDataPacket[]>(sql, [...values])
      return rows
    },
  } as unknown as SqlClient

  async function record(all: readonly Index[]): Promise<void> {
    for (const name of ['tables', 'columns', 'statistics', 'key_column_usage'])
      await connection.query(`delete from ${name}`)
    await connection.query("insert into tables values (database(), 'accounts', 'BASE TABLE')")
    for (const [i, name] of COLUMNS.entries())
      await connection.query(
        "insert into columns values (database(), 'accounts', ?, 'varchar', 'varchar(200)', 'NO', null, '', 'utf8mb4_bin', ?, '')",
        [name, i + 1],
      )
    for (const [i, { isUnique, parts: list }] of all.entries())
      for (const [j, part] of list.entries()) {
        const [column, length, expression] =
          'column' in part ? [part.column, part.length ?? null, null] : [null, null, part.expression]
        await connection.query(
          "insert into statistics values (database(), 'accounts', ?, ?, ?, ?, 'A', ?, 'BTREE', ?)",
          [isUnique ? 0 : 1, `index_${i}`, j + 1, column, length, expression],
        )
      }
  }

  test('[LST-08] the columns beside an expression in a unique index of MySQL are not unique by themselves', async () => {
    await fc.assert(
      fc.asyncProperty(indexes, async (all) => {
        await record(all)
        const found = findUniqueSets(await readCatalogue(client, [])).map((set) => set.map(({ name }) => name).sort())
        const expected = all.flatMap(({ isUnique, parts: list }) => {
          const names = list.flatMap((part) => ('column' in part ? [part.column] : []))
          return isUnique && names.length === list.length ? [names.sort()] : []
        })
        const sort = (sets: readonly (readonly string[])[]): string[] => sets.map((set) => set.join()).sort()
        expect(sort(found)).toEqual(sort(expected))
      }),
      { numRuns: runs(40, 1000) },
    )
  })
})
