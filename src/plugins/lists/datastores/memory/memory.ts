// The memory datastore: the executable meaning of the query tree, for tests and for small data.
import type { Count, Datastore, Filter, Reference, Select, Selected, Values } from '../../query.ts'
import type { Snapshot } from '../../snapshot.ts'
import { memoryKinds } from './kinds.ts'
import { firstOfEach, follows, joiner, ordered, predicate, type Row, type RowsOf, type Scope, valueAt } from './rows.ts'
import {
  copied,
  deleteRows,
  describe,
  faultOf,
  insertRow,
  insertRows,
  keyValues,
  type MemoryTable,
  type Stored,
  stored,
  updateRows,
  upsertRow,
} from './table.ts'

export type { MemoryColumn, MemoryTable } from './table.ts'

/** Makes a datastore with tables in memory, identified by name. */
export function memoryDatastore(tables: Readonly<Record<string, MemoryTable>>): Datastore<string> {
  const byName = new Map(Object.entries(tables).map(([name, declared]) => [name, stored(name, declared)]))
  const find = (name: string): Stored => {
    const found = byName.get(name)
    if (found === undefined) throw new Error(`There is no table '${name}', only ${[...byName.keys()].join(', ')}`)
    return found
  }
  const rowsOf: RowsOf = (table) => [...find(String(table.source)).rows.values()]
  const datastore: Datastore<string> = {
    maxValues: Number.POSITIVE_INFINITY,
    table: (name) => find(name).table,
    derive: (name, kind, derived) => ({ ...describe(name, { kind, nullable: true }), derived }),
    select: async (query) => select(query, rowsOf),
    count: async (query) => scopesOf(query, rowsOf).length,
    insert: async (table, values) => keyValues(table, insertRow(find(table.source), named(values))),
    update: async (table, values, filter) =>
      updateRows(find(table.source), named(values), fitting(filter, rowsOf)).length,
    insertMany: async (table, rows, columns) => read(insertRows(find(table.source), rows.map(named)), columns),
    updateReturning: async (table, values, filter, columns) =>
      read(updateRows(find(table.source), named(values), fitting(filter, rowsOf)), columns),
    upsert: async ({ table, values, by, changes, filter }, columns) => {
      const fits = filter === undefined ? () => true : fitting(filter, rowsOf)
      const given = { values: named(values), by, changes: named(changes) }
      return read(upsertRow(find(table.source), given, fits), columns)
    },
    delete: async (table, filter) => deleteRows(find(table.source), fitting(filter, rowsOf)),
    fault: faultOf,
    snapshot: async () => snapshotOf(datastore, byName),
  }
  return datastore
}

type MemorySnapshot = Snapshot<Datastore<string>, Select<string>, Selected>

// Rows are never changed: others take their places.
function snapshotOf(datastore: Datastore<string>, tables: ReadonlyMap<string, Stored>): MemorySnapshot {
  const kept = new Map(Array.from(tables, ([name, { rows }]) => [name, [...rows.values()]]))
  const rowsOf: RowsOf = ({ source }) => kept.get(String(source)) ?? []
  return {
    datastore: {
      ...datastore,
      select: async (query) => select(query, rowsOf),
      count: async (query) => scopesOf(query, rowsOf).length,
    },
    async *cursor(query, size) {
      const part = ordered(scopesOf(query, rowsOf), query.order)
      for (let at = 0; at < part.length; ) {
        const next = Math.min(part.length, at + size())
        yield selected(part.slice(at, next), query.columns)
        at = next
      }
    },
    close: async () => undefined,
  }
}

const named = (values: Values): Row => new Map(Array.from(values, ([column, value]) => [column.name, value]))

function fitting(filter: Filter, rowsOf: RowsOf): (row: Row) => boolean {
  const isWanted = predicate(filter, rowsOf)
  return (row) => isWanted([row])
}

function scopesOf({ from, joins, filter }: Count<string>, rowsOf: RowsOf): readonly Scope[] {
  const scopes = joiner(joins, rowsOf)(rowsOf(from).map((row) => [row]))
  return filter === undefined ? scopes : scopes.filter(predicate(filter, rowsOf))
}

function select(query: Select<string>, rowsOf: RowsOf): Selected {
  const { columns, order, after, offset, limit } = query
  const all = ordered(scopesOf(query, rowsOf), order)
  const scopes = after === undefined ? all : all.filter(follows(order, after))
  const part =
    query.each === undefined
      ? scopes.slice(offset, limit === undefined ? undefined : offset + limit)
      : firstOfEach(scopes, query.each)
  return selected(part, columns)
}

const read = (rows: readonly Row[], columns: readonly Reference[]): Selected =>
  selected(
    rows.map((row) => [row]),
    columns,
  )

function selected(part: readonly Scope[], columns: readonly Reference[]): Selected {
  return {
    rows: part.map((scope) => columns.map((reference) => copied(reference.column, valueAt(scope, reference)))),
    place: (row, column) => {
      const reference = columns[column]!
      const value = valueAt(part[row]!, reference)
      return value === null ? null : memoryKinds[reference.column.kind].place(value)
    },
  }
}
