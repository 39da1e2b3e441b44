// The model of the datastore suite: its tables in memory, for which queries are written, and the binding of these queries to
// the tables of the tested datastore.
import {
  type Column,
  type ColumnValues,
  type Count,
  type Datastore,
  type Filter,
  type Join,
  memoryDatastore,
  type Reference,
  type Select,
  type Table,
} from '../../plugins/mapper/index.ts'
import { type SuiteRow, type SuiteTable, toMemoryTable } from './suite-tables.ts'

/** The tables of a datastore by their names. */
export type Tables<T> = (name: string) => Table<T>

/** The tables of the suite in memory, and functions that build queries for them. */
export interface SuiteModel {
  readonly datastore: Datastore<string>
  readonly table: Tables<string>
  column(table: string, column: string): Column
  /** Creates a reference to a column of a table in the query, by default the first. */
  reference(table: string, column: string, source?: number): Reference
  /** Creates a join of a table whose columns equal the references. */
  join(table: string, ...on: readonly (readonly [Reference, string])[]): Join<string>
  /** Creates a query for columns of its first table; `more` adds everything else. */
  select(from: string, columns: readonly string[], more?: Partial<Select<string>>): Select<string>
}

/** The values of rows, in the order of a query's columns. */
export type ExpectedRows = readonly (readonly unknown[])[]

/** Queries with their expected rows. */
export type QueryCases = readonly (readonly [Select<string>, ExpectedRows])[]

/** Creates the model with its rows. */
export function createSuiteModel(
  tables: readonly SuiteTable[],
  rows: Readonly<Record<string, readonly SuiteRow[]>>,
): SuiteModel {
  const declared = tables.map(
    (table) => [table.name, { ...toMemoryTable(table), rows: rows[table.name] ?? [] }] as const,
  )
  const datastore = memoryDatastore(Object.fromEntries(declared))
  const table: Tables<string> = (name) => datastore.table(name)
  const column = (of: string, name: string): Column => getSuiteColumn(table(of), name)
  const at = (of: string, name: string, source = 0): Reference => ({ source, column: column(of, name) })
  return {
    datastore,
    table,
    column,
    reference: at,
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

/** Returns a column of a table; throws if its description lacks it. */
function getSuiteColumn(table: Table, name: string): Column {
  const column = table.columns.get(name)
  if (column === undefined) throw new Error(`The table '${table.name}' is described without its column '${name}'`)
  return column
}

/** Binds values, given by the names of their columns, to the columns of a table. */
export function bindValues(table: Table, values: SuiteRow): ColumnValues {
  return new Map(Object.entries(values).map(([name, value]) => [getSuiteColumn(table, name), value]))
}

/** Binds a query of the model to other tables. */
export function bindSelect<T>(query: Select<string>, tables: Tables<T>): Select<T> {
  const bound = bindCount(query, tables)
  const bindReference = createReferenceBinder([bound.from, ...bound.joins.map(({ table }) => table)])
  return {
    ...bound,
    columns: query.columns.map(bindReference),
    order: query.order.map((step) => ({ ...step, reference: bindReference(step.reference) })),
    after: query.after,
    limit: query.limit,
    offset: query.offset,
    perKey: query.perKey && {
      ...query.perKey,
      columns: query.perKey.columns.map(({ name }) => getSuiteColumn(bound.from, name)),
    },
  }
}

/** Binds a count of the model to other tables. */
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
  const bindReference = createReferenceBinder(scope)
  return on.map(([reference, { name }]) => [bindReference(reference), getSuiteColumn(table, name)])
}

const createReferenceBinder =
  (scope: readonly Table[]) =>
  ({ source, column: { name } }: Reference): Reference => ({ source, column: getSuiteColumn(scope[source]!, name) })

/** Binds a filter of the model to other tables; `scope` are the tables that its references point to. */
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

/** Formats a query or a result as JSON: tables and columns by name, and values that JSON does not support as text. */
export function formatForMessage(input: unknown): string {
  return JSON.stringify(input, (_, value: unknown) => {
    if (typeof value === 'bigint') return `${value}n`
    if (typeof value !== 'object' || value === null) return value
    if (value instanceof Uint8Array) return `bytes ${value.join(' ')}`
    if ('isCursorValue' in value) return (value as Column).name
    return 'columns' in value && value.columns instanceof Map ? (value as Table).name : value
  })
}
