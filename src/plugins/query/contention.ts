// Contention: other writes kept getting in the way, and the client may try again.
import { type ProblemInit, Refusal } from '../../extend.ts'

/** The response of a datastore that cannot answer now, with the seconds after which a client may try again. */
export const UNAVAILABLE: ProblemInit = { code: 'unavailable', headers: { 'Retry-After': '1' } }

/** Makes the refusal of a write that other writes kept interrupting, or whose element was gone before it could be read. */
export const createContentionRefusal = (): Refusal => new Refusal(UNAVAILABLE)
