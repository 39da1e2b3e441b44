// The public entry `edict/client`: typed calls from the same declarations, for browsers and servers alike.
export { AnswerError } from './answer.ts'
export { client } from './client.ts'
export { CallError } from './request.ts'
export type {
  Answer,
  Call,
  CallOptions,
  Client,
  ClientOptions,
  FailureAnswer,
  Problem,
  ProblemOf,
} from './types.ts'
