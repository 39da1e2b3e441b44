// The tables of the memory datastore: their declaration, and inserts, updates and deletes.
import { createReporter, type DefinitionMistake, describeValue, readProperty, refuseMistakes } from '../../../extend.ts'
import { memoryKinds } from '../../query/compare-values.ts'
import { compareColumnValues, type MemoryRow } from '../../query/evaluate-query.ts'
import {
  type Column,
  type ColumnKind,
  type ColumnValues,
  type Conflict,
  type Fault,
  INCREMENT,
  type Table,
} from '../../query/query.ts'

/** A column of a table in memory. */
export interface MemoryColumn {
  readonly kind: ColumnKind
  readonly nullable?: boolean
  /** Whether new rows without a value get the next integer. */
  readonly generated?: boolean
  /** The value of new rows without one, or a function that returns it. */
  readonly default?: unknown
}

/** A table in memory: its columns, the names of the primary key's columns, and its first rows. */
export interface MemoryTable {
  readonly columns: Readonly<Record<string, MemoryColumn>>
  readonly key: readonly string[]
  /** Further sets of columns that must be unique, unless one of them is null. */
  readonly unique?: readonly (readonly string[])[]
  readonly rows?: readonly Readonly<Record<string, unknown>>[]
}

/** A table with its rows. */
export interface StoredTable {
  readonly declared: MemoryTable
  readonly table: Table<string>
  /** The rows by the text of their key, in the order of insertion. */
  rows: Map<unknown, MemoryRow>
  /** The greatest value so far of each generated column. */
  readonly lastGenerated: Map<string, bigint>
}

/** Creates a table with its first rows. */
export function createTable(name: string, declared: MemoryTable): StoredTable {
  refuseUnknownKinds(name, declared)
  const columns = new Map(
    Object.entries(declared.columns).map(([column, one]) => [column, describeMemoryColumn(column, one)]),
  )
  const { key, unique = [] } = declared
  const unknownColumn = [key, ...unique].flat().find((column) => !columns.has(column))
  if (unknownColumn !== undefined)
    throw new Error(`The key of the table '${name}' names '${unknownColumn}', which is no column of it`)
  const table = { name, source: name, columns, key: [...key], unique }
  const generated = Object.keys(declared.columns).filter((column) => declared.columns[column]?.generated)
  const lastGenerated = new Map(generated.map((column) => [column, 0n]))
  const stored: StoredTable = { declared, table, rows: new Map(), lastGenerated }
  for (const row of declared.rows ?? []) insertRow(stored, new Map(Object.entries(row)))
  return stored
}

function refuseUnknownKinds(name: string, { columns }: MemoryTable): void {
  const mistakes: DefinitionMistake[] = []
  const report = createReporter(mistakes, `memoryDatastore ${name}`)
  for (const [column, one] of Object.entries(columns)) {
    const kind = readProperty(one, 'kind')
    if (typeof kind !== 'string' || !Object.hasOwn(memoryKinds, kind))
      report(
        `columns.${column}.kind`,
        `it is ${describeValue(kind)}`,
        `use one of ${Object.keys(memoryKinds).join(', ')}`,
      )
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

/** Inserts a row and returns it. */
export const insertRow = (stored: StoredTable, values: MemoryRow): MemoryRow => insertRows(stored, [values])[0]!

function addRow(stored: StoredTable, values: MemoryRow): MemoryRow {
  const { table, rows } = stored
  refuseUnknownColumns(table, values)
  const row = new Map<string, unknown>()
  for (const column of table.columns.values()) {
    const value = values.get(column.name)
    row.set(
      column.name,
      validateValue(table, column, value === undefined ? createInitialValue(stored, column.name) : value),
    )
  }
  const key = formatRowKey(table, row)
  if (rows.has(key)) throw createConflict(table, table.key, `The table '${table.name}' has a row with this key`)
  rows.set(key, row)
  rememberGenerated(stored, row)
  return row
}

/** Returns the values of a row's key. */
export const getKeyValues = ({ key, columns }: Table, row: MemoryRow): ColumnValues =>
  new Map(key.map((name) => [columns.get(name)!, copyValue(columns.get(name)!, row.get(name))]))

/** Inserts rows, all or none of them, and returns them. */
export function insertRows(stored: StoredTable, newRows: readonly MemoryRow[]): readonly MemoryRow[] {
  const before = stored.rows.size
  try {
    const added = newRows.map((row, i) => atRow(i, () => addRow(stored, row)))
    refuseDuplicates(stored.table, stored.rows.values(), before)
    return added
  } catch (error) {
    // Inserted rows come last.
    for (const key of [...stored.rows.keys()].slice(before)) stored.rows.delete(key)
    throw error
  }
}

/** An upsert of one row. */
interface RowUpsert {
  readonly values: MemoryRow
  readonly by: readonly Column[]
  readonly changes: MemoryRow
}

/** Inserts a row, or updates the one with the same values if it fits; returns the row. */
export function upsertRow(
  stored: StoredTable,
  { values, by, changes }: RowUpsert,
  isMatch: (row: MemoryRow) => boolean,
): readonly MemoryRow[] {
  const isSame = (column: Column, row: MemoryRow): boolean =>
    compareColumnValues(column, values.get(column.name), row.get(column.name)) === 0
  const found = [...stored.rows.values()].find((row) => by.every((column) => isSame(column, row)))
  if (found === undefined) return [insertRow(stored, values)]
  return isMatch(found) ? updateRows(stored, changes, (row) => row === found) : []
}

function createInitialValue({ declared, lastGenerated }: StoredTable, name: string): unknown {
  const column = declared.columns[name]!
  if (!column.generated) return typeof column.default === 'function' ? column.default() : (column.default ?? null)
  const next = (lastGenerated.get(name) ?? 0n) + 1n
  return column.kind === 'bigint' ? next : Number(next)
}

// A number that a row brings itself is not generated again.
function rememberGenerated({ lastGenerated }: StoredTable, row: MemoryRow): void {
  for (const [name, last] of lastGenerated) {
    const value = row.get(name)
    if (value === null || value === undefined) continue
    const number = BigInt(value as number | bigint)
    if (number > last) lastGenerated.set(name, number)
  }
}

/** Updates the rows that match, all or none of them, and returns them. */
export function updateRows(
  stored: StoredTable,
  values: MemoryRow,
  isMatch: (row: MemoryRow) => boolean,
): readonly MemoryRow[] {
  const { table } = stored
  refuseUnknownColumns(table, values)
  const changes = Array.from(
    values,
    ([name, value]) =>
      [name, value === INCREMENT ? value : validateValue(table, table.columns.get(name)!, value)] as const,
  )
  const rows = new Map<unknown, MemoryRow>()
  const found: MemoryRow[] = []
  for (const row of stored.rows.values()) {
    const changed = isMatch(row)
    const next = changed ? new Map([...row, ...changes.map((one) => applyChange(row, one))]) : row
    const key = formatRowKey(table, next)
    if (rows.has(key))
      throw createConflict(table, table.key, `The table '${table.name}' would have two rows with one key`)
    rows.set(key, next)
    if (changed) found.push(next)
  }
  refuseDuplicates(table, rows.values())
  stored.rows = rows
  if (found.length > 0) rememberGenerated(stored, new Map(changes.filter(([, value]) => value !== INCREMENT)))
  return found
}

function applyChange(row: MemoryRow, [name, value]: readonly [string, unknown]): readonly [string, unknown] {
  if (value !== INCREMENT) return [name, value]
  const current = row.get(name)
  return [name, typeof current === 'bigint' ? current + 1n : Number(current) + 1]
}

/** Refuses rows that are equal in a unique set; new ones come after the first `before`. */
function refuseDuplicates(table: Table, rows: Iterable<MemoryRow>, before?: number): void {
  const sets = table.unique ?? []
  if (sets.length === 0) return
  const seen = sets.map(() => new Set<string>())
  let index = -(before ?? 0) - 1
  for (const row of rows) {
    index++
    for (const [i, set] of sets.entries()) {
      if (set.some((name) => row.get(name) === null)) continue
      const text = JSON.stringify(
        set.map((name) => memoryKinds[table.columns.get(name)!.kind].toCursorValue(row.get(name))),
      )
      if (seen[i]?.has(text)) {
        const error = createConflict(table, set, `The table '${table.name}' has ${set.join(', ')} ${text} already`)
        throw before === undefined ? error : Object.assign(error, { '~row': index })
      }
      seen[i]?.add(text)
    }
  }
}

/** Deletes the rows that match, and returns their number. */
export function deleteRows({ rows }: StoredTable, isMatch: (row: MemoryRow) => boolean): number {
  const found = [...rows].filter(([, row]) => isMatch(row))
  for (const [key] of found) rows.delete(key)
  return found.length
}

/** Returns a copy of a value, which no caller shares. */
export function copyValue({ kind }: Column, value: unknown): unknown {
  return value === null || value === undefined ? null : memoryKinds[kind].copy(value)
}

/** Returns the fault of an error of a table in memory. */
export function getFault(error: unknown): Fault | undefined {
  return error instanceof Error ? (error as { '~fault'?: Fault })['~fault'] : undefined
}

const createFaultError = (fault: Fault, message: string): Error =>
  Object.assign(new Error(message), { '~fault': fault })

interface MemoryConflict {
  readonly '~columns'?: readonly Column[]
  readonly '~row'?: number
}

/** Returns what a conflict in a table in memory is about. */
export function getConflict(error: unknown): Conflict | undefined {
  const { '~columns': columns, '~row': row = 0 } = error as MemoryConflict
  return columns === undefined ? undefined : { kind: 'duplicate', columns, row }
}

const createConflict = ({ columns }: Table, set: readonly string[], message: string): Error =>
  Object.assign(createFaultError('conflict', message), { '~columns': set.map((name) => columns.get(name) as Column) })

/** Runs work on one of several rows; a conflict remembers which one. */
function atRow<V>(row: number, work: () => V): V {
  try {
    return work()
  } catch (error) {
    throw Object.assign(error as Error, { '~row': row })
  }
}

function refuseUnknownColumns(table: Table, values: MemoryRow): void {
  const unknownColumn = [...values.keys()].find((name) => !table.columns.has(name))
  if (unknownColumn !== undefined) throw new Error(`The table '${table.name}' has no column '${unknownColumn}'`)
}

function validateValue(table: Table, column: Column, value: unknown): unknown {
  const { name, kind, nullable } = column
  if (value === null || value === undefined) {
    if (!nullable) throw createFaultError('value', `The column '${name}' of the table '${table.name}' takes no null`)
  } else if (!memoryKinds[kind].isValue(value)) {
    throw createFaultError(
      'value',
      `The column '${name}' of the table '${table.name}' takes only values of the kind ${kind}`,
    )
  }
  return copyValue(column, value)
}

// Equal keys have equal texts; a table without a key can hold duplicates.
function formatRowKey({ key, columns }: Table, row: MemoryRow): unknown {
  if (key.length === 0) return row
  return JSON.stringify(key.map((name) => memoryKinds[columns.get(name)!.kind].toCursorValue(row.get(name))))
}
