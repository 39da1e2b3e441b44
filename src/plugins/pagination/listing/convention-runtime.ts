// The server side of conventions: checks the settings of lists, loads and describes their params, and writes their bodies.
// Front ends have `convention-runtime.browser.ts` in its place.
import {
  type AnyOptions,
  attributeRules,
  type ExampleSeed,
  type FieldsUse,
  form,
  getMediaType,
  getSelectableBelow,
  type KindRules,
  type ResponseHeader,
  type VisibilityFilter,
} from '../../../extend.ts'
import type { Attribute, Attributes, MediaType, View } from '../../../index.ts'
import { toOrderUses } from '../../mapper/extend.ts'
import { narrowConfig } from '../ordering-rules.ts'
import type { Pagination } from '../pagination-config.ts'
import type {
  ConventionParamConfig,
  DeclaredList,
  LinkableRequest,
  ListConvention,
  ListHeaders,
  WriteListBody,
} from './declared-list.ts'
import type { ListSettings } from './description.ts'
import { type WriteElements, writeBody } from './envelope.ts'
import { mapPage, PageFacts } from './page-facts.ts'
import { ParamLayout } from './param-layout.ts'
import type { ParamRoleTree } from './param-slots.ts'
import { createExpansions } from './related/expansions.ts'
import { createRelationPaths } from './related/relation-paths.ts'
import { keepRelations } from './related/relations.ts'

export { findConventionMistakes, findElementMistakes } from './convention-mistakes.ts'
export { paginateRequest } from './page.ts'

const SETTINGS_FORM: form.Fields<ListSettings> = {
  order: form.list(form.text),
  orderBy: form.list(form.text),
  filterBy: form.structure,
  fields: form.choice(true),
  body: form.anything,
  headers: form.object<ListHeaders>({
    link: form.either(form.flag, form.choice('counted')),
    selfLinks: form.flag,
    total: form.name,
  }),
  links: form.choice('path', 'absolute'),
  key: form.list(form.text),
  maxItems: form.number,
  pageSize: form.number,
  type: form.name,
  types: form.record(form.name),
  include: form.list(form.name),
}

/** Returns the valid settings of a declaration, and its flaws as sentences. */
export function acceptListSettings(
  settings: ListSettings | undefined,
  names: readonly (keyof ListSettings)[] = Object.keys(SETTINGS_FORM) as (keyof ListSettings)[],
): {
  readonly value: ListSettings | undefined
  readonly flaws: readonly string[]
} {
  const fields = Object.fromEntries(names.map((name) => [name, SETTINGS_FORM[name]])) as typeof SETTINGS_FORM
  const { value, flaws } = form.accept<ListSettings>(settings, fields)
  return { value, flaws: flaws.map((flaw) => form.formatFlaw(flaw, 'what stands for the settings')) }
}

/** Returns the attributes that requests may select of a media type or view; those that front ends read may be more. */
export const listSelectable = (of: MediaType | View): Attributes => getSelectableBelow(of) ?? {}

/** Creates the layout of a list's params. */
export const createLayout = (roles: ParamRoleTree): ParamLayout => new ParamLayout(roles)

/** Creates the function that writes the bodies of a list. */
export function createBodyWriter(list: DeclaredList): WriteListBody {
  const { body } = list.convention
  const getWriter = createElementsWriter(list)
  return (request, page) => {
    const { elements, included } = mapPage(page, getWriter(), request.list?.related)
    const { info } = elements
    const { linkUrl = request.url } = request
    const facts = new PageFacts(list, { linkUrl, pagination: getPagination(request), info, elements, included })
    return writeBody(body, facts)
  }
}

/** Creates the function that writes the bodies of one element. */
export function createElementWriter(one: DeclaredList): (request: LinkableRequest, element: unknown) => unknown {
  const { body } = one.convention
  const getWriter = createElementsWriter(one)
  return (request, element) => {
    const write = getWriter()
    const written = write === undefined ? { elements: [element] } : write([element], request.list?.related)
    return writeBody(body, {
      getFact: (role) => (role === 'included' ? written.included : written.elements[0]),
      wrapElements: () => undefined,
    })
  }
}

// Declarations may refer to each other, so the form is used with the first response.
function createElementsWriter({ convention }: DeclaredList): () => WriteElements | undefined {
  const { element, of, names } = convention
  let write: WriteElements | undefined
  return () => {
    write ??= element?.write(of, names)
    return write
  }
}

function getPagination({ list }: LinkableRequest): Pagination {
  if (list === undefined) throw new TypeError('A list needs the request of an action that declares its params')
  return list.pagination as Pagination
}

// --- params ------------------------------------------------------------------------------

/** The rules of a convention's param. */
export const conventionParamRules: KindRules<ConventionParamConfig> = {
  options: {},
  loader: ({ base }) => attributeRules.getLoader(base),
  dumper: ({ base }) => attributeRules.getDumper(base),
  jsonSchema: ({ base }, _, schemas) => attributeRules.buildSchema(base, schemas),
  example: ({ base, role }, _, seed) => buildParamExample(base, role, seed),
  mistakes: ({ base, reporter }) => [...attributeRules.findMistakes(base), ...(reporter?.mistakes() ?? [])],
  usesFields: getFieldsUse,
  responseHeaders: ({ list, reporter }) => (reporter === undefined ? {} : describeHeaders(list.convention)),
  narrow: (config, narrowVisible) => ({
    ...config,
    base:
      config.role === 'orderField'
        ? narrowField(config, narrowVisible)
        : attributeRules.narrow(config.base, narrowVisible),
    list: narrowList(config.list, narrowVisible),
    ...narrowRelations(config, narrowVisible),
  }),
}

const CURSOR_ROLES: ReadonlySet<string> = new Set(['after', 'before', 'afterValues', 'token'])

// Clients cannot invent a cursor: it comes from a response.
function buildParamExample(base: Attribute, role: ConventionParamConfig['role'], seed: ExampleSeed): unknown {
  if (CURSOR_ROLES.has(role)) return undefined
  if (role !== 'structure') return attributeRules.makeExample(base, seed)
  const sizes = Object.entries(base.core.children).filter(([, one]) => one.core.scalar === 'integer')
  return Object.fromEntries(sizes.map(([name, one]) => [name, attributeRules.makeExample(one, seed.at(name))]))
}

function getFieldsUse({ base, name, role, list, reporter }: ConventionParamConfig): FieldsUse | undefined {
  const of = list.config.mediaType
  if (role === 'filterField') return { param: name, of, fields: [{ name, by: 'value' }] }
  if (role === 'filterMembers' || role === 'filterOperators')
    return { param: name, of, fields: Object.keys(base.core.children).map((field) => ({ name: field, by: 'value' })) }
  if (role === 'orderField') {
    const fields = list.order?.byFields ?? []
    return { param: name, of, fields: toOrderUses(fields), orders: fields.map((field) => [field]) }
  }
  const use = attributeRules.getFieldsUse(base)
  if (reporter === undefined) return use && { ...use, param: name }
  const { default: order = [] } = list.order ?? {}
  const { key: ends = [] } = list.config
  const fields = toOrderUses([...new Set([...order.map((term) => term.replace(/^-/, '')), ...ends])])
  return { param: name, of, fields, key: true, orders: [order], ends }
}

const STRING_SCHEMA = { type: 'string' } as const

function describeHeaders({ headers, alwaysCounts }: ListConvention): Readonly<Record<string, ResponseHeader>> {
  const { link = false, total } = headers
  return {
    ...(link !== false && {
      Link: {
        description: 'The parts around this one (RFC 8288): `first`, `prev`, `next` and, where it is known, `last`.',
        schema: STRING_SCHEMA,
      },
    }),
    ...(total !== undefined && {
      [total]: {
        description: `The number of elements in the whole list${alwaysCounts ? '' : ', where the request wants it'}.`,
        schema: { type: 'integer', minimum: 0 },
      },
    }),
  }
}

const narrowField = ({ base, list }: ConventionParamConfig, narrowVisible: VisibilityFilter): Attribute =>
  base.core.derive({ values: list.order && narrowConfig(list.order, narrowVisible).byFields } as AnyOptions)

// Relations that a client cannot see are no paths for it.
function narrowRelations(
  { role, list }: ConventionParamConfig,
  narrowVisible: VisibilityFilter,
): { readonly base?: Attribute } {
  if (role !== 'include' && role !== 'expand') return {}
  const { names, expansions } = narrowList(list, narrowVisible).convention
  return { base: role === 'include' ? createRelationPaths(names.include) : createExpansions(expansions) }
}

// Fields that a client cannot see do not exist for it.
function narrowList(list: DeclaredList, narrowVisible: VisibilityFilter): DeclaredList {
  const { convention } = list
  const of = narrowVisible(convention.of as Attribute) as MediaType | View
  const include = keepRelations(getMediaType(of), convention.names.include)
  return {
    ...list,
    config: narrowConfig(list.config, narrowVisible),
    order: list.order && narrowConfig(list.order, narrowVisible),
    convention: { ...convention, of, names: { ...convention.names, include }, expansions: { of, tree: include } },
  }
}
