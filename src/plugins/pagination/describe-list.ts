// Describes the list of an action as data, for tools: the params that request it, and where responses have its parts.
import type { ResolvedAction } from '../../extend.ts'
import type { MediaType } from '../../index.ts'
import {
  type FilterField,
  type FilteringConfig,
  type FilterOperator,
  findFilterParam,
  resolveFilterFields,
} from '../mapper/extend.ts'
import { findElement, findList, findOrdering } from './action-list.ts'
import { findBodyWriter } from './listing/convention-params.ts'
import type { DeclaredList, LinkForm, ListHeaders } from './listing/declared-list.ts'
import { type BodyMember, findElementMember, listBodyMembers } from './listing/envelope.ts'
import { CONDITION_OPERATORS } from './listing/field-bounds.ts'
import { ANY_FIELD, listSlots, type ParamRole, type ParamSlot } from './listing/param-slots.ts'
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
  /** The form of links to other pages: paths, or absolute URLs. */
  readonly links: LinkForm
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
  /** The path of an element in the structure around it; undefined without one. */
  readonly elementPath: readonly string[] | undefined
  /** The params by role. */
  readonly params: ReadonlyMap<ListParamRole, ListParam>
  /** The pages; undefined for a list that is always complete. */
  readonly pages: ListPages | undefined
  /** The fields that the list can be filtered by, with the operators that its param can express; empty without such a param. */
  readonly filterFields: ReadonlyMap<string, FilterField>
  /** The paths of the members of a body by role; empty without a convention. */
  readonly members: ReadonlyMap<ListMemberRole, readonly string[]>
}

/** The one element of an action whose form a convention declares. */
export interface ElementDescription {
  readonly mediaType: MediaType
  /** Writes the body of a response with an element. */
  body(request: object, element: unknown): unknown
}

/** Describes the element whose form the params of an action select; undefined for other actions. */
export function describeElement(action: ResolvedAction): ElementDescription | undefined {
  const one = findElement(action)
  const write = Object.values(action.params)
    .map(findBodyWriter)
    .find((found) => found !== undefined)
  if (one === undefined || write === undefined) return undefined
  return { mediaType: one.config.mediaType, body: (request, element) => write(request, [element]) }
}

/** Describes the list that the params of an action request; undefined for actions without params of lists. */
export function describeList(action: ResolvedAction): ListDescription | undefined {
  const list = findList(action)
  return list === undefined || list.layout.slots.has('text')
    ? describeOwnList(action, list)
    : describeConventionList(list)
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
    elementPath: undefined,
    params: toParams([...(list?.layout.slots.values() ?? []), ...listSlots(roles)]),
    pages: list && describePages(list),
    get filterFields() {
      return filtered === undefined ? new Map() : resolveFilterFields(filtered.config)
    },
    members: new Map(),
  }
}

function describeConventionList(list: DeclaredList): ListDescription {
  const { convention } = list
  const { mediaType } = list.config
  const elementMember = findElementMember(convention.body, 'element')
  const params = new Map(toParams([...list.layout.slots.values()]))
  // The params of the fields are members of all params.
  if (list.layout.fieldSlots.length > 0) params.set('filterFields', { name: ANY_FIELD, path: [] })
  return {
    convention: convention.name,
    mediaType,
    type: convention.type,
    hasElementForm: convention.element !== undefined,
    elementPath: elementMember === undefined ? undefined : [elementMember],
    params,
    pages: describePages(list),
    get filterFields() {
      return resolveConventionFilters(params, { mediaType, fields: convention.filterBy })
    },
    members: new Map(listBodyMembers(convention.body).map(({ role, path }) => [role, path])),
  }
}

const toParams = (slots: readonly ParamSlot[]): ListDescription['params'] =>
  new Map(slots.map(({ role, name, path }) => [role, { name, path }]))

function describePages({ config, layout, convention }: DeclaredList): ListPages {
  const { headers, links } = convention
  const { name, path } = layout.findSlot('items')
  return { param: { name, path }, key: getKeyFields(config), isKeyDeclared: config.key !== undefined, headers, links }
}

// A structure with the values of fields can only say that they are equal; one with conditions has one value for each.
function resolveConventionFilters(
  params: ListDescription['params'],
  config: FilteringConfig,
): ReadonlyMap<string, FilterField> {
  if ((['filters', 'filterWords', 'filterOData', 'filterQuery'] as const).some((role) => params.has(role)))
    return resolveFilterFields(config)
  const isMembers = params.has('filterMembers')
  if (!isMembers && !params.has('filterOperators') && !params.has('filterFields')) return new Map()
  const sayable: readonly FilterOperator[] = isMembers ? ['='] : CONDITION_OPERATORS
  const fields = [...resolveFilterFields(config)].map(([name, field]): [string, FilterField] => {
    const operators = field.operators.filter((operator) => sayable.includes(operator))
    return [name, { ...field, operators, wildcards: false, ...(!isMembers && { maxValues: 1 }) }]
  })
  return new Map(fields)
}
