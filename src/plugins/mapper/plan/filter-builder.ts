// Filters: translates a filter on the fields of a media type to one on tables, with the joins that it requires.

import { and, negate, or } from '../../query/combine-filters.ts'
import type { AggregateOperation, Column, ColumnKind, Filter, Join } from '../../query/query.ts'
import type { FilterExpression } from '../filters/expression.ts'
import { findCodec, unwrapJson } from '../model/codec.ts'
import type { AggregateNode, ColumnNode, ManyNode, Model, ModelNodes, OneNode, StructNode } from '../model/model.ts'
import { buildComparison, FieldError, type LocatedColumn } from './comparison.ts'
import { QueryScope, type ScopeBounds } from './query-scope.ts'

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
  if (node?.type === 'aggregate' && rest.length === 0)
    return { type: 'column', ...joinAggregate(node, context.scope, source) }
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
export function buildRelationFilters(node: ManyNode, scope: QueryScope, source: number): Filter[] {
  const where = node.callerWhere === undefined ? node.where : scope.bounds?.getRelationWhere(node, node.callerWhere)
  // Conditions of an unknown caller are met by nothing.
  if (where === undefined) return node.callerWhere === undefined ? [] : [or([])]
  return [buildFilter(where, node.target(), scope, source)]
}

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

// --- aggregates ------------------------------------------------------------------------

/** Thrown for an aggregate that its attribute, its field or its datastore does not fit. */
export class UnfitAggregateError extends TypeError {
  override readonly name = 'UnfitAggregateError'
  readonly remedy: string

  constructor(problem: string, remedy: string) {
    super(problem)
    this.remedy = remedy
  }
}

/** Joins the value of an aggregate to a query, once. */
export function joinAggregate(node: AggregateNode, scope: QueryScope, source: number): LocatedColumn {
  const { own, joined } = describeAggregate(node)
  const number = scope.joinAggregate(source, node, (bounds) =>
    buildAggregateJoin(node, own.column.kind, source, bounds),
  )
  const located = source > 0 ? joined : own
  return { reference: { source: number, column: located.column }, node: located }
}

function buildAggregateJoin(
  node: AggregateNode,
  kind: ColumnKind,
  outer: number,
  bounds: ScopeBounds | undefined,
): Join {
  const { relation, operation, field, presence } = node
  const { scope, source, on } = createRelatedScope(relation, bounds)
  const target = relation.target()
  const of = field === undefined ? undefined : locateColumn(field, target, scope, source).reference
  const filters = [...buildVisibilityFilters(target, source, bounds), ...buildRelationFilters(relation, scope, source)]
  return {
    table: scope.from,
    on: on.map(([ours, theirs]) => [{ source: outer, column: ours }, theirs]),
    aggregate: {
      operation,
      kind,
      of,
      joins: scope.getBoundedJoins(),
      filter: filters.length === 0 ? undefined : and(filters),
      ...(outer > 0 && { owner: { source: outer, column: presence } }),
    },
  }
}

/** The column of an aggregate, and that for elements which a join may not find. */
interface DescribedAggregate {
  readonly own: ColumnNode
  readonly joined: ColumnNode
}

const describedAggregates = new WeakMap<AggregateNode, DescribedAggregate | 'described'>()

// Described when it is first needed, because resources may refer to each other.
function describeAggregate(node: AggregateNode): DescribedAggregate {
  const known = describedAggregates.get(node)
  if (known === 'described')
    throw new UnfitAggregateError('it is computed from itself', 'name a field of the related elements that is not')
  if (known !== undefined) return known
  describedAggregates.set(node, 'described')
  try {
    const described = buildAggregateNodes(node)
    describedAggregates.set(node, described)
    return described
  } catch (error) {
    describedAggregates.delete(node)
    throw error
  }
}

function buildAggregateNodes({ attribute, name, operation, field, relation, describeColumn }: AggregateNode) {
  refuseMissingColumns(relation)
  const { scope, source } = createRelatedScope(relation)
  const of = field === undefined ? undefined : locateColumn(field, relation.target(), scope, source).reference.column
  const isExtreme = of !== undefined && operation !== 'sum'
  const kind = isExtreme ? of.kind : AGGREGATE_KINDS[operation]?.[unwrapJson(attribute).core.scalar ?? '']
  const codec = kind === undefined ? undefined : findCodec(attribute, kind)
  if (kind === undefined || codec === undefined || (operation === 'sum' && !SUMMABLE_KINDS[kind]?.includes(of?.kind)))
    throw new UnfitAggregateError(
      `${operation}(…) gives ${isExtreme ? `values of the kind ${of.kind}` : GIVEN_VALUES[operation]}, and it is declared as ${attribute.core.kindName}`,
      'declare it so that it fits',
    )
  const { required, nullable } = attribute.options
  if (isExtreme && required === true && nullable !== true)
    throw new UnfitAggregateError(
      `${operation}(…) gives nothing where there are no elements, and it is required`,
      'declare it without required, or as nullable',
    )
  const column = describeColumn(name, { operation, kind, of })
  const own: ColumnNode = { type: 'column', attribute, column, codec }
  const joined: ColumnNode = { ...own, column: Object.create(column, { nullable: { value: true } }) as Column }
  return { own, joined }
}

function refuseMissingColumns({ on, through, target }: ManyNode): void {
  const { table } = target()
  const pairs = [
    ...on.map(([, name]) => [through?.table ?? table, name] as const),
    ...(through?.on ?? []).map(([, name]) => [table, name] as const),
  ]
  for (const [{ name: tableName, columns }, name] of pairs)
    if (!columns.has(name))
      throw new UnfitAggregateError(
        `${tableName} has no column '${name}'`,
        `use one of ${[...columns.keys()].join(', ')}`,
      )
}

const WHOLE_NUMBERS = { integer: 'integer', bigint: 'bigint', number: 'integer' } as const

/** The kinds of values by the scalar of their attribute. */
const AGGREGATE_KINDS: Readonly<Partial<Record<AggregateOperation, Readonly<Record<string, ColumnKind>>>>> = {
  count: WHOLE_NUMBERS,
  exists: { boolean: 'boolean' },
  sum: { integer: 'integer', bigint: 'bigint', number: 'number', decimal: 'decimal' },
}

/** The kinds of columns that a sum of some kind may add. */
const SUMMABLE_KINDS: Readonly<Partial<Record<ColumnKind, readonly (ColumnKind | undefined)[]>>> = {
  integer: ['integer', 'bigint'],
  bigint: ['integer', 'bigint'],
  number: ['integer', 'bigint', 'number', 'decimal'],
  decimal: ['integer', 'bigint', 'decimal'],
}

const GIVEN_VALUES: Readonly<Record<AggregateOperation, string>> = {
  count: 'whole numbers',
  exists: 'true or false',
  sum: 'numbers of the kind of its field',
  min: 'values of its field',
  max: 'values of its field',
}
