// The public entry `edict/client`: typed calls from the same declarations, for browsers and servers alike.
export type { Around, SentRequest } from './around.ts'
export { client } from './client.ts'
export { type CachedResponse, etags } from './etags.ts'
export type { CallResponse, EncodedCallResponse, FailedCallResponse, Problem } from './call-response.ts'
export { type Progress, progress } from './progress.ts'
export { ResponseError, type AnyCallResponse, CallError, StatusError } from './call-errors.ts'
export type {
  Call,
  CallOptions,
  Client,
  ClientOptions,
  Page,
  ProblemOf,
  ElementIterator,
} from './types.ts'
export { readValue, writeValue } from './convert-value.ts'
