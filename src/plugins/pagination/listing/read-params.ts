// Reads the filters and the selected fields from the params of a list.
import { memoize, memoizeByKey, type Selection } from '../../../extend.ts'
import type { FilterExpression } from '../../mapper/extend.ts'
import type { ParamLayout } from './param-layout.ts'

type ParamValues = Readonly<Record<string, unknown>>

/** Returns the filter of the params. */
export function readFilters(layout: ParamLayout, params: ParamValues): FilterExpression | undefined {
  const expression = layout.getRoleValue('filters', params) ?? layout.getRoleValue('filterWords', params)
  if (expression !== undefined) return expression as FilterExpression
  const members = layout.getRoleValue('filterMembers', params) as
    | Readonly<Record<string, readonly unknown[]>>
    | undefined
  if (members === undefined) return undefined
  const of = Object.entries(members).map(([field, values]): FilterExpression => {
    return { op: '=', field, any: values.map((value) => ({ value })) }
  })
  return of.length === 0 ? undefined : { op: 'and', of }
}

/** Returns the selected fields of the params; adds the key if the convention writes it apart from the fields. */
export function readFieldSelection(
  layout: ParamLayout,
  params: ParamValues,
  key: readonly string[],
): Selection | undefined {
  const selection = layout.getRoleValue('fields', params) as Selection | undefined
  if (selection !== undefined) return selection
  const byType = layout.getRoleValue('fieldsOfType', params) as Readonly<Record<string, Selection>> | undefined
  const chosen = byType && Object.values(byType)[0]
  return chosen && withKeyFields(chosen, key)
}

// Plans are cached by the selection that they were built for. Applications may give one list different keys.
const keyedSelections = memoize((selection: Selection) =>
  memoizeByKey((key: string): Selection => {
    const names = key === '' ? [] : key.split(SEPARATOR)
    return { fields: new Map([...names.map((name) => [name, undefined] as const), ...selection.fields]) }
  }),
)

const SEPARATOR = '\u0000'

const withKeyFields = (selection: Selection, key: readonly string[]): Selection =>
  keyedSelections(selection)(key.join(SEPARATOR))
