// Reads the filters and the selected fields from the params of a list.
import { memoize, memoizeByKey, type Selection } from '../../../extend.ts'
import type { FilterExpression, OrderTerm } from '../../mapper/extend.ts'
import { toConditions } from './field-bounds.ts'
import type { ParamLayout } from './param-layout.ts'
import { getByPath } from './param-slots.ts'
import { parseRelationPaths, type RequestedRelations } from './related/relations.ts'

type ParamValues = Readonly<Record<string, unknown>>

/** The roles of params whose value is a complete filter. */
const EXPRESSION_ROLES = ['filters', 'filterWords', 'filterOData', 'filterQuery'] as const

/** Returns the filter of the params. */
export function readFilters(layout: ParamLayout, params: ParamValues): FilterExpression | undefined {
  for (const role of EXPRESSION_ROLES) {
    const expression = layout.getRoleValue(role, params)
    if (expression !== undefined) return expression as FilterExpression
  }
  const members = layout.getRoleValue('filterMembers', params)
  const byOperator = layout.getRoleValue('filterOperators', params)
  const of = [
    ...Object.entries((members ?? {}) as Readonly<Record<string, readonly unknown[]>>).map(
      ([field, values]): FilterExpression => ({ op: '=', field, any: values.map((value) => ({ value })) }),
    ),
    ...Object.entries((byOperator ?? {}) as ParamValues).flatMap(([field, value]) => toConditions(field, value)),
    ...layout.fieldSlots.flatMap(({ path }) => toConditions(path[0] as string, getByPath(params, path))),
  ]
  return of.length === 0 ? undefined : { op: 'and', of }
}

/** Returns the order of the params; undefined if they have none. */
export function readOrder(
  layout: ParamLayout,
  params: ParamValues,
  defaultOrder: readonly OrderTerm[] | undefined,
): readonly OrderTerm[] | undefined {
  const { orderSlot } = layout
  if (orderSlot?.role !== 'orderField')
    return orderSlot && (getByPath(params, orderSlot.path) as readonly OrderTerm[] | undefined)
  const field = getByPath(params, orderSlot.path) as string | undefined
  const direction = layout.getRoleValue('orderDirection', params)
  const [first] = defaultOrder ?? []
  if (field === undefined && (direction === undefined || first === undefined)) return undefined
  const descending = direction === undefined ? first?.descending === true : direction === 'desc'
  return fieldOrders(`${descending ? '-' : ''}${field ?? (first as OrderTerm).field}`)
}

// Plans are cached by order.
const fieldOrders = memoizeByKey((term: string): readonly OrderTerm[] =>
  Object.freeze([{ field: term.replace(/^-/, ''), descending: term.startsWith('-') }]),
)

/** Returns the related elements and the fields of each type that the params ask for. */
export function readRelations(layout: ParamLayout, params: ParamValues): RequestedRelations {
  const paths = layout.getRoleValue('include', params) as readonly string[] | undefined
  const fields = (layout.getRoleValue('fieldsOfType', params) ?? {}) as Readonly<Record<string, Selection>>
  return { include: paths && parseRelationPaths(paths), fields: new Map(Object.entries(fields)) }
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
