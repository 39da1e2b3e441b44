// JSON:API (1.1): resource objects with type and id, links in the body, `page[…]`, `sort`, `filter[…]` and `fields[…]`.
import type { MediaType, View } from '../../../index.ts'
import type { FieldName } from '../../mapper/extend.ts'
import { convention, type ElementOf, type ListOf } from '../listing/convention.ts'
import type { ConventionDescription, ElementSettings, ListSettings } from '../listing/description.ts'
import {
  type BodyOf,
  type BodyTemplate,
  type ElementParamsOf,
  type Optional,
  optional,
  type ParamsOf,
  type ParamTemplate,
} from '../listing/templates.ts'
import { resourceForm } from './resource-objects.ts'

/** A JSON:API resource object: type and id, attributes, and relationships. */
export interface ResourceObject<out T = unknown> {
  readonly type: string
  readonly id: string
  readonly attributes?: { readonly [K in keyof T]?: T[K] }
  readonly relationships?: { readonly [name: string]: Relationship }
}

/** A relationship of an element, with the resource identifiers that it links to. */
interface Relationship {
  readonly data: ResourceIdentifier | readonly ResourceIdentifier[] | null
}

/** The type and id of an element. */
interface ResourceIdentifier {
  readonly type: string
  readonly id: string
}

/** The convention of JSON:API, whose elements are resource objects. */
export interface JsonApi<P extends ParamTemplate, B extends BodyTemplate> {
  readonly description: ConventionDescription<P, B>
  /** Declares a list of a media type, or of one of its views. */
  for<M extends MediaType | View, const S extends ListSettings<JsonApiField<M>> = {}>(
    of: M,
    settings?: S & ListSettings<JsonApiField<M>>,
  ): JsonApiList<M, P, S, B>
  /** Declares one element of a media type, or of one of its views. */
  element<M extends MediaType | View, const S extends ElementSettings<JsonApiField<M>> = {}>(
    of: M,
    settings?: S & ElementSettings<JsonApiField<M>>,
  ): ElementOf<M, ElementParamsOf<P, S>, BodyOf<{ readonly data: 'element' } & Included, ResourceObject<M['~type']>>>
  /** Returns the same convention with default settings for all lists of an application. */
  with(settings: Pick<ListSettings, 'headers' | 'links' | 'maxItems' | 'pageSize' | 'types'>): JsonApi<P, B>
}

/** A list of resource objects, as an action declares it. */
export type JsonApiList<M extends MediaType | View, P, S, B> = ListOf<
  M,
  ParamsOf<P, S>,
  S extends { readonly body: infer T } ? T : B,
  ResourceObject<M['~type']>
>

type JsonApiField<M> = M extends MediaType<infer A> ? FieldName<A> : string

const commonOptions = {
  element: resourceForm,
  contentType: 'application/vnd.api+json',
  elementBody: { data: 'element', included: optional('included') },
} as const
const queryRoles = { sort: 'order', filter: 'filterMembers', fields: 'fieldsOfType', include: 'include' } as const
const included = { included: optional('included') } as const

type CursorParams = QueryRoles & {
  readonly page: { readonly size: 'items'; readonly after: 'after'; readonly before: 'before' }
}
type CursorBody = {
  readonly links: { readonly self: 'self'; readonly first: 'first'; readonly prev: 'prev'; readonly next: 'next' }
  readonly data: 'elements'
} & Included
type NumberedParams = QueryRoles & { readonly page: { readonly number: 'page'; readonly size: 'items' } }
type NumberedBody = {
  readonly links: CursorBody['links'] & { readonly last: 'last' }
  readonly meta: { readonly total: 'total' }
  readonly data: 'elements'
} & Included
type QueryRoles = {
  readonly sort: 'order'
  readonly filter: 'filterMembers'
  readonly fields: 'fieldsOfType'
  readonly include: 'include'
}
type Included = { readonly included: Optional<'included'> }

const BY_CURSORS = {
  name: 'json-api',
  params: { page: { size: 'items', after: 'after', before: 'before' }, ...queryRoles },
  body: { links: { self: 'self', first: 'first', prev: 'prev', next: 'next' }, data: 'elements', ...included },
  ...commonOptions,
} as const

const BY_NUMBERS = {
  name: 'json-api-pages',
  params: { page: { number: 'page', size: 'items' }, ...queryRoles },
  body: {
    links: { self: 'self', first: 'first', prev: 'prev', next: 'next', last: 'last' },
    meta: { total: 'total' },
    data: 'elements',
    ...included,
  },
  ...commonOptions,
} as const

/** JSON:API with cursors, `page[after]` and `page[before]`: no element is repeated or missed while the list changes. */
export const jsonApi: JsonApi<CursorParams, CursorBody> = convention(BY_CURSORS) as never

/** JSON:API with `page[number]`, and the total number of elements in `meta`. */
export const jsonApiPages: JsonApi<NumberedParams, NumberedBody> = convention(BY_NUMBERS) as never
