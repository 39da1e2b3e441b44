// Upserts: an element is added, or changed where it is there already. One that the caller cannot see stands in the way, and
// stays as it is.
import { decided, outrun } from '../faults.ts'
import type { Fixed } from '../plan/bounds.ts'
import { and, negated } from '../plan/combine.ts'
import { visible } from '../plan/conditions.ts'
import type { Plan, Showing } from '../plan/plan.ts'
import type { Column, Datastore, Filter, Upsert } from '../query.ts'
import type { Element } from '../read/elements.ts'
import type { Source } from '../read/query.ts'
import type { ColumnNode, Model } from '../resource/model.ts'
import { type UpsertKey, upsertOf } from './columns.ts'
import { crossing, isAlways, linkedAway, refuseCrossing, staying } from './crossing.ts'
import { isOwn, planOf, readKeys, readWritten, writtenElements } from './write.ts'

/** Adds an element, or changes the one that has the same values in `by`, and gives it. */
export async function upsertElement(
  source: Source,
  values: object,
  by: readonly string[] | undefined,
  showing: Showing,
): Promise<Element> {
  const { model, bounds } = source
  const fixed = bounds?.fixed(model)
  const { upsert, own } = await checked(source, values, { key: keyOf(model, by, fixed), fixed })
  const plan = planOf(source, showing)
  const conflicts: unknown[] = []
  return decided(async () => {
    const element = await put(source, upsert, { own, plan, conflicts })
    if (element === undefined && upsert.filter !== undefined) await refuseUnfit(source, upsert.filter, own)
    return element
  })
}

// A row that stays as it is was in the way for a reason; one that is gone by now, or fits, is asked for anew.
async function refuseUnfit({ datastore, model, bounds }: Source, filter: Filter, own: Filter): Promise<void> {
  const seen = visible(model, 0, bounds)
  const isThere = async (...conditions: readonly Filter[]): Promise<boolean> =>
    (await datastore.count({ from: model.table, joins: [], filter: and([own, ...conditions]) })) > 0
  if (await isThere(...seen, negated(filter))) throw crossing()
  // A hidden element of another caller is revealed no more than by a key that is taken.
  if (await isThere(negated(and(seen)))) throw linkedAway()
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

interface Attempt {
  readonly own: Filter
  readonly plan: Plan
  /** The conflicts of earlier attempts. */
  readonly conflicts: unknown[]
}

/** Makes one attempt; undefined where a row is in the way, or was. */
async function put(source: Source, upsert: Upsert, attempt: Attempt): Promise<Element | undefined> {
  const { datastore, model } = source
  const { plan } = attempt
  if (datastore.upsert === undefined) return putInTurn(source, upsert, attempt)
  try {
    if (isOwn(plan)) return (await writtenElements(source, plan, await datastore.upsert(upsert, plan.scope.columns)))[0]
    const key = model.key.map(({ node }) => ({ source: 0, column: node.column }))
    return (await readWritten(source, plan, (await datastore.upsert(upsert, key)).rows))[0]
  } catch (error) {
    // Of two that add the same row, one may meet the other in an index of other columns first.
    return doubt(datastore, error, attempt)
  }
}

/** How many conflicts are doubted. */
const DOUBTED = 2

/** Notes a conflict that may be one with the row itself; throws what is certain. */
function doubt({ fault }: Datastore, error: unknown, { conflicts }: Attempt): undefined {
  // In PostgreSQL, a conflict ends the transaction that it is in: the next attempt tells nothing more.
  if (fault(error) !== 'conflict') throw fault(error) === undefined && conflicts.length > 0 ? conflicts[0] : error
  if (conflicts.push(error) > DOUBTED) throw error
  return undefined
}

// With several statements: a change, and where nothing fits it, an insertion. A conflict of the first insertion may be one with
// the row itself, which another has added meanwhile, and a third may have removed since. Later insertions look for it themselves.
async function putInTurn(source: Source, upsert: Upsert, attempt: Attempt): Promise<Element | undefined> {
  const { datastore, model } = source
  const { table, values, changes, filter } = upsert
  const { own, plan, conflicts } = attempt
  const fitting = and([own, ...(filter === undefined ? [] : [filter])])
  const changed = await (changes.size === 0
    ? datastore.count({ from: table, joins: [], filter: fitting })
    : datastore.update(table, changes, fitting))
  if (changed > 0) return readOwn(source, plan, own)
  try {
    if (conflicts.length === 0 || datastore.insertUnless === undefined) {
      const made = await datastore.insert(table, values)
      const key = model.key.map(({ node: { column } }) => made.get(column) ?? values.get(column))
      return (await readWritten(source, plan, [key]))[0]
    }
    if ((await datastore.insertUnless(table, values, own)) === 0) return undefined
  } catch (error) {
    return doubt(datastore, error, attempt)
  }
  const made = await readOwn(source, plan, own)
  if (made === undefined) throw outrun()
  return made
}

async function readOwn(source: Source, plan: Plan, own: Filter): Promise<Element | undefined> {
  const key = await keyAt(source, own)
  return key.length === 0 ? undefined : (await readKeys(source, plan, [key]))[0]
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
