// Mistakes in the description of a convention, and in a list that is declared with it; reported at boot.
import { getMediaType, getSelectableBelow } from '../../../extend.ts'
import type { MediaType, View } from '../../../index.ts'
import { findAudiences, findField, findFilterMistakes, isOrderable, isShownField } from '../../mapper/extend.ts'
import { findFieldMistakes } from '../ordering-rules.ts'
import { getKeyFields } from '../pagination-config.ts'
import type { DeclaredList, ListConvention } from './declared-list.ts'
import type { ConventionDescription } from './description.ts'
import { isFact, isMissable, listBodyMembers } from './envelope.ts'
import { CONDITION_OPERATORS } from './field-bounds.ts'
import { ANY_FIELD, CURSOR_ROLES, listSlots, type ParamRole } from './param-slots.ts'
import { keepRelations, listRelationPaths, type RelationTree } from './related/relations.ts'
import { roleAttributes } from './role-attributes.ts'

// A response without a relation is one with selected fields, and has no others than those of its view.
function findExpansionMistakes({ layout, convention }: DeclaredList): readonly string[] {
  const { name, of, names } = convention
  if (!layout.slots.has('expand')) return []
  const shown = getSelectableBelow(of) ?? {}
  const hidden = [...names.include.keys()].filter((one) => !Object.hasOwn(shown, one))
  return [
    ...(layout.slots.has('fields') ? [] : [`${name} may expand relations and select no fields: set fields to true`]),
    ...[...names.include.keys()]
      .filter((one) => Object.hasOwn(shown, one) && shown[one]?.options.required === true)
      .map(
        (one) => `${name} may expand '${one}', which is required and would be left out: declare it without required`,
      ),
    ...hidden.map(
      (one) => `${name} may expand '${one}', which the view does not show: declare the list of one that does`,
    ),
  ]
}

/** Returns the mistakes in what one element may include, each a sentence. */
export function findElementMistakes({ convention }: DeclaredList): readonly string[] {
  const { of, name, names, element } = convention
  return [...findRelationMistakes(name, of, names.include), ...(element?.findMistakes?.(of, names) ?? [])]
}

/** The most relations that follow each other in a path, and the most paths: more would read much for one request. */
const MAX_RELATION_DEPTH = 5
const MAX_RELATIONS = 50

function findRelationMistakes(name: string, of: MediaType | View, include: RelationTree): readonly string[] {
  const paths = listRelationPaths(include)
  const deep = paths.find((path) => path.split('.').length > MAX_RELATION_DEPTH)
  const known = new Set(listRelationPaths(keepRelations(getMediaType(of), include)))
  return [
    ...(paths.length > MAX_RELATIONS
      ? [`${name} may include ${paths.length} relations: name at most ${MAX_RELATIONS}`]
      : []),
    ...(deep === undefined
      ? []
      : [`${name} may include '${deep}': name at most ${MAX_RELATION_DEPTH} relations in a path`]),
    ...paths
      .filter((path) => !known.has(path))
      .map((path) => `${name} may include '${path}', which is no relation of ${getMediaType(of).name}`),
  ]
}

/** Returns the mistakes in a list and its convention, each a sentence. */
export function findConventionMistakes(description: ConventionDescription, list: DeclaredList): readonly string[] {
  return [
    ...findRoleMistakes(description),
    ...findBodyMistakes(description, list.convention),
    ...findParamMistakes(list),
    ...findFieldsMistakes(list),
    ...findConditionMistakes(description, list),
    ...findElementMistakes(list),
    ...findExpansionMistakes(list),
  ]
}

function findBodyMistakes({ name, params }: ConventionDescription, { body }: ListConvention): string[] {
  const members = listBodyMembers(body)
  const roles = new Set(listSlots(params).map(({ role }) => role))
  const isNumbered = roles.has('offset') || roles.has('page')
  const elements = members.filter(({ role }) => role === 'elements').length
  return [
    ...(elements === 1 ? [] : [`the body of ${name} has its elements ${elements} times: name one member 'elements'`]),
    ...members.flatMap(({ role, path, missing }) => {
      const member = `the body of ${name} has '${role}' as ${path.join('.')}`
      if (role !== 'elements' && !isFact(role)) return [`${member}, which is no fact of a list`]
      if (missing !== 'null' && !isMissable(role))
        return [`${member}, which every page has: name it without 'optional' or 'orEmpty'`]
      if (COUNTED_ROLES.has(role) && missing === 'empty')
        return [`${member}, which is no text: name it with 'optional'`]
      if (COUNTED_ROLES.has(role) && missing === 'null' && roles.has('count'))
        return [
          `${member}, and a param with the role 'count', without which nothing is counted: name it with 'optional', or take the param away`,
        ]
      if (NUMBERED_ROLES.has(role) && !isNumbered)
        return [`${member}, and no param has the role 'offset' or 'page': take it away`]
      return []
    }),
  ]
}

/** The body roles that require a count, and those that only numbered pages have. */
const COUNTED_ROLES: ReadonlySet<string> = new Set(['total', 'pages'])
const NUMBERED_ROLES: ReadonlySet<string> = new Set(['offset', 'page'])

/** Roles with the same meaning in different syntax: a list has at most one of each group. */
const ALTERNATIVES: readonly (readonly ParamRole[])[] = [
  ['offset', 'page'],
  ['after', 'token', 'afterValues'],
  ['before', 'token'],
  ['order', 'orderWords', 'orderColons', 'orderField'],
  ['items', 'limit'],
  ['filters', 'filterWords', 'filterOData', 'filterQuery', 'filterMembers', 'filterOperators', 'filterFields'],
  ['fields', 'fieldsOfType'],
  ['include', 'expand'],
]

function findRoleMistakes({ name, params, cursors, onZero, onExceed, element }: ConventionDescription): string[] {
  const slots = listSlots(params)
  const listParamNames = (role: ParamRole): string[] => slots.filter((one) => one.role === role).map((one) => one.name)
  const roles = new Set(slots.map(({ role }) => role))
  const usesCursors = CURSOR_ROLES.some((role) => roles.has(role))
  return [
    ...slots
      .filter(({ role }) => !Object.hasOwn(roleAttributes, role))
      .map(({ role, name: param }) => `${name} has '${role}' for ${param}, which is no role of a param`),
    ...[...roles]
      .filter((role) => listParamNames(role).length > 1)
      .map(
        (role) => `${name} has the role '${role}' for ${listParamNames(role).join(' and ')}: name one param with it`,
      ),
    ...ALTERNATIVES.map((all) => all.filter((role) => roles.has(role)))
      .filter((all) => all.length > 1)
      .map((all) => `${name} has params with the roles ${all.join(' and ')}, which say the same: keep one of them`),
    ...(usesCursors && !roles.has('afterValues') && (roles.has('offset') || roles.has('page'))
      ? [`${name} requests a part by its number and by its cursor: keep the params of one of them`]
      : []),
    ...(roles.has('before') && !roles.has('after') && !roles.has('token')
      ? [`${name} goes back by the role 'before', and never on: name a param with the role 'after'`]
      : []),
    ...(cursors === 'key' && element !== undefined
      ? [`${name} has cursors: 'key' and a form of elements, which may not have their key: take one of them away`]
      : []),
    ...(cursors === 'key' && !usesCursors
      ? [`${name} has cursors: 'key', and no param takes a cursor: take it away`]
      : []),
    ...(cursors === 'key' && roles.has('token')
      ? [`${name} has cursors: 'key' and a token, which is no key: name the role 'after' or 'before'`]
      : []),
    ...Object.entries({ onZero, onExceed })
      .filter(([, value]) => value !== undefined && !roles.has('items'))
      .map(([option]) => `${name} has ${option}, and no param has the role 'items': take it away`),
  ]
}

function findParamMistakes({ layout, convention, config }: DeclaredList): string[] {
  const { slots, usesCursors } = layout
  const { name, byKey } = convention
  const isNumbered = slots.has('offset') || slots.has('page')
  return [
    ...(usesCursors || isNumbered
      ? []
      : [`${name} has no param for the part of a list: name an offset, a page or a cursor`]),
    ...(byKey && getKeyFields(config).length > 1
      ? [`${name} names an element by one value, and its key has several`]
      : []),
    ...findCursorMistakes(layout, convention),
    ...[...slots.values()].flatMap(({ path, role }) =>
      path.length > 1 && (role.startsWith('filter') || role.startsWith('order'))
        ? [`${name} has '${role}' within a structure: give it a param of its own`]
        : [],
    ),
  ]
}

/** The params that take a cursor, and what gives one out. */
const CURSOR_SOURCES = [
  { params: ['after', 'token', 'afterValues'], link: 'next', token: 'nextToken' },
  { params: ['before', 'token'], link: 'prev', token: 'prevToken' },
] as const

// Clients get cursors from responses only, unless these are keys; a cursor that is given out has a param.
function findCursorMistakes(
  { slots }: DeclaredList['layout'],
  { name, byKey, body, headers }: ListConvention,
): readonly string[] {
  const given = new Set(listBodyMembers(body).map(({ role }) => role))
  return CURSOR_SOURCES.flatMap(({ params, link, token }) => {
    const takes = params.filter((role) => slots.has(role))
    if (takes.length === 0) return given.has(token) ? [`the body of ${name} has '${token}', and no param takes it`] : []
    if (takes[0] === 'afterValues' || given.has(link === 'next' ? 'endCursor' : 'startCursor')) return []
    if (byKey || (headers.link ?? false) !== false || given.has(link) || given.has(token)) return []
    if (takes[0] === 'token' && link === 'prev') return []
    return [
      `${name} takes cursors by the role '${takes[0]}', and gives none out: name '${link}' or '${token}' in its body, or let its headers link`,
    ]
  })
}

// The other roles of filters are params that report their own mistakes.
const CONDITION_ROLES: ReadonlySet<string> = new Set(['filterMembers', 'filterOperators', 'filterFields'])

function findConditionMistakes(
  { name, params }: ConventionDescription,
  { config, convention }: DeclaredList,
): string[] {
  const { filterBy } = convention
  const all = listSlots(params)
  const slots = all.filter(({ role }) => CONDITION_ROLES.has(role))
  const misnamed = all.filter(
    ({ role, path }) =>
      (role === 'filterFields') !== (path[0] === ANY_FIELD) || (path.length > 1 && role === 'filterFields'),
  )
  const [slot] = slots
  const fields = Object.keys(filterBy)
  if (slot === undefined || fields.length === 0) return misnamed.map(({ name: param }) => formatMisnamed(name, param))
  const expressible: readonly string[] = slot.role === 'filterMembers' ? ['='] : CONDITION_OPERATORS
  return [
    ...misnamed.map(({ name: param }) => formatMisnamed(name, param)),
    ...findFilterMistakes({ mediaType: config.mediaType, fields: filterBy }),
    ...fields.flatMap((field) => {
      const { operators = [], wildcards } = filterBy[field] ?? {}
      const foreign = operators.filter((operator) => !expressible.includes(operator))
      if (foreign.length > 0)
        return [
          `operators of '${field}' names ${foreign.join(' ')}, which ${name} cannot say: its operators are ${expressible.join(' ')}`,
        ]
      if (wildcards === true) return [`'${field}' has wildcards, which ${name} cannot say: take them away`]
      const isTaken = slot.role === 'filterFields' && all.some(({ path }) => path[0] === field)
      return isTaken ? [`filterBy names '${field}', and ${name} has a param of that name: leave the field out`] : []
    }),
  ]
}

const formatMisnamed = (name: string, param: string): string =>
  `${name} has the param '${param}': '${ANY_FIELD}' is the name of the role 'filterFields', and of no other`

function findFieldsMistakes({ config, order, layout, convention }: DeclaredList): string[] {
  const { mediaType, key = [] } = config
  const exposesValues = layout.usesCursors && !convention.byKey
  const defaultFields = (order?.default ?? []).map((term) => term.replace(/^-/, ''))
  const fields = [...defaultFields, ...key]
  return [
    ...(order?.byFields === undefined ? [] : findFieldMistakes(mediaType, order.byFields)),
    ...fields.flatMap((field) => {
      const found = findField(mediaType, field)
      if (found === undefined || !isOrderable(found)) return [`the list goes by '${field}', which has no order`]
      return findAudiences(mediaType, field) ? [`the list goes by '${field}', which some clients do not see`] : []
    }),
    ...defaultFields
      .filter((field) => exposesValues && findField(mediaType, field) !== undefined && !isShownField(mediaType, field))
      .filter((field) => order?.byFields?.includes(field) !== true && !key.includes(field))
      .map(
        (field) =>
          `the list goes by '${field}', which the default view of ${mediaType.name} hides, and its cursors would show: name it in orderBy if clients may know it`,
      ),
  ]
}
