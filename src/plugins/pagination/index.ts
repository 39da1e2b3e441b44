// The public entry point `edict/pagination`: pages, cursors and orders of lists.

export type { ListInfo, OrderTerm, Page, Position } from '../mapper/extend.ts'
export { aip } from './conventions/aip.ts'
export { cursors } from './conventions/cursors.ts'
export { elasticsearch } from './conventions/elasticsearch.ts'
export { type AipFailure, aipErrors } from './conventions/errors/aip-errors.ts'
export { type ElasticsearchFailure, elasticsearchErrors } from './conventions/errors/elasticsearch-errors.ts'
export { type JsonApiFailure, jsonApiErrors } from './conventions/errors/json-api-errors.ts'
export { type ODataFailure, odataErrors } from './conventions/errors/odata-errors.ts'
export { type SlackFailure, slackErrors } from './conventions/errors/slack-errors.ts'
export { type StripeFailure, stripeErrors } from './conventions/errors/stripe-errors.ts'
export { github } from './conventions/github.ts'
export { graph } from './conventions/graph.ts'
export { type JsonApi, type JsonApiList, jsonApi, jsonApiPages, type ResourceObject } from './conventions/json-api.ts'
export { limitOffset } from './conventions/limit-offset.ts'
export { odata } from './conventions/odata.ts'
export { pageNumbers } from './conventions/page-numbers.ts'
export { relay } from './conventions/relay.ts'
export { slack } from './conventions/slack.ts'
export { stripe } from './conventions/stripe.ts'
export { type Convention, convention, type ElementOf, type ListOf } from './listing/convention.ts'
export type { LinkableRequest, LinkForm, ListHeaders, RequestedElements } from './listing/declared-list.ts'
export type { ConventionDescription, ElementSettings, ListSettings } from './listing/description.ts'
export type { ElementForm, ElementNames, WriteElements, WrittenElements } from './listing/envelope.ts'
export {
  type PageInfo,
  type PaginatedRequest,
  pageOf,
  paginate,
} from './listing/page.ts'
export type { RelationTree, RequestedRelations } from './listing/related/relations.ts'
export {
  type BodyMembers,
  type BodyOf,
  type BodyRoles,
  type BodyTemplate,
  type Constant,
  constant,
  type DeclaredBody,
  type Each,
  type ElementMembers,
  type ElementRoles,
  type ElementTemplate,
  each,
  type FieldCondition,
  type IncludedElement,
  type MissableFact,
  type Optional,
  type OrEmpty,
  optional,
  orEmpty,
  type ParamRoles,
  type ParamsOf,
  type ParamTemplate,
  type TextFact,
} from './listing/templates.ts'
export type { OrderingSettings } from './ordering-config.ts'
export { OrderingParams } from './ordering-params.ts'
export type {
  CursorRequest,
  LinkContext,
  PageRequest,
  Pagination,
  PaginationParamsSettings,
} from './pagination-config.ts'
export { PaginationParams } from './pagination-params.ts'
export type { PaginationOptions } from './pagination-settings.ts'
export type { PaginationText } from './pagination-text.ts'
export { pagination } from './plugin.ts'
