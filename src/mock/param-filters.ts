// Filters of a mock's lists: params of a query that have the name of an attribute.
import type { ResolvedAction } from '../design/resolve/resolved.ts'
import type { Attribute } from '../schema/attribute.ts'
import { getOwnValue } from '../util/describe-value.ts'
import type { CallerModel } from './callers.ts'
import { type Entity, getScalarKind, ROW_COLUMN, type ToManyPart, type ToOnePart, VALUE_ATTRIBUTE } from './entity.ts'
import { parsePathValue } from './example-values.ts'
import type { Mark } from './marks.ts'
import type { MockStore, RowCondition } from './mock-store.ts'
import { hasStem, isListOf } from './names.ts'

/** The column or the values that a param is compared with. */
type Comparison =
  | { readonly type: 'column'; readonly column: string; readonly attribute: Attribute }
  | { readonly type: 'values'; readonly part: ToManyPart }
  | { readonly type: 'one'; readonly part: ToOnePart; readonly column: string }
  | { readonly type: 'mark'; readonly mark: Mark; readonly callers: Entity; readonly column: string }

/** A param that filters a list. */
export interface ParamFilter {
  readonly param: string
  readonly comparison: Comparison
}

/** The filters of an action, and the params that filter nothing. */
export interface ParamFilters {
  readonly filters: readonly ParamFilter[]
  readonly others: readonly string[]
}

/** Finds the attributes that the params of a list compare. */
export function findParamFilters(
  { params, routes }: ResolvedAction,
  entity: Entity,
  marks: readonly Mark[],
  callers: CallerModel | undefined,
): ParamFilters {
  const captures = new Set(routes.flatMap(({ pattern }) => pattern.names))
  const filters: ParamFilter[] = []
  const others: string[] = []
  for (const [param, attribute] of Object.entries(params)) {
    const { core } = attribute
    const isOfList = core.listing !== undefined || core.needs !== undefined || core.selectsFrom !== undefined
    if (isOfList || captures.has(param) || getScalarKind(attribute) === undefined) continue
    const comparison = findComparison(param, attribute, entity, { marks, callers })
    if (comparison === undefined) others.push(param)
    else filters.push({ param, comparison })
  }
  return { filters, others }
}

interface Sources {
  readonly marks: readonly Mark[]
  readonly callers: CallerModel | undefined
}

function findComparison(
  param: string,
  attribute: Attribute,
  entity: Entity,
  { marks, callers }: Sources,
): Comparison | undefined {
  const kind = getScalarKind(attribute)
  const own = entity.findScalarPart(param)
  if (own?.kind === kind && own !== undefined) return { type: 'column', column: own.column, attribute: own.attribute }
  for (const [name, part] of entity.parts) {
    if (part.type === 'one' && name === param) {
      const column = findIdentity(part.target, kind)
      if (column !== undefined) return { type: 'one', part, column }
    }
    if (part.type === 'many' && part.isValueList && isListOf(name, param)) {
      const element = part.target.findScalarPart(VALUE_ATTRIBUTE)
      if (element?.kind === kind) return { type: 'values', part }
    }
  }
  const mark = marks.find((one) => one.entity === entity && hasStem(param, one.word))
  const column = callers && findIdentity(callers.entity, kind)
  return mark && callers && column !== undefined ? { type: 'mark', mark, callers: callers.entity, column } : undefined
}

/** Returns the column that identifies elements by values of a kind: that of their key first. */
const findIdentity = (entity: Entity, kind: string | undefined): string | undefined =>
  [...entity.key, ...entity.unique]
    .map((name) => entity.findScalarPart(name))
    .find((part) => part !== undefined && part.kind === kind)?.column

/** Returns the rows that the sent params select; undefined if none can match. */
export async function readParamFilters(
  filters: readonly ParamFilter[],
  params: Readonly<Record<string, unknown>>,
  store: MockStore,
): Promise<RowCondition | undefined> {
  const condition: Record<string, unknown> = {}
  let rows: readonly unknown[] | undefined
  const narrow = (found: readonly unknown[]): void => {
    const before = rows
    rows = before === undefined ? found : found.filter((one) => before.includes(one))
  }
  for (const { param, comparison } of filters) {
    const value = getOwnValue(params, param)
    if (value === undefined || value === null) continue
    if (comparison.type === 'column') {
      const parsed = parsePathValue(comparison.attribute, value)
      if (parsed === undefined) return undefined
      condition[comparison.column] = parsed
    } else if (comparison.type === 'values') {
      const found = await store.findRows(comparison.part.target, { [VALUE_ATTRIBUTE]: value })
      narrow(found.map((row) => row['~owner']))
    } else if (comparison.type === 'one') {
      const { part, column } = comparison
      const [target] = await store.findRows(part.target, { [column]: value })
      if (target === undefined) return undefined
      for (const [ours, theirs] of part.on) condition[ours] = target[theirs]
    } else {
      const callers = await store.findRows(comparison.callers, { [comparison.column]: value })
      narrow(comparison.mark.listRows(callers.map((row) => Number(row[ROW_COLUMN]))))
    }
  }
  return rows === undefined ? condition : { ...condition, [ROW_COLUMN]: rows }
}
