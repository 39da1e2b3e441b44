// The public entry `edict/client`: typed calls from the same declarations, for browsers and servers alike.
export type { Around, SentRequest } from './around.ts'
export { client } from './client.ts'
export { type CachedResponse, etags } from './etags.ts'
export type { CallResponse, EncodedCallResponse, FailedCallResponse, Problem } from './outcome.ts'
export { type Progress, progress } from './progress.ts'
export { ResponseError, type AnyCallResponse, CallError, StatusError } from './thrown.ts'
export type {
  Call,
  CallOptions,
  Client,
  ClientOptions,
  Page,
  ProblemOf,
  ElementIterator,
} from './types.ts'
export { readValue, writeValue } from './values.ts'
