// The entry point `edict/extend`: all that plugins and policies need of the core.

export {
  type OutgoingResponse,
  type Policies,
  type Policy,
  type PolicyAction,
  type PolicyDocument,
  type PolicyRequest,
  type PolicyResponse,
  type PolicyResult,
  type PolicySteps,
  policy,
  type SecurityChoice,
} from './design/declare/policy.ts'
export type { Term, Terms, WayTerm } from './design/declare/terms.ts'
export type { DefinitionMistake, Report } from './design/resolve/mistakes.ts'
export { reportFlaws } from './design/resolve/mistakes.ts'
export type { ResolvedAction, ResolvedEndpoint } from './design/resolve/resolved.ts'
export { type ProblemInit, problem } from './server/failure/failures.ts'
export type { ApiDescription, ApplicationOptions, ArrivalResult, Plugin } from './server/options.ts'
export type { IncomingRequest, RequestEnd } from './server/points/incoming.ts'
export { described } from './util/described.ts'
/** Forms of options: which settings there may be, and what each of them may be. */
export * as form from './util/form.ts'
export { isThenable } from './util/thenable.ts'
