// The fields of a `filters` parameter, the operators of each, and the mistakes in a declaration.

import type { AnyOptions, Dumping, FieldUse, INVALID, Late, Loader, Loading, Shape } from '../../../extend.ts'
import type { Attribute, MediaType } from '../../../index.ts'
import { listComparableFields, findFilterField, isOrderable } from '../fields/field-paths.ts'
import type { ListParamConfig } from '../fields/list-param.ts'
import type { FilterExpression, Quantifier } from './expression.ts'
import { type FilterOperator, DEFAULT_MAX_VALUES, type FilterReader } from './filter-parser.ts'

/** Settings of one filter field. */
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
   * The most values after an operator, up to 10,000.
   * @default `100`
   */
  readonly maxValues?: number
}

/** The declaration of a `filters` parameter. */
export interface FilteringConfig extends ListParamConfig {
  readonly mediaType: MediaType
  /** The fields; when absent, every one of the default view that holds single values. */
  readonly fields: Readonly<Record<string, FilterFieldSettings | undefined>> | undefined
  /** How filters are written, where that is not edict's own way. */
  readonly syntax?: Late<FilterSyntax> | undefined
  /** The most characters of a filter. */
  readonly maxLength?: number | undefined
}

/** A way to write filters. */
export interface FilterSyntax {
  /** Reads a filter. */
  readonly parse: (text: string, loading: Loading, reading: FilterReader) => FilterExpression | typeof INVALID
  /** Writes a filter as a request has it. */
  readonly write: (
    expression: FilterExpression,
    fields: ReadonlyMap<string, FilterField>,
    dumping: Dumping,
  ) => string | typeof INVALID
  /** The description in documents. */
  readonly text: string
  /** How an operator is written. */
  readonly operator: (operator: FilterOperator) => string
  /** How a `*` is written that means itself. */
  readonly star: string
}

/** A field that may be filtered. */
export interface FilterField {
  /** The attribute whose values are compared: that of the elements where the field is a list of single values. */
  readonly attribute: Attribute
  readonly operators: readonly FilterOperator[]
  readonly wildcards: boolean
  readonly elements: readonly Quantifier[]
  readonly maxValues: number
}

const COMPARISON_OPERATORS: readonly FilterOperator[] = ['=', '!=', '<', '<=', '>', '>=', '!', '!!']
/** Operators that must be declared by name: they read whole tables, or need an index of their own. */
const SEARCH_OPERATORS: readonly FilterOperator[] = ['~=', '!~=', '@=']
const PRESENCE_OPERATORS: readonly FilterOperator[] = ['!', '!!']
const EQUALITY_OPERATORS: readonly FilterOperator[] = ['=', '!=', '!', '!!']
const NESTED_SHAPES: ReadonlySet<Shape> = new Set(['object', 'reference', 'list'])

function listOperators(attribute: Attribute): readonly FilterOperator[] {
  if (attribute.core.scalar === 'boolean') return EQUALITY_OPERATORS
  if (isOrderable(attribute)) return COMPARISON_OPERATORS
  return NESTED_SHAPES.has(attribute.core.shape) ? PRESENCE_OPERATORS : []
}

/** The fields that a `filters` parameter accepts, by their names. */
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

/** Lists the fields of a `filters` parameter, and how requests compare them. */
export const listUsedFields = (config: FilteringConfig): FieldUse[] =>
  [...resolveFilterFields(config)].flatMap(([name, { operators, elements }]): FieldUse[] => [
    { name, by: operators.some((operator) => !PRESENCE_OPERATORS.includes(operator)) ? 'value' : 'presence', operators },
    ...(operators.includes('@=') ? [{ name, by: 'words' } as const] : []),
    ...(elements.length > 0 ? [{ name, by: 'elements' } as const] : []),
  ])

/** Mistakes in the declaration of a `filters` parameter, each a sentence. */
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
  const searching = attribute.core.scalar === 'string' ? SEARCH_OPERATORS : []
  const sensible = [...listOperators(attribute), ...searching]
  if (elements.length > 0 && attribute.core.shape !== 'list')
    return [`elements of '${name}' names ${elements.join(', ')}, but it is no list of elements`]
  if (maxValues > MAX_DECLARED_VALUES) return [`maxValues of '${name}' is ${maxValues}, more than ${MAX_DECLARED_VALUES}`]
  if (sensible.length === 0) return [`it names '${name}', whose values cannot be compared`]
  if (operators?.length === 0) return [`operators of '${name}' is empty: the field could never be used`]
  const mistakes = (operators ?? [])
    .filter((operator) => !sensible.includes(operator))
    .map((operator) => `operators of '${name}' names ${operator}, but its operators are ${sensible.join(' ')}`)
  if (wildcards === true && attribute.core.scalar !== 'string')
    mistakes.push(`'${name}' has wildcards, but it is not a text`)
  else if (wildcards === true && operators !== undefined && !operators.includes('=') && !operators.includes('!='))
    mistakes.push(`wildcards of '${name}' needs = or !=, and operators names neither`)
  return mistakes
}

/** The most values that may be declared: databases take a few ten thousand in one statement. */
const MAX_DECLARED_VALUES = 10_000

/** How the values of a field are read: those for = and !=, those that are only compared by order, and parts of texts. */
export interface ValueLoaders {
  readonly exact: Loader
  readonly ordered: Loader
  readonly part: Loader
}

/** Makes the loaders of an attribute's values: its type holds in a filter, its limits do not. */
export function createValueLoaders({ core }: Attribute): ValueLoaders {
  const derived = (options: object): Loader => core.derive(options as AnyOptions).core.loader
  const unlimited = { min: undefined, max: undefined, pattern: undefined }
  return {
    exact: derived(unlimited),
    ordered: derived({ ...unlimited, values: undefined }),
    part: derived({ ...unlimited, values: undefined, format: undefined }),
  }
}
