// A condition on one field as a param: a value, or values by operator: `year=1900`, `year[gte]=1900`.
import { type KindOutline, outlinedAttribute } from '../../../extend.ts'
import type { Attribute } from '../../../index.ts'
import type { FilterField } from '../../mapper/extend.ts'
import type { FieldConditionConfig } from './declared-list.ts'
import { BOUND_OPERATORS, BOUNDS, isBounds } from './field-bounds.ts'
import { fieldConditionRules } from './field-condition-rules.ts'

/** Creates the attribute of a condition on a field, from the attributes of its values. */
export function createFieldCondition(
  { operators }: FilterField,
  { exact, bound }: { readonly exact: Attribute; readonly bound: Attribute },
): Attribute {
  const names = BOUNDS.filter((name) => operators.includes(BOUND_OPERATORS[name]))
  const equals = operators.includes('=') ? exact : undefined
  if (names.length === 0) return exact
  return outlinedAttribute<FieldConditionConfig>(
    CONDITION_KIND,
    { exact: equals, bounds: Object.fromEntries(names.map((name) => [name, bound])) },
    {},
  )
}

const CONDITION_KIND: KindOutline<FieldConditionConfig> = {
  name: 'field-condition',
  write(value, { config }, fail) {
    const { exact, bounds } = config as FieldConditionConfig
    if (!isBounds(value)) return exact === undefined ? fail('') : exact.core.convert('write', value, fail)
    const entries = Object.entries(value).filter(([, one]) => one !== undefined)
    return Object.fromEntries(
      entries.map(([name, one]) => [name, bounds[name] ? bounds[name].core.convert('write', one, fail) : fail('')]),
    )
  },
  ...fieldConditionRules,
}
