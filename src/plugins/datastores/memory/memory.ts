// The memory datastore: the executable specification of the query tree, for tests and small data.

import { memoryKinds } from '../../query/compare-values.ts'
import {
  compileAfterCursor,
  compileFilter,
  createJoin,
  type GetRows,
  getValue,
  type JoinedRow,
  keepDistinct,
  limitPerKey,
  type MemoryRow,
  sortRows,
} from '../../query/evaluate-query.ts'
import type { ColumnValues, Count, Datastore, Filter, Reference, Select, SelectedRows } from '../../query/query.ts'
import type { Snapshot } from '../../query/snapshot.ts'
import {
  copyValue,
  createTable,
  deleteRows,
  describeMemoryColumn,
  getConflict,
  getFault,
  getKeyValues,
  insertRow,
  insertRows,
  type MemoryTable,
  type StoredTable,
  updateRows,
  upsertRow,
} from './memory-table.ts'

export type { MemoryColumn, MemoryTable } from './memory-table.ts'

/** Creates a datastore with tables in memory, identified by name. */
export function memoryDatastore(tables: Readonly<Record<string, MemoryTable>>): Datastore<string> {
  const byName = new Map(Object.entries(tables).map(([name, declared]) => [name, createTable(name, declared)]))
  const find = (name: string): StoredTable => {
    const found = byName.get(name)
    if (found === undefined) throw new Error(`There is no table '${name}', only ${[...byName.keys()].join(', ')}`)
    return found
  }
  const getRows: GetRows = (table) => [...find(String(table.source)).rows.values()]
  const within: Datastore<string> = {
    maxValues: Number.POSITIVE_INFINITY,
    table: (name) => find(name).table,
    derive: (name, kind, derived) => ({ ...describeMemoryColumn(name, { kind, nullable: true }), derived }),
    aggregate: (name, { operation, kind }) => ({
      ...describeMemoryColumn(name, { kind, nullable: operation === 'min' || operation === 'max' }),
      aggregate: operation,
    }),
    selectsDistinct: true,
    select: async (query) => selectRows(query, getRows),
    count: async (query) => queryJoinedRows(query, getRows).length,
    insert: async (table, values) => getKeyValues(table, insertRow(find(table.source), toRow(values))),
    update: async (table, values, filter) =>
      updateRows(find(table.source), toRow(values), createRowTest(filter, getRows)).length,
    insertMany: async (table, rows, columns) =>
      toReturnedRows(insertRows(find(table.source), rows.map(toRow)), columns),
    updateReturning: async (table, values, filter, columns) =>
      toReturnedRows(updateRows(find(table.source), toRow(values), createRowTest(filter, getRows)), columns),
    upsert: async ({ table, values, by, changes, filter }, columns) => {
      const isMatch = filter === undefined ? () => true : createRowTest(filter, getRows)
      const upsert = { values: toRow(values), by, changes: toRow(changes) }
      return toReturnedRows(upsertRow(find(table.source), upsert, isMatch), columns)
    },
    delete: async (table, filter) => deleteRows(find(table.source), createRowTest(filter, getRows)),
    classifyError: getFault,
    findConflict: async (error) => getConflict(error),
    snapshot: async () => createSnapshot(within, byName),
    transaction: (work) => runOrRestore(byName.values(), () => work(within)),
  }
  return isolateTransactions(within)
}

/** The methods that wait while a transaction is open. */
const WAITING = [
  ...([
    'select',
    'count',
    'insert',
    'insertMany',
    'update',
    'updateReturning',
    'upsert',
    'delete',
    'snapshot',
  ] as const),
] as const

type AnyMethod = (...given: readonly never[]) => Promise<unknown>

/** Returns the datastore for work outside of transactions: it sees nothing of an open one. */
function isolateTransactions(within: Datastore<string>): Datastore<string> {
  let open: Promise<unknown> | undefined
  async function runAlone<V>(work: () => Promise<V>): Promise<V> {
    while (open !== undefined) await open
    return work()
  }
  const waiting = Object.fromEntries(
    WAITING.map((name) => [
      name,
      (...given: readonly never[]) => {
        const run = within[name] as AnyMethod
        return open === undefined ? run(...given) : runAlone(() => run(...given))
      },
    ]),
  )
  return {
    ...within,
    ...waiting,
    transaction: (work) =>
      runAlone(() => {
        const running = (within.transaction as NonNullable<Datastore<string>['transaction']>)(work)
        const end = (): void => {
          open = undefined
        }
        open = running.then(end, end)
        return running
      }),
  }
}

// Rows are never modified but replaced, so that shallow copies restore the tables.
async function runOrRestore<V>(tables: Iterable<StoredTable>, work: () => Promise<V>): Promise<V> {
  const before = Array.from(tables, (table) => [table, new Map(table.rows)] as const)
  try {
    return await work()
  } catch (error) {
    for (const [table, rows] of before) table.rows = rows
    throw error
  }
}

type MemorySnapshot = Snapshot<Datastore<string>, Select<string>, SelectedRows>

// Rows are never modified but replaced, so that a shallow copy is a snapshot.
function createSnapshot(datastore: Datastore<string>, tables: ReadonlyMap<string, StoredTable>): MemorySnapshot {
  const snapshot = new Map(Array.from(tables, ([name, { rows }]) => [name, [...rows.values()]]))
  const getRows: GetRows = ({ source }) => snapshot.get(String(source)) ?? []
  return {
    datastore: {
      ...datastore,
      select: async (query) => selectRows(query, getRows),
      count: async (query) => queryJoinedRows(query, getRows).length,
    },
    async *cursor(query, size) {
      const part = sortRows(queryJoinedRows(query, getRows), query.order)
      for (let start = 0; start < part.length; ) {
        const next = Math.min(part.length, start + size())
        yield toSelected(part.slice(start, next), query.columns)
        start = next
      }
    },
    close: async () => undefined,
  }
}

const toRow = (values: ColumnValues): MemoryRow =>
  new Map(Array.from(values, ([column, value]) => [column.name, value]))

function createRowTest(filter: Filter, getRows: GetRows): (row: MemoryRow) => boolean {
  const isMatch = compileFilter(filter, getRows)
  return (row) => isMatch([row])
}

function queryJoinedRows({ from, joins, filter }: Count<string>, getRows: GetRows): readonly JoinedRow[] {
  const scopes = createJoin(joins, getRows)(getRows(from).map((row) => [row]))
  return filter === undefined ? scopes : scopes.filter(compileFilter(filter, getRows))
}

function selectRows(query: Select<string>, getRows: GetRows): SelectedRows {
  const { columns, order, after, offset, limit } = query
  const joined = sortRows(queryJoinedRows(query, getRows), order)
  const all = query.distinct === true ? keepDistinct(joined, columns) : joined
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
