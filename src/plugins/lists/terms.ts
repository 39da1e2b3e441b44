// What clients may rely on in filters and field selections, as terms of the contract.

import { type ResolvedAction, SELECTION_KIND, type SelectionConfig, selectableBelow, type Terms } from '../../extend.ts'
import type { Attribute, Attributes } from '../../index.ts'
import { type FilteringConfig, filterFields } from './filters/field.ts'

/** The terms of an action's filters and field selections, by the names of the params. */
export function fieldTerms({ params }: ResolvedAction): Readonly<Record<string, Terms>> {
  const terms: Record<string, Terms> = {}
  for (const [name, one] of Object.entries(params)) {
    if (one.kind === 'filtering') terms[name] = filterTerms((one as Declared<FilteringConfig>).declared)
    if (one.kind === SELECTION_KIND) terms[name] = selectionTerms((one as Declared<SelectionConfig>).declared)
  }
  return terms
}

interface Declared<C> extends Attribute {
  readonly declared: C
}

function filterTerms(config: FilteringConfig): Terms {
  const fields = [...filterFields(config)].map(([name, { attribute, operators, wildcards }]): [string, Terms] => {
    const { values, format } = attribute.options as { readonly values?: readonly string[]; readonly format?: string }
    return [
      name,
      {
        operators: { allows: operators },
        wildcards: { allows: wildcards ? ['*'] : [] },
        values: { allows: values ?? null },
        type: { means: format === undefined ? attribute.kind : `${attribute.kind} (${format})` },
      },
    ]
  })
  return { filterFields: { each: Object.fromEntries(fields) } }
}

/** How deep the fields of a selection are listed; resources may refer to each other without end. */
const MAX_DEPTH = 4

function selectionTerms({ from }: SelectionConfig): Terms {
  return { selectableFields: { allows: [...selectable(selectableBelow(from) ?? {}, '', 1)] } }
}

function* selectable(attributes: Attributes, above: string, depth: number): Generator<string> {
  for (const [name, one] of Object.entries(attributes)) {
    const place = `${above}${name}`
    yield place
    const below = depth < MAX_DEPTH ? selectableBelow(one) : undefined
    if (below !== undefined) yield* selectable(below, `${place}.`, depth + 1)
  }
}
