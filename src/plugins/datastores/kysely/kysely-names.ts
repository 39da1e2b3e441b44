// The names that a Kysely instance uses for tables and columns: its plugins may rename them, or add a schema.
import { createQueryId, type Kysely, type OperationNode, TableNode } from 'kysely'
import type { CatalogueColumn } from '../catalogue/catalogue.ts'
import type { TableNaming } from '../catalogue/describe-tables.ts'

/** Detects the names that an instance uses for the tables and columns of a database. */
export async function createNaming<DB, T extends keyof DB & string>(
  db: Kysely<DB>,
  columns: readonly CatalogueColumn[],
): Promise<TableNaming<T>> {
  const names = await resolveColumnNames(db, columns)
  return {
    listCandidateNames: (source) => [resolveTableName(db, source)],
    nameColumn: (column) => names.get(column) as string,
  }
}

/** Returns the schema that an instance adds to names without one, if any. */
export function findDefaultSchema<DB>(db: Kysely<DB>): readonly string[] {
  return resolveTableName(db, 'x').slice(0, -1)
}

/** Returns the schema, if any, and the name that an instance writes for a table. */
function resolveTableName<DB>(db: Kysely<DB>, name: string): readonly string[] {
  const query = (db as unknown as Kysely<Record<string, object>>).selectFrom(name).toOperationNode()
  const [node] = (query as { from?: { froms: readonly OperationNode[] } }).from?.froms ?? []
  if (!node || !TableNode.is(node)) return [name]
  const { schema, identifier } = node.table
  return schema ? [schema.name, identifier.name] : [identifier.name]
}

/** Returns the name of each column in the results of an instance. */
async function resolveColumnNames<DB>(
  db: Kysely<DB>,
  columns: readonly CatalogueColumn[],
): Promise<ReadonlyMap<CatalogueColumn, string>> {
  // One row for each column, so that renamed columns cannot collide.
  let result = { rows: columns.map((column): Record<string, unknown> => ({ [column.name]: null })) }
  for (const plugin of db.getExecutor().plugins)
    result = (await plugin.transformResult({ result, queryId: createQueryId() })) as typeof result
  return new Map(columns.map((column, i) => [column, Object.keys(result.rows[i] ?? {})[0] ?? column.name]))
}
