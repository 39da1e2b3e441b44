// The options of a list from a request whose params follow another convention than edict's own: kept beside the params, in the
// terms of lists, with the names that the client knows.
import type { Showing } from '../plan/plan.ts'
import type { ListParams } from './list-request.ts'

/** The options of a list from a request, with pointers to the params that hold them. */
export interface NotedList extends ListParams {
  /** The fields of the elements that are read. */
  readonly showing: Showing
  /** Pointers to the params that hold the place, the order and the filters. */
  readonly pointers: ListPointers
}

/** Pointers to the params of a list in a request. */
export type ListPointers = Readonly<Record<'pagination' | 'order' | 'filters', string>>

// The key is the same in every copy of this package: a resource may have been made by another one.
const ASKED: unique symbol = Symbol.for('edict.asked') as never

/** Keeps the options of a list beside its params, which do not change. */
export function noteList(params: object, asked: NotedList): void {
  Object.defineProperty(params, ASKED, { value: asked })
}

/** The options kept beside params; undefined where lists read the params themselves. */
export const notedList = (params: object): NotedList | undefined => (params as { readonly [ASKED]?: NotedList })[ASKED]
