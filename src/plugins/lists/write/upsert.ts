// Upserts: an element is added, or changed where it is there already. One that the caller cannot see stands in the way, and
// stays as it is.
import type { Fixed } from '../plan/bounds.ts'
import { and } from '../plan/combine.ts'
import { visible } from '../plan/conditions.ts'
import type { Plan, Showing } from '../plan/plan.ts'
import type { Column, Filter, Upsert } from '../query.ts'
import type { Element } from '../read/elements.ts'
import type { Source } from '../read/query.ts'
import type { ColumnNode, Model } from '../resource/model.ts'
import { type UpsertKey, upsertOf } from './columns.ts'
import { crossing, isAlways, linkedAway, refuseCrossing, staying } from './crossing.ts'
import { isOwn, planOf, readKeys, writtenElements } from './write.ts'

/** Adds an element, or changes the one that has the same values in `by`, and gives it. */
export async function upsertElement(
  source: Source,
  values: object,
  by: readonly string[] | undefined,
  showing: Showing,
): Promise<Element> {
  const { datastore, model, bounds } = source
  const fixed = bounds?.fixed(model)
  const { upsert, own } = await checked(source, values, { key: keyOf(model, by, fixed), fixed })
  const plan = planOf(source, showing)
  const element = await put(source, upsert, own, plan)
  if (element !== undefined) return element
  const seen = and([...visible(model, 0, source.bounds), own])
  // A hidden element of another caller is revealed no more than by a key that is taken.
  throw (await datastore.count({ from: model.table, joins: [], filter: seen })) > 0 ? crossing() : linkedAway()
}

interface Checked {
  readonly upsert: Upsert
  /** The condition that finds the element that is there. */
  readonly own: Filter
}

interface Wanted {
  readonly key: Key
  readonly fixed: Fixed | undefined
}

async function checked({ datastore, model, bounds }: Source, given: object, { key, fixed }: Wanted): Promise<Checked> {
  const { columns } = key
  const { values, changes } = upsertOf(model, given, key, fixed)
  const own = and(
    columns.map((column): Filter => ({ op: '=', reference: { source: 0, column }, value: values.get(column) })),
  )
  const upsert = { table: model.table, values, by: columns, changes }
  if (bounds === undefined) return { upsert: { ...upsert, filter: undefined }, own }
  await refuseCrossing({ datastore, model, bounds, columns: values, row: undefined })
  const stays = await staying({ datastore, model, bounds, columns: changes, row: own })
  const limits = [...visible(model, 0, bounds), ...(stays === undefined || isAlways(stays) ? [] : [stays])]
  return { upsert: { ...upsert, filter: limits.length === 0 ? undefined : and(limits) }, own }
}

async function put(source: Source, upsert: Upsert, own: Filter, plan: Plan): Promise<Element | undefined> {
  const { datastore, model } = source
  const key = model.key.map(({ node }) => ({ source: 0, column: node.column }))
  if (datastore.upsert === undefined) return (await readKeys(source, plan, await putInTurn(source, upsert, own)))[0]
  if (isOwn(plan)) return (await writtenElements(source, plan, await datastore.upsert(upsert, plan.scope.columns)))[0]
  return (await readKeys(source, plan, (await datastore.upsert(upsert, key)).rows))[0]
}

/** How often a datastore without upserts is asked anew, while others add and remove the same element. */
const ROUNDS = 3

/** The same with several statements: a change, and where nothing fits it, an insertion; gives the key, if something was written. */
async function putInTurn({ datastore, model }: Source, upsert: Upsert, own: Filter): Promise<readonly unknown[][]> {
  const { table, values, changes, filter } = upsert
  const fitting = and([own, ...(filter === undefined ? [] : [filter])])
  const columns = model.key.map(({ node }) => node.column)
  for (let round = 1; ; round++) {
    const changed = await (changes.size === 0
      ? datastore.count({ from: table, joins: [], filter: fitting })
      : datastore.update(table, changes, fitting))
    if (changed > 0) return [await keyAt({ datastore, model }, own)].filter((one) => one.length > 0)
    try {
      const made = await datastore.insert(table, values)
      return [columns.map((column) => made.get(column) ?? values.get(column))]
    } catch (error) {
      if (datastore.fault(error) !== 'conflict') throw error
      const isThere = (await datastore.count({ from: table, joins: [], filter: own })) > 0
      // Without such a row, the conflict is with another element: over unique values, or over a link.
      if (!isThere) throw error
      if (round === ROUNDS) return []
    }
  }
}

async function keyAt({ datastore, model }: Pick<Source, 'datastore' | 'model'>, filter: Filter): Promise<unknown[]> {
  const columns = model.key.map(({ node }) => ({ source: 0, column: node.column }))
  const from = model.table
  const { rows } = await datastore.select({ from, joins: [], columns, filter, order: [], limit: 1, offset: 0 })
  return [...(rows[0] ?? [])]
}

// --- what tells whether an element is there --------------------------------------------------

/** The attributes that a client names an element by, and the columns of the unique set that they are in. */
interface Key {
  readonly by: UpsertKey
  readonly columns: readonly Column[]
}

// Within a scope, the columns that it gives one value belong to every key: numbers may be unique for each tenant only.
function keyOf(model: Model, by: readonly string[] | undefined, fixed: Fixed | undefined): Key {
  const key = by === undefined ? model.key : by.map((name) => ({ name, node: columnAt(model, name) }))
  const { table, mediaType } = model
  const named = new Set<Column>(key.map(({ node }) => node.column))
  const given = fixed?.alone === true ? fixed.values.flatMap(([column, value]) => (value === null ? [] : [column])) : []
  const known = new Set<Column>([...named, ...given])
  const sets = [table.key, ...(table.unique ?? [])]
    .filter(({ length }) => length > 0)
    .map((set) => set.map((name) => table.columns.get(name) as Column))
  const fitting = sets.filter(
    (set) => [...named].every((one) => set.includes(one)) && set.every((one) => known.has(one)),
  )
  const [columns] = fitting.sort((a, b) => a.length - b.length)
  if (columns !== undefined) return { by: key, columns }
  const names = new Set(sets.map((set) => set.map(({ name }) => name).join(' and ')))
  throw new TypeError(
    `${mediaType.name} cannot be put by ${key.map(({ name }) => name).join(', ')}: no key and no unique set of ` +
      `${table.name} has exactly these columns. Remedy: name the attributes of one of ${[...names].join('; ')}`,
  )
}

function columnAt({ nodes, mediaType }: Model, name: string): ColumnNode {
  const node = nodes.get(name)
  if (node?.type === 'column') return node
  throw new TypeError(
    `${mediaType.name} cannot be put by '${name}', which has no column. Remedy: name another attribute`,
  )
}
