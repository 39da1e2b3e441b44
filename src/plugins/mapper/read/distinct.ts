// Distinct values: those that an attribute has among the elements of a resource, each once and in order.
import { form } from '../../../extend.ts'
import type { Attributes } from '../../../index.ts'
import { and } from '../../query/combine-filters.ts'
import type { Filter, OrderStep, Select } from '../../query/query.ts'
import type { FilterExpression } from '../filters/expression.ts'
import { parseListWhere, type Where } from '../filters/where.ts'
import type { ManyNode, Model } from '../model/model.ts'
import { FieldError, type LocatedColumn } from '../plan/comparison.ts'
import {
  buildFilter,
  buildRelationFilters,
  buildVisibilityFilters,
  getColumn,
  locateColumn,
} from '../plan/filter-builder.ts'
import { QueryScope } from '../plan/query-scope.ts'
import type { ResourceSource } from './planned-query.ts'

/** The options of a direct call for distinct values. */
export interface DistinctQuery<A extends Attributes> {
  /** The conditions that the elements with the values must meet. */
  readonly where?: Where<A>
  /**
   * Whether the greatest value comes first.
   * @default `false`
   */
  readonly descending?: boolean
  /**
   * The maximum number of values; `Infinity` for all of them.
   * @default `100`
   */
  readonly limit?: number
}

/** The values at a path of an element, those in lists one by one. */
export type ValueAt<T, P extends string> = T extends readonly (infer E)[]
  ? ValueAt<E, P>
  : P extends keyof T
    ? ElementOf<NonNullable<T[P]>>
    : P extends `${infer H}.${infer R}`
      ? H extends keyof T
        ? ValueAt<NonNullable<T[H]>, R>
        : never
      : never

type ElementOf<V> = V extends readonly (infer E)[] ? NonNullable<E> : V

const DEFAULT_LIMIT = 100

const DISTINCT_QUERY_FORM: form.Fields<DistinctQuery<Attributes>> = {
  where: form.structure,
  descending: form.flag,
  limit: form.either(form.integerFrom(0), form.choice(Number.POSITIVE_INFINITY)),
}

/** Reads the distinct values of a field, in their order; elements without a value do not count. */
export async function readDistinctValues(
  source: ResourceSource,
  field: string,
  query: object,
): Promise<readonly unknown[]> {
  const { datastore, model } = source
  const { value, flaws } = form.accept(query, DISTINCT_QUERY_FORM)
  const [flaw] = flaws
  if (flaw !== undefined)
    throw createDistinctError(
      model,
      field,
      `have a wrong '${flaw.at.replace(/^\./, '')}': ${flaw.problem}`,
      flaw.remedy,
    )
  if (datastore.selectsDistinct !== true)
    throw createDistinctError(
      model,
      field,
      'are not known to its datastore',
      'implement `distinct` of a select there, and set selectsDistinct',
    )
  const { where, descending = false, limit = DEFAULT_LIMIT } = value as DistinctQuery<Attributes>
  const { located, ...tables } = planDistinct(source, field, where === undefined ? undefined : parseListWhere(where))
  const { reference, node } = located
  const order: readonly OrderStep[] = [{ reference, descending }]
  const pendingCheck = datastore.check?.({ from: tables.from, joins: tables.joins, order })
  if (pendingCheck !== undefined) {
    await pendingCheck
    // The check may have changed the column.
    return readDistinctValues(source, field, query)
  }
  const { rows } = await datastore.select({
    ...tables,
    columns: [reference],
    order,
    limit: limit === Number.POSITIVE_INFINITY ? undefined : limit,
    offset: 0,
    distinct: true,
  })
  return rows.map(([one]) => node.codec.fromColumn(one))
}

const createDistinctError = ({ mediaType }: Model, field: string, problem: string, remedy: string): TypeError =>
  new TypeError(`The distinct values of '${field}' of ${mediaType.name} ${problem}. Remedy: ${remedy}`)

interface DistinctPlan extends Pick<Select, 'from' | 'joins' | 'filter'> {
  readonly located: LocatedColumn
}

function planDistinct(source: ResourceSource, field: string, where: FilterExpression | undefined): DistinctPlan {
  const { model } = source
  try {
    const [step = '', ...rest] = field.split('.')
    const node = model.nodes.get(step)
    const plan =
      node?.type === 'many' ? planRelated(source, node, rest.join('.'), where) : planOwn(source, field, where)
    if (plan.located.reference.column.aggregate === undefined) return plan
  } catch (error) {
    if (!(error instanceof FieldError)) throw error
    const { unorderedReason: unordered } = error
    if (unordered !== undefined) throw createDistinctError(model, field, `have no order: ${unordered}`, 'list another')
  }
  throw createDistinctError(
    model,
    field,
    'are not those of a column',
    'name an attribute with a column, of the resource, of a related element, or of the elements of a list',
  )
}

function planOwn({ model, bounds }: ResourceSource, field: string, where: FilterExpression | undefined): DistinctPlan {
  const scope = new QueryScope(model.table, undefined, bounds)
  const located = locateColumn(field, model, scope)
  const filter = and([
    ...buildVisibilityFilters(model, 0, bounds),
    ...(where === undefined ? [] : [buildFilter(where, model, scope)]),
    { op: 'not null', reference: located.reference },
  ])
  return { from: model.table, joins: scope.getBoundedJoins(), filter, located }
}

// The values are read from the related table, where each is one of an element of the resource.
function planRelated(
  { model, bounds }: ResourceSource,
  node: ManyNode,
  rest: string,
  where: FilterExpression | undefined,
): DistinctPlan {
  const target = node.target()
  const scope = new QueryScope(target.table, undefined, bounds)
  const located = locateColumn(rest === '' ? (node.settings.value ?? '') : rest, target, scope)
  const filter = and([
    ...buildVisibilityFilters(target, 0, bounds),
    ...buildRelationFilters(node, scope, 0),
    { op: 'not null', reference: located.reference },
    buildOwnerFilter(model, node, where, bounds),
  ])
  return { from: target.table, joins: scope.getBoundedJoins(), filter, located }
}

/** Returns the condition that a related row belongs to an element of the resource. */
function buildOwnerFilter(
  model: Model,
  { on, through, target }: ManyNode,
  where: FilterExpression | undefined,
  bounds: ResourceSource['bounds'],
): Filter {
  const scope = new QueryScope(through?.table ?? model.table, undefined, bounds)
  const joinTable = { table: scope.from, mediaType: model.mediaType }
  const source =
    through === undefined
      ? 0
      : scope.join(
          0,
          model,
          on.map(([ours, name]) => [getColumn(joinTable, name), ours]),
        )
  const pairs =
    through === undefined
      ? on.map(([ours, name]) => [getColumn(target(), name), ours] as const)
      : through.on.map(([ours, name]) => [getColumn(target(), name), ours] as const)
  const filters = [
    ...buildVisibilityFilters(model, source, bounds),
    ...(where === undefined ? [] : [buildFilter(where, model, scope, source)]),
  ]
  return {
    op: 'exists',
    from: scope.from,
    on: pairs.map(([theirs, ours]) => [{ source: 0, column: theirs }, ours]),
    joins: scope.getBoundedJoins(),
    filter: and(filters),
  }
}
