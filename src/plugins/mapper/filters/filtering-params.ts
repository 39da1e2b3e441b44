// The parameter `filters`: an expression over the fields of a media type, with values converted to the fields' types.
import { getConfig, isMediaType, makeMisdeclaredAttribute, type ResolvedAction } from '../../../extend.ts'
import type { Attribute, Attributes, MediaType } from '../../../index.ts'
import type { ByAttribute, ByPath } from '../fields/field-paths.ts'
import { createListParam, type EndpointMark, type ListKind, type ParamFor } from '../fields/list-param.ts'
import type { FilterExpression } from './expression.ts'
import type { FilterFieldSettings, FilteringConfig, FilteringOptions, FilterSyntax } from './filter-fields.ts'
import { filteringRules } from './filtering-rules.ts'

/** Declares a `filters` parameter. */
export const FilteringParams: {
  /** Returns the param for the filters of a list; by default on all scalars and lists of scalars in the default view. */
  for<A extends Attributes = never>(
    mediaType: MediaType<A> | EndpointMark,
    fields?: ByAttribute<A, FilterFieldSettings> & ByPath<A, FilterFieldSettings>,
    options?: FilteringOptions,
  ): ParamFor<A, Attribute<FilterExpression, false>>
} = Object.freeze({
  for(mediaType: MediaType, fields?: FilteringConfig['fields'], options?: FilteringOptions) {
    if (!isMediaType(mediaType)) return makeMisdeclaredAttribute(mediaType, 'a media type')
    return createListParam<FilteringConfig>(filteringKind, { mediaType, fields: undefined }, { fields }, options)
  },
}) as never

/** Creates a filter param in another syntax, under any name; a front end without that syntax sends filters as text. */
export function createFilterParam(
  mediaType: MediaType,
  fields: Readonly<Record<string, FilterFieldSettings | undefined>>,
  syntax: FilterSyntax | undefined,
): Attribute {
  return createListParam<FilteringConfig>(filteringKind, { mediaType, fields, syntax }, { fields }, undefined)
}

/** The `filters` param of an action, in any syntax. */
export interface FilterParam {
  readonly name: string
  readonly config: FilteringConfig
}

/** Returns the `filters` param of an action; undefined if it has none. */
export function findFilterParam({ params }: Pick<ResolvedAction, 'params'>): FilterParam | undefined {
  for (const [name, one] of Object.entries(params)) {
    const config = getConfig(one, filteringKind)
    if (config !== undefined) return { name, config }
  }
  return undefined
}

/** The kind of a `filters` param. */
export const filteringKind: ListKind<FilteringConfig> = {
  name: 'filtering',
  needs: 'mapper',
  ...filteringRules,
}
