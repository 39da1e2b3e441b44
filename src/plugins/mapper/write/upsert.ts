// Upserts: inserts an element, or updates the existing one. An existing element outside the caller's scope conflicts, and
// stays unchanged.

import { and, negate } from '../../query/combine-filters.ts'
import { createContentionRefusal } from '../../query/contention.ts'
import type { Column, ColumnValues, Datastore, Filter, Upsert } from '../../query/query.ts'
import { retryUntilDecided } from '../faults.ts'
import type { ColumnNode, Model } from '../model/model.ts'
import type { FixedValues } from '../plan/caller-bounds.ts'
import { buildVisibilityFilters } from '../plan/filter-builder.ts'
import type { Projection, QueryPlan } from '../plan/query-plan.ts'
import type { AssembledElement } from '../read/build-elements.ts'
import type { ResourceSource } from '../read/planned-query.ts'
import { buildUpsertValues, type UpsertKey } from './column-values.ts'
import { withNamedConflicts } from './conflicts.ts'
import {
  buildScopeCondition,
  createScopeRefusal,
  isAlwaysTrue,
  KnownConflict,
  refuseOutOfScope,
} from './scope-check.ts'
import { assembleWritten, isSingleTable, planReturned, readByKeys, readWritten } from './write.ts'

/** Inserts an element, or updates the one that has the same values in `by`, and returns it. */
export async function upsertElement(
  source: ResourceSource,
  values: object,
  by: readonly string[] | undefined,
  projection: Projection,
): Promise<AssembledElement> {
  const { datastore, model, bounds } = source
  const fixed = bounds?.getFixedValues(model)
  const key = resolveUniqueKey(model, by, fixed)
  const { values: columns, changes } = buildUpsertValues(model, values, key, fixed)
  const write = { datastore, model, rows: [columns], locate: () => ({ values, path: '' }) }
  return withNamedConflicts(write, async () => {
    const { upsert, rowFilter } = await prepareUpsert(source, { columns: key.columns, values: columns, changes })
    const plan = planReturned(source, projection)
    const conflicts: unknown[] = []
    return retryUntilDecided(async () => {
      const element = await tryUpsert(source, upsert, { rowFilter, plan, conflicts })
      if (element === undefined && upsert.filter !== undefined) await refuseConflict(source, upsert, rowFilter)
      return element
    })
  })
}

// Refuses the write if an unchanged row conflicts; returns if the row is gone or matches by now, for another attempt.
async function refuseConflict(
  { datastore, model, bounds }: ResourceSource,
  { filter = and([]), by }: Upsert,
  rowFilter: Filter,
): Promise<void> {
  const visibility = buildVisibilityFilters(model, 0, bounds)
  const exists = async (...conditions: readonly Filter[]): Promise<boolean> =>
    (await datastore.count({ from: model.table, joins: [], filter: and([rowFilter, ...conditions]) })) > 0
  if (await exists(...visibility, negate(filter))) throw createScopeRefusal()
  // A hidden element of another caller causes the same conflict as an existing key, so it is not disclosed.
  if (await exists(negate(and(visibility)))) throw new KnownConflict({ kind: 'duplicate', columns: by })
}

interface PreparedUpsert {
  readonly upsert: Upsert
  /** The condition that identifies the existing element. */
  readonly rowFilter: Filter
}

/** The columns of an upsert, and those that identify an existing row. */
interface UpsertColumns {
  readonly columns: readonly Column[]
  readonly values: ColumnValues
  readonly changes: ColumnValues
}

async function prepareUpsert(
  { datastore, model, bounds }: ResourceSource,
  { columns, values, changes }: UpsertColumns,
): Promise<PreparedUpsert> {
  const rowFilter = and(
    columns.map((column): Filter => ({ op: '=', reference: { source: 0, column }, value: values.get(column) })),
  )
  const upsert = { table: model.table, values, by: columns, changes }
  if (bounds === undefined) return { upsert: { ...upsert, filter: undefined }, rowFilter }
  await refuseOutOfScope({ datastore, model, bounds, columns: values, row: undefined })
  const scopeCondition = await buildScopeCondition({ datastore, model, bounds, columns: changes, row: rowFilter })
  const conditions = [
    ...buildVisibilityFilters(model, 0, bounds),
    ...(scopeCondition === undefined || isAlwaysTrue(scopeCondition) ? [] : [scopeCondition]),
  ]
  return { upsert: { ...upsert, filter: conditions.length === 0 ? undefined : and(conditions) }, rowFilter }
}

interface UpsertAttempt {
  readonly rowFilter: Filter
  readonly plan: QueryPlan
  /** The conflicts of earlier attempts. */
  readonly conflicts: unknown[]
}

/** Makes one attempt; returns undefined if a row conflicts or has conflicted. */
async function tryUpsert(
  source: ResourceSource,
  upsert: Upsert,
  attempt: UpsertAttempt,
): Promise<AssembledElement | undefined> {
  const { datastore, model } = source
  const { plan } = attempt
  if (datastore.upsert === undefined) return upsertInSteps(source, upsert, attempt)
  try {
    if (isSingleTable(plan))
      return (await assembleWritten(source, plan, await datastore.upsert(upsert, plan.scope.columns)))[0]
    const key = model.key.map(({ node }) => ({ source: 0, column: node.column }))
    return (await readWritten(source, plan, (await datastore.upsert(upsert, key)).rows))[0]
  } catch (error) {
    // A concurrent insert of the same row may conflict in the index of other columns first.
    return recordConflict(datastore, error, attempt)
  }
}

/** The number of conflicts after which the conflict is reported instead of retried. */
const MAX_DOUBTED_CONFLICTS = 2

/** Records a conflict that may be one with the row itself; throws other errors. */
function recordConflict({ classifyError: fault }: Datastore, error: unknown, { conflicts }: UpsertAttempt): undefined {
  // In PostgreSQL, a conflict aborts its transaction: the next attempt fails with another error.
  if (fault(error) !== 'conflict') throw fault(error) === undefined && conflicts.length > 0 ? conflicts[0] : error
  if (conflicts.push(error) > MAX_DOUBTED_CONFLICTS) throw error
  return undefined
}

// Upserts by several statements: an update, and an insert if no row matches. A conflict of the first insert may be one with
// the row itself, inserted concurrently and possibly deleted since. Later inserts check for the row in the same statement.
async function upsertInSteps(
  source: ResourceSource,
  upsert: Upsert,
  attempt: UpsertAttempt,
): Promise<AssembledElement | undefined> {
  const { datastore, model } = source
  const { table, values, changes, filter } = upsert
  const { rowFilter, plan, conflicts } = attempt
  const matching = and([rowFilter, ...(filter === undefined ? [] : [filter])])
  const updated = await (changes.size === 0
    ? datastore.count({ from: table, joins: [], filter: matching })
    : datastore.update(table, changes, matching))
  if (updated > 0) return readUpserted(source, plan, rowFilter)
  try {
    if (conflicts.length === 0 || datastore.insertUnless === undefined) {
      const inserted = await datastore.insert(table, values)
      const key = model.key.map(({ node: { column } }) => inserted.get(column) ?? values.get(column))
      return (await readWritten(source, plan, [key]))[0]
    }
    if ((await datastore.insertUnless(table, values, rowFilter)) === 0) return undefined
  } catch (error) {
    return recordConflict(datastore, error, attempt)
  }
  const element = await readUpserted(source, plan, rowFilter)
  if (element === undefined) throw createContentionRefusal()
  return element
}

async function readUpserted(
  source: ResourceSource,
  plan: QueryPlan,
  rowFilter: Filter,
): Promise<AssembledElement | undefined> {
  const key = await readKey(source, rowFilter)
  return key.length === 0 ? undefined : (await readByKeys(source, plan, [key]))[0]
}

async function readKey(
  { datastore, model }: Pick<ResourceSource, 'datastore' | 'model'>,
  filter: Filter,
): Promise<unknown[]> {
  const columns = model.key.map(({ node }) => ({ source: 0, column: node.column }))
  const from = model.table
  const { rows } = await datastore.select({ from, joins: [], columns, filter, order: [], limit: 1, offset: 0 })
  return [...(rows[0] ?? [])]
}

// --- unique keys -----------------------------------------------------------------------------

/** The attributes that identify an element, and the columns of the unique set that contains them. */
interface UniqueKey {
  readonly by: UpsertKey
  readonly columns: readonly Column[]
}

// Within a scope, the columns that it fixes belong to every key: a number may be unique per tenant only.
function resolveUniqueKey(model: Model, by: readonly string[] | undefined, fixed: FixedValues | undefined): UniqueKey {
  const key = by === undefined ? model.key : by.map((name) => ({ name, node: getColumnNode(model, name) }))
  const { table, mediaType } = model
  const keyColumns = new Set<Column>(key.map(({ node }) => node.column))
  const fixedColumns =
    fixed?.isExclusive === true ? fixed.values.flatMap(([column, value]) => (value === null ? [] : [column])) : []
  const allowed = new Set<Column>([...keyColumns, ...fixedColumns])
  const sets = [table.key, ...(table.unique ?? [])]
    .filter(({ length }) => length > 0)
    .map((set) => set.map((name) => table.columns.get(name) as Column))
  const candidates = sets.filter(
    (set) => [...keyColumns].every((one) => set.includes(one)) && set.every((one) => allowed.has(one)),
  )
  const [columns] = candidates.sort((a, b) => a.length - b.length)
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
