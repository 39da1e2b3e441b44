// Describes the list of an action as data, for tools: the params that request it, and where responses have its parts.
import type { ResolvedAction } from '../../extend.ts'
import type { MediaType } from '../../index.ts'
import { type FilterField, type FilteringConfig, findFilterParam, resolveFilterFields } from '../mapper/extend.ts'
import { findList, findOrdering } from './action-list.ts'
import { DEFAULT_HEADERS, type DeclaredList, type ListConvention, type ListHeaders } from './listing/declared-list.ts'
import { type BodyMember, listBodyMembers } from './listing/envelope.ts'
import { listSlots, type ParamRole, type ParamSlot } from './listing/param-slots.ts'
import { getKeyFields } from './pagination-config.ts'

/** The role of a list's param; `text` is the complete pagination in one text, as edict writes it. */
export type ListParamRole = ParamRole

/** The role of a member in the body of a list: its elements, or a fact about the page. */
export type ListMemberRole = BodyMember['role']

/** A param of a list. */
export interface ListParam {
  /** The name in a query, such as `page[size]`. */
  readonly name: string
  /** The path of the value in the params of a request, such as `['page', 'size']`. */
  readonly path: readonly string[]
}

/** The pages of a list. */
export interface ListPages {
  /** The param of the page size, or that of the complete pagination; a convention without a page size has another param of the page. */
  readonly param: ListParam
  /** The fields that identify an element. */
  readonly key: readonly string[]
  /** Whether the declaration names the key; otherwise it is `id`. */
  readonly isKeyDeclared: boolean
  /** The headers of responses that lead to other pages. */
  readonly headers: ListHeaders
}

/** The list of an action: how clients request it, and where responses have its parts. */
export interface ListDescription {
  /** The name of the convention; undefined for separate params, with the list as the body or as a member of it. */
  readonly convention: string | undefined
  /** The media type of the elements. */
  readonly mediaType: MediaType
  /** The name of the elements' type; undefined without a convention. */
  readonly type: string | undefined
  /** Whether elements have another form than their media type, such as the resource objects of JSON:API. */
  readonly hasElementForm: boolean
  /** The params by role. */
  readonly params: ReadonlyMap<ListParamRole, ListParam>
  /** The pages; undefined for a list that is always complete. */
  readonly pages: ListPages | undefined
  /** The fields that the list can be filtered by, with the operators that its param can express; empty without such a param. */
  readonly filterFields: ReadonlyMap<string, FilterField>
  /** The paths of the members of a body by role; empty without a convention. */
  readonly members: ReadonlyMap<ListMemberRole, readonly string[]>
}

/** Describes the list that the params of an action request; undefined for actions without params of lists. */
export function describeList(action: ResolvedAction): ListDescription | undefined {
  const list = findList(action)
  return list?.convention === undefined ? describeOwnList(action, list) : describeConventionList(list, list.convention)
}

// A list with edict's own params may lack any of them.
function describeOwnList(action: ResolvedAction, list: DeclaredList | undefined): ListDescription | undefined {
  const [ordered, filtered] = [findOrdering(action), findFilterParam(action)]
  const { mediaType } = list?.config ?? ordered?.config ?? filtered?.config ?? {}
  if (mediaType === undefined) return undefined
  const roles = {
    ...(ordered && { [ordered.name]: 'order' as const }),
    ...(filtered && { [filtered.name]: 'filters' as const }),
  }
  return {
    convention: undefined,
    mediaType,
    type: undefined,
    hasElementForm: false,
    params: toParams([...(list?.layout.slots.values() ?? []), ...listSlots(roles)]),
    pages: list && describePages(list, DEFAULT_HEADERS),
    get filterFields() {
      return filtered === undefined ? new Map() : resolveFilterFields(filtered.config)
    },
    members: new Map(),
  }
}

function describeConventionList(list: DeclaredList, convention: ListConvention): ListDescription {
  const { mediaType } = list.config
  const params = toParams([...list.layout.slots.values()])
  return {
    convention: convention.name,
    mediaType,
    type: convention.type,
    hasElementForm: convention.element !== undefined,
    params,
    pages: describePages(list, convention.headers),
    get filterFields() {
      return resolveConventionFilters(params, { mediaType, fields: convention.filterBy })
    },
    members: new Map(listBodyMembers(convention.body).map(({ role, path }) => [role, path])),
  }
}

const toParams = (slots: readonly ParamSlot[]): ListDescription['params'] =>
  new Map(slots.map(({ role, name, path }) => [role, { name, path }]))

function describePages({ config, layout }: DeclaredList, headers: ListHeaders): ListPages {
  const { name, path } = layout.findSlot('items')
  return { param: { name, path }, key: getKeyFields(config), isKeyDeclared: config.key !== undefined, headers }
}

// A structure with the values of fields can only say that they are equal.
function resolveConventionFilters(
  params: ListDescription['params'],
  config: FilteringConfig,
): ReadonlyMap<string, FilterField> {
  if (params.has('filters') || params.has('filterWords')) return resolveFilterFields(config)
  if (!params.has('filterMembers')) return new Map()
  const fields = [...resolveFilterFields(config)]
  return new Map(fields.map(([name, field]) => [name, { ...field, operators: ['='], wildcards: false }]))
}
