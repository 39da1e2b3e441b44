// The tables of a database by the names that a Kysely instance has for them: its plugins may rename, or add a schema.
import { createQueryId, type Kysely, type OperationNode, TableNode } from 'kysely'
import { type CatalogueColumn, indexesOf, uniqueSets } from '../sql/catalogue.ts'
import { quoted } from '../sql/dialect.ts'
import type { DialectName, SqlTable } from '../sql/sql.ts'
import { foldOf } from '../sql/values/domain.ts'
import { rowNumber } from '../sql/values/sqlite.ts'
import { columnOf, type Form } from './form.ts'
import { mysqlForm } from './mysql.ts'
import { postgresForm } from './postgres.ts'
import { sqliteForm } from './sqlite.ts'

const FORMS: Readonly<Record<DialectName, (column: CatalogueColumn) => Form>> = {
  sqlite: sqliteForm,
  postgres: postgresForm,
  mysql: mysqlForm,
}

/** Makes the function that describes a table by its name; it throws when there is no such table. */
export async function describer<DB, T extends keyof DB & string>(
  db: Kysely<DB>,
  dialect: DialectName,
  columns: readonly CatalogueColumn[],
): Promise<(source: T) => SqlTable<T>> {
  const tables = byWrittenName(dialect, columns)
  const shown = await shownNames(db, columns)
  const known = new Map<T, SqlTable<T>>()
  return (source) => {
    const found = known.get(source)
    if (found) return found
    const written = quoted(dialect, ...identifiers(db, source))
    const own = tables.get(written)
    if (!own) throw new Error(`The database has no table '${source}' (it would be ${written})`)
    const table = tableOf(source, written, own, (column) => {
      const name = shown.get(column) as string
      const fold = foldOf(dialect, column.declared, column.labels)
      const described = columnOf(quoted(dialect, column.name), name, column, FORMS[dialect](column))
      return [name, fold === undefined ? described : { ...described, fold }]
    })
    known.set(source, table)
    return table
  }
}

function tableOf<T extends string>(
  source: T,
  written: string,
  columns: readonly CatalogueColumn[],
  describe: (column: CatalogueColumn) => readonly [string, ReturnType<typeof columnOf>],
): SqlTable<T> {
  const key = columns.filter((column) => column.key > 0).sort((a, b) => a.key - b.key)
  const described = new Map(columns.map(describe))
  const isCertain = key.length > 0 && key.every(({ nullable }) => !nullable)
  return {
    name: source,
    source,
    written,
    columns: described,
    key: key.map((column) => describe(column)[0]),
    unique: uniqueSets(columns).map((set) => set.map((column) => describe(column)[0])),
    indexes: indexesOf(columns, (column) => described.get(describe(column)[0])),
    ...(!isCertain && columns.some(({ numbered }) => numbered) && { last: rowNumber }),
  }
}

/** Gathers the columns of each table, under its name with the schema, and also without where that is enough. */
function byWrittenName(dialect: DialectName, columns: readonly CatalogueColumn[]): Map<string, CatalogueColumn[]> {
  const tables = new Map<string, CatalogueColumn[]>()
  for (const column of columns) {
    const written = [quoted(dialect, column.schema, column.table)]
    if (column.visible) written.push(quoted(dialect, column.table))
    for (const name of written) {
      const own = tables.get(name)
      if (own) own.push(column)
      else tables.set(name, [column])
    }
  }
  return tables
}

/** Gives the schema that an instance puts before names without one, if it does. */
export function ownSchema<DB>(db: Kysely<DB>): readonly string[] {
  return identifiers(db, 'x').slice(0, -1)
}

/** Gives the schema, if there is one, and the name that an instance writes for a table. */
function identifiers<DB>(db: Kysely<DB>, name: string): readonly string[] {
  const query = (db as unknown as Kysely<Record<string, object>>).selectFrom(name).toOperationNode()
  const [node] = (query as { from?: { froms: readonly OperationNode[] } }).from?.froms ?? []
  if (!node || !TableNode.is(node)) return [name]
  const { schema, identifier } = node.table
  return schema ? [schema.name, identifier.name] : [identifier.name]
}

/** Finds the name under which an instance gives each column. */
async function shownNames<DB>(
  db: Kysely<DB>,
  columns: readonly CatalogueColumn[],
): Promise<ReadonlyMap<CatalogueColumn, string>> {
  // A row for each column, so that no two of them can get into each other's way.
  let result = { rows: columns.map((column): Record<string, unknown> => ({ [column.name]: null })) }
  for (const plugin of db.getExecutor().plugins)
    result = (await plugin.transformResult({ result, queryId: createQueryId() })) as typeof result
  return new Map(columns.map((column, i) => [column, Object.keys(result.rows[i] ?? {})[0] ?? column.name]))
}
