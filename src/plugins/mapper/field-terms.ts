// The contract terms of filters and field selections.

import { getConfig, getSelectableBelow, type ResolvedAction, type Terms } from '../../extend.ts'
import type { Attribute, Attributes } from '../../index.ts'
import { type FilteringConfig, resolveFilterFields } from './filters/filter-fields.ts'
import { DEFAULT_MAX_VALUES } from './filters/filter-parser.ts'
import { filteringKind } from './filters/filtering-params.ts'

/** Returns the contract terms of an action's filters and field selections, by param name. */
export function buildFieldTerms({ params }: ResolvedAction): Readonly<Record<string, Terms>> {
  const terms: Record<string, Terms> = {}
  for (const [name, one] of Object.entries(params)) {
    const filters = getConfig(one, filteringKind)
    if (filters !== undefined) terms[name] = buildFilterTerms(filters)
    if (one.core.selectsFrom !== undefined) terms[name] = buildSelectionTerms(one.core.selectsFrom)
  }
  return terms
}

function buildFilterTerms(config: FilteringConfig): Terms {
  const fields = [...resolveFilterFields(config)].map(([name, field]): [string, Terms] => {
    const { attribute, operators, wildcards, elements, maxValues } = field
    const { values, format } = attribute.options as { readonly values?: readonly string[]; readonly format?: string }
    return [
      name,
      {
        operators: { allows: operators },
        wildcards: { allows: wildcards ? ['*'] : [] },
        ...(elements.length > 0 && { elements: { allows: elements } }),
        ...(maxValues !== DEFAULT_MAX_VALUES && { maxValues: { most: maxValues } }),
        values: { allows: values ?? null },
        type: { means: format === undefined ? attribute.core.kindName : `${attribute.core.kindName} (${format})` },
      },
    ]
  })
  return { filterFields: { each: Object.fromEntries(fields) } }
}

/** The depth to which the fields of a selection are listed; relations may be circular. */
const MAX_DEPTH = 4

function buildSelectionTerms(from: Attribute): Terms {
  return { selectableFields: { allows: [...listSelectablePaths(getSelectableBelow(from) ?? {}, '', 1)] } }
}

function* listSelectablePaths(attributes: Attributes, above: string, depth: number): Generator<string> {
  for (const [name, one] of Object.entries(attributes)) {
    const path = `${above}${name}`
    yield path
    const below = depth < MAX_DEPTH ? getSelectableBelow(one) : undefined
    if (below !== undefined) yield* listSelectablePaths(below, `${path}.`, depth + 1)
  }
}
