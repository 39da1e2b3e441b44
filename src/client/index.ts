// The public entry `edict/client`: typed calls from the same declarations, for browsers and servers alike.
export type { Around, SentRequest } from './around.ts'
export { client } from './client.ts'
export { type CachedResponse as CachedAnswer, etags } from './etags.ts'
export type { CallResponse as Answer, EncodedCallResponse as EncodedAnswer, FailedCallResponse as FailureAnswer, Problem } from './outcome.ts'
export { type Progress, progress } from './progress.ts'
export { ResponseError as AnswerError, type AnyCallResponse as Answered, CallError, StatusError } from './thrown.ts'
export type {
  Call,
  CallOptions,
  Client,
  ClientOptions,
  Page,
  ProblemOf,
  ElementIterator as Walk,
} from './types.ts'
export { readValue, writeValue } from './values.ts'
