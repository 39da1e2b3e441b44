// Describes the tables of a database from its catalogue, under the names that users of a client have for them.

import { quoteIdentifier } from '../sql/dialect.ts'
import type { DialectName, SqlTable } from '../sql/sql.ts'
import { findComparisonRewrite } from '../sql/values/comparison-rewrites.ts'
import { rowIdColumn } from '../sql/values/sqlite-cursor-codecs.ts'
import { buildIndexes, type CatalogueColumn, findUniqueSets } from './catalogue.ts'
import { type ColumnCodec, createColumn } from './column-codec.ts'
import { findMysqlCodec } from './mysql-types.ts'
import { findPostgresCodec } from './postgres-types.ts'
import { findSqliteCodec } from './sqlite-types.ts'

const FIND_CODEC: Readonly<Record<DialectName, (column: CatalogueColumn) => ColumnCodec>> = {
  sqlite: findSqliteCodec,
  postgres: findPostgresCodec,
  mysql: findMysqlCodec,
}

/** The names and codecs that a client uses for tables and columns. */
export interface TableNaming<T extends string> {
  /** Returns the possible meanings of a table's name, the likeliest first: a name, or a schema and a name. */
  listCandidateNames(source: T): readonly (readonly string[])[]
  /** Returns the name of a column; by default the name in the database. */
  nameColumn?(column: CatalogueColumn): string
  /** Returns the codec of a column for a client that returns values in another form. */
  adaptCodec?(form: ColumnCodec): ColumnCodec
}

/** Creates the function that describes a table by its name; it throws if there is no such table. */
export function createTableDescriber<T extends string>(
  dialect: DialectName,
  columns: readonly CatalogueColumn[],
  { listCandidateNames, nameColumn = ({ name }) => name, adaptCodec = (codec) => codec }: TableNaming<T>,
): (source: T) => SqlTable<T> {
  const tables = groupBySqlName(dialect, columns)
  const described = new Map<T, SqlTable<T>>()
  const describe = (column: CatalogueColumn): NamedColumn => {
    const name = nameColumn(column)
    const fold = findComparisonRewrite(dialect, column.declaredType, column.labels)
    const sqlColumn = createColumn(
      quoteIdentifier(dialect, column.name),
      name,
      column,
      adaptCodec(FIND_CODEC[dialect](column)),
    )
    return [name, fold === undefined ? sqlColumn : { ...sqlColumn, rewriteComparison: fold }]
  }
  return (source) => {
    const found = described.get(source)
    if (found) return found
    const candidates = listCandidateNames(source).map((names) => quoteIdentifier(dialect, ...names))
    const sqlName = candidates.find((one) => tables.has(one))
    if (sqlName === undefined)
      throw new Error(`The database has no table '${source}' (it would be ${candidates.join(' or ')})`)
    const tableColumns = tables.get(sqlName) as readonly CatalogueColumn[]
    const unindexed = buildTable(source, sqlName, tableColumns, describe)
    const table = {
      ...unindexed,
      indexes: buildIndexes(dialect, tableColumns, (column) => unindexed.columns.get(nameColumn(column))),
    }
    described.set(source, table)
    return table
  }
}

type NamedColumn = readonly [string, ReturnType<typeof createColumn>]

function buildTable<T extends string>(
  source: T,
  sqlName: string,
  columns: readonly CatalogueColumn[],
  describe: (column: CatalogueColumn) => NamedColumn,
): SqlTable<T> {
  const key = columns.filter((column) => column.keyPosition > 0).sort((a, b) => a.keyPosition - b.keyPosition)
  const described = new Map(columns.map(describe))
  const sets = findUniqueSets(columns)
  const isKnown = sets.length > 0 || columns.some(({ isView }) => !isView)
  const hasNotNullKey = key.length > 0 && key.every(({ nullable }) => !nullable)
  return {
    name: source,
    source,
    sqlName,
    columns: described,
    key: key.map((column) => describe(column)[0]),
    ...(isKnown && { unique: sets.map((set) => set.map((column) => describe(column)[0])) }),
    ...(!hasNotNullKey && columns.some(({ hasRowId }) => hasRowId) && { rowId: rowIdColumn }),
  }
}

/** Groups the columns by table, under its name with the schema, and also without it if that is sufficient. */
function groupBySqlName(dialect: DialectName, columns: readonly CatalogueColumn[]): Map<string, CatalogueColumn[]> {
  const tables = new Map<string, CatalogueColumn[]>()
  for (const column of columns) {
    const sqlNames = [quoteIdentifier(dialect, column.schema, column.table)]
    if (column.visible) sqlNames.push(quoteIdentifier(dialect, column.table))
    for (const name of sqlNames) {
      const tableColumns = tables.get(name)
      if (tableColumns) tableColumns.push(column)
      else tables.set(name, [column])
    }
  }
  return tables
}
