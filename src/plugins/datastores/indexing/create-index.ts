// Builds the index that a list lacks, and the statement that creates it.

import { quoteIdentifier, type SqlDialect } from '../sql/dialect.ts'
import type { DialectName, SqlTable } from '../sql/sql.ts'
import { canServe } from './index-match.ts'
import type { IndexRequirement } from './index-requirement.ts'
import type { CatalogueIndex, CatalogueIndexColumn, TableIndexes } from './table-indexes.ts'
import { splitQuotedNames } from './table-indexes.ts'

/** An index that does not exist yet. */
export interface NewIndex extends CatalogueIndex {
  readonly table: SqlTable
}

/** Builds the shortest index that serves a requirement: pinned columns first, then the order, ascending if possible. */
export function buildIndex(
  dialect: SqlDialect,
  requirement: IndexRequirement,
  { indexes, appendedColumns: implied }: TableIndexes,
  others: readonly CatalogueIndex[] = [],
): NewIndex {
  const { table, equalColumns, order } = requirement
  const nullColumns = dialect.needsPartialNullIndex ? [] : requirement.nullColumns
  const isReversed = order[0]?.descending ?? false
  const columns: readonly CatalogueIndexColumn[] = [
    ...[...equalColumns, ...nullColumns].map(({ sqlName }) => ({ sqlName, descending: false, hasDefaultNulls: true })),
    ...order.map(({ column, descending }) => ({
      sqlName: column.sqlName,
      descending: descending !== isReversed,
      hasDefaultNulls: true,
    })),
  ]
  const nulls = dialect.needsPartialNullIndex ? requirement.nullColumns.map(({ sqlName }) => `${sqlName} is null`) : []
  const listImplied = (indexColumns: readonly CatalogueIndexColumn[]): readonly CatalogueIndexColumn[] =>
    implied.filter(({ sqlName }) => !indexColumns.some((one) => one.sqlName === sqlName))
  const createIndex = (indexColumns: readonly CatalogueIndexColumn[]): NewIndex => ({
    table,
    name: '',
    unique: false,
    columns: indexColumns,
    appendedColumns: listImplied(indexColumns),
    ...(nulls.length > 0 && { where: nulls.join(' and ') }),
  })
  let end = columns.length
  while (end > 1 && canServe(dialect, createIndex(columns.slice(0, end - 1)), requirement)) end--
  const index = createIndex(columns.slice(0, end))
  return {
    ...index,
    name: chooseIndexName(
      index,
      [...indexes, ...others].map(({ name }) => name),
    ),
  }
}

/** The most characters of a name that all databases accept. */
const MAX_NAME_LENGTH = 60

function chooseIndexName({ table, columns, where }: NewIndex, taken: readonly string[]): string {
  const parts = [
    splitQuotedNames(table.sqlName).at(-1) ?? '',
    ...columns.map(({ sqlName }) => sqlName),
    where && 'present',
  ]
  const words = parts.map((part) => (part ?? '').replaceAll(/\W+/g, '_').replaceAll(/^_+|_+$/g, '')).filter(Boolean)
  const base = words.join('_').slice(0, MAX_NAME_LENGTH - 8)
  const names = ['', ...Array.from(taken, (_, i) => `_${i + 2}`)].map((suffix) => `${base}${suffix}_idx`)
  return names.find((name) => !taken.includes(name)) ?? `${base}_${taken.length + 2}_idx`
}

/** Writes the statement that creates an index. */
export function formatCreateIndex(dialect: DialectName, { table, name, columns, where }: NewIndex): string {
  const columnsSql = columns.map((column) => column.sqlName + (column.descending ? ' desc' : '')).join(', ')
  return `create index ${quoteIdentifier(dialect, name)} on ${table.sqlName} (${columnsSql})${where === undefined ? '' : ` where ${where}`}`
}

/** The most bytes of an InnoDB index. */
const MAX_INDEX_BYTES = 3072

/** Returns the reason why an index would be longer than its database allows, or undefined if it is not. */
export function explainTooLong({ columns }: NewIndex, { columnBytes }: TableIndexes): string | undefined {
  const lengths = columns.map(({ sqlName }) => [sqlName, columnBytes.get(sqlName) ?? 0] as const)
  const unlimited = lengths.find(([, length]) => length === Number.POSITIVE_INFINITY)
  if (unlimited !== undefined)
    return `${unlimited[0]} is too long for an index; give it a type with a length, such as varchar(255)`
  const sum = lengths.reduce((total, [, length]) => total + length, 0)
  if (sum <= MAX_INDEX_BYTES) return undefined
  return `its columns may have ${sum} bytes, and an index at most ${MAX_INDEX_BYTES}; declare them shorter`
}
