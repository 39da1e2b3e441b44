// The index that a list lacks, and the statement that creates it.
import type { CatalogueIndexColumn, CatalogueIndex, TableIndexes } from './table-indexes.ts'
import { splitQuotedNames } from './table-indexes.ts'
import { type SqlDialect, quoteIdentifier } from '../sql/dialect.ts'
import type { DialectName, SqlTable } from '../sql/sql.ts'
import type { IndexRequirement } from './index-requirement.ts'
import { canServe } from './index-match.ts'

/** An index that does not exist yet. */
export interface NewIndex extends CatalogueIndex {
  readonly table: SqlTable
}

/** The shortest index that serves a need: pinned columns first, then the order, ascending where it can be. */
export function buildIndex(
  dialect: SqlDialect,
  need: IndexRequirement,
  { indexes, implied }: TableIndexes,
  made: readonly CatalogueIndex[] = [],
): NewIndex {
  const { table, equalColumns: equal, order } = need
  const absent = dialect.needsPartialNullIndex ? [] : need.nullColumns
  const backwards = order[0]?.descending ?? false
  const columns: readonly CatalogueIndexColumn[] = [
    ...[...equal, ...absent].map(({ sqlName }) => ({ sqlName, descending: false, natural: true })),
    ...order.map(({ column, descending }) => ({
      sqlName: column.sqlName,
      descending: descending !== backwards,
      natural: true,
    })),
  ]
  const nulls = dialect.needsPartialNullIndex ? need.nullColumns.map(({ sqlName }) => `${sqlName} is null`) : []
  const behind = (own: readonly CatalogueIndexColumn[]): readonly CatalogueIndexColumn[] =>
    implied.filter(({ sqlName }) => !own.some((one) => one.sqlName === sqlName))
  const made0 = (own: readonly CatalogueIndexColumn[]): NewIndex => ({
    table,
    name: '',
    unique: false,
    columns: own,
    implied: behind(own),
    ...(nulls.length > 0 && { where: nulls.join(' and ') }),
  })
  let end = columns.length
  while (end > 1 && canServe(dialect, made0(columns.slice(0, end - 1)), need)) end--
  const index = made0(columns.slice(0, end))
  return {
    ...index,
    name: chooseIndexName(
      index,
      [...indexes, ...made].map(({ name }) => name),
    ),
  }
}

/** The most characters of a name in all databases. */
const MAX_NAME_LENGTH = 60

function chooseIndexName({ table, columns, where }: NewIndex, taken: readonly string[]): string {
  const parts = [splitQuotedNames(table.sqlName).at(-1) ?? '', ...columns.map(({ sqlName: written }) => written), where && 'present']
  const words = parts.map((part) => (part ?? '').replaceAll(/\W+/g, '_').replaceAll(/^_+|_+$/g, '')).filter(Boolean)
  const base = words.join('_').slice(0, MAX_NAME_LENGTH - 8)
  const names = ['', ...Array.from(taken, (_, i) => `_${i + 2}`)].map((end) => `${base}${end}_idx`)
  return names.find((name) => !taken.includes(name)) ?? `${base}_${taken.length + 2}_idx`
}

/** Writes the statement that creates an index. */
export function formatCreateIndex(dialect: DialectName, { table, name, columns, where }: NewIndex): string {
  const written = columns.map((column) => column.sqlName + (column.descending ? ' desc' : '')).join(', ')
  return `create index ${quoteIdentifier(dialect, name)} on ${table.sqlName} (${written})${where === undefined ? '' : ` where ${where}`}`
}

/** The most bytes of an index of InnoDB. */
const MAX_INDEX_BYTES = 3072

/** Returns why an index would be longer than its database allows. */
export function explainTooLong({ columns }: NewIndex, { columnBytes: bytes }: TableIndexes): string | undefined {
  const lengths = columns.map(({ sqlName: written }) => [written, bytes.get(written) ?? 0] as const)
  const endless = lengths.find(([, length]) => length === Number.POSITIVE_INFINITY)
  if (endless !== undefined)
    return `${endless[0]} is too long for an index; give it a type with a length, such as varchar(255)`
  const sum = lengths.reduce((total, [, length]) => total + length, 0)
  if (sum <= MAX_INDEX_BYTES) return undefined
  return `its columns may have ${sum} bytes, and an index at most ${MAX_INDEX_BYTES}; declare them shorter`
}
