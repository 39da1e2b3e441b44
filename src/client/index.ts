// The public entry `edict/client`: typed calls from the same declarations, for browsers and servers alike.
export type { Around, SentRequest } from './around.ts'
export { client } from './client.ts'
export { type CachedAnswer, etags } from './etags.ts'
export type { Answer, EncodedAnswer, FailureAnswer, Problem } from './outcome.ts'
export { type Progress, progress } from './progress.ts'
export { AnswerError, type Answered, CallError, StatusError } from './thrown.ts'
export type {
  Call,
  CallOptions,
  Client,
  ClientOptions,
  Page,
  ProblemOf,
  Walk,
} from './types.ts'
export { readValue, writeValue } from './values.ts'
