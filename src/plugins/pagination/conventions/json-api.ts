// JSON:API (1.1): resource objects with type and id, links in the body, `page[…]`, `sort`, `filter[…]` and `fields[…]`.
import {
  type AnyOptions,
  getMediaType,
  getSelectableBelow,
  isMediaType,
  isView,
  makeInvalidAttribute,
  toSnakeCase,
} from '../../../extend.ts'
import type { Attribute, MediaType, View } from '../../../index.ts'
import { t } from '../../../index.ts'
import { type FieldName, readAttribute } from '../../mapper/extend.ts'
import { convention, type ListOf } from '../listing/convention.ts'
import type { ConventionDescription, ListSettings } from '../listing/description.ts'
import { type ElementForm, type ElementNames, formatField } from '../listing/envelope.ts'
import type { BodyTemplate, ParamsOf, ParamTemplate } from '../listing/templates.ts'

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
  /** Returns the same convention with default settings for all lists of an application. */
  with(settings: Pick<ListSettings, 'headers' | 'links' | 'maxItems' | 'pageSize'>): JsonApi<P, B>
}

/** A list of resource objects, as an action declares it. */
export type JsonApiList<M extends MediaType | View, P, S, B> = ListOf<
  M,
  ParamsOf<P, S>,
  S extends { readonly body: infer T } ? T : B,
  ResourceObject<M['~type']>
>

type JsonApiField<M> = M extends MediaType<infer A> ? FieldName<A> : string

const createIdentifier = (type: string): Attribute =>
  t.object({ type: t.string({ required: true, values: [type] }), id: t.string({ required: true }) })

const refuseWithoutId = ({ name }: MediaType): Attribute =>
  makeInvalidAttribute({
    at: '',
    problem: `JSON:API names related elements by their id, and ${name} has none`,
    remedy: 'leave it out of the view, or give its media type an id',
  })

/** Returns the media type that an attribute relates to, and whether to several elements; undefined for other attributes. */
function findRelated(attribute: Attribute): { readonly of: MediaType; readonly many: boolean } | undefined {
  const many = attribute.core.shape === 'list'
  let target = many ? (attribute.core.element as Attribute) : attribute
  while (target.core.target !== undefined) target = target.core.target
  return isMediaType(target) || isView(target) ? { of: getMediaType(target), many } : undefined
}

const toOptional = (attribute: Attribute): Attribute =>
  attribute.core.derive({ required: false, default: undefined } as AnyOptions)

interface ResourceParts {
  readonly attributes: readonly (readonly [string, Attribute])[]
  readonly relations: readonly (readonly [string, { readonly of: MediaType; readonly many: boolean }])[]
}

function splitAttributes(of: MediaType | View, { key }: ElementNames): ResourceParts {
  const selectable = Object.entries(getSelectableBelow(of) ?? {}).filter(([name]) => !key.includes(name))
  return {
    attributes: selectable.filter(([, one]) => findRelated(one) === undefined),
    relations: selectable.flatMap(([name, one]) => {
      const related = findRelated(one)
      return related === undefined ? [] : [[name, related] as const]
    }),
  }
}

function declareResource(of: MediaType | View, names: ElementNames): Attribute {
  const { attributes, relations } = splitAttributes(of, names)
  const linked = relations.map(([name, { of: other, many }]) => {
    const identifier = Object.hasOwn(other.attributes, 'id')
      ? createIdentifier(toSnakeCase(other.name))
      : refuseWithoutId(other)
    const data = many ? t.array(identifier, { required: true }) : t.ref(identifier, { required: true, nullable: true })
    return [name, t.object({ data: data as Attribute })] as const
  })
  return t.object({
    type: t.string({ required: true, values: [names.type] }),
    id: t.string({ required: true }),
    attributes: t.object(Object.fromEntries(attributes.map(([name, attribute]) => [name, toOptional(attribute)]))),
    ...(linked.length > 0 && { relationships: t.object(Object.fromEntries(linked)) }),
  }) as Attribute
}

function createResourceWriter(of: MediaType | View, names: ElementNames): (element: unknown) => unknown {
  const { attributes, relations } = splitAttributes(of, names)
  const mediaType = getMediaType(of)
  const getId = (element: unknown): string => names.key.map((name) => formatField(mediaType, name, element)).join(',')
  return (element) => {
    const read = (name: string): unknown => readAttribute(element as object, name)
    const visible: Record<string, unknown> = {}
    for (const [name] of attributes) {
      const value = read(name)
      if (value !== undefined) visible[name] = value
    }
    const linked = relations.filter(([name]) => read(name) !== undefined)
    const resource = { type: names.type, id: getId(element), attributes: visible }
    if (linked.length === 0) return resource
    const entries = linked.map(([name, { of: other }]) => [name, { data: toIdentifiers(read(name), other) }])
    return { ...resource, relationships: Object.fromEntries(entries) }
  }
}

function toIdentifiers(value: unknown, of: MediaType): unknown {
  if (Array.isArray(value)) return value.map((one) => toIdentifiers(one, of))
  return value === null ? null : { type: toSnakeCase(of.name), id: formatField(of, 'id', value) }
}

const resourceForm: ElementForm = { declare: declareResource, write: createResourceWriter }

const commonOptions = { element: resourceForm, contentType: 'application/vnd.api+json' } as const
const queryRoles = { sort: 'order', filter: 'filterMembers', fields: 'fieldsOfType' } as const

type CursorParams = QueryRoles & {
  readonly page: { readonly size: 'items'; readonly after: 'after'; readonly before: 'before' }
}
type CursorBody = {
  readonly links: { readonly self: 'self'; readonly first: 'first'; readonly prev: 'prev'; readonly next: 'next' }
  readonly data: 'elements'
}
type NumberedParams = QueryRoles & { readonly page: { readonly number: 'page'; readonly size: 'items' } }
type NumberedBody = {
  readonly links: CursorBody['links'] & { readonly last: 'last' }
  readonly meta: { readonly total: 'total' }
  readonly data: 'elements'
}
type QueryRoles = { readonly sort: 'order'; readonly filter: 'filterMembers'; readonly fields: 'fieldsOfType' }

const BY_CURSORS = {
  name: 'json-api',
  params: { page: { size: 'items', after: 'after', before: 'before' }, ...queryRoles },
  body: { links: { self: 'self', first: 'first', prev: 'prev', next: 'next' }, data: 'elements' },
  ...commonOptions,
} as const

const BY_NUMBERS = {
  name: 'json-api-pages',
  params: { page: { number: 'page', size: 'items' }, ...queryRoles },
  body: {
    links: { self: 'self', first: 'first', prev: 'prev', next: 'next', last: 'last' },
    meta: { total: 'total' },
    data: 'elements',
  },
  ...commonOptions,
} as const

/** JSON:API with cursors, `page[after]` and `page[before]`: no element is repeated or missed while the list changes. */
export const jsonApi: JsonApi<CursorParams, CursorBody> = convention(BY_CURSORS) as never

/** JSON:API with `page[number]`, and the total number of elements in `meta`. */
export const jsonApiPages: JsonApi<NumberedParams, NumberedBody> = convention(BY_NUMBERS) as never
