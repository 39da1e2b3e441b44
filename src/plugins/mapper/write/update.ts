// Updates: the statement that changes an element returns it, if the datastore supports that.

import { and, negate } from '../../query/combine-filters.ts'
import type { ColumnValues, Filter, SelectedRows } from '../../query/query.ts'
import { retryUntilDecided } from '../faults.ts'
import type { Model } from '../model/model.ts'
import type { Projection } from '../plan/query-plan.ts'
import type { AssembledElement } from '../read/build-elements.ts'
import type { ResourceSource } from '../read/planned-query.ts'
import { readOwnValue } from './column-values.ts'
import {
  buildScopeCondition,
  createScopeRefusal,
  findHiddenLink,
  isAlwaysFalse,
  isAlwaysTrue,
  KnownConflict,
} from './scope-check.ts'
import { assembleWritten, isSingleTable, planReturned } from './write.ts'

/** Updates the rows that match, and returns their number. */
export type UpdateRows = (columns: ColumnValues, filter: Filter) => Promise<number>

/** Creates an update that does not return the element. */
const createUpdate =
  ({ datastore, model }: ResourceSource): UpdateRows =>
  (columns, filter) =>
    datastore.update(model.table, columns, filter)

/** Updates one row; refuses to move it out of the scope of its resource, and to link it to what its caller does not see. */
export async function updateWithinScope(
  source: ResourceSource,
  columns: ColumnValues,
  row: Filter,
  update: UpdateRows = createUpdate(source),
): Promise<number> {
  const { datastore, model, bounds } = source
  if (bounds === undefined) return update(columns, row)
  const write = { datastore, model, bounds, columns, row }
  const countRows = (filter: Filter): Promise<number> => datastore.count({ from: model.table, joins: [], filter })
  const scopeCondition = await buildScopeCondition(write)
  const leavesScope = scopeCondition !== undefined && isAlwaysFalse(scopeCondition)
  const hiddenLink = leavesScope ? undefined : await findHiddenLink(write)
  const isRefused = leavesScope || hiddenLink !== undefined
  const filter = scopeCondition === undefined || isAlwaysTrue(scopeCondition) ? row : and([row, scopeCondition])
  return retryUntilDecided(async () => {
    const updated = isRefused ? 0 : await update(columns, filter)
    // An element that is not visible is not found, regardless of the write.
    if (updated > 0 || (!isRefused && filter === row) || (await countRows(row)) === 0) return updated
    if (hiddenLink !== undefined) throw new KnownConflict({ kind: 'reference', columns: hiddenLink })
    if (leavesScope) throw createScopeRefusal()
    if ((await countRows(and([row, negate(scopeCondition as Filter)]))) > 0) throw createScopeRefusal()
    return undefined
  })
}

interface ReturningUpdate {
  /** Undefined if the element must be read after the update. */
  readonly update: UpdateRows | undefined
  /** Returns the element after the update; undefined if it must be read. */
  getElement(): Promise<AssembledElement | undefined>
}

/** Creates an update that returns the element. */
export function createReturningUpdate(source: ResourceSource, projection: Projection): ReturningUpdate {
  const { datastore, model } = source
  const plan = planReturned(source, projection)
  if (datastore.updateReturning === undefined || !isSingleTable(plan))
    return { update: undefined, getElement: async () => undefined }
  let selected: SelectedRows | undefined
  return {
    async update(columns, filter) {
      selected = await datastore.updateReturning?.(model.table, columns, filter, plan.scope.columns)
      return selected === undefined ? 0 : (selected.undecoded ?? selected).rows.length
    },
    getElement: async () => (selected === undefined ? undefined : (await assembleWritten(source, plan, selected))[0]),
  }
}

/** Returns the key of an element after a change that may include the key. */
export function getNewKey({ key }: Model, oldKey: unknown, changes: object): Record<string, unknown> {
  const getOldValue = (name: string): unknown =>
    typeof oldKey === 'object' && oldKey !== null ? readOwnValue(oldKey, name) : oldKey
  return Object.fromEntries(key.map(({ name }) => [name, readOwnValue(changes, name) ?? getOldValue(name)]))
}
