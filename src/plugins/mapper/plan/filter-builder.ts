// Conditions: a filter in the terms of a media type becomes one in the terms of tables, with the joins that it needs.

import type { FilterExpression } from '../filters/expression.ts'
import type { Column, Filter, Reference } from '../../query/query.ts'
import type { ColumnNode, ManyNode, Model, ModelNodes, OneNode, StructNode } from '../model/model.ts'
import { and, negate, or } from '../../query/combine-filters.ts'
import { toOperand, refuseNonTextColumn } from './operand.ts'
import { type ScopeBounds, QueryScope } from './query-scope.ts'

/** A column that a path leads to, in a scope. */
export interface LocatedColumn {
  readonly reference: Reference
  readonly node: ColumnNode
}

/** Thrown for a field that has no column, or none that lists could go by. */
export class FieldError extends Error {
  readonly field: string
  /** Why lists cannot go by the column that it has. */
  readonly unordered: string | undefined

  constructor(field: string, unordered?: string) {
    super(`The field '${field}' has no column that it could be compared by`)
    this.name = 'FieldError'
    this.field = field
    this.unordered = unordered
  }
}

/** Translates a filter; fields that have no column throw a FieldError. */
export function buildFilter(expression: FilterExpression, model: Model, scope: QueryScope, source = 0): Filter {
  if ('of' in expression) {
    const parts = expression.of.map((one) => buildFilter(one, model, scope, source))
    return expression.op === 'and' ? and(parts) : or(parts)
  }
  if ('where' in expression) return buildElementsFilter(expression, model, scope, source)
  const { field } = expression
  const way: PathContext = { scope, source, field }
  if ('any' in expression || 'value' in expression || 'texts' in expression)
    return buildFieldFilter(field.split('.'), model.nodes, way, (located) => buildComparison(expression, located))
  return buildFieldFilter(field.split('.'), model.nodes, { ...way, presence: expression.op }, ({ reference }) => ({
    op: expression.op === '!' ? 'not null' : 'null',
    reference,
  }))
}

// Several conditions on one element: they are put together inside, where the element is one row.
function buildElementsFilter({ op, field, where }: ElementsExpression, model: Model, scope: QueryScope, source: number): Filter {
  const end = followPath(field.split('.'), model.nodes, { scope, source, field, presence: '!' })
  if (end.type !== 'many') throw new FieldError(field)
  // Of lists on the way, some element leads on.
  const isLast = end.rest.length === 0
  const own = isLast ? op : 'any'
  const inner = createRelatedScope(end.node, scope.bounds)
  const target = end.node.target()
  const further: FilterExpression = isLast ? where : { op, field: end.rest.join('.'), where }
  const met = buildFilter(further, target, inner.scope, inner.source)
  const belongs = buildRelationFilters(end.node, inner.scope, inner.source)
  return {
    op: own === 'any' ? 'exists' : 'not exists',
    from: inner.scope.from,
    on: inner.on.map(([ours, theirs]) => [{ source: end.source, column: ours }, theirs]),
    joins: inner.scope.getBoundedJoins(),
    filter: and([...buildVisibilityFilters(target, inner.source, scope.bounds), ...belongs, own === 'all' ? negate(met) : met]),
  }
}

type ElementsExpression = Extract<FilterExpression, { where: unknown }>

/** Finds the column that lists go by for a field of one element, joining what lies on the way. */
export function locateColumn(field: string, model: Model, scope: QueryScope, source = 0): LocatedColumn {
  const end = followPath(field.split('.'), model.nodes, { scope, source, field })
  if (end.type !== 'column') throw new FieldError(field)
  const { reference, node } = end
  const { unordered } = reference.column
  if (unordered !== undefined) throw new FieldError(field, unordered)
  return { reference, node }
}

interface PathContext {
  readonly scope: QueryScope
  readonly source: number
  readonly field: string
  /** Set when nothing is compared: only whether there is something at the end of the way is asked. */
  readonly presence?: '!' | '!!'
}

type BuildColumnFilter = (located: LocatedColumn) => Filter

/** The end of a path: a column or a structure of one element, or a list, behind which the path may go on. */
type PathEnd =
  | (LocatedColumn & { readonly type: 'column' })
  | { readonly type: 'struct'; readonly node: StructNode; readonly source: number }
  | { readonly type: 'many'; readonly node: ManyNode; readonly source: number; readonly rest: readonly string[] }

function buildFieldFilter(steps: readonly string[], nodes: ModelNodes, way: PathContext, condition: BuildColumnFilter): Filter {
  const end = followPath(steps, nodes, way)
  if (end.type === 'column') return condition(end)
  const at = { ...way, source: end.source }
  return end.type === 'struct' ? buildStructFilter(end.node, at) : buildManyFilter(end.rest, end.node, at, condition)
}

/** Follows a path through structures and to single elements of other resources, joining those. */
function followPath(steps: readonly string[], nodes: ModelNodes, way: PathContext): PathEnd {
  const [step = '', ...rest] = steps
  const node = nodes.get(step)
  const { source } = way
  if (node?.type === 'struct')
    return rest.length === 0 ? { type: 'struct', node, source } : followPath(rest, node.nodes, way)
  if (node?.type === 'one') return followRelation(rest, node, way)
  if (node?.type === 'many') return { type: 'many', node, source, rest }
  if (node?.type !== 'column' || rest.length > 0) throw new FieldError(way.field)
  if (way.presence === undefined && !node.codec.comparable) throw new FieldError(way.field)
  return { type: 'column', reference: { source, column: node.column }, node }
}

// A structure is there when one of its columns has a value.
function buildStructFilter({ nodes }: StructNode, way: PathContext): Filter {
  const { presence, source } = way
  if (presence === undefined) throw new FieldError(way.field)
  const parts = [...nodes.values()].flatMap((node): Filter[] => {
    if (node.type === 'struct') return [buildStructFilter(node, way)]
    if (node.type !== 'column') return []
    return [{ op: presence === '!' ? 'not null' : 'null', reference: { source, column: node.column } }]
  })
  return presence === '!' ? or(parts) : and(parts)
}

function followRelation(rest: readonly string[], node: OneNode, way: PathContext): PathEnd {
  const target = node.target()
  const { on } = node
  refuseRepeatedRows(node, target)
  const theirs = on.map(([ours, name]) => [ours, getColumn(target, name)] as const)
  // A key of theirs that we keep ourselves needs no join.
  const isKept = rest.length === 1 && target.scope === undefined
  const kept = isKept ? theirs.find(([, column]) => column === findComparableColumn(rest, target)) : undefined
  if (kept !== undefined && on.length === 1 && kept[0].kind === kept[1].kind) {
    const inner = target.nodes.get(rest[0] as string) as ColumnNode
    return { type: 'column', reference: { source: way.source, column: kept[0] }, node: inner }
  }
  const source = way.scope.join(way.source, target, theirs)
  if (rest.length > 0) return followPath(rest, target.nodes, { ...way, source })
  const [key] = target.key
  if (key === undefined || way.presence === undefined) throw new FieldError(way.field)
  return { type: 'column', reference: { source, column: key.node.column }, node: key.node }
}

/** Throws for a relation that only boot would have refused, had its resource been named to the mapper. */
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
 * Refuses a relation to one whose columns several rows of the other table may have in common: each would repeat ours. A
 * table without a key of its own is told apart by the key that its resource names.
 */
export function describeNonUnique({ on }: OneNode, { table, key }: Model): string | undefined {
  const theirs = on.map(([, name]) => name)
  const sets = [table.key, ...(table.unique ?? [])].filter((set) => set.length > 0)
  const named = key.map(({ node }) => [...table.columns].find(([, column]) => column === node.column)?.[0] ?? '')
  if ((sets.length === 0 ? [named] : sets).some((set) => set.every((name) => theirs.includes(name)))) return undefined
  return `several rows of ${table.name} may have the same ${theirs.join(', ')}, and each would repeat the element`
}

/** The column of a relation's other side. */
export function getColumn({ table, mediaType }: Pick<Model, 'table' | 'mediaType'>, name: string): Column {
  const column = table.columns.get(name)
  if (column === undefined) throw new TypeError(`${table.name} (of ${mediaType.name}) has no column '${name}'`)
  return column
}

// Some related element fits, or there is none at all: a query of its own, inside the other.
function buildManyFilter(rest: readonly string[], node: ManyNode, way: PathContext, condition: BuildColumnFilter): Filter {
  const { presence } = way
  const { scope, source, on } = createRelatedScope(node, way.scope.bounds)
  const target = node.target()
  const atEnd = rest.length === 0 && presence !== undefined
  const steps = rest.length === 0 && node.settings.value !== undefined ? [node.settings.value] : rest
  const seen = buildVisibilityFilters(target, source, way.scope.bounds)
  const found = atEnd ? [] : [buildFieldFilter(steps, target.nodes, { ...way, scope, source }, condition)]
  const filter = and([...seen, ...buildRelationFilters(node, scope, source), ...found])
  return {
    op: atEnd && presence === '!!' ? 'not exists' : 'exists',
    from: scope.from,
    on: on.map(([ours, theirs]) => [{ source: way.source, column: ours }, theirs]),
    joins: scope.getBoundedJoins(),
    filter,
  }
}

/** The conditions under which a row of a relation is seen: it is there, and within the bounds of its resource. */
export function buildVisibilityFilters(target: Model, source: number, bounds: ScopeBounds | undefined): Filter[] {
  const [key] = target.key
  // The bounds of a joined row are part of the join; a table between may lead to nothing.
  if (source > 0) return key === undefined ? [] : [{ op: 'not null', reference: { source, column: key.node.column } }]
  const filter = bounds?.getFilter(target, source)
  return filter === undefined ? [] : [filter]
}

/** The relation's own conditions, which a row must meet to be part of it. */
export const buildRelationFilters = ({ where, target }: ManyNode, scope: QueryScope, source: number): Filter[] =>
  where === undefined ? [] : [buildFilter(where, target(), scope, source)]

/** A scope over the elements of a relation: where they stand in it, and which columns of it equal ours. */
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
  const { table, on: onwards } = node.through
  const scope = new QueryScope(table, undefined, bounds)
  const source = scope.join(
    0,
    target,
    onwards.map(([between, name]) => [between, getColumn(target, name)]),
  )
  const between = { table, mediaType: target.mediaType }
  return { scope, source, on: node.on.map(([ours, name]) => [ours, getColumn(between, name)]) }
}

type ComparisonExpression = Extract<FilterExpression, { any: unknown } | { value: unknown } | { texts: unknown }>

/** The condition that a comparison is on its column. */
export function buildComparison(expression: ComparisonExpression, { reference, node }: LocatedColumn): Filter {
  if ('any' in expression) return buildMatchFilter(expression, { reference, node })
  if ('texts' in expression) return buildSearchFilter(expression, { reference, node })
  return { op: expression.op, reference, value: toOperand(expression.field, node, expression.value) }
}

function buildSearchFilter({ op, field, texts }: Extract<ComparisonExpression, { texts: unknown }>, located: LocatedColumn): Filter {
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

function buildMatchFilter({ op, field, any }: Extract<ComparisonExpression, { any: unknown }>, { reference, node }: LocatedColumn): Filter {
  const values = any.flatMap((one) => ('value' in one ? [toOperand(field, node, one.value)] : []))
  const patterns = any.flatMap((one) => ('pattern' in one ? [one.pattern] : []))
  const equal = op === '='
  const list: Filter = { op: equal ? 'in' : 'not in', reference, values }
  const one: Filter = { op: equal ? '=' : '!=', reference, value: values[0] } as Filter
  const exact = values.length === 0 ? [] : [values.length === 1 ? one : list]
  const like = patterns.map((pattern): Filter => ({ op: equal ? 'like' : 'not like', reference, pattern }))
  return equal ? or([...exact, ...like]) : and([...exact, ...like])
}
