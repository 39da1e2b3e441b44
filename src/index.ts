// The public entry of edict: declarations, controllers and applications.

export { type Application, type ApplicationOptions, application } from './application.ts'
export type { Contract } from './contract/contract.ts'
export type { Change, ChangeKind } from './contract/diff/change.ts'
export { diffContracts } from './contract/diff/diff.ts'
export * from './declarations.ts'
export type {
  ActionContext,
  ActionReply,
  ActionRequest,
  Context,
  CurrentResponse,
  Implementation,
  ImplementationClass,
  RawRequest,
  Reply,
  ReplyInit,
  RequestOf,
  Returns,
} from './design/action-context.ts'
export type { AroundCallback, Callback, CallbackOptions, CallbackResult, Stage } from './design/callback.ts'
export type { ChildOf, EndpointSpec } from './design/declare/endpoint.ts'
export { type Need, type NeedEnd, type NeedOptions, type NeedRequest, need } from './design/declare/need.ts'
export type { Policy, SecuritySpec } from './design/declare/policy.ts'
export type { AnyDefinition, Definition, Named } from './design/definition.ts'
export type { FieldPath, Selected, Selection } from './design/fields/selection.ts'
export { HrefError } from './design/href.ts'
export type { BodyOf, HeadersOf, HrefArgs, NamedRoute, ParamsOf, PayloadOf } from './design/infer/inference.ts'
export type { ApiMetadata, ApiServer, Contact, ExternalDocs, License, Tag } from './design/metadata.ts'
export { DefinitionError, type DefinitionMistake } from './design/mistakes.ts'
export type { OpenapiDocument, OpenapiOptions, OpenapiVersion, Operation, Parameter } from './openapi/types.ts'
export type { VersionCarrier } from './routing/version.ts'
export type { AnyOptions, Attribute, Attributes, Options, Presence } from './schema/attribute.ts'
export type { Deprecation } from './schema/attribute-options.ts'
export type { InheritingStructure } from './schema/inherit.ts'
export type { ArrayOf } from './schema/structures/array.ts'
export type { UploadedFile } from './schema/structures/file.ts'
export type { RecordOf } from './schema/structures/record.ts'
export type { RefTo } from './schema/structures/ref.ts'
export type { UnionOf } from './schema/structures/union.ts'
export type { IsPresent, ObjectOf, PresentKeys } from './schema/types.ts'
export {
  type BasicCredentials,
  type CrossSite,
  crossSiteRefusal,
  forbidden,
  type SchemeForm,
  type SecurityNeed,
  type SecurityScheme,
  type SecuritySet,
  security,
  type Verdict,
  type Verifier,
  type VerifierContext,
  verifier,
} from './security/index.ts'
export type { ApiDescription, Limits, Plugin } from './server/application-options.ts'
export type { Api, RouteRow } from './server/create-server.ts'
export type { ExplainedPoint, Explanation } from './server/explain.ts'
export type { Logger } from './server/logger.ts'
export type { InputError, Problem } from './server/problem/problem.ts'
export {
  type EncodedProblem,
  type ProblemContext,
  type ProblemEncoder,
  type ProblemRequest,
  problemEncoder,
} from './server/response/problem-encoder.ts'
export type { BodyFault, Handler, RawHeaders, RawResponse, Send, StreamBody, Transport } from './server/transport.ts'
