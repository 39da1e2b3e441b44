// The names that a Kysely instance has for tables and columns: its plugins may rename, or add a schema.
import { createQueryId, type Kysely, type OperationNode, TableNode } from 'kysely'
import type { CatalogueColumn } from '../catalogue/catalogue.ts'
import type { TableNaming } from '../catalogue/describe-tables.ts'

/** Finds how an instance names the tables and columns of a database. */
export async function createNaming<DB, T extends keyof DB & string>(
  db: Kysely<DB>,
  columns: readonly CatalogueColumn[],
): Promise<TableNaming<T>> {
  const shown = await resolveColumnNames(db, columns)
  return {
    listCandidateNames: (source) => [resolveTableName(db, source)],
    nameColumn: (column) => shown.get(column) as string,
  }
}

/** Gives the schema that an instance puts before names without one, if it does. */
export function findDefaultSchema<DB>(db: Kysely<DB>): readonly string[] {
  return resolveTableName(db, 'x').slice(0, -1)
}

/** Gives the schema, if there is one, and the name that an instance writes for a table. */
function resolveTableName<DB>(db: Kysely<DB>, name: string): readonly string[] {
  const query = (db as unknown as Kysely<Record<string, object>>).selectFrom(name).toOperationNode()
  const [node] = (query as { from?: { froms: readonly OperationNode[] } }).from?.froms ?? []
  if (!node || !TableNode.is(node)) return [name]
  const { schema, identifier } = node.table
  return schema ? [schema.name, identifier.name] : [identifier.name]
}

/** Finds the name under which an instance gives each column. */
async function resolveColumnNames<DB>(
  db: Kysely<DB>,
  columns: readonly CatalogueColumn[],
): Promise<ReadonlyMap<CatalogueColumn, string>> {
  // A row for each column, so that no two of them can get into each other's way.
  let result = { rows: columns.map((column): Record<string, unknown> => ({ [column.name]: null })) }
  for (const plugin of db.getExecutor().plugins)
    result = (await plugin.transformResult({ result, queryId: createQueryId() })) as typeof result
  return new Map(columns.map((column, i) => [column, Object.keys(result.rows[i] ?? {})[0] ?? column.name]))
}
