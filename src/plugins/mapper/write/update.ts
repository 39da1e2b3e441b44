// Updates: the statement that changes an element returns it, where the datastore can do that.
import type { Projection } from '../plan/query-plan.ts'
import type { Filter, SelectedRows, ColumnValues } from '../../query/query.ts'
import type { AssembledElement } from '../read/build-elements.ts'
import type { ResourceSource } from '../read/planned-query.ts'
import type { Model } from '../model/model.ts'
import { readOwnValue } from './column-values.ts'
import { isSingleTable, planReturned, assembleWritten } from './write.ts'

/** Changes the rows that fit, and tells how many they are. */
export type UpdateRows = (columns: ColumnValues, filter: Filter) => Promise<number>

/** A change whose result is not read. */
export const createUpdate =
  ({ datastore, model }: ResourceSource): UpdateRows =>
  (columns, filter) =>
    datastore.update(model.table, columns, filter)

interface ReturningUpdate {
  /** Undefined where the element has to be read after the change. */
  readonly update: UpdateRows | undefined
  /** The element as the change has left it; undefined where it has to be read. */
  getElement(): Promise<AssembledElement | undefined>
}

/** A change whose element is wanted. */
export function createReturningUpdate(source: ResourceSource, showing: Projection): ReturningUpdate {
  const { datastore, model } = source
  const plan = planReturned(source, showing)
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

/** The key of an element after a change that may have given it another. */
export function getNewKey({ key }: Model, given: unknown, changes: object): Record<string, unknown> {
  const before = (name: string): unknown =>
    typeof given === 'object' && given !== null ? readOwnValue(given, name) : given
  return Object.fromEntries(key.map(({ name }) => [name, readOwnValue(changes, name) ?? before(name)]))
}
