// Writes of elements: returns created, changed and upserted elements as the response shows them, from the statement of the
// write if the datastore supports that.
import { parseSelection, type Selection } from '../../../extend.ts'
import { and } from '../../query/combine-filters.ts'
import { createContentionRefusal } from '../../query/contention.ts'
import type { ColumnValues, SelectedRows } from '../../query/query.ts'
import type { Model } from '../model/model.ts'
import { buildVisibilityFilters } from '../plan/filter-builder.ts'
import type { Projection, QueryPlan } from '../plan/query-plan.ts'
import { assembleElements, buildKeysFilter } from '../read/assembly.ts'
import type { AssembledElement } from '../read/build-elements.ts'
import type { ResourceSource } from '../read/planned-query.ts'
import { toAllColumnValues, toColumnValues } from './column-values.ts'
import { type NamedWrite, withNamedConflicts } from './conflicts.ts'
import { type LookupCache, refuseOutOfScope } from './scope-check.ts'

const keySelections = new WeakMap<Model, Selection>()

/** Returns the projection that consists of the key. */
export function getKeyProjection(model: Model): Projection {
  const selection = keySelections.get(model) ?? parseSelection(model.key.map(({ name }) => name))
  keySelections.set(model, selection)
  return { of: model.mediaType, selection }
}

/** Returns the plan for the elements that a write returns. */
export const planReturned = ({ plans }: ResourceSource, projection: Projection): QueryPlan =>
  plans.getPlan(projection, [], false)

/** Returns whether the written rows contain all requested fields. */
export const isSingleTable = ({ scope }: QueryPlan): boolean => scope.joins.length === 0

/** Converts the rows that a write returned to elements. */
export async function assembleWritten(
  source: ResourceSource,
  plan: QueryPlan,
  selected: SelectedRows,
): Promise<AssembledElement[]> {
  return assembleElements(plan.shape, selected, (selected.undecoded ?? selected).rows.length, source)
}

/** Inserts one element and returns the attributes of its key. */
export async function createKey({ datastore, model, bounds }: ResourceSource, values: object): Promise<object> {
  const columns = toColumnValues(model, values, bounds?.getFixedValues(model))
  const write = { datastore, model, rows: [columns], locate: () => ({ values, path: '' }) }
  const inserted = await withNamedConflicts(write, async () => {
    if (bounds !== undefined) await refuseOutOfScope({ datastore, model, bounds, columns, row: undefined })
    return datastore.insert(model.table, columns)
  })
  const key = model.key.map(({ name, node }) => {
    const value = inserted.get(node.column) ?? columns.get(node.column)
    return [name, value === undefined || value === null ? value : node.codec.fromColumn(value)]
  })
  return Object.fromEntries(key)
}

/** Inserts one element and returns it. */
export async function createElement(
  source: ResourceSource,
  values: object,
  projection: Projection,
): Promise<AssembledElement> {
  const { model, bounds } = source
  const rows = [toColumnValues(model, values, bounds?.getFixedValues(model))]
  const [element] = await insertElements(source, { rows, locate: () => ({ values, path: '' }) }, projection)
  return element as AssembledElement
}

/** Inserts all elements or none, and returns them in their order. */
export async function createElements(
  source: ResourceSource,
  list: readonly object[],
  projection: Projection,
): Promise<AssembledElement[]> {
  const { model, bounds } = source
  const rows = toAllColumnValues(model, list, bounds?.getFixedValues(model))
  const locate = (row: number) => ({ values: list[row] as object, path: `/${row}` })
  return insertElements(source, { rows, locate }, projection)
}

type NewRows = Pick<NamedWrite, 'rows' | 'locate'>

async function insertElements(
  source: ResourceSource,
  { rows, locate }: NewRows,
  projection: Projection,
): Promise<AssembledElement[]> {
  const { datastore, model } = source
  const plan = planReturned(source, projection)
  const references = isSingleTable(plan)
    ? plan.scope.columns
    : model.key.map(({ node }) => ({ source: 0, column: node.column }))
  const inserted = await withNamedConflicts({ datastore, model, rows, locate }, async () => {
    await refuseRowsOutOfScope(source, rows)
    return datastore.insertMany?.(model.table, rows, references)
  })
  if (inserted === undefined) return readWritten(source, plan, await insertOneByOne(source, { rows, locate }))
  return isSingleTable(plan) ? assembleWritten(source, plan, inserted) : readWritten(source, plan, inserted.rows)
}

async function refuseRowsOutOfScope(
  { datastore, model, bounds }: ResourceSource,
  rows: readonly ColumnValues[],
): Promise<void> {
  if (bounds === undefined) return
  const lookups: LookupCache = new Map()
  for (const [index, columns] of rows.entries())
    await refuseOutOfScope({ datastore, model, bounds, columns, row: undefined, index, lookups })
}

async function insertOneByOne({ datastore, model }: ResourceSource, { rows, locate }: NewRows): Promise<KeyValues> {
  const keys: unknown[][] = []
  for (const [i, columns] of rows.entries()) {
    const write = { datastore, model, rows: [columns], locate: () => locate(i) }
    const key = await withNamedConflicts(write, () => datastore.insert(model.table, columns))
    keys.push(model.key.map(({ node }) => key.get(node.column) ?? columns.get(node.column)))
  }
  return keys
}

/** The values of keys, each in the order of the key's columns. */
type KeyValues = readonly (readonly unknown[])[]

/** Reads the written elements by key, in their order; refuses if one has been deleted since. */
export async function readWritten(
  source: ResourceSource,
  plan: QueryPlan,
  keys: KeyValues,
): Promise<AssembledElement[]> {
  const elements = await readByKeys(source, plan, keys)
  if (elements.length < keys.length) throw createContentionRefusal()
  return elements
}

/** Reads elements by key, in their order; omits those that are gone or hidden. */
export async function readByKeys(
  source: ResourceSource,
  plan: QueryPlan,
  keys: KeyValues,
): Promise<AssembledElement[]> {
  const { datastore, model, bounds } = source
  const columns = model.key.map(({ node }) => node.column)
  const scope = plan.scope.copy(bounds)
  const indices = columns.map((column) => scope.addColumn(0, column))
  const size = Math.max(1, Math.floor(datastore.maxValues / columns.length))
  const found = new Map<string, readonly unknown[]>()
  for (let from = 0; from < keys.length; from += size) {
    const keysFilter = buildKeysFilter(columns, keys.slice(from, from + size))
    const { rows } = await datastore.select({
      from: scope.from,
      joins: scope.getBoundedJoins(),
      columns: scope.columns,
      filter: and([...buildVisibilityFilters(model, 0, bounds), keysFilter]),
      order: [],
      limit: undefined,
      offset: 0,
    })
    for (const row of rows) found.set(formatKey(indices.map((index) => row[index])), row)
  }
  const rows = keys.flatMap((key) => {
    const row = found.get(formatKey(key))
    return row === undefined ? [] : [row]
  })
  return assembleElements(plan.shape, { rows }, rows.length, source)
}

const formatKey = (key: readonly unknown[]): string =>
  JSON.stringify(key.map((value) => String(value instanceof Date ? value.getTime() : value)))
