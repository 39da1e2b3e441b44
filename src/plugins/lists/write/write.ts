// Writes of elements: what is created, changed or put comes back as its answer shows it, in the statement of the write where
// the datastore can do that.
import { type Selection, selectionOf } from '../../../extend.ts'
import { outrun } from '../faults.ts'
import { and } from '../plan/combine.ts'
import { visible } from '../plan/conditions.ts'
import type { Plan, Showing } from '../plan/plan.ts'
import type { Selected, Values } from '../query.ts'
import { assemble, keyFilter } from '../read/assembly.ts'
import type { Element } from '../read/elements.ts'
import type { Source } from '../read/query.ts'
import type { Model } from '../resource/model.ts'
import { columnsOf, columnsOfAll } from './columns.ts'
import { type Looks, refuseCrossing } from './crossing.ts'

const keys = new WeakMap<Model, Selection>()

/** The attributes of the key alone. */
export function keyShowing(model: Model): Showing {
  const selection = keys.get(model) ?? selectionOf(model.key.map(({ name }) => name))
  keys.set(model, selection)
  return { of: model.mediaType, selection }
}

/** The plan of what a write gives back. */
export const planOf = ({ plans }: Source, showing: Showing): Plan => plans.plan(showing, [], false)

/** Returns whether the written rows alone have all that is wanted. */
export const isOwn = ({ scope }: Plan): boolean => scope.joins.length === 0

/** Makes elements of rows that a write gave back. */
export async function writtenElements(source: Source, plan: Plan, selected: Selected): Promise<Element[]> {
  return assemble(plan.shape, selected, (selected.undecoded ?? selected).rows.length, source)
}

/** Adds one element and gives the attributes of its key. */
export async function createKey({ datastore, model, bounds }: Source, values: object): Promise<object> {
  const columns = columnsOf(model, values, bounds?.fixed(model))
  if (bounds !== undefined) await refuseCrossing({ datastore, model, bounds, columns, row: undefined })
  const made = await datastore.insert(model.table, columns)
  const key = model.key.map(({ name, node }) => {
    const value = made.get(node.column) ?? columns.get(node.column)
    return [name, value === undefined || value === null ? value : node.codec.fromColumn(value)]
  })
  return Object.fromEntries(key)
}

/** Adds one element and gives it. */
export async function createElement(source: Source, values: object, showing: Showing): Promise<Element> {
  const { model, bounds } = source
  const [made] = await insertElements(source, [columnsOf(model, values, bounds?.fixed(model))], showing)
  return made as Element
}

/** Adds elements, all or none of them, and gives them in their order. */
export async function createElements(source: Source, list: readonly object[], showing: Showing): Promise<Element[]> {
  const { model, bounds } = source
  return insertElements(source, columnsOfAll(model, list, bounds?.fixed(model)), showing)
}

async function insertElements(source: Source, rows: readonly Values[], showing: Showing): Promise<Element[]> {
  const { datastore, model, bounds } = source
  const looks: Looks = new Map()
  if (bounds !== undefined)
    for (const columns of rows) await refuseCrossing({ datastore, model, bounds, columns, row: undefined, looks })
  const plan = planOf(source, showing)
  if (datastore.insertMany === undefined) return readWritten(source, plan, await insertInTurn(source, rows))
  if (isOwn(plan))
    return writtenElements(source, plan, await datastore.insertMany(model.table, rows, plan.scope.columns))
  const key = model.key.map(({ node }) => ({ source: 0, column: node.column }))
  return readWritten(source, plan, (await datastore.insertMany(model.table, rows, key)).rows)
}

async function insertInTurn({ datastore, model }: Source, rows: readonly Values[]): Promise<Keys> {
  const made: unknown[][] = []
  for (const columns of rows) {
    const key = await datastore.insert(model.table, columns)
    made.push(model.key.map(({ node }) => key.get(node.column) ?? columns.get(node.column)))
  }
  return made
}

/** The values of keys, each in the order of the key's columns. */
type Keys = readonly (readonly unknown[])[]

/** Reads the elements of keys that were written, in their order; where one is gone already, it is not known how it was. */
export async function readWritten(source: Source, plan: Plan, written: Keys): Promise<Element[]> {
  const elements = await readKeys(source, plan, written)
  if (elements.length < written.length) throw outrun()
  return elements
}

/** Reads the elements of keys, in their order; one that is gone or hidden is left out. */
export async function readKeys(source: Source, plan: Plan, wanted: Keys): Promise<Element[]> {
  const { datastore, model, bounds } = source
  const columns = model.key.map(({ node }) => node.column)
  const scope = plan.scope.copy(bounds)
  const places = columns.map((column) => scope.read(0, column))
  const size = Math.max(1, Math.floor(datastore.maxValues / columns.length))
  const found = new Map<string, readonly unknown[]>()
  for (let from = 0; from < wanted.length; from += size) {
    const named = keyFilter(columns, wanted.slice(from, from + size))
    const { rows } = await datastore.select({
      from: scope.from,
      joins: scope.visible(),
      columns: scope.columns,
      filter: and([...visible(model, 0, bounds), named]),
      order: [],
      limit: undefined,
      offset: 0,
    })
    for (const row of rows) found.set(textOf(places.map((place) => row[place])), row)
  }
  const rows = wanted.flatMap((key) => {
    const row = found.get(textOf(key))
    return row === undefined ? [] : [row]
  })
  return assemble(plan.shape, { rows }, rows.length, source)
}

const textOf = (key: readonly unknown[]): string =>
  JSON.stringify(key.map((value) => String(value instanceof Date ? value.getTime() : value)))
