// The model of the datastore suite: its tables in memory, in whose terms queries are written, and their translation into
// the terms of the tested datastore.
import { memoryDatastore } from '../../plugins/datastores/memory/memory.ts'
import type { Column, Count, Datastore, Filter, Join, Reference, Select, Table, ColumnValues } from '../../plugins/query/query.ts'
import { toMemoryTable, type SuiteRow, type SuiteTable } from './suite-tables.ts'

/** The tables of a datastore by their names. */
export type Tables<T> = (name: string) => Table<T>

/** The tables of the suite in memory, and short ways to name what is in them. */
export interface SuiteModel {
  readonly datastore: Datastore<string>
  readonly table: Tables<string>
  column(table: string, column: string): Column
  /** A column of the table at a place of the query; the first one unless told otherwise. */
  at(table: string, column: string, source?: number): Reference
  /** A join of a table whose columns equal references. */
  join(table: string, ...on: readonly (readonly [Reference, string])[]): Join<string>
  /** A query for columns of its first table; everything else is added to it. */
  select(from: string, columns: readonly string[], more?: Partial<Select<string>>): Select<string>
}

/** Rows by the columns of a query. */
export type ExpectedRows = readonly (readonly unknown[])[]

/** Queries with the rows that they must read. */
export type QueryCases = readonly (readonly [Select<string>, ExpectedRows])[]

/** Makes the model with its rows. */
export function createSuiteModel(tables: readonly SuiteTable[], rows: Readonly<Record<string, readonly SuiteRow[]>>): SuiteModel {
  const declared = tables.map((table) => [table.name, { ...toMemoryTable(table), rows: rows[table.name] ?? [] }] as const)
  const datastore = memoryDatastore(Object.fromEntries(declared))
  const table: Tables<string> = (name) => datastore.table(name)
  const column = (of: string, name: string): Column => getSuiteColumn(table(of), name)
  const at = (of: string, name: string, source = 0): Reference => ({ source, column: column(of, name) })
  return {
    datastore,
    table,
    column,
    at,
    join: (name, ...on) => ({ table: table(name), on: on.map(([from, to]) => [from, column(name, to)]) }),
    select: (from, columns, more) => ({
      from: table(from),
      joins: [],
      filter: undefined,
      columns: columns.map((name) => at(from, name)),
      order: [],
      limit: undefined,
      offset: 0,
      ...more,
    }),
  }
}

/** The column of a table by its name. */
function getSuiteColumn(table: Table, name: string): Column {
  const column = table.columns.get(name)
  if (column === undefined) throw new Error(`The table '${table.name}' is described without its column '${name}'`)
  return column
}

/** Puts values of the model's columns, given by name, into the terms of a table. */
export function bindValues(table: Table, values: SuiteRow): ColumnValues {
  return new Map(Object.entries(values).map(([name, value]) => [getSuiteColumn(table, name), value]))
}

/** Puts a query of the model into the terms of other tables. */
export function bindSelect<T>(query: Select<string>, tables: Tables<T>): Select<T> {
  const bound = bindCount(query, tables)
  const refer = createReferenceBinder([bound.from, ...bound.joins.map(({ table }) => table)])
  return {
    ...bound,
    columns: query.columns.map(refer),
    order: query.order.map((step) => ({ ...step, reference: refer(step.reference) })),
    after: query.after,
    limit: query.limit,
    offset: query.offset,
    perKey: query.perKey && {
      ...query.perKey,
      columns: query.perKey.columns.map(({ name }) => getSuiteColumn(bound.from, name)),
    },
  }
}

/** Puts a count of the model into the terms of other tables. */
export function bindCount<T>({ from, joins, filter }: Count<string>, tables: Tables<T>): Count<T> {
  const [scope, bound] = bindJoins(tables(from.name), joins, tables)
  return { from: scope[0]!, joins: bound, filter: filter === undefined ? undefined : bindFilter(filter, scope, tables) }
}

function bindJoins<T>(from: Table<T>, joins: readonly Join[], tables: Tables<T>): [Table<T>[], Join<T>[]] {
  const scope = [from]
  const bound = joins.map(({ table: { name }, on, where }) => {
    const table = tables(name)
    const join = { table, on: bindOn(on, table, scope) }
    scope.push(table)
    return where === undefined ? join : { ...join, where: bindFilter(where as Filter<string>, scope, tables) }
  })
  return [scope, bound]
}

function bindOn<T>(on: Join['on'], table: Table<T>, scope: readonly Table<T>[]): Join<T>['on'] {
  const refer = createReferenceBinder(scope)
  return on.map(([reference, { name }]) => [refer(reference), getSuiteColumn(table, name)])
}

const createReferenceBinder =
  (scope: readonly Table[]) =>
  ({ source, column: { name } }: Reference): Reference => ({ source, column: getSuiteColumn(scope[source]!, name) })

/** Puts a filter of the model into the terms of other tables, of which `scope` are those that it speaks of. */
export function bindFilter<T>(filter: Filter<string>, scope: readonly Table<T>[], tables: Tables<T>): Filter<T> {
  if (filter.op === 'and' || filter.op === 'or') {
    return { op: filter.op, of: filter.of.map((one) => bindFilter(one, scope, tables)) }
  }
  if (!('from' in filter)) return { ...filter, reference: createReferenceBinder(scope)(filter.reference) }
  const from = tables(filter.from.name)
  const [inner, joins] = bindJoins(from, filter.joins, tables)
  return {
    op: filter.op,
    from,
    on: bindOn(filter.on, from, scope),
    joins,
    filter: bindFilter(filter.filter, inner, tables),
  }
}

/** Writes a query or a result as JSON: tables and columns by their names, and values that JSON does not have as text. */
export function formatForMessage(given: unknown): string {
  return JSON.stringify(given, (_, value: unknown) => {
    if (typeof value === 'bigint') return `${value}n`
    if (typeof value !== 'object' || value === null) return value
    if (value instanceof Uint8Array) return `bytes ${value.join(' ')}`
    if ('isCursorValue' in value) return (value as Column).name
    return 'columns' in value && value.columns instanceof Map ? (value as Table).name : value
  })
}
