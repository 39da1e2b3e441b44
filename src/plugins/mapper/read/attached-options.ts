// The options of a list from a request whose params follow another convention than edict's own: kept beside the params, in the
// terms of lists, with the names that the client knows.
import type { Projection } from '../plan/query-plan.ts'
import type { ListParams } from './list-request.ts'

/** The options of a list from a request, with pointers to the params that hold them. */
export interface AttachedListOptions extends ListParams {
  /** The fields of the elements that are read. */
  readonly projection: Projection
  /** Pointers to the params that hold the place, the order and the filters. */
  readonly pointers: ListPointers
}

/** Pointers to the params of a list in a request. */
export type ListPointers = Readonly<Record<'pagination' | 'order' | 'filters', string>>

// The key is the same in every copy of this package: a resource may have been made by another one.
const LIST_OPTIONS: unique symbol = Symbol.for('edict.asked') as never

/** Keeps the options of a list beside its params, which do not change. */
export function attachListOptions(params: object, asked: AttachedListOptions): void {
  Object.defineProperty(params, LIST_OPTIONS, { value: asked })
}

/** The options kept beside params; undefined where lists read the params themselves. */
export const getAttachedListOptions = (params: object): AttachedListOptions | undefined => (params as { readonly [LIST_OPTIONS]?: AttachedListOptions })[LIST_OPTIONS]
