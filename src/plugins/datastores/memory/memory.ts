// The memory datastore: the executable meaning of the query tree, for tests and for small data.
import type { Count, Datastore, Filter, Reference, Select, SelectedRows, ColumnValues } from '../../query/query.ts'
import type { Snapshot } from '../../query/snapshot.ts'
import { memoryKinds } from '../../query/compare-values.ts'
import { limitPerKey, compileAfterCursor, createJoin, sortRows, compileFilter, type MemoryRow, type GetRows, type JoinedRow, getValue } from '../../query/evaluate-query.ts'
import {
  copyValue,
  deleteRows,
  describeMemoryColumn,
  getFault,
  insertRow,
  insertRows,
  getKeyValues,
  type MemoryTable,
  type StoredTable,
  createTable,
  updateRows,
  upsertRow,
} from './memory-table.ts'

export type { MemoryColumn, MemoryTable } from './memory-table.ts'

/** Makes a datastore with tables in memory, identified by name. */
export function memoryDatastore(tables: Readonly<Record<string, MemoryTable>>): Datastore<string> {
  const byName = new Map(Object.entries(tables).map(([name, declared]) => [name, createTable(name, declared)]))
  const find = (name: string): StoredTable => {
    const found = byName.get(name)
    if (found === undefined) throw new Error(`There is no table '${name}', only ${[...byName.keys()].join(', ')}`)
    return found
  }
  const rowsOf: GetRows = (table) => [...find(String(table.source)).rows.values()]
  const datastore: Datastore<string> = {
    maxValues: Number.POSITIVE_INFINITY,
    table: (name) => find(name).table,
    derive: (name, kind, derived) => ({ ...describeMemoryColumn(name, { kind, nullable: true }), derived }),
    select: async (query) => selectRows(query, rowsOf),
    count: async (query) => queryJoinedRows(query, rowsOf).length,
    insert: async (table, values) => getKeyValues(table, insertRow(find(table.source), toRow(values))),
    update: async (table, values, filter) =>
      updateRows(find(table.source), toRow(values), createRowTest(filter, rowsOf)).length,
    insertMany: async (table, rows, columns) => toReturnedRows(insertRows(find(table.source), rows.map(toRow)), columns),
    updateReturning: async (table, values, filter, columns) =>
      toReturnedRows(updateRows(find(table.source), toRow(values), createRowTest(filter, rowsOf)), columns),
    upsert: async ({ table, values, by, changes, filter }, columns) => {
      const fits = filter === undefined ? () => true : createRowTest(filter, rowsOf)
      const given = { values: toRow(values), by, changes: toRow(changes) }
      return toReturnedRows(upsertRow(find(table.source), given, fits), columns)
    },
    delete: async (table, filter) => deleteRows(find(table.source), createRowTest(filter, rowsOf)),
    fault: getFault,
    snapshot: async () => createSnapshot(datastore, byName),
  }
  return datastore
}

type MemorySnapshot = Snapshot<Datastore<string>, Select<string>, SelectedRows>

// Rows are never changed: others take their places.
function createSnapshot(datastore: Datastore<string>, tables: ReadonlyMap<string, StoredTable>): MemorySnapshot {
  const kept = new Map(Array.from(tables, ([name, { rows }]) => [name, [...rows.values()]]))
  const rowsOf: GetRows = ({ source }) => kept.get(String(source)) ?? []
  return {
    datastore: {
      ...datastore,
      select: async (query) => selectRows(query, rowsOf),
      count: async (query) => queryJoinedRows(query, rowsOf).length,
    },
    async *cursor(query, size) {
      const part = sortRows(queryJoinedRows(query, rowsOf), query.order)
      for (let at = 0; at < part.length; ) {
        const next = Math.min(part.length, at + size())
        yield toSelected(part.slice(at, next), query.columns)
        at = next
      }
    },
    close: async () => undefined,
  }
}

const toRow = (values: ColumnValues): MemoryRow => new Map(Array.from(values, ([column, value]) => [column.name, value]))

function createRowTest(filter: Filter, rowsOf: GetRows): (row: MemoryRow) => boolean {
  const isWanted = compileFilter(filter, rowsOf)
  return (row) => isWanted([row])
}

function queryJoinedRows({ from, joins, filter }: Count<string>, rowsOf: GetRows): readonly JoinedRow[] {
  const scopes = createJoin(joins, rowsOf)(rowsOf(from).map((row) => [row]))
  return filter === undefined ? scopes : scopes.filter(compileFilter(filter, rowsOf))
}

function selectRows(query: Select<string>, rowsOf: GetRows): SelectedRows {
  const { columns, order, after, offset, limit } = query
  const all = sortRows(queryJoinedRows(query, rowsOf), order)
  const scopes = after === undefined ? all : all.filter(compileAfterCursor(order, after))
  const part =
    query.perKey === undefined
      ? scopes.slice(offset, limit === undefined ? undefined : offset + limit)
      : limitPerKey(scopes, query.perKey)
  return toSelected(part, columns)
}

const toReturnedRows = (rows: readonly MemoryRow[], columns: readonly Reference[]): SelectedRows =>
  toSelected(
    rows.map((row) => [row]),
    columns,
  )

function toSelected(part: readonly JoinedRow[], columns: readonly Reference[]): SelectedRows {
  return {
    rows: part.map((scope) => columns.map((reference) => copyValue(reference.column, getValue(scope, reference)))),
    cursorValue: (row, column) => {
      const reference = columns[column]!
      const value = getValue(part[row]!, reference)
      return value === null ? null : memoryKinds[reference.column.kind].toCursorValue(value)
    },
  }
}
