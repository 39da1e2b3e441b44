// The filters and the selected fields that the params of a list ask for.
import type { Selection } from '../../../extend.ts'
import type { FilterExpression } from '../../mapper/extend.ts'
import type { ParamLayout } from './param-layout.ts'

type ParamValues = Readonly<Record<string, unknown>>

/** The filter that params ask for. */
export function readFilters(language: ParamLayout, params: ParamValues): FilterExpression | undefined {
  const expression = language.getRoleValue('filters', params) ?? language.getRoleValue('filterWords', params)
  if (expression !== undefined) return expression as FilterExpression
  const members = language.getRoleValue('filterMembers', params) as Readonly<Record<string, readonly unknown[]>> | undefined
  if (members === undefined) return undefined
  const of = Object.entries(members).map(([field, values]): FilterExpression => {
    return { op: '=', field, any: values.map((value) => ({ value })) }
  })
  return of.length === 0 ? undefined : { op: 'and', of }
}

/** The fields that params ask for; where elements are named apart from their fields, what names them is among those. */
export function readFieldSelection(language: ParamLayout, params: ParamValues, key: readonly string[]): Selection | undefined {
  const selection = language.getRoleValue('fields', params) as Selection | undefined
  if (selection !== undefined) return selection
  const byType = language.getRoleValue('fieldsOfType', params) as Readonly<Record<string, Selection>> | undefined
  const chosen = byType && Object.values(byType)[0]
  return chosen && withKeyFields(chosen, key)
}

// Plans are kept by the selection that they were made for.
const keyedSelections = new WeakMap<Selection, Selection>()

function withKeyFields(selection: Selection, key: readonly string[]): Selection {
  const known = keyedSelections.get(selection)
  if (known !== undefined) return known
  const made = { fields: new Map([...key.map((name) => [name, undefined] as const), ...selection.fields]) }
  keyedSelections.set(selection, made)
  return made
}
