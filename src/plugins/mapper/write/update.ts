// Updates: the statement that changes an element returns it, if the datastore supports that.

import type { ColumnValues, Filter, SelectedRows } from '../../query/query.ts'
import type { Model } from '../model/model.ts'
import type { Projection } from '../plan/query-plan.ts'
import type { AssembledElement } from '../read/build-elements.ts'
import type { ResourceSource } from '../read/planned-query.ts'
import { readOwnValue } from './column-values.ts'
import { assembleWritten, isSingleTable, planReturned } from './write.ts'

/** Updates the rows that match, and returns their number. */
export type UpdateRows = (columns: ColumnValues, filter: Filter) => Promise<number>

/** Creates an update that does not return the element. */
export const createUpdate =
  ({ datastore, model }: ResourceSource): UpdateRows =>
  (columns, filter) =>
    datastore.update(model.table, columns, filter)

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
