// Filters: translates a filter on the fields of a media type to one on tables, with the joins that it requires.

import { and, negate, or } from '../../query/combine-filters.ts'
import type { Column, Filter, Reference } from '../../query/query.ts'
import type { FilterExpression } from '../filters/expression.ts'
import type { ColumnNode, ManyNode, Model, ModelNodes, OneNode, StructNode } from '../model/model.ts'
import { refuseNonTextColumn, toOperand } from './operand.ts'
import { QueryScope, type ScopeBounds } from './query-scope.ts'

/** A column that a path resolves to, in a query. */
export interface LocatedColumn {
  readonly reference: Reference
  readonly node: ColumnNode
}

/** Thrown for a field that has no column, or none that lists can be ordered or filtered by. */
export class FieldError extends Error {
  readonly field: string
  /** The reason why lists cannot be ordered by the column. */
  readonly unorderedReason: string | undefined

  constructor(field: string, unordered?: string) {
    super(`The field '${field}' has no column that it could be compared by`)
    this.name = 'FieldError'
    this.field = field
    this.unorderedReason = unordered
  }
}

/** Translates a filter; throws a FieldError for fields that have no column. */
export function buildFilter(expression: FilterExpression, model: Model, scope: QueryScope, source = 0): Filter {
  if ('of' in expression) {
    const parts = expression.of.map((one) => buildFilter(one, model, scope, source))
    return expression.op === 'and' ? and(parts) : or(parts)
  }
  if ('where' in expression) return buildElementsFilter(expression, model, scope, source)
  const { field } = expression
  const context: PathContext = { scope, source, field }
  if ('any' in expression || 'value' in expression || 'texts' in expression)
    return buildFieldFilter(field.split('.'), model.nodes, context, (located) => buildComparison(expression, located))
  return buildFieldFilter(field.split('.'), model.nodes, { ...context, presence: expression.op }, ({ reference }) => ({
    op: expression.op === '!' ? 'not null' : 'null',
    reference,
  }))
}

// Several conditions on one element: they are combined inside the subquery, in which the element is one row.
function buildElementsFilter(
  { op, field, where }: ElementsExpression,
  model: Model,
  scope: QueryScope,
  source: number,
): Filter {
  const end = followPath(field.split('.'), model.nodes, { scope, source, field, presence: '!' })
  if (end.type !== 'many') throw new FieldError(field)
  // For lists on the way, `any` applies.
  const isLast = end.rest.length === 0
  const quantifier = isLast ? op : 'any'
  const inner = createRelatedScope(end.node, scope.bounds)
  const target = end.node.target()
  const rest: FilterExpression = isLast ? where : { op, field: end.rest.join('.'), where }
  const condition = buildFilter(rest, target, inner.scope, inner.source)
  const relationFilters = buildRelationFilters(end.node, inner.scope, inner.source)
  return {
    op: quantifier === 'any' ? 'exists' : 'not exists',
    from: inner.scope.from,
    on: inner.on.map(([ours, theirs]) => [{ source: end.source, column: ours }, theirs]),
    joins: inner.scope.getBoundedJoins(),
    filter: and([
      ...buildVisibilityFilters(target, inner.source, scope.bounds),
      ...relationFilters,
      quantifier === 'all' ? negate(condition) : condition,
    ]),
  }
}

type ElementsExpression = Extract<FilterExpression, { where: unknown }>

/** Finds the column of a field of one element that lists can be ordered by, and joins the tables on the path. */
export function locateColumn(field: string, model: Model, scope: QueryScope, source = 0): LocatedColumn {
  const end = followPath(field.split('.'), model.nodes, { scope, source, field })
  if (end.type !== 'column') throw new FieldError(field)
  const { reference, node } = end
  const { unorderedReason: unordered } = reference.column
  if (unordered !== undefined) throw new FieldError(field, unordered)
  return { reference, node }
}

interface PathContext {
  readonly scope: QueryScope
  readonly source: number
  readonly field: string
  /** Set if nothing is compared: only the presence of a value at the end of the path is tested. */
  readonly presence?: '!' | '!!'
}

type BuildColumnFilter = (located: LocatedColumn) => Filter

/** The end of a path: a column or a structure of one element, or a list, after which the path may continue. */
type PathEnd =
  | (LocatedColumn & { readonly type: 'column' })
  | { readonly type: 'struct'; readonly node: StructNode; readonly source: number }
  | { readonly type: 'many'; readonly node: ManyNode; readonly source: number; readonly rest: readonly string[] }

function buildFieldFilter(
  steps: readonly string[],
  nodes: ModelNodes,
  context: PathContext,
  condition: BuildColumnFilter,
): Filter {
  const end = followPath(steps, nodes, context)
  if (end.type === 'column') return condition(end)
  const inner = { ...context, source: end.source }
  return end.type === 'struct'
    ? buildStructFilter(end.node, inner)
    : buildManyFilter(end.rest, end.node, inner, condition)
}

/** Follows a path through structures and relations to one, which it joins. */
function followPath(steps: readonly string[], nodes: ModelNodes, context: PathContext): PathEnd {
  const [step = '', ...rest] = steps
  const node = nodes.get(step)
  const { source } = context
  if (node?.type === 'struct')
    return rest.length === 0 ? { type: 'struct', node, source } : followPath(rest, node.nodes, context)
  if (node?.type === 'one') return followRelation(rest, node, context)
  if (node?.type === 'many') return { type: 'many', node, source, rest }
  if (node?.type !== 'column' || rest.length > 0) throw new FieldError(context.field)
  if (context.presence === undefined && !node.codec.comparable) throw new FieldError(context.field)
  return { type: 'column', reference: { source, column: node.column }, node }
}

// A structure is present if one of its columns has a value.
function buildStructFilter({ nodes }: StructNode, context: PathContext): Filter {
  const { presence, source } = context
  if (presence === undefined) throw new FieldError(context.field)
  const parts = [...nodes.values()].flatMap((node): Filter[] => {
    if (node.type === 'struct') return [buildStructFilter(node, context)]
    if (node.type !== 'column') return []
    return [{ op: presence === '!' ? 'not null' : 'null', reference: { source, column: node.column } }]
  })
  return presence === '!' ? or(parts) : and(parts)
}

function followRelation(rest: readonly string[], node: OneNode, context: PathContext): PathEnd {
  const target = node.target()
  const { on } = node
  refuseRepeatedRows(node, target)
  const pairs = on.map(([ours, name]) => [ours, getColumn(target, name)] as const)
  // A foreign key of this table makes the join unnecessary.
  const mayBeForeignKey = rest.length === 1 && target.scope === undefined
  const foreignKey = mayBeForeignKey
    ? pairs.find(([, column]) => column === findComparableColumn(rest, target))
    : undefined
  if (foreignKey !== undefined && on.length === 1 && foreignKey[0].kind === foreignKey[1].kind) {
    const inner = target.nodes.get(rest[0] as string) as ColumnNode
    return { type: 'column', reference: { source: context.source, column: foreignKey[0] }, node: inner }
  }
  const source = context.scope.join(context.source, target, pairs)
  if (rest.length > 0) return followPath(rest, target.nodes, { ...context, source })
  const [key] = target.key
  if (key === undefined || context.presence === undefined) throw new FieldError(context.field)
  return { type: 'column', reference: { source, column: key.node.column }, node: key.node }
}

/** Throws for a relation that boot would have rejected if its resource had been passed to the mapper. */
export function refuseRepeatedRows(node: OneNode, target: Model): void {
  if (checkedRelations.has(node)) return
  const problem = describeNonUnique(node, target)
  if (problem !== undefined) throw new TypeError(`one(…) leads to ${target.mediaType.name}, but ${problem}`)
  checkedRelations.add(node)
}

const checkedRelations = new WeakSet<OneNode>()

function findComparableColumn([name = '']: readonly string[], { nodes }: Model): Column | undefined {
  const node = nodes.get(name)
  return node?.type === 'column' && node.codec.comparable ? node.column : undefined
}

/**
 * Describes why a relation to one is invalid: several rows of the other table may match, and each would repeat the element.
 * A table without a primary key is checked by the key that its resource declares.
 */
export function describeNonUnique({ on }: OneNode, { table, key }: Model): string | undefined {
  const names = on.map(([, name]) => name)
  const sets = [table.key, ...(table.unique ?? [])].filter((set) => set.length > 0)
  const declaredKey = key.map(({ node }) => [...table.columns].find(([, column]) => column === node.column)?.[0] ?? '')
  if ((sets.length === 0 ? [declaredKey] : sets).some((set) => set.every((name) => names.includes(name))))
    return undefined
  return `several rows of ${table.name} may have the same ${names.join(', ')}, and each would repeat the element`
}

/** Returns a column of a relation's target. */
export function getColumn({ table, mediaType }: Pick<Model, 'table' | 'mediaType'>, name: string): Column {
  const column = table.columns.get(name)
  if (column === undefined) throw new TypeError(`${table.name} (of ${mediaType.name}) has no column '${name}'`)
  return column
}

// A related element matches, or there is none: a subquery.
function buildManyFilter(
  rest: readonly string[],
  node: ManyNode,
  context: PathContext,
  condition: BuildColumnFilter,
): Filter {
  const { presence } = context
  const { scope, source, on } = createRelatedScope(node, context.scope.bounds)
  const target = node.target()
  const atEnd = rest.length === 0 && presence !== undefined
  const steps = rest.length === 0 && node.settings.value !== undefined ? [node.settings.value] : rest
  const visibility = buildVisibilityFilters(target, source, context.scope.bounds)
  const conditions = atEnd ? [] : [buildFieldFilter(steps, target.nodes, { ...context, scope, source }, condition)]
  const filter = and([...visibility, ...buildRelationFilters(node, scope, source), ...conditions])
  return {
    op: atEnd && presence === '!!' ? 'not exists' : 'exists',
    from: scope.from,
    on: on.map(([ours, theirs]) => [{ source: context.source, column: ours }, theirs]),
    joins: scope.getBoundedJoins(),
    filter,
  }
}

/** Returns the conditions under which a related row is visible: it exists, and is within the scope of its resource. */
export function buildVisibilityFilters(target: Model, source: number, bounds: ScopeBounds | undefined): Filter[] {
  const [key] = target.key
  // The scope of a joined row is part of the join; a row of a join table may reference nothing.
  if (source > 0) return key === undefined ? [] : [{ op: 'not null', reference: { source, column: key.node.column } }]
  const filter = bounds?.getFilter(target, source)
  return filter === undefined ? [] : [filter]
}

/** Returns the conditions that a relation declares for its rows. */
export const buildRelationFilters = ({ where, target }: ManyNode, scope: QueryScope, source: number): Filter[] =>
  where === undefined ? [] : [buildFilter(where, target(), scope, source)]

/** Creates a query scope over the elements of a relation: the number of their table, and the columns that equal ours. */
export function createRelatedScope(
  node: ManyNode,
  bounds?: ScopeBounds,
): {
  readonly scope: QueryScope
  readonly source: number
  readonly on: readonly (readonly [ours: Column, theirs: Column])[]
} {
  const target = node.target()
  if (node.through === undefined) {
    const on = node.on.map(([ours, name]) => [ours, getColumn(target, name)] as const)
    return { scope: new QueryScope(target.table, undefined, bounds), source: 0, on }
  }
  const { table, on: targetPairs } = node.through
  const scope = new QueryScope(table, undefined, bounds)
  const source = scope.join(
    0,
    target,
    targetPairs.map(([ours, name]) => [ours, getColumn(target, name)]),
  )
  const joinTable = { table, mediaType: target.mediaType }
  return { scope, source, on: node.on.map(([ours, name]) => [ours, getColumn(joinTable, name)]) }
}

type ComparisonExpression = Extract<FilterExpression, { any: unknown } | { value: unknown } | { texts: unknown }>

/** Returns the condition of a comparison on its column. */
export function buildComparison(expression: ComparisonExpression, { reference, node }: LocatedColumn): Filter {
  if ('any' in expression) return buildMatchFilter(expression, { reference, node })
  if ('texts' in expression) return buildSearchFilter(expression, { reference, node })
  return { op: expression.op, reference, value: toOperand(expression.field, node, expression.value) }
}

function buildSearchFilter(
  { op, field, texts }: Extract<ComparisonExpression, { texts: unknown }>,
  located: LocatedColumn,
): Filter {
  const { reference, node } = located
  refuseNonTextColumn(field, reference.column)
  if (op === '@=') {
    const { search } = node
    if (search === undefined) throw new FieldError(field)
    return or(texts.map((text): Filter => ({ op: 'matches', reference, search, text })))
  }
  const each = texts.map((text): Filter => ({ op: op === '~=' ? 'contains' : 'not contains', reference, text }))
  return op === '~=' ? or(each) : and(each)
}

function buildMatchFilter(
  { op, field, any }: Extract<ComparisonExpression, { any: unknown }>,
  { reference, node }: LocatedColumn,
): Filter {
  const values = any.flatMap((one) => ('value' in one ? [toOperand(field, node, one.value)] : []))
  const patterns = any.flatMap((one) => ('pattern' in one ? [one.pattern] : []))
  const isEqual = op === '='
  const list: Filter = { op: isEqual ? 'in' : 'not in', reference, values }
  const one: Filter = { op: isEqual ? '=' : '!=', reference, value: values[0] } as Filter
  const exact = values.length === 0 ? [] : [values.length === 1 ? one : list]
  const like = patterns.map((pattern): Filter => ({ op: isEqual ? 'like' : 'not like', reference, pattern }))
  return isEqual ? or([...exact, ...like]) : and([...exact, ...like])
}
