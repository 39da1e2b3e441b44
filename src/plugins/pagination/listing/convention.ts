// Conventions: the form of list requests and bodies, as one value with which endpoints declare their lists.
import { getMediaType, isMediaType, isView, toSnakeCase } from '../../../extend.ts'
import type { Attribute, Attributes, MediaType, View } from '../../../index.ts'
import { t } from '../../../index.ts'
import type { FieldName, Page } from '../../mapper/extend.ts'
import { getKeyFields, type PaginationConfig } from '../pagination-config.ts'
import { createConventionParam } from './convention-params.ts'
import {
  acceptListSettings,
  createBodyWriter,
  createElementWriter,
  createLayout,
  findConventionMistakes,
  findElementMistakes,
  paginateRequest,
} from './convention-runtime.ts'
import type { DeclaredList, LinkableRequest, ListConvention, ListReporter } from './declared-list.ts'
import type { ConventionDescription, ListSettings } from './description.ts'
import { declareBody, findElementMember, listBodyMembers, withoutFact } from './envelope.ts'
import { ANY_FIELD, type ParamRoleTree } from './param-slots.ts'
import { parseRelationPaths } from './related/relations.ts'
import { createFieldConditions, roleAttributes } from './role-attributes.ts'
import type { BodyOf, BodyTemplate, DeclaredBody, ParamRoles, ParamsOf, ParamTemplate } from './templates.ts'

/** A list as an action declares it: its params, its body, and the functions for the controller. */
export interface ListOf<M extends MediaType | View, P, B, E> {
  /** The params of the action. */
  readonly params: P
  /** The body of the response. */
  readonly body: DeclaredBody<B, M, E>
  /** Returns the body for a page of the list, which `list(request)` of a resource, or `page`, returned. */
  answer(request: LinkableRequest, page: readonly M['~type'][]): BodyOf<B, E>
  /** Returns the requested page of a list in memory. */
  page(request: LinkableRequest, elements: readonly M['~type'][]): Page<M['~type']>
}

/** One element as an action declares it: its params, its body, and the function for the controller. */
export interface ElementOf<M extends MediaType | View, P, B> {
  /** The params of the action that select what the response has. */
  readonly params: P
  /** The body of the response. */
  readonly body: Attribute<B, false>
  /** Returns the body for an element, which `find(key, request)` of a resource returned. */
  answer(request: LinkableRequest, element: M['~type']): B
}

type FieldNameOf<M> = M extends MediaType<infer A> ? FieldName<A> : string

type ChosenBody<S, B> = S extends { readonly body: infer T } ? T : B

/** A convention with which endpoints declare their lists. */
export interface Convention<P extends ParamTemplate = ParamTemplate, B extends BodyTemplate = BodyTemplate> {
  readonly description: ConventionDescription<P, B>
  /** Declares a list of a media type, or of one of its views. */
  for<M extends MediaType | View, const S extends ListSettings<FieldNameOf<M>> = {}>(
    of: M,
    settings?: S & ListSettings<FieldNameOf<M>>,
  ): ListOf<M, ParamsOf<P, S>, ChosenBody<S, B>, M['~type']>
  /** Returns the same convention with default settings for all lists of an application. */
  with(settings: Pick<ListSettings, 'headers' | 'links' | 'maxItems' | 'pageSize' | 'types'>): Convention<P, B>
}

/** Creates a convention from its description. */
export function convention<const P extends ParamTemplate, const B extends BodyTemplate>(
  description: ConventionDescription<P, B>,
): Convention<P, B> {
  const { pageSize, maxItems } = description
  const sizes = { ...(pageSize !== undefined && { pageSize }), ...(maxItems !== undefined && { maxItems }) }
  return createConvention(description, sizes) as never
}

function createConvention(description: ConventionDescription, shared: ListSettings): object {
  return Object.freeze({
    description,
    for: (of: MediaType | View, settings?: ListSettings) => declareList(description, of, settings, shared),
    element: (of: MediaType | View, settings?: ListSettings) => declareElement(description, of, settings, shared),
    with: (settings: ListSettings) => createConvention(description, { ...shared, ...settings }),
  })
}

function refuseOthers({ name }: ConventionDescription, of: unknown, noun: string): void {
  if (!isMediaType(of) && !isView(of))
    throw new TypeError(`${noun} of ${name} is declared for something else than a media type or a view of one`)
}

function declareElement(
  { elementBody = {}, params, ...description }: ConventionDescription,
  of: MediaType | View,
  declared: ListSettings | undefined,
  shared: ListSettings,
): object {
  refuseOthers({ ...description, params }, of, 'An element')
  const { value, flaws } = acceptListSettings(declared, ELEMENT_SETTINGS)
  const settings: ListSettings = { ...shared, ...value }
  const described = {
    ...description,
    params: Object.fromEntries(Object.entries(params).filter(([, role]) => isElementRole(role))),
    body: elementBody as BodyTemplate,
  }
  const one = buildDeclaredList(described, of, settings, 'element')
  const { names, body } = one.convention
  const writeResponse = createElementWriter(one)
  const reporter: ListReporter = {
    mistakes: () => [...flaws, ...findElementMistakes(one)],
    body: (request, part) => writeResponse(request as LinkableRequest, part[0]),
  }
  return Object.freeze({
    params: createParams(described.params, one, settings, reporter),
    body: declareBody(body, of, declareElements(description, of, names), description.contentType),
    answer: writeResponse,
  })
}

const ELEMENT_SETTINGS = ['fields', 'include', 'key', 'type', 'types'] as const

/** Returns whether a role chooses what a response shows of an element. */
const isElementRole = (role: ParamTemplate[string]): boolean =>
  role === 'fields' || role === 'fieldsOfType' || role === 'include'

const declareElements = (
  { element }: Pick<ConventionDescription, 'element'>,
  of: MediaType | View,
  names: ListConvention['names'],
) => ({
  element: element?.declare(of, names) ?? (of as Attribute),
  included: names.include.size === 0 ? undefined : element?.declareIncluded?.(of, names),
})

function declareList(
  description: ConventionDescription,
  of: MediaType | View,
  declared: ListSettings | undefined,
  shared: ListSettings,
): object {
  refuseOthers(description, of, 'A list')
  const { value, flaws } = acceptListSettings(declared)
  const settings: ListSettings = { ...shared, ...value }
  const list = buildDeclaredList(description, of, settings, 'list')
  const { names, body } = list.convention
  const writeResponse = createBodyWriter(list)
  const reporter: ListReporter = {
    mistakes: () => [...flaws, ...findConventionMistakes(description, list)],
    body: (request, part) => writeResponse(request as LinkableRequest, part),
  }
  return Object.freeze({
    params: createParams(description.params, list, settings, reporter),
    body: declareBody(body, of, declareElements(description, of, names), description.contentType),
    answer: writeResponse,
    page: paginateRequest,
  })
}

function buildDeclaredList(
  description: ConventionDescription,
  of: MediaType | View,
  settings: ListSettings,
  kind: 'list' | 'element',
): DeclaredList {
  const { name, cursors = 'text', onExceed, onZero = 'refuse', onPageZero = 'refuse', element } = description
  const { order, orderBy, filterBy = {}, key, maxItems, pageSize, type, types = {}, include = [] } = settings
  const mediaType = getMediaType(of)
  const config: PaginationConfig = {
    mediaType,
    ...(key !== undefined && { key }),
    ...(maxItems !== undefined && { maxItems }),
    ...(pageSize !== undefined && { pageSize }),
  }
  const template = settings.body ?? description.body
  const body = include.length === 0 ? withoutFact(template, 'included') : template
  const names = {
    type:
      type ?? (Object.hasOwn(types, mediaType.name) ? (types[mediaType.name] as string) : toSnakeCase(mediaType.name)),
    key: getKeyFields(config),
    types,
    include: parseRelationPaths(include),
  }
  const headers = settings.headers ?? description.headers ?? {}
  const members = listBodyMembers(body)
  const hasCount =
    members.some(({ role }) => role === 'total' || role === 'pages') ||
    headers.total !== undefined ||
    headers.link === 'counted'
  return {
    layout: createLayout(selectParams(description.params, settings)),
    config,
    order: {
      mediaType,
      ...(orderBy !== undefined && { byFields: orderBy, enforceFor: 'all' }),
      ...(order !== undefined && { default: order }),
    },
    elementsPath: members.find(({ role }) => role === 'elements')?.path,
    convention: {
      name,
      of,
      body,
      headers,
      links: settings.links ?? description.links ?? 'path',
      byKey: cursors === 'key',
      alwaysCounts: hasCount && !hasRole(description.params, 'count'),
      onExceed,
      onZero,
      onPageZero,
      namesElements: (['cursor', 'values'] as const).some((role) => findElementMember(body, role) !== undefined),
      emptyTokens: members.some(({ missing }) => missing === 'empty'),
      type: names.type,
      element,
      names,
      expansions: { of, tree: names.include },
      isElement: kind === 'element',
      filterBy,
    },
  }
}

const hasRole = (template: ParamTemplate, searched: string): boolean =>
  Object.values(template).some((role) => (typeof role === 'string' ? role === searched : hasRole(role, searched)))

// --- params ------------------------------------------------------------------------------

const ROLE_SETTINGS: { readonly [R in keyof ParamRoles]?: 'orderBy' | 'filterBy' | 'fields' | 'include' } = {
  order: 'orderBy',
  orderWords: 'orderBy',
  orderColons: 'orderBy',
  orderField: 'orderBy',
  orderDirection: 'orderBy',
  filters: 'filterBy',
  filterWords: 'filterBy',
  filterOData: 'filterBy',
  filterQuery: 'filterBy',
  filterMembers: 'filterBy',
  filterOperators: 'filterBy',
  filterFields: 'filterBy',
  fields: 'fields',
  fieldsOfType: 'fields',
  include: 'include',
  expand: 'include',
}

/** Returns the params of a convention that the settings of a list enable; one for each field where the template has `*`. */
function selectParams(template: ParamTemplate, settings: ListSettings): ParamRoleTree {
  const isEnabled = (role: ParamTemplate[string]): boolean => {
    const setting = typeof role === 'string' ? ROLE_SETTINGS[role] : undefined
    return setting === undefined || settings[setting] !== undefined
  }
  const fields = Object.keys(settings.filterBy ?? {}).map((name) => [name, 'filterField'] as const)
  const named = Object.entries(template).filter(([name, role]) => name !== ANY_FIELD && isEnabled(role))
  return Object.fromEntries([...(Object.hasOwn(template, ANY_FIELD) ? fields : []), ...named])
}

function createParams(
  template: ParamTemplate,
  list: DeclaredList,
  settings: ListSettings,
  reporter: ListReporter,
): Attributes {
  const enabled = selectParams(template, settings)
  const names = Object.keys(enabled)
  // One of the params reports mistakes, regardless of its role.
  const reportingName = names.find((name) => hasReportingRole(enabled[name] as ParamTemplate[string])) ?? names[0]
  const conditions = new Map(
    list.layout.fieldSlots.length === 0 ? [] : createFieldConditions(list.config.mediaType, list.convention.filterBy),
  )
  const entries = Object.entries(enabled).flatMap(([name, role]): [string, Attribute][] => {
    // A field that does not exist is reported as a mistake.
    const base =
      role === 'filterField' ? conditions.get(name) : createRoleAttribute(role as ParamTemplate[string], list)
    if (base === undefined) return []
    const isStructure = typeof role !== 'string'
    const paramReporter = name === reportingName ? reporter : undefined
    return [
      [
        name,
        createConventionParam({ list, name, base, role: isStructure ? 'structure' : role, reporter: paramReporter }),
      ],
    ]
  })
  return Object.freeze(Object.fromEntries(entries))
}

const REPORTING_ROLES: ReadonlySet<string> = new Set([
  'items',
  'limit',
  'offset',
  'page',
  'after',
  'before',
  'afterValues',
  'token',
])

// An element has none of these: its first param reports.
const hasReportingRole = (role: ParamTemplate[string]): boolean =>
  typeof role === 'string' ? REPORTING_ROLES.has(role) : Object.values(role).some(hasReportingRole)

function createRoleAttribute(role: ParamTemplate[string], list: DeclaredList): Attribute {
  if (typeof role === 'string')
    return Object.hasOwn(roleAttributes, role) ? roleAttributes[role](list) : (t.any() as Attribute)
  return t.object(
    Object.fromEntries(Object.entries(role).map(([name, one]) => [name, createRoleAttribute(one, list)])),
  ) as Attribute
}
