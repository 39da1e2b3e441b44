// List options from a request whose params follow another convention than edict's own: attached to the params, with
// pointers to the params of the client.
import type { Projection } from '../plan/query-plan.ts'
import type { ListParams } from './list-request.ts'

/** The options of a list from a request, with pointers to the params that hold them. */
export interface AttachedListOptions extends ListParams {
  /** The fields of the elements that are read. */
  readonly projection: Projection
  /** Pointers to the params that hold the cursor, the order and the filters. */
  readonly pointers: ListPointers
}

/** Pointers to the params of a list in a request. */
export type ListPointers = Readonly<Record<'pagination' | 'order' | 'filters', string>>

// A registered symbol, so that several copies of this package share it.
const LIST_OPTIONS: unique symbol = Symbol.for('edict.list-options') as never

/** Attaches the options of a list to its params, which stay unchanged. */
export function attachListOptions(params: object, options: AttachedListOptions): void {
  Object.defineProperty(params, LIST_OPTIONS, { value: options })
}

/** Returns the options attached to params; undefined if lists read the params themselves. */
export const getAttachedListOptions = (params: object): AttachedListOptions | undefined =>
  (params as { readonly [LIST_OPTIONS]?: AttachedListOptions })[LIST_OPTIONS]
