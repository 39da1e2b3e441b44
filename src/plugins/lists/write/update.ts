// Updates: the statement that changes an element returns it, where the datastore can do that.
import type { Showing } from '../plan/plan.ts'
import type { Filter, Selected, Values } from '../query.ts'
import type { Element } from '../read/elements.ts'
import type { Source } from '../read/query.ts'
import type { Model } from '../resource/model.ts'
import { ownValue } from './columns.ts'
import { isOwn, planOf, writtenElements } from './write.ts'

/** Changes the rows that fit, and tells how many they are. */
export type Updating = (columns: Values, filter: Filter) => Promise<number>

/** A change whose result is not read. */
export const plainly =
  ({ datastore, model }: Source): Updating =>
  (columns, filter) =>
    datastore.update(model.table, columns, filter)

interface Returned {
  /** Undefined where the element has to be read after the change. */
  readonly update: Updating | undefined
  /** The element as the change has left it; undefined where it has to be read. */
  element(): Promise<Element | undefined>
}

/** A change whose element is wanted. */
export function returnedBy(source: Source, showing: Showing): Returned {
  const { datastore, model } = source
  const plan = planOf(source, showing)
  if (datastore.updateReturning === undefined || !isOwn(plan))
    return { update: undefined, element: async () => undefined }
  let selected: Selected | undefined
  return {
    async update(columns, filter) {
      selected = await datastore.updateReturning?.(model.table, columns, filter, plan.scope.columns)
      return selected === undefined ? 0 : (selected.undecoded ?? selected).rows.length
    },
    element: async () => (selected === undefined ? undefined : (await writtenElements(source, plan, selected))[0]),
  }
}

/** The key of an element after a change that may have given it another. */
export function rekeyed({ key }: Model, given: unknown, changes: object): Record<string, unknown> {
  const before = (name: string): unknown =>
    typeof given === 'object' && given !== null ? ownValue(given, name) : given
  return Object.fromEntries(key.map(({ name }) => [name, ownValue(changes, name) ?? before(name)]))
}
