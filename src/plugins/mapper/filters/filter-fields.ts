// The fields of a `filters` parameter, the operators of each, and the mistakes in a declaration.

import type { AnyOptions, Dumping, FieldUse, INVALID, Loader, Loading, Shape } from '../../../extend.ts'
import { attributeRules } from '../../../extend.ts'
import type { Attribute, MediaType, Options } from '../../../index.ts'
import { findFilterField, isOrderable, listComparableFields } from '../fields/field-paths.ts'
import type { ListParamConfig } from '../fields/list-param.ts'
import type { FilterExpression, Quantifier } from './expression.ts'
import { DEFAULT_MAX_VALUES, type FilterOperator, type FilterReader } from './filter-parser.ts'

/** The settings of one filter field. */
export interface FilterFieldSettings {
  /**
   * The operators of the field.
   * @default all that its type supports
   */
  readonly operators?: readonly FilterOperator[]
  /**
   * Whether `*` at the beginning or end of a text matches any text; databases then read more rows.
   * @default `false`
   */
  readonly wildcards?: boolean
  /**
   * The quantifiers of conditions on one element of a related list: `posts.any(…)`, `posts.all(…)`, `posts.none(…)`.
   * @default none
   */
  readonly elements?: readonly Quantifier[]
  /**
   * The maximum number of values after an operator, up to 10,000.
   * @default `100`
   */
  readonly maxValues?: number
}

/** The options of a `filters` parameter. */
export interface FilteringOptions extends Pick<Options<FilterExpression>, 'description'> {
  /**
   * The maximum number of characters of a filter.
   * @default `4096`
   */
  readonly maxLength?: number
}

/** The declaration of a `filters` parameter. */
export interface FilteringConfig extends ListParamConfig {
  readonly mediaType: MediaType
  /** The fields; by default all scalars and lists of scalars in the default view. */
  readonly fields: Readonly<Record<string, FilterFieldSettings | undefined>> | undefined
  /** The syntax of the filters, if it is not edict's own. */
  readonly syntax?: FilterSyntax | undefined
  /** The maximum number of characters of a filter. */
  readonly maxLength?: number | undefined
}

/** A syntax of filters. */
export interface FilterSyntax {
  readonly parse: (text: string, loading: Loading, reader: FilterReader) => FilterExpression | typeof INVALID
  /** Writes a filter as request text. */
  readonly write: (
    expression: FilterExpression,
    fields: ReadonlyMap<string, FilterField>,
    dumping: Dumping,
  ) => string | typeof INVALID
  /** The description in documents. */
  readonly text: string
  /** Returns the text of an operator. */
  readonly operator: (operator: FilterOperator) => string
  /** The text of a literal `*`. */
  readonly star: string
}

/** A field that may be filtered by. */
export interface FilterField {
  /** The attribute whose values are compared; for a list of scalars, that of the elements. */
  readonly attribute: Attribute
  readonly operators: readonly FilterOperator[]
  readonly wildcards: boolean
  readonly elements: readonly Quantifier[]
  readonly maxValues: number
}

const COMPARISON_OPERATORS: readonly FilterOperator[] = ['=', '!=', '<', '<=', '>', '>=', '!', '!!']
/** Operators that must be declared explicitly: they scan tables, or require a special index. */
const SEARCH_OPERATORS: readonly FilterOperator[] = ['~=', '!~=', '@=']
const PRESENCE_OPERATORS: readonly FilterOperator[] = ['!', '!!']
const EQUALITY_OPERATORS: readonly FilterOperator[] = ['=', '!=', '!', '!!']
const NESTED_SHAPES: ReadonlySet<Shape> = new Set(['object', 'reference', 'list'])

function listOperators(attribute: Attribute): readonly FilterOperator[] {
  if (attribute.core.scalar === 'boolean') return EQUALITY_OPERATORS
  if (isOrderable(attribute)) return COMPARISON_OPERATORS
  return NESTED_SHAPES.has(attribute.core.shape) ? PRESENCE_OPERATORS : []
}

/** Returns the fields that a `filters` parameter accepts, by name. */
export function resolveFilterFields(config: FilteringConfig): ReadonlyMap<string, FilterField> {
  const accepted = new Map<string, FilterField>()
  for (const [name, settings] of listFieldSettings(config)) {
    const { wildcards = false, elements = [], maxValues = DEFAULT_MAX_VALUES } = settings
    const attribute = findFilterField(config.mediaType, name)
    if (attribute === undefined) continue
    const { operators = listOperators(attribute) } = settings
    accepted.set(name, { attribute, operators, wildcards, elements, maxValues })
  }
  return accepted
}

function listFieldSettings({ mediaType, fields }: FilteringConfig): [string, FilterFieldSettings][] {
  if (fields === undefined) return listComparableFields(mediaType).map((name) => [name, {}])
  return Object.entries(fields).flatMap(([name, settings]) => (settings === undefined ? [] : [[name, settings]]))
}

/** Lists the fields of a `filters` parameter, with their uses. */
export const listUsedFields = (config: FilteringConfig): FieldUse[] =>
  [...resolveFilterFields(config)].flatMap(([name, { operators, elements }]): FieldUse[] => [
    {
      name,
      by: operators.some((operator) => !PRESENCE_OPERATORS.includes(operator)) ? 'value' : 'presence',
      operators,
    },
    ...(operators.includes('@=') ? [{ name, by: 'words' } as const] : []),
    ...(elements.length > 0 ? [{ name, by: 'elements' } as const] : []),
  ])

/** Returns the mistakes in the declaration of a `filters` parameter, each a sentence. */
export function findFilterMistakes(config: FilteringConfig): string[] {
  const { mediaType } = config
  const declared = listFieldSettings(config)
  if (declared.length === 0) return ['it has no fields: no filter could ever be sent']
  return declared.flatMap(([name, settings]) => {
    const attribute = findFilterField(mediaType, name)
    if (attribute === undefined) return [`it names '${name}', which is not an attribute of ${mediaType.name}`]
    return findSettingsMistakes(name, attribute, settings)
  })
}

function findSettingsMistakes(name: string, attribute: Attribute, settings: FilterFieldSettings): string[] {
  const { operators, wildcards, elements = [], maxValues = DEFAULT_MAX_VALUES } = settings
  const searchOperators = attribute.core.scalar === 'string' ? SEARCH_OPERATORS : []
  const supported = [...listOperators(attribute), ...searchOperators]
  if (elements.length > 0 && attribute.core.shape !== 'list')
    return [`elements of '${name}' names ${elements.join(', ')}, but it is no list of elements`]
  if (maxValues > MAX_DECLARED_VALUES)
    return [`maxValues of '${name}' is ${maxValues}, more than ${MAX_DECLARED_VALUES}`]
  if (supported.length === 0) return [`it names '${name}', whose values cannot be compared`]
  if (operators?.length === 0) return [`operators of '${name}' is empty: the field could never be used`]
  const mistakes = (operators ?? [])
    .filter((operator) => !supported.includes(operator))
    .map((operator) => `operators of '${name}' names ${operator}, but its operators are ${supported.join(' ')}`)
  if (wildcards === true && attribute.core.scalar !== 'string')
    mistakes.push(`'${name}' has wildcards, but it is not a text`)
  else if (wildcards === true && operators !== undefined && !operators.includes('=') && !operators.includes('!='))
    mistakes.push(`wildcards of '${name}' needs = or !=, and operators names neither`)
  return mistakes
}

/** The maximum that `maxValues` may declare: databases accept some ten thousand values in one statement. */
const MAX_DECLARED_VALUES = 10_000

/** The loaders of a field's values: for `=` and `!=`, for comparisons by order, and for parts of texts. */
export interface ValueLoaders {
  readonly exact: Loader
  readonly ordered: Loader
  readonly part: Loader
}

/** Creates the loaders of an attribute's values: its type applies in a filter, its limits do not. */
export function createValueLoaders({ core }: Attribute): ValueLoaders {
  const deriveLoader = (options: object): Loader => attributeRules.getLoader(core.derive(options as AnyOptions))
  const unlimited = { min: undefined, max: undefined, pattern: undefined }
  return {
    exact: deriveLoader(unlimited),
    ordered: deriveLoader({ ...unlimited, values: undefined }),
    part: deriveLoader({ ...unlimited, values: undefined, format: undefined }),
  }
}
