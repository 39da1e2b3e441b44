// The filters and the selected fields that the params of a list ask for.
import type { Selection } from '../../../extend.ts'
import type { FilterExpression } from '../../lists/extend.ts'
import type { Language } from './language.ts'

type Params = Readonly<Record<string, unknown>>

/** The filter that params ask for. */
export function filtersIn(language: Language, params: Params): FilterExpression | undefined {
  const expression = language.value('filters', params) ?? language.value('filterWords', params)
  if (expression !== undefined) return expression as FilterExpression
  const members = language.value('filterMembers', params) as Readonly<Record<string, readonly unknown[]>> | undefined
  if (members === undefined) return undefined
  const of = Object.entries(members).map(([field, values]): FilterExpression => {
    return { op: '=', field, any: values.map((value) => ({ value })) }
  })
  return of.length === 0 ? undefined : { op: 'and', of }
}

/** The fields that params ask for; where elements are named apart from their fields, what names them is among those. */
export function selectionIn(language: Language, params: Params, key: readonly string[]): Selection | undefined {
  const selection = language.value('fields', params) as Selection | undefined
  if (selection !== undefined) return selection
  const byType = language.value('fieldsOfType', params) as Readonly<Record<string, Selection>> | undefined
  const chosen = byType && Object.values(byType)[0]
  return chosen && keyed(chosen, key)
}

// Plans are kept by the selection that they were made for.
const completed = new WeakMap<Selection, Selection>()

function keyed(selection: Selection, key: readonly string[]): Selection {
  const known = completed.get(selection)
  if (known !== undefined) return known
  const made = { fields: new Map([...key.map((name) => [name, undefined] as const), ...selection.fields]) }
  completed.set(selection, made)
  return made
}
