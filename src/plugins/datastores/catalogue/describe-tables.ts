// The tables of a database from its catalogue, by the names that users of a client have for them.

import { quoteIdentifier } from '../sql/dialect.ts'
import type { DialectName, SqlTable } from '../sql/sql.ts'
import { findFold } from '../sql/values/comparison-folds.ts'
import { rowIdColumn } from '../sql/values/sqlite-cursor-codecs.ts'
import { type CatalogueColumn, buildIndexes, findUniqueSets } from './catalogue.ts'
import { createColumn, type ColumnCodec } from './column-codec.ts'
import { findMysqlCodec } from './mysql-types.ts'
import { findPostgresCodec } from './postgres-types.ts'
import { findSqliteCodec } from './sqlite-types.ts'

const FIND_CODEC: Readonly<Record<DialectName, (column: CatalogueColumn) => ColumnCodec>> = {
  sqlite: findSqliteCodec,
  postgres: findPostgresCodec,
  mysql: findMysqlCodec,
}

/** How the users of a client name what a database has. */
export interface TableNaming<T extends string> {
  /** Gives what a name of a table can mean, the likeliest first: the table's own name, or its schema and its name. */
  listCandidateNames(source: T): readonly (readonly string[])[]
  /** Gives the name of a column; without it, the one that it has in the database. */
  nameColumn?(column: CatalogueColumn): string
  /** Gives the form of a column, where the client keeps values in another one. */
  adaptCodec?(form: ColumnCodec): ColumnCodec
}

/** Makes the function that describes a table by its name; it throws when there is no such table. */
export function createTableDescriber<T extends string>(
  dialect: DialectName,
  columns: readonly CatalogueColumn[],
  { listCandidateNames: identify, nameColumn: shown = ({ name }) => name, adaptCodec: formed = (form) => form }: TableNaming<T>,
): (source: T) => SqlTable<T> {
  const tables = groupBySqlName(dialect, columns)
  const known = new Map<T, SqlTable<T>>()
  const describe = (column: CatalogueColumn): NamedColumn => {
    const name = shown(column)
    const fold = findFold(dialect, column.declaredType, column.labels)
    const described = createColumn(quoteIdentifier(dialect, column.name), name, column, formed(FIND_CODEC[dialect](column)))
    return [name, fold === undefined ? described : { ...described, foldComparison: fold }]
  }
  return (source) => {
    const found = known.get(source)
    if (found) return found
    const candidates = identify(source).map((names) => quoteIdentifier(dialect, ...names))
    const written = candidates.find((one) => tables.has(one))
    if (written === undefined)
      throw new Error(`The database has no table '${source}' (it would be ${candidates.join(' or ')})`)
    const own = tables.get(written) as readonly CatalogueColumn[]
    const made = buildTable(source, written, own, describe)
    const table = { ...made, indexes: buildIndexes(dialect, own, (column) => made.columns.get(shown(column))) }
    known.set(source, table)
    return table
  }
}

type NamedColumn = readonly [string, ReturnType<typeof createColumn>]

function buildTable<T extends string>(
  source: T,
  written: string,
  columns: readonly CatalogueColumn[],
  describe: (column: CatalogueColumn) => NamedColumn,
): SqlTable<T> {
  const key = columns.filter((column) => column.keyPosition > 0).sort((a, b) => a.keyPosition - b.keyPosition)
  const described = new Map(columns.map(describe))
  const sets = findUniqueSets(columns)
  const isKnown = sets.length > 0 || columns.some(({ isView: derived }) => !derived)
  const isCertain = key.length > 0 && key.every(({ nullable }) => !nullable)
  return {
    name: source,
    source,
    sqlName: written,
    columns: described,
    key: key.map((column) => describe(column)[0]),
    ...(isKnown && { unique: sets.map((set) => set.map((column) => describe(column)[0])) }),
    ...(!isCertain && columns.some(({ hasRowId: numbered }) => numbered) && { rowId: rowIdColumn }),
  }
}

/** Gathers the columns of each table, under its name with the schema, and also without where that is enough. */
function groupBySqlName(dialect: DialectName, columns: readonly CatalogueColumn[]): Map<string, CatalogueColumn[]> {
  const tables = new Map<string, CatalogueColumn[]>()
  for (const column of columns) {
    const written = [quoteIdentifier(dialect, column.schema, column.table)]
    if (column.visible) written.push(quoteIdentifier(dialect, column.table))
    for (const name of written) {
      const own = tables.get(name)
      if (own) own.push(column)
      else tables.set(name, [column])
    }
  }
  return tables
}
