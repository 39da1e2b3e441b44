// The attribute of each param role of a convention.
import type { AnyOptions } from '../../../extend.ts'
import type { Attribute, MediaType } from '../../../index.ts'
import { t } from '../../../index.ts'
import { createFilterParam, resolveFilterFields } from '../../mapper/extend.ts'
import { FieldSelector } from '../../mapper/index.ts'
import type { OrderingConfig } from '../ordering-config.ts'
import { createOrderParam } from '../ordering-params.ts'
import type { DeclaredList, ListConvention } from './declared-list.ts'
import type { ParamRoles } from './templates.ts'
import { wordFilterSyntax } from './text/word-filter.ts'
import { wordOrderSyntax } from './text/word-order.ts'

/** The maximum number of characters of a cursor in a query. */
const MAX_CURSOR_LENGTH = 4096
/** The maximum number of values of one field in a filter. */
const MAX_VALUES = 100

const createCursorAttribute = (description: string): Attribute =>
  t.string({ min: 1, max: MAX_CURSOR_LENGTH, description })

type CreateAttribute = (list: DeclaredList, convention: ListConvention) => Attribute

/** The functions that create the attributes, by role. */
export const roleAttributes: { readonly [R in keyof ParamRoles]: CreateAttribute } = {
  items: (_, { onZero }) => {
    const isDefault = onZero === 'default'
    const description = `The most elements of a page${isDefault ? '; 0 for the default' : ''}.`
    return t.integer({ min: isDefault ? 0 : 1, example: 10, description })
  },
  offset: () => t.integer({ min: 0, example: 10, description: 'The number of elements before the page.' }),
  page: () => t.integer({ min: 1, example: 1, description: 'The number of the page, from 1.' }),
  after: (_, { byKey }) =>
    createCursorAttribute(
      byKey ? 'The page begins after the element with this key.' : 'The page begins after this cursor.',
    ),
  before: (_, { byKey }) =>
    createCursorAttribute(
      byKey ? 'The page ends before the element with this key.' : 'The page ends before this cursor.',
    ),
  token: () => createCursorAttribute('A page token from an earlier response.'),
  count: () => t.boolean({ description: 'Whether the elements of the whole list are counted.' }),
  order: ({ order }) => createOrderParam(order as OrderingConfig),
  orderWords: ({ order }) => createOrderParam({ ...(order as OrderingConfig), syntax: wordOrderSyntax }),
  filters: ({ config }, { filterBy }) => createFilterParam(config.mediaType, filterBy, undefined),
  filterWords: ({ config }, { filterBy }) => createFilterParam(config.mediaType, filterBy, wordFilterSyntax),
  filterMembers: ({ config }, { filterBy }) => createFilterStructure(config.mediaType, filterBy),
  fields: (_, { of }) => FieldSelector.for(of),
  fieldsOfType: (_, { of, type }) => t.object({ [type]: FieldSelector.for(of) }),
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

function createFilterStructure(mediaType: MediaType, fields: ListConvention['filterBy']): Attribute {
  const members = [...resolveFilterFields({ mediaType, fields })].map(([name, { attribute }]) => {
    const description = `Elements whose \`${name}\` is one of these values.`
    return [name, t.array(withoutLimits(attribute), { min: 1, max: MAX_VALUES, delimiter: ',', description })] as const
  })
  return t.object(Object.fromEntries(members)) as Attribute
}
