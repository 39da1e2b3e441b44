// Tables in memory: their declaration, and the insert, update and delete of rows.
import { type DefinitionMistake, describeValue, readProperty, refuseMistakes, reporter } from '../../../extend.ts'
import { type Column, type ColumnKind, type Fault, INCREMENT, type Table, type ColumnValues } from '../../query/query.ts'
import { memoryKinds } from '../../query/compare-values.ts'
import { compareColumnValues, type MemoryRow } from '../../query/evaluate-query.ts'

/** A column of a table in memory. */
export interface MemoryColumn {
  readonly kind: ColumnKind
  readonly nullable?: boolean
  /** Whether new rows get the next whole number where they bring none. */
  readonly generated?: boolean
  /** The value of new rows that bring none, or a function that makes it. */
  readonly default?: unknown
}

/** A table in memory: its columns, the names of those that make its primary key, and its first rows. */
export interface MemoryTable {
  readonly columns: Readonly<Record<string, MemoryColumn>>
  readonly key: readonly string[]
  /** Further sets of columns that no two rows may have in common, unless one of them is null. */
  readonly unique?: readonly (readonly string[])[]
  readonly rows?: readonly Readonly<Record<string, unknown>>[]
}

/** A table with its rows. */
export interface StoredTable {
  readonly declared: MemoryTable
  readonly table: Table<string>
  /** By the text of the key, in the order in which they came. */
  rows: Map<unknown, MemoryRow>
  /** The greatest number so far of each generated column. */
  readonly lastGenerated: Map<string, bigint>
}

/** Makes a table with its first rows. */
export function createTable(name: string, declared: MemoryTable): StoredTable {
  refuseUnknownKinds(name, declared)
  const columns = new Map(Object.entries(declared.columns).map(([column, one]) => [column, describeMemoryColumn(column, one)]))
  const { key, unique = [] } = declared
  const strange = [key, ...unique].flat().find((column) => !columns.has(column))
  if (strange !== undefined)
    throw new Error(`The key of the table '${name}' names '${strange}', which is no column of it`)
  const table = { name, source: name, columns, key: [...key], unique }
  const generated = Object.keys(declared.columns).filter((column) => declared.columns[column]?.generated)
  const greatest = new Map(generated.map((column) => [column, 0n]))
  const made: StoredTable = { declared, table, rows: new Map(), lastGenerated: greatest }
  for (const row of declared.rows ?? []) insertRow(made, new Map(Object.entries(row)))
  return made
}

function refuseUnknownKinds(name: string, { columns }: MemoryTable): void {
  const mistakes: DefinitionMistake[] = []
  const report = reporter(mistakes, `memoryDatastore ${name}`)
  for (const [column, one] of Object.entries(columns)) {
    const kind = readProperty(one, 'kind')
    if (typeof kind !== 'string' || !Object.hasOwn(memoryKinds, kind))
      report(`columns.${column}.kind`, `it is ${describeValue(kind)}`, `use one of ${Object.keys(memoryKinds).join(', ')}`)
  }
  refuseMistakes(mistakes)
}

/** Describes a column. */
export function describeMemoryColumn(name: string, declared: MemoryColumn): Column {
  const { kind, nullable = false, generated = false } = declared
  return {
    name,
    kind,
    nullable,
    optional: nullable || generated || declared.default !== undefined,
    ...(kind === 'integer' && { range: [BigInt(Number.MIN_SAFE_INTEGER), BigInt(Number.MAX_SAFE_INTEGER)] as const }),
    isCursorValue: (value) => isPrimitive(value) && memoryKinds[kind].fromCursorValue(value) !== undefined,
  }
}

function isPrimitive(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

/** Adds a row and gives it. */
export const insertRow = (to: StoredTable, given: MemoryRow): MemoryRow => insertRows(to, [given])[0]!

function addRow(to: StoredTable, given: MemoryRow): MemoryRow {
  const { table, rows } = to
  refuseUnknownColumns(table, given)
  const row = new Map<string, unknown>()
  for (const column of table.columns.values()) {
    const value = given.get(column.name)
    row.set(column.name, validateValue(table, column, value === undefined ? createInitialValue(to, column.name) : value))
  }
  const key = formatRowKey(table, row)
  if (rows.has(key)) throw createFaultError('conflict', `The table '${table.name}' has a row with this key`)
  rows.set(key, row)
  rememberGenerated(to, row)
  return row
}

/** The values of a row's key. */
export const getKeyValues = ({ key, columns }: Table, row: MemoryRow): ColumnValues =>
  new Map(key.map((name) => [columns.get(name)!, copyValue(columns.get(name)!, row.get(name))]))

/** Adds rows, all or none of them, and gives them. */
export function insertRows(to: StoredTable, given: readonly MemoryRow[]): readonly MemoryRow[] {
  const before = to.rows.size
  try {
    const added = given.map((row) => addRow(to, row))
    refuseDuplicates(to.table, to.rows.values())
    return added
  } catch (error) {
    // New rows come last.
    for (const key of [...to.rows.keys()].slice(before)) to.rows.delete(key)
    throw error
  }
}

/** An upsert of one row. */
interface RowUpsert {
  readonly values: MemoryRow
  readonly by: readonly Column[]
  readonly changes: MemoryRow
}

/** Adds a row, or changes the one with the same values if it fits, and gives it. */
export function upsertRow(to: StoredTable, { values, by, changes }: RowUpsert, fits: (row: MemoryRow) => boolean): readonly MemoryRow[] {
  const isSame = (column: Column, row: MemoryRow): boolean =>
    compareColumnValues(column, values.get(column.name), row.get(column.name)) === 0
  const found = [...to.rows.values()].find((row) => by.every((column) => isSame(column, row)))
  if (found === undefined) return [insertRow(to, values)]
  return fits(found) ? updateRows(to, changes, (row) => row === found) : []
}

function createInitialValue({ declared, lastGenerated: greatest }: StoredTable, name: string): unknown {
  const column = declared.columns[name]!
  if (!column.generated) return typeof column.default === 'function' ? column.default() : (column.default ?? null)
  const next = (greatest.get(name) ?? 0n) + 1n
  return column.kind === 'bigint' ? next : Number(next)
}

// Numbers that a row brings itself are not generated again.
function rememberGenerated({ lastGenerated: greatest }: StoredTable, row: MemoryRow): void {
  for (const [name, known] of greatest) {
    const value = row.get(name)
    if (value === null || value === undefined) continue
    const number = BigInt(value as number | bigint)
    if (number > known) greatest.set(name, number)
  }
}

/** Changes the rows that fit, all or none of them, and gives them as they are then. */
export function updateRows(to: StoredTable, given: MemoryRow, fits: (row: MemoryRow) => boolean): readonly MemoryRow[] {
  const { table } = to
  refuseUnknownColumns(table, given)
  const changes = Array.from(
    given,
    ([name, value]) => [name, value === INCREMENT ? value : validateValue(table, table.columns.get(name)!, value)] as const,
  )
  const rows = new Map<unknown, MemoryRow>()
  const found: MemoryRow[] = []
  for (const row of to.rows.values()) {
    const changed = fits(row)
    const kept = changed ? new Map([...row, ...changes.map((one) => applyChange(row, one))]) : row
    const key = formatRowKey(table, kept)
    if (rows.has(key)) throw createFaultError('conflict', `The table '${table.name}' would have two rows with one key`)
    rows.set(key, kept)
    if (changed) found.push(kept)
  }
  refuseDuplicates(table, rows.values())
  to.rows = rows
  if (found.length > 0) rememberGenerated(to, new Map(changes.filter(([, value]) => value !== INCREMENT)))
  return found
}

function applyChange(row: MemoryRow, [name, value]: readonly [string, unknown]): readonly [string, unknown] {
  if (value !== INCREMENT) return [name, value]
  const known = row.get(name)
  return [name, typeof known === 'bigint' ? known + 1n : Number(known) + 1]
}

function refuseDuplicates(table: Table, rows: Iterable<MemoryRow>): void {
  const sets = table.unique ?? []
  if (sets.length === 0) return
  const seen = sets.map(() => new Set<string>())
  for (const row of rows) {
    for (const [i, set] of sets.entries()) {
      if (set.some((name) => row.get(name) === null)) continue
      const text = JSON.stringify(set.map((name) => memoryKinds[table.columns.get(name)!.kind].toCursorValue(row.get(name))))
      if (seen[i]?.has(text)) throw createFaultError('conflict', `The table '${table.name}' has ${set.join(', ')} ${text} already`)
      seen[i]?.add(text)
    }
  }
}

/** Removes the rows that fit, and tells how many they were. */
export function deleteRows({ rows }: StoredTable, fits: (row: MemoryRow) => boolean): number {
  const found = [...rows].filter(([, row]) => fits(row))
  for (const [key] of found) rows.delete(key)
  return found.length
}

/** A copy of a value, shared with no caller. */
export function copyValue({ kind }: Column, value: unknown): unknown {
  return value === null || value === undefined ? null : memoryKinds[kind].copy(value)
}

/** The meaning of an error of a table in memory to a client. */
export function getFault(error: unknown): Fault | undefined {
  return error instanceof Error ? (error as { '~fault'?: Fault })['~fault'] : undefined
}

const createFaultError = (is: Fault, message: string): Error => Object.assign(new Error(message), { '~fault': is })

function refuseUnknownColumns(table: Table, given: MemoryRow): void {
  const strange = [...given.keys()].find((name) => !table.columns.has(name))
  if (strange !== undefined) throw new Error(`The table '${table.name}' has no column '${strange}'`)
}

function validateValue(table: Table, column: Column, value: unknown): unknown {
  const { name, kind, nullable } = column
  if (value === null || value === undefined) {
    if (!nullable) throw createFaultError('value', `The column '${name}' of the table '${table.name}' takes no null`)
  } else if (!memoryKinds[kind].isValue(value)) {
    throw createFaultError('value', `The column '${name}' of the table '${table.name}' takes only values of the kind ${kind}`)
  }
  return copyValue(column, value)
}

// Equal keys have equal texts; a table without a key can hold anything twice.
function formatRowKey({ key, columns }: Table, row: MemoryRow): unknown {
  if (key.length === 0) return row
  return JSON.stringify(key.map((name) => memoryKinds[columns.get(name)!.kind].toCursorValue(row.get(name))))
}
