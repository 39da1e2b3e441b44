// The public entry `edict/client`: typed calls for browsers and servers, from the declarations of the API.
export type { Around, SentRequest } from './around.ts'
export { type AnyCallResponse, CallError, ResponseError, StatusError } from './call-errors.ts'
export type {
  CallFailure,
  CallResponse,
  EncodedResponse,
  Problem,
} from './call-response.ts'
export { client } from './client.ts'
export { readValue, writeValue } from './convert-value.ts'
export { type CachedResponse, etags } from './etags.ts'
export { type Progress, progress } from './progress.ts'
export type {
  Call,
  CallOptions,
  Client,
  ClientOptions,
  ElementIterator,
  Page,
  ProblemOf,
} from './types.ts'
