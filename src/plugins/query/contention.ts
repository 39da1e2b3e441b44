// Contention: concurrent writes interfered, and the client may retry.
import { type ProblemInit, Refusal } from '../../extend.ts'

/** The problem for a datastore that is unavailable; `Retry-After` states the seconds until a retry. */
export const UNAVAILABLE: ProblemInit = { code: 'unavailable', headers: { 'Retry-After': '1' } }

/** Creates the refusal of a write that concurrent writes kept interrupting, or whose row was deleted before it could be read. */
export const createContentionRefusal = (): Refusal => new Refusal(UNAVAILABLE)
