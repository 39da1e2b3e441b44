// The names that declarations are written with. Front ends import them, so they must not depend on server code.
export { childOf } from './design/child.ts'
export { type AnyController, type Controller, controller } from './design/controller.ts'
export { type ActionSettings, type ActionSpec, type PayloadReference, payloadOf } from './design/declare/action.ts'
export {
  ActionResponse,
  type HeaderBag,
  type ResponseClass,
  type ResponseInit,
  type ResponseSpec,
  Responses,
  response,
} from './design/declare/action-response.ts'
export {
  type Collection,
  type CollectionOptions,
  collectionOf,
  type ListFormat,
} from './design/declare/collection.ts'
export {
  type DeclaredEvent,
  type EventOf,
  type Events,
  type EventsOptions,
  events,
} from './design/declare/events.ts'
export { header } from './design/declare/header.ts'
export { type MediaType, mediaType, type View } from './design/declare/media-type.ts'
export { type Route, type RouteOptions, type RoutePrefix, route, type Verb } from './design/declare/route.ts'
export type { AllExcept, ViewNames, Views, ViewsOf } from './design/declare/views.ts'
export { type Endpoint, endpoint } from './design/endpoint.ts'
export { charClasses } from './path/index.ts'
export {
  type Inherit,
  type Inheriting,
  type InheritingAttributes,
  type InheritingStructure,
  type InheritOptions,
  inherit,
  type Replaced,
} from './schema/inherit.ts'
export { allOrNone, atLeastOne, atMostOne, exactlyOne, type Requirement } from './schema/requirements.ts'
export { has } from './schema/structures/object.ts'
export { t } from './schema/t.ts'
