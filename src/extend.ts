// The entry point `edict/extend`: everything that plugins and policies need from the core in addition to the names of
// `edict`.

export { attributeRules } from './design/attribute-rules.ts'
export { attribute, dumpWith } from './design/complete-kind.ts'
export type { PlainBody } from './design/declare/action-response.ts'
export type { AlternativeTerm, Term, Terms } from './design/declare/contract-terms.ts'
export { isMediaType, isView } from './design/declare/media-type.ts'
export {
  type ClientAttempt,
  type DeprecatedUse,
  type OutgoingResponse,
  type Policies,
  type Policy,
  type PolicyAction,
  type PolicyDocument,
  type PolicyRequest,
  type PolicyResponse,
  type PolicyResult,
  type PolicySteps,
  type PolicyTarget,
  policy,
  type SecurityChoice,
} from './design/declare/policy.ts'
export { getRetryDelay } from './design/declare/retry-pause.ts'
export { getSelectableBelow, parseSelection, type Selection, toSelectableBody } from './design/fields/selection.ts'
export {
  findShownPart,
  getMediaType,
  getResource,
  listShownParts,
  readShownPart,
  type ShownPart,
} from './design/fields/shown-part.ts'
export {
  createReporter,
  type DefinitionMistake,
  type MistakenType,
  type Report,
  readSettings,
  refuseMistakes,
  reportFlaws,
} from './design/mistakes.ts'
export { findEndpointType } from './design/resolve/endpoint-type.ts'
export type { ResolvedAction, ResolvedEndpoint } from './design/resolve/resolved.ts'
export { getDeclaredMediaType } from './design/visibility.ts'
export {
  type Codes,
  type DefinedFailure,
  type DefinedIssue,
  defineCodes,
  type FailureCode,
  type IssueCode,
  type IssueDetail,
} from './errors.ts'
export type { ParamNote } from './openapi/parameters.ts'
export { compileMatcher } from './regexp/matcher.ts'
export {
  type AnyOptions,
  type AttributeConstraints,
  type AttributeCore,
  type AttributeRules,
  type FieldsUse,
  type FieldUse,
  getConfig,
  isAttribute,
  type Kind,
  type KindOutline,
  type KindRules,
  type Listing,
  makeAttribute as outlinedAttribute,
  type ResponseHeader,
  type Shape,
  type ValueRules,
  type VisibilityFilter,
} from './schema/attribute.ts'
export { type Deprecation, formatAudiences, type Restriction } from './schema/attribute-options.ts'
export { isInline } from './schema/children.ts'
export { type Dumper, Dumping } from './schema/dumping.ts'
export { ExampleSeed } from './schema/example.ts'
export { makeInvalidAttribute, makeMisdeclaredAttribute } from './schema/invalid-attribute.ts'
export { escapePointer, INVALID } from './schema/issue.ts'
export { applyOptions, type JsonSchema } from './schema/json-schema.ts'
export { type Loader, Loading } from './schema/loading.ts'
export type { DecimalOptions } from './schema/scalars/decimal.ts'
export { findRestriction } from './schema/structures/restrictions.ts'
export type { Value } from './schema/types.ts'
export type { ApiDescription, ApplicationOptions, ArrivalResult, Phase, Plugin } from './server/application-options.ts'
export { openStream, type StreamSource } from './server/body-stream.ts'
export { problem } from './server/failure/failures.ts'
export type { Reason, ReasonCode } from './server/problem/reasons.ts'
export { isRefusal, type ProblemInit, Refusal, type RefusedValue } from './server/problem/refusal.ts'
export type { ParamsCheck } from './server/request/exchange.ts'
export type { IncomingRequest, RequestEnd } from './server/request/incoming-request.ts'
export { readCookies } from './server/request/read-cookies.ts'
export { type RequestFacts, requestFacts } from './server/request/request-facts.ts'
export { getRequestedView, isRequestOfAction } from './server/response/action-identity.ts'
export { type RecordedResponse, replayResponse } from './server/response/recorded-response.ts'
export type { BodyCheck, ResponseViolation, ViolationFinding } from './server/response/violation.ts'
export type { SentStatement, StatementEnd, StatementObserver, StatementSource } from './server/sent-statement.ts'
/** Days and minutes of dates and times in RFC 3339 format. */
export * as calendar from './util/calendar.ts'
export { DatabaseError } from './util/database-error.ts'
/** Exact numbers as texts: digits, order, plain notation. */
export * as decimals from './util/decimal.ts'
export { describeValue, isClass, readProperty } from './util/describe-value.ts'
export { type Environment, readEnvironment } from './util/environment.ts'
export { SharedEvent } from './util/event-stream/shared-event.ts'
export { type Failed, isFailed } from './util/failed.ts'
export { refuseInFrontEnd } from './util/front-end.ts'
export { getEssence } from './util/media-type.ts'
export { memoize, memoizeByKey, memoizeLatest, runOnce } from './util/memoize.ts'
export { formatTable, joinSentences, shortenName } from './util/message-text.ts'
export { toSnakeCase } from './util/naming.ts'
/** Forms of options: the allowed settings and the allowed values of each. */
export * as form from './util/setting-form.ts'
export { isThenable } from './util/thenable.ts'
export { toUri } from './util/uri.ts'
export { waitAtMost } from './util/wait-at-most.ts'
