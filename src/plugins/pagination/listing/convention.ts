// Conventions: the form of list requests and bodies, as one value that endpoints declare their lists with.
import { isMediaType, isView, type Late, mediaTypeOf, requireLate, toSnakeCase } from '../../../extend.ts'
import type { Attribute, Attributes, MediaType, View } from '../../../index.ts'
import { t } from '../../../index.ts'
import type { FieldName, Page } from '../../mapper/extend.ts'
import { getKeyFields, type PaginationConfig } from '../pagination-params.ts'
import { roleAttributes } from './role-attributes.ts'
import type { ConventionDescription, ListSettings } from './description.ts'
import { declareBody, listBodyMembers } from './envelope.ts'
import type { ParamLayout } from './param-layout.ts'
import type { DeclaredList, ListConvention } from './declared-list.ts'
import { createConventionParam, type ListReporter } from './convention-params.ts'
import { type ParamRoleTree, ParamSlots } from './param-slots.ts'
import type { BodyOf, BodyTemplate, DeclaredBody, ParamRoles, ParamsOf, ParamTemplate } from './templates.ts'

/** A list as an action declares it: its params, its body, and the functions that answer it. */
export interface ListOf<M extends MediaType | View, P, B, E> {
  /** The params of the action. */
  readonly params: P
  /** The body of the response. */
  readonly body: DeclaredBody<B, M, E>
  /** The body for a part of the list: what `list(request)` of a resource, or `page`, gave. */
  answer(request: LinkableRequest, page: readonly M['~type'][]): BodyOf<B, E>
  /** The part of a list in memory that a request asks for. */
  page(request: LinkableRequest, elements: readonly M['~type'][]): Page<M['~type']>
}

/** A request for a list. */
export interface LinkableRequest {
  readonly params: object
  readonly url: string
  /**
   * The URL that links begin with.
   * @default `url`
   */
  readonly linkUrl?: string
}

type FieldNameOf<M> = M extends MediaType<infer A> ? FieldName<A> : string

type ChosenBody<S, B> = S extends { readonly body: infer T } ? T : B

/** A convention that endpoints declare their lists with. */
export interface Convention<P extends ParamTemplate = ParamTemplate, B extends BodyTemplate = BodyTemplate> {
  readonly description: ConventionDescription<P, B>
  /** A list of a media type, or of one of its views. */
  for<M extends MediaType | View, const S extends ListSettings<FieldNameOf<M>> = {}>(
    of: M,
    settings?: S & ListSettings<FieldNameOf<M>>,
  ): ListOf<M, ParamsOf<P, S>, ChosenBody<S, B>, M['~type']>
  /** The same convention with settings for all lists that do not say otherwise, those of an application. */
  with(settings: Pick<ListSettings, 'headers' | 'maxItems' | 'pageSize'>): Convention<P, B>
}

/** Makes a convention from its description. */
export function convention<const P extends ParamTemplate, const B extends BodyTemplate>(
  description: ConventionDescription<P, B>,
): Convention<P, B> {
  return createConvention(description, {}) as never
}

function createConvention(description: ConventionDescription, shared: ListSettings): object {
  return Object.freeze({
    description,
    for: (of: MediaType | View, settings?: ListSettings) => declareList(description, of, settings, shared),
    with: (settings: ListSettings) => createConvention(description, { ...shared, ...settings }),
  })
}

/** The work of servers with the lists of conventions. */
export interface ConventionRuntime {
  /** The settings of a declaration that are of the right form, and its flaws as sentences. */
  accept(given: unknown): { readonly value: ListSettings; readonly flaws: readonly string[] }
  /** The mistakes in a list and its convention, each a sentence. */
  findMistakes(description: ConventionDescription, list: DeclaredList): readonly string[]
  createLayout(roles: ParamRoleTree): ParamLayout
  /** Makes the function that writes bodies; `map` writes an element, where it has a form of its own. */
  createBodyWriter(list: DeclaredList, map: ((element: unknown) => unknown) | undefined): WriteListBody
  paginate(request: LinkableRequest, elements: readonly unknown[]): Page<unknown>
}

/** Writes the body for a part of a list. */
type WriteListBody = (request: LinkableRequest, page: readonly unknown[]) => unknown

/** Provided with the plugin; front ends do without. */
export const lateRuntime: Late<ConventionRuntime> = {}

function declareList(
  description: ConventionDescription,
  of: MediaType | View,
  given: ListSettings | undefined,
  shared: ListSettings,
): object {
  if (!isMediaType(of) && !isView(of))
    throw new TypeError(
      `A list of ${description.name} is declared for something else than a media type or a view of one`,
    )
  const { value, flaws } = lateRuntime.value?.accept(given) ?? { value: given, flaws: [] }
  const settings: ListSettings = { ...shared, ...value }
  const list = buildDeclaredList(description, of, settings)
  const shape = list.convention as ListConvention
  const names = { type: shape.type, key: getKeyFields(list.config) }
  let made: WriteListBody | undefined
  const answer: WriteListBody = (request, page) => {
    made ??= requireLate(lateRuntime).createBodyWriter(list, description.element?.write(of, names))
    return made(request, page)
  }
  const speaker: ListReporter = {
    mistakes: () => [...flaws, ...requireLate(lateRuntime).findMistakes(description, list)],
    body: (request, part) => answer(request as LinkableRequest, part),
  }
  const element = description.element?.declare(of, names) ?? (of as Attribute)
  return Object.freeze({
    params: createParams(description.params, list, settings, speaker),
    body: declareBody(shape.body, of, element, description.contentType),
    answer,
    page: (request: LinkableRequest, elements: readonly unknown[]) => requireLate(lateRuntime).paginate(request, elements),
  })
}

// Front ends need to know where the params are, and nothing else of the language.
const createLayout = (roles: ParamRoleTree): ParamLayout => lateRuntime.value?.createLayout(roles) ?? (new ParamSlots(roles) as ParamLayout)

function buildDeclaredList(description: ConventionDescription, of: MediaType | View, settings: ListSettings): DeclaredList {
  const { name, cursors: places = 'text', onExceed, onZero = 'refuse', element } = description
  const { order, orderBy, filterBy = {}, key, maxItems, pageSize, type } = settings
  const mediaType = mediaTypeOf(of)
  const config: PaginationConfig = {
    mediaType,
    ...(key !== undefined && { key }),
    ...(maxItems !== undefined && { maxItems }),
    ...(pageSize !== undefined && { pageSize }),
  }
  const body = settings.body ?? description.body
  const headers = settings.headers ?? description.headers ?? {}
  const counted = listBodyMembers(body).some(({ role }) => role === 'total' || role === 'pages')
  return {
    layout: createLayout(selectParams(description.params, settings)),
    config,
    order: {
      mediaType,
      ...(orderBy !== undefined && { byFields: orderBy, enforceFor: 'all' }),
      ...(order !== undefined && { default: order }),
    },
    convention: {
      name,
      of,
      body,
      headers,
      byKey: places === 'key',
      alwaysCounts: counted || (headers.total !== undefined && !hasRole(description.params, 'count')),
      onExceed,
      onZero,
      type: type ?? toSnakeCase(mediaType.name),
      element,
      filterBy,
    },
  }
}

const hasRole = (template: ParamTemplate, wanted: string): boolean =>
  Object.values(template).some((role) => (typeof role === 'string' ? role === wanted : hasRole(role, wanted)))

// --- params ------------------------------------------------------------------------------

const ROLE_SETTINGS: { readonly [R in keyof ParamRoles]?: 'orderBy' | 'filterBy' | 'fields' } = {
  order: 'orderBy',
  orderWords: 'orderBy',
  filters: 'filterBy',
  filterWords: 'filterBy',
  filterMembers: 'filterBy',
  fields: 'fields',
  fieldsOfType: 'fields',
}

/** The params of a convention that a list has, by its settings. */
function selectParams(template: ParamTemplate, settings: ListSettings): ParamTemplate {
  const isWanted = (role: ParamTemplate[string]): boolean => {
    const setting = typeof role === 'string' ? ROLE_SETTINGS[role] : undefined
    return setting === undefined || settings[setting] !== undefined
  }
  return Object.fromEntries(Object.entries(template).filter(([, role]) => isWanted(role)))
}

function createParams(template: ParamTemplate, list: DeclaredList, settings: ListSettings, speaker: ListReporter): Attributes {
  const wanted = selectParams(template, settings)
  const names = Object.keys(wanted)
  // One of them reports mistakes, whatever its role.
  const speaking = names.find((name) => hasReportingRole(wanted[name] as ParamTemplate[string])) ?? names[0]
  const entries = Object.entries(wanted).map(([name, role]): [string, Attribute] => {
    const base = createRoleAttribute(role, list)
    const isStructure = typeof role !== 'string'
    const speaks = name === speaking ? speaker : undefined
    return [name, createConventionParam({ list, name, base, role: isStructure ? 'structure' : role, reporter: speaks })]
  })
  return Object.freeze(Object.fromEntries(entries))
}

const REPORTING_ROLES: ReadonlySet<string> = new Set(['items', 'offset', 'page', 'after', 'before', 'token'])

const hasReportingRole = (role: ParamTemplate[string]): boolean =>
  typeof role === 'string' ? REPORTING_ROLES.has(role) : Object.values(role).some(hasReportingRole)

function createRoleAttribute(role: ParamTemplate[string], list: DeclaredList): Attribute {
  if (typeof role === 'string')
    return Object.hasOwn(roleAttributes, role) ? roleAttributes[role](list, list.convention as ListConvention) : (t.any() as Attribute)
  return t.object(Object.fromEntries(Object.entries(role).map(([name, one]) => [name, createRoleAttribute(one, list)]))) as Attribute
}
