// Writes of elements: what is created, changed or put comes back as its answer shows it, in the statement of the write where
// the datastore can do that.
import { type Selection, selectionOf } from '../../../extend.ts'
import { createContentionRefusal } from '../../query/contention.ts'
import { and } from '../../query/combine-filters.ts'
import { buildVisibilityFilters } from '../plan/filter-builder.ts'
import type { QueryPlan, Projection } from '../plan/query-plan.ts'
import type { SelectedRows, ColumnValues } from '../../query/query.ts'
import { assembleElements, buildKeysFilter } from '../read/assembly.ts'
import type { AssembledElement } from '../read/build-elements.ts'
import type { ResourceSource } from '../read/planned-query.ts'
import type { Model } from '../model/model.ts'
import { toColumnValues, toAllColumnValues } from './column-values.ts'
import { type LookupCache, refuseOutOfScope } from './scope-check.ts'

const keySelections = new WeakMap<Model, Selection>()

/** The attributes of the key alone. */
export function getKeyProjection(model: Model): Projection {
  const selection = keySelections.get(model) ?? selectionOf(model.key.map(({ name }) => name))
  keySelections.set(model, selection)
  return { of: model.mediaType, selection }
}

/** The plan of what a write gives back. */
export const planReturned = ({ plans }: ResourceSource, showing: Projection): QueryPlan => plans.getPlan(showing, [], false)

/** Returns whether the written rows alone have all that is wanted. */
export const isSingleTable = ({ scope }: QueryPlan): boolean => scope.joins.length === 0

/** Makes elements of rows that a write gave back. */
export async function assembleWritten(source: ResourceSource, plan: QueryPlan, selected: SelectedRows): Promise<AssembledElement[]> {
  return assembleElements(plan.shape, selected, (selected.undecoded ?? selected).rows.length, source)
}

/** Adds one element and gives the attributes of its key. */
export async function createKey({ datastore, model, bounds }: ResourceSource, values: object): Promise<object> {
  const columns = toColumnValues(model, values, bounds?.getFixedValues(model))
  if (bounds !== undefined) await refuseOutOfScope({ datastore, model, bounds, columns, row: undefined })
  const made = await datastore.insert(model.table, columns)
  const key = model.key.map(({ name, node }) => {
    const value = made.get(node.column) ?? columns.get(node.column)
    return [name, value === undefined || value === null ? value : node.codec.fromColumn(value)]
  })
  return Object.fromEntries(key)
}

/** Adds one element and gives it. */
export async function createElement(source: ResourceSource, values: object, showing: Projection): Promise<AssembledElement> {
  const { model, bounds } = source
  const [made] = await insertElements(source, [toColumnValues(model, values, bounds?.getFixedValues(model))], showing)
  return made as AssembledElement
}

/** Adds elements, all or none of them, and gives them in their order. */
export async function createElements(source: ResourceSource, list: readonly object[], showing: Projection): Promise<AssembledElement[]> {
  const { model, bounds } = source
  return insertElements(source, toAllColumnValues(model, list, bounds?.getFixedValues(model)), showing)
}

async function insertElements(source: ResourceSource, rows: readonly ColumnValues[], showing: Projection): Promise<AssembledElement[]> {
  const { datastore, model, bounds } = source
  const looks: LookupCache = new Map()
  if (bounds !== undefined)
    for (const columns of rows) await refuseOutOfScope({ datastore, model, bounds, columns, row: undefined, lookups: looks })
  const plan = planReturned(source, showing)
  if (datastore.insertMany === undefined) return readWritten(source, plan, await insertOneByOne(source, rows))
  if (isSingleTable(plan))
    return assembleWritten(source, plan, await datastore.insertMany(model.table, rows, plan.scope.columns))
  const key = model.key.map(({ node }) => ({ source: 0, column: node.column }))
  return readWritten(source, plan, (await datastore.insertMany(model.table, rows, key)).rows)
}

async function insertOneByOne({ datastore, model }: ResourceSource, rows: readonly ColumnValues[]): Promise<KeyValues> {
  const made: unknown[][] = []
  for (const columns of rows) {
    const key = await datastore.insert(model.table, columns)
    made.push(model.key.map(({ node }) => key.get(node.column) ?? columns.get(node.column)))
  }
  return made
}

/** The values of keys, each in the order of the key's columns. */
type KeyValues = readonly (readonly unknown[])[]

/** Reads the elements of keys that were written, in their order; where one is gone already, it is not known how it was. */
export async function readWritten(source: ResourceSource, plan: QueryPlan, written: KeyValues): Promise<AssembledElement[]> {
  const elements = await readByKeys(source, plan, written)
  if (elements.length < written.length) throw createContentionRefusal()
  return elements
}

/** Reads the elements of keys, in their order; one that is gone or hidden is left out. */
export async function readByKeys(source: ResourceSource, plan: QueryPlan, wanted: KeyValues): Promise<AssembledElement[]> {
  const { datastore, model, bounds } = source
  const columns = model.key.map(({ node }) => node.column)
  const scope = plan.scope.copy(bounds)
  const places = columns.map((column) => scope.addColumn(0, column))
  const size = Math.max(1, Math.floor(datastore.maxValues / columns.length))
  const found = new Map<string, readonly unknown[]>()
  for (let from = 0; from < wanted.length; from += size) {
    const named = buildKeysFilter(columns, wanted.slice(from, from + size))
    const { rows } = await datastore.select({
      from: scope.from,
      joins: scope.getBoundedJoins(),
      columns: scope.columns,
      filter: and([...buildVisibilityFilters(model, 0, bounds), named]),
      order: [],
      limit: undefined,
      offset: 0,
    })
    for (const row of rows) found.set(formatKey(places.map((place) => row[place])), row)
  }
  const rows = wanted.flatMap((key) => {
    const row = found.get(formatKey(key))
    return row === undefined ? [] : [row]
  })
  return assembleElements(plan.shape, { rows }, rows.length, source)
}

const formatKey = (key: readonly unknown[]): string =>
  JSON.stringify(key.map((value) => String(value instanceof Date ? value.getTime() : value)))
