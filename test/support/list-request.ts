// Requests of lists that no application has made, with params as actions declare them.
import type { ListRequest } from 'edict/mapper'

/** A request of some action that shows nothing in particular. */
export const listRequest = (params: object): ListRequest => {
  const action = { name: 'index', [Symbol.for('edict.shown')]: {} }
  return { params, action }
}
