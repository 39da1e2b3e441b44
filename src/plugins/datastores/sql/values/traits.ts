// Traits of text columns that only the database knows; they are read after it has refused to compare a column.
import type { SqlClient, SqlColumn, SqlCount, SqlFilter, SqlTable, Statement } from '../sql.ts'

/** The traits of a text column. */
export interface TextColumnTraits {
  /** The character set and the collation of a MySQL column, if the character set is not utf8mb4. */
  readonly narrowCharset?: { readonly charset: string; readonly collation: string }
  /** Whether the collation in PostgreSQL is nondeterministic, so that patterns are refused. */
  readonly isNondeterministic?: boolean
}

const traitsByColumn = new WeakMap<SqlColumn, TextColumnTraits>()

/** Returns the traits of a column, if they have been read. */
export const getTraits = (column: SqlColumn): TextColumnTraits | undefined =>
  traitsByColumn.get(column.extremeOf ?? column)

const learnedTables = new WeakSet<SqlTable>()

/** Reads the traits of a query's tables if they may be the reason for an error; returns whether any were new. */
export async function learnTraits(client: SqlClient, error: unknown, query: Partial<SqlCount>): Promise<boolean> {
  const code = (error as { readonly errno?: unknown; readonly code?: unknown } | undefined) ?? {}
  if (!(client.dialect === 'mysql' ? code.errno === 1267 : client.dialect === 'postgres' && code.code === '0A000'))
    return false
  const tables = [...new Set(listQueryTables(query))].filter((table) => !learnedTables.has(table)) as SqlTable[]
  for (const table of tables) {
    await (client.dialect === 'mysql' ? learnCharsets(client, table) : learnCollations(client, table))
    learnedTables.add(table)
  }
  return tables.length > 0
}

function* listQueryTables({ from, joins = [], filter }: Partial<SqlCount>): Generator<SqlTable> {
  if (from !== undefined) yield from
  for (const { table, where, aggregate } of joins) {
    yield table
    if (where !== undefined) yield* listFilterTables(where)
    if (aggregate !== undefined) yield* listQueryTables(aggregate)
  }
  if (filter !== undefined) yield* listFilterTables(filter)
}

function* listFilterTables(filter: SqlFilter): Generator<SqlTable> {
  if (filter.op === 'and' || filter.op === 'or') for (const one of filter.of) yield* listFilterTables(one)
  else if ('from' in filter) yield* listQueryTables(filter)
}

async function queryValues(client: SqlClient, statement: Statement): Promise<readonly (readonly unknown[])[]> {
  return (await client.query(statement)).map((row) => (Array.isArray(row) ? row : Object.values(row)))
}

const splitQuotedNames = (sqlName: string): string[] =>
  [...sqlName.matchAll(/(["`])((?:\1\1|(?!\1).)*)\1/g)].map(([, quote = '', name = '']) =>
    name.replaceAll(quote + quote, quote),
  )

async function learnCharsets(client: SqlClient, table: SqlTable): Promise<void> {
  const [name, schema] = splitQuotedNames(table.sqlName).reverse()
  const rows = await queryValues(client, {
    strings: [
      'select column_name as a, character_set_name as b, collation_name as c from information_schema.columns where table_schema = coalesce(',
      ', database()) and table_name = ',
      " and character_set_name <> 'utf8mb4'",
    ],
    values: [schema ?? null, name],
  })
  const traits = new Map(
    rows.map(([column, charset, collation]) => [
      String(column),
      { narrowCharset: { charset: String(charset), collation: String(collation) } },
    ]),
  )
  for (const column of table.columns.values())
    rememberTraits(column, traits.get(splitQuotedNames(column.sqlName)[0] ?? ''))
}

async function learnCollations(client: SqlClient, table: SqlTable): Promise<void> {
  const rows = await queryValues(client, {
    strings: [
      'select a.attname::text as a from pg_catalog.pg_attribute a join pg_catalog.pg_collation c on c.oid = a.attcollation where not c.collisdeterministic and a.attrelid = cast(cast(',
      ' as text) as regclass)',
    ],
    values: [table.sqlName],
  })
  const names = new Set(rows.map(([name]) => String(name)))
  for (const column of table.columns.values())
    rememberTraits(
      column,
      names.has(splitQuotedNames(column.sqlName)[0] ?? '') ? { isNondeterministic: true } : undefined,
    )
}

function rememberTraits(column: SqlColumn, traits: TextColumnTraits | undefined): void {
  if (traits !== undefined) traitsByColumn.set(column, traits)
}
