// Upserts: an element is added, or changed where it is there already. One that the caller cannot see stands in the way, and
// stays as it is.
import { createContentionRefusal } from '../../query/contention.ts'
import { retryUntilDecided } from '../faults.ts'
import type { FixedValues } from '../plan/caller-bounds.ts'
import { and, negate } from '../../query/combine-filters.ts'
import { buildVisibilityFilters } from '../plan/filter-builder.ts'
import type { QueryPlan, Projection } from '../plan/query-plan.ts'
import type { Column, Datastore, Filter, Upsert } from '../../query/query.ts'
import type { AssembledElement } from '../read/build-elements.ts'
import type { ResourceSource } from '../read/planned-query.ts'
import type { ColumnNode, Model } from '../model/model.ts'
import { type UpsertKey, buildUpsertValues } from './column-values.ts'
import { createScopeRefusal, isAlwaysTrue, createLinkRefusal, refuseOutOfScope, buildScopeCondition } from './scope-check.ts'
import { isSingleTable, planReturned, readByKeys, readWritten, assembleWritten } from './write.ts'

/** Adds an element, or changes the one that has the same values in `by`, and gives it. */
export async function upsertElement(
  source: ResourceSource,
  values: object,
  by: readonly string[] | undefined,
  showing: Projection,
): Promise<AssembledElement> {
  const { model, bounds } = source
  const fixed = bounds?.getFixedValues(model)
  const { upsert, own } = await prepareUpsert(source, values, { key: resolveUniqueKey(model, by, fixed), fixed })
  const plan = planReturned(source, showing)
  const conflicts: unknown[] = []
  return retryUntilDecided(async () => {
    const element = await tryUpsert(source, upsert, { own, plan, conflicts })
    if (element === undefined && upsert.filter !== undefined) await refuseConflict(source, upsert.filter, own)
    return element
  })
}

// A row that stays as it is was in the way for a reason; one that is gone by now, or fits, is asked for anew.
async function refuseConflict({ datastore, model, bounds }: ResourceSource, filter: Filter, own: Filter): Promise<void> {
  const seen = buildVisibilityFilters(model, 0, bounds)
  const isThere = async (...conditions: readonly Filter[]): Promise<boolean> =>
    (await datastore.count({ from: model.table, joins: [], filter: and([own, ...conditions]) })) > 0
  if (await isThere(...seen, negate(filter))) throw createScopeRefusal()
  // A hidden element of another caller is revealed no more than by a key that is taken.
  if (await isThere(negate(and(seen)))) throw createLinkRefusal()
}

interface PreparedUpsert {
  readonly upsert: Upsert
  /** The condition that finds the element that is there. */
  readonly own: Filter
}

interface UpsertTarget {
  readonly key: UniqueKey
  readonly fixed: FixedValues | undefined
}

async function prepareUpsert({ datastore, model, bounds }: ResourceSource, given: object, { key, fixed }: UpsertTarget): Promise<PreparedUpsert> {
  const { columns } = key
  const { values, changes } = buildUpsertValues(model, given, key, fixed)
  const own = and(
    columns.map((column): Filter => ({ op: '=', reference: { source: 0, column }, value: values.get(column) })),
  )
  const upsert = { table: model.table, values, by: columns, changes }
  if (bounds === undefined) return { upsert: { ...upsert, filter: undefined }, own }
  await refuseOutOfScope({ datastore, model, bounds, columns: values, row: undefined })
  const stays = await buildScopeCondition({ datastore, model, bounds, columns: changes, row: own })
  const limits = [...buildVisibilityFilters(model, 0, bounds), ...(stays === undefined || isAlwaysTrue(stays) ? [] : [stays])]
  return { upsert: { ...upsert, filter: limits.length === 0 ? undefined : and(limits) }, own }
}

interface UpsertAttempt {
  readonly own: Filter
  readonly plan: QueryPlan
  /** The conflicts of earlier attempts. */
  readonly conflicts: unknown[]
}

/** Makes one attempt; undefined where a row is in the way, or was. */
async function tryUpsert(source: ResourceSource, upsert: Upsert, attempt: UpsertAttempt): Promise<AssembledElement | undefined> {
  const { datastore, model } = source
  const { plan } = attempt
  if (datastore.upsert === undefined) return upsertInSteps(source, upsert, attempt)
  try {
    if (isSingleTable(plan)) return (await assembleWritten(source, plan, await datastore.upsert(upsert, plan.scope.columns)))[0]
    const key = model.key.map(({ node }) => ({ source: 0, column: node.column }))
    return (await readWritten(source, plan, (await datastore.upsert(upsert, key)).rows))[0]
  } catch (error) {
    // Of two that add the same row, one may meet the other in an index of other columns first.
    return recordConflict(datastore, error, attempt)
  }
}

/** How many conflicts are doubted. */
const MAX_DOUBTED_CONFLICTS = 2

/** Notes a conflict that may be one with the row itself; throws what is certain. */
function recordConflict({ fault }: Datastore, error: unknown, { conflicts }: UpsertAttempt): undefined {
  // In PostgreSQL, a conflict ends the transaction that it is in: the next attempt tells nothing more.
  if (fault(error) !== 'conflict') throw fault(error) === undefined && conflicts.length > 0 ? conflicts[0] : error
  if (conflicts.push(error) > MAX_DOUBTED_CONFLICTS) throw error
  return undefined
}

// With several statements: a change, and where nothing fits it, an insertion. A conflict of the first insertion may be one with
// the row itself, which another has added meanwhile, and a third may have removed since. Later insertions look for it themselves.
async function upsertInSteps(source: ResourceSource, upsert: Upsert, attempt: UpsertAttempt): Promise<AssembledElement | undefined> {
  const { datastore, model } = source
  const { table, values, changes, filter } = upsert
  const { own, plan, conflicts } = attempt
  const fitting = and([own, ...(filter === undefined ? [] : [filter])])
  const changed = await (changes.size === 0
    ? datastore.count({ from: table, joins: [], filter: fitting })
    : datastore.update(table, changes, fitting))
  if (changed > 0) return readUpserted(source, plan, own)
  try {
    if (conflicts.length === 0 || datastore.insertUnless === undefined) {
      const made = await datastore.insert(table, values)
      const key = model.key.map(({ node: { column } }) => made.get(column) ?? values.get(column))
      return (await readWritten(source, plan, [key]))[0]
    }
    if ((await datastore.insertUnless(table, values, own)) === 0) return undefined
  } catch (error) {
    return recordConflict(datastore, error, attempt)
  }
  const made = await readUpserted(source, plan, own)
  if (made === undefined) throw createContentionRefusal()
  return made
}

async function readUpserted(source: ResourceSource, plan: QueryPlan, own: Filter): Promise<AssembledElement | undefined> {
  const key = await readKey(source, own)
  return key.length === 0 ? undefined : (await readByKeys(source, plan, [key]))[0]
}

async function readKey({ datastore, model }: Pick<ResourceSource, 'datastore' | 'model'>, filter: Filter): Promise<unknown[]> {
  const columns = model.key.map(({ node }) => ({ source: 0, column: node.column }))
  const from = model.table
  const { rows } = await datastore.select({ from, joins: [], columns, filter, order: [], limit: 1, offset: 0 })
  return [...(rows[0] ?? [])]
}

// --- what tells whether an element is there --------------------------------------------------

/** The attributes that a client names an element by, and the columns of the unique set that they are in. */
interface UniqueKey {
  readonly by: UpsertKey
  readonly columns: readonly Column[]
}

// Within a scope, the columns that it gives one value belong to every key: numbers may be unique for each tenant only.
function resolveUniqueKey(model: Model, by: readonly string[] | undefined, fixed: FixedValues | undefined): UniqueKey {
  const key = by === undefined ? model.key : by.map((name) => ({ name, node: getColumnNode(model, name) }))
  const { table, mediaType } = model
  const named = new Set<Column>(key.map(({ node }) => node.column))
  const given = fixed?.isExclusive === true ? fixed.values.flatMap(([column, value]) => (value === null ? [] : [column])) : []
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

function getColumnNode({ nodes, mediaType }: Model, name: string): ColumnNode {
  const node = nodes.get(name)
  if (node?.type === 'column') return node
  throw new TypeError(
    `${mediaType.name} cannot be put by '${name}', which has no column. Remedy: name another attribute`,
  )
}
