// The attribute of each param role of a convention.
import type { AnyOptions } from '../../../extend.ts'
import type { Attribute, MediaType } from '../../../index.ts'
import { t } from '../../../index.ts'
import { createFilterParam, resolveFilterFields } from '../../mapper/extend.ts'
import { FieldSelector } from '../../mapper/index.ts'
import type { OrderingConfig } from '../ordering-config.ts'
import { createOrderParam } from '../ordering-params.ts'
import type { DeclaredList, ListConvention } from './declared-list.ts'
import { createFieldCondition } from './field-condition.ts'
import { createExpansions } from './related/expansions.ts'
import { createRelationPaths } from './related/relation-paths.ts'
import type { ParamRoles } from './templates.ts'
import { colonOrderSyntax } from './text/colon-order.ts'
import { oDataFilterSyntax } from './text/odata-filter.ts'
import { queryStringSyntax } from './text/query-string-filter.ts'
import { wordFilterSyntax } from './text/word-filter.ts'
import { wordOrderSyntax } from './text/word-order.ts'

/** The maximum number of characters of a cursor in a query. */
const MAX_CURSOR_LENGTH = 4096
/** The maximum number of values of a position: the fields of an order, and of a key. */
const MAX_ORDER_VALUES = 32
/** The maximum number of values of one field in a filter. */
const MAX_VALUES = 100

const createCursorAttribute = (description: string, { emptyTokens }: ListConvention): Attribute =>
  t.string({
    min: emptyTokens ? 0 : 1,
    max: MAX_CURSOR_LENGTH,
    description: `${description}${emptyTokens ? ' Empty for the first page.' : ''}`,
  })

const ZERO_TEXTS = { refuse: '', default: '; 0 for the default', empty: '; 0 for none' } as const

const CURSOR_TEXTS = { key: 'the element with this key', text: 'this cursor' } as const

type CreateAttribute = (list: DeclaredList) => Attribute

/** The functions that create the attributes, by role. */
export const roleAttributes: { readonly [R in keyof ParamRoles]: CreateAttribute } = {
  items: ({ convention: { onZero } }) => {
    const description = `The most elements of a page${ZERO_TEXTS[onZero]}.`
    return t.integer({ min: onZero === 'refuse' ? 1 : 0, example: 10, description })
  },
  offset: () => t.integer({ min: 0, example: 10, description: 'The number of elements before the page.' }),
  lastItems: ({ convention: { onZero } }) => {
    const description = 'The most elements of a page, from its end.'
    return t.integer({ min: onZero === 'refuse' ? 1 : 0, example: 10, description })
  },
  limit: () => t.integer({ min: 0, example: 10, description: 'The most elements of the whole list.' }),
  page: ({ convention: { onPageZero } }) => {
    const description = `The number of the page, from 1${onPageZero === 'first' ? '; 0 for the first' : ''}.`
    return t.integer({ min: onPageZero === 'first' ? 0 : 1, example: 1, description })
  },
  after: ({ convention }) =>
    createCursorAttribute(`The page begins after ${CURSOR_TEXTS[convention.byKey ? 'key' : 'text']}.`, convention),
  before: ({ convention }) =>
    createCursorAttribute(`The page ends before ${CURSOR_TEXTS[convention.byKey ? 'key' : 'text']}.`, convention),
  afterValues: () =>
    t.json(t.array(t.any({ nullable: true }), { min: 1, max: MAX_ORDER_VALUES }), {
      description: 'The page begins after the element with these values in the fields of the order.',
    }) as Attribute,
  token: ({ convention }) => createCursorAttribute('A page token from an earlier response.', convention),
  count: () => t.boolean({ description: 'Whether the elements of the whole list are counted.' }),
  order: ({ order }) => createOrderParam(order as OrderingConfig),
  orderWords: ({ order }) => createOrderParam({ ...(order as OrderingConfig), syntax: wordOrderSyntax }),
  orderColons: ({ order }) => createOrderParam({ ...(order as OrderingConfig), syntax: colonOrderSyntax }),
  orderField: ({ order }) => t.string({ values: order?.byFields ?? [], description: 'The field of the order.' }),
  orderDirection: () => t.string({ values: ['asc', 'desc'], description: 'The direction of the order.' }),
  filters: ({ config, convention: { filterBy } }) => createFilterParam(config.mediaType, filterBy, undefined),
  filterWords: ({ config, convention: { filterBy } }) =>
    createFilterParam(config.mediaType, filterBy, wordFilterSyntax),
  filterOData: ({ config, convention: { filterBy } }) =>
    createFilterParam(config.mediaType, filterBy, oDataFilterSyntax),
  filterQuery: ({ config, convention: { filterBy } }) =>
    createFilterParam(config.mediaType, filterBy, queryStringSyntax),
  filterMembers: ({ config, convention: { filterBy } }) => createFilterStructure(config.mediaType, filterBy),
  filterOperators: ({ config, convention: { filterBy } }) =>
    t.object(Object.fromEntries(createFieldConditions(config.mediaType, filterBy))) as Attribute,
  filterFields: () => t.any() as Attribute,
  fields: ({ convention: { of } }) => FieldSelector.for(of),
  fieldsOfType: ({ convention: { of, type, element, names } }) => {
    const types = names.include.size === 0 ? undefined : element?.listFieldTypes?.(of, names)
    return t.object(
      Object.fromEntries((types ?? [[type, of] as const]).map(([name, one]) => [name, FieldSelector.for(one)])),
    ) as Attribute
  },
  include: ({ convention: { names } }) => createRelationPaths(names.include),
  expand: ({ convention: { expansions } }) => createExpansions(expansions),
}

// The type of a field applies in a filter, its limits do not.
const DROPPED_OPTIONS: ReadonlySet<string> = new Set([
  'required',
  'nullable',
  'default',
  'min',
  'max',
  'pattern',
  'example',
])

function withoutLimits({ core, options }: Attribute): Attribute {
  const dropped = Object.keys(options).filter((name) => DROPPED_OPTIONS.has(name))
  return core.derive(Object.fromEntries(dropped.map((name) => [name, undefined])) as AnyOptions)
}

/** Creates the attributes of the conditions on each field. */
export function createFieldConditions(
  mediaType: MediaType,
  fields: ListConvention['filterBy'],
): readonly (readonly [string, Attribute])[] {
  return [...resolveFilterFields({ mediaType, fields })].map(([name, field]) => {
    const exact = withoutLimits(field.attribute)
    const bound = exact.core.derive({ values: undefined } as AnyOptions)
    return [name, createFieldCondition(field, { exact, bound })]
  })
}

function createFilterStructure(mediaType: MediaType, fields: ListConvention['filterBy']): Attribute {
  const members = [...resolveFilterFields({ mediaType, fields })].map(([name, { attribute }]) => {
    const description = `Elements whose \`${name}\` is one of these values.`
    return [
      name,
      t.array(withoutLimits(attribute), { min: 1, max: MAX_VALUES, delimiter: '%2C', description }),
    ] as const
  })
  return t.object(Object.fromEntries(members)) as Attribute
}
