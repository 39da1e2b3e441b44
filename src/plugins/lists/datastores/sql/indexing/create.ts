// The index that a list lacks, and the statement that creates it.
import type { KnownColumn, KnownIndex, TableIndexes } from '../../catalogue/indexes.ts'
import { namesIn } from '../../catalogue/indexes.ts'
import { type Dialect, quoted } from '../dialect.ts'
import type { DialectName, SqlTable } from '../sql.ts'
import type { Need } from './need.ts'
import { serves } from './serves.ts'

/** An index that does not exist yet. */
export interface NewIndex extends KnownIndex {
  readonly table: SqlTable
}

/** The shortest index that serves a need: pinned columns first, then the order, ascending where it can be. */
export function indexFor(
  dialect: Dialect,
  need: Need,
  { indexes, implied }: TableIndexes,
  made: readonly KnownIndex[] = [],
): NewIndex {
  const { table, equal, order } = need
  const absent = dialect.absentByIndex ? [] : need.absent
  const backwards = order[0]?.descending ?? false
  const columns: readonly KnownColumn[] = [
    ...[...equal, ...absent].map(({ written }) => ({ written, descending: false, natural: true })),
    ...order.map(({ column, descending }) => ({
      written: column.written,
      descending: descending !== backwards,
      natural: true,
    })),
  ]
  const nulls = dialect.absentByIndex ? need.absent.map(({ written }) => `${written} is null`) : []
  const behind = (own: readonly KnownColumn[]): readonly KnownColumn[] =>
    implied.filter(({ written }) => !own.some((one) => one.written === written))
  const made0 = (own: readonly KnownColumn[]): NewIndex => ({
    table,
    name: '',
    unique: false,
    columns: own,
    implied: behind(own),
    ...(nulls.length > 0 && { where: nulls.join(' and ') }),
  })
  let end = columns.length
  while (end > 1 && serves(dialect, made0(columns.slice(0, end - 1)), need)) end--
  const index = made0(columns.slice(0, end))
  return {
    ...index,
    name: nameOf(
      index,
      [...indexes, ...made].map(({ name }) => name),
    ),
  }
}

/** The most characters of a name in all databases. */
const MAX_NAME = 60

function nameOf({ table, columns, where }: NewIndex, taken: readonly string[]): string {
  const parts = [namesIn(table.written).at(-1) ?? '', ...columns.map(({ written }) => written), where && 'present']
  const words = parts.map((part) => (part ?? '').replaceAll(/\W+/g, '_').replaceAll(/^_+|_+$/g, '')).filter(Boolean)
  const base = words.join('_').slice(0, MAX_NAME - 8)
  const names = ['', ...Array.from(taken, (_, i) => `_${i + 2}`)].map((end) => `${base}${end}_idx`)
  return names.find((name) => !taken.includes(name)) ?? `${base}_${taken.length + 2}_idx`
}

/** Writes the statement that creates an index. */
export function createStatement(dialect: DialectName, { table, name, columns, where }: NewIndex): string {
  const written = columns.map((column) => column.written + (column.descending ? ' desc' : '')).join(', ')
  return `create index ${quoted(dialect, name)} on ${table.written} (${written})${where === undefined ? '' : ` where ${where}`}`
}

/** The most bytes of an index of InnoDB. */
const MAX_BYTES = 3072

/** Returns why an index would be longer than its database allows. */
export function tooLong({ columns }: NewIndex, { bytes }: TableIndexes): string | undefined {
  const lengths = columns.map(({ written }) => [written, bytes.get(written) ?? 0] as const)
  const endless = lengths.find(([, length]) => length === Number.POSITIVE_INFINITY)
  if (endless !== undefined)
    return `${endless[0]} is too long for an index; give it a type with a length, such as varchar(255)`
  const sum = lengths.reduce((total, [, length]) => total + length, 0)
  if (sum <= MAX_BYTES) return undefined
  return `its columns may have ${sum} bytes, and an index at most ${MAX_BYTES}; declare them shorter`
}
