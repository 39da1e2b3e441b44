// Conditions: a filter in the terms of a media type becomes one in the terms of tables, with the joins that it needs.

import type { FilterExpression } from '../filters/expression.ts'
import type { Column, Filter, Reference } from '../query.ts'
import type { ColumnNode, ManyNode, Model, Nodes, OneNode, StructNode } from '../resource/model.ts'
import { and, negated, or } from './combine.ts'
import { operandOf, refuseTextless } from './operand.ts'
import { type Bounds, Scope } from './scope.ts'

/** A column that a path leads to, in a scope. */
export interface Located {
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
export function conditions(expression: FilterExpression, model: Model, scope: Scope, source = 0): Filter {
  if ('of' in expression) {
    const parts = expression.of.map((one) => conditions(one, model, scope, source))
    return expression.op === 'and' ? and(parts) : or(parts)
  }
  if ('where' in expression) return onElements(expression, model, scope, source)
  const { field } = expression
  const way: FieldPath = { scope, source, field }
  if ('any' in expression || 'value' in expression || 'texts' in expression)
    return onField(field.split('.'), model.nodes, way, (located) => compared(expression, located))
  return onField(field.split('.'), model.nodes, { ...way, presence: expression.op }, ({ reference }) => ({
    op: expression.op === '!' ? 'not null' : 'null',
    reference,
  }))
}

// Several conditions on one element: they are put together inside, where the element is one row.
function onElements({ op, field, where }: OnElements, model: Model, scope: Scope, source: number): Filter {
  const end = follow(field.split('.'), model.nodes, { scope, source, field, presence: '!' })
  if (end.type !== 'many') throw new FieldError(field)
  // Of lists on the way, some element leads on.
  const isLast = end.rest.length === 0
  const own = isLast ? op : 'any'
  const inner = relatedScope(end.node, scope.bounds)
  const target = end.node.target()
  const further: FilterExpression = isLast ? where : { op, field: end.rest.join('.'), where }
  const met = conditions(further, target, inner.scope, inner.source)
  const belongs = belonging(end.node, inner.scope, inner.source)
  return {
    op: own === 'any' ? 'exists' : 'not exists',
    from: inner.scope.from,
    on: inner.on.map(([ours, theirs]) => [{ source: end.source, column: ours }, theirs]),
    joins: inner.scope.visible(),
    filter: and([...visible(target, inner.source, scope.bounds), ...belongs, own === 'all' ? negated(met) : met]),
  }
}

type OnElements = Extract<FilterExpression, { where: unknown }>

/** Finds the column that lists go by for a field of one element, joining what lies on the way. */
export function locate(field: string, model: Model, scope: Scope, source = 0): Located {
  const end = follow(field.split('.'), model.nodes, { scope, source, field })
  if (end.type !== 'column') throw new FieldError(field)
  const { reference, node } = end
  const { unordered } = reference.column
  if (unordered !== undefined) throw new FieldError(field, unordered)
  return { reference, node }
}

interface FieldPath {
  readonly scope: Scope
  readonly source: number
  readonly field: string
  /** Set when nothing is compared: only whether there is something at the end of the way is asked. */
  readonly presence?: '!' | '!!'
}

type Condition = (located: Located) => Filter

/** The end of a path: a column or a structure of one element, or a list, behind which the path may go on. */
type PathEnd =
  | (Located & { readonly type: 'column' })
  | { readonly type: 'struct'; readonly node: StructNode; readonly source: number }
  | { readonly type: 'many'; readonly node: ManyNode; readonly source: number; readonly rest: readonly string[] }

function onField(steps: readonly string[], nodes: Nodes, way: FieldPath, condition: Condition): Filter {
  const end = follow(steps, nodes, way)
  if (end.type === 'column') return condition(end)
  const at = { ...way, source: end.source }
  return end.type === 'struct' ? onStruct(end.node, at) : onMany(end.rest, end.node, at, condition)
}

/** Follows a path through structures and to single elements of other resources, joining those. */
function follow(steps: readonly string[], nodes: Nodes, way: FieldPath): PathEnd {
  const [step = '', ...rest] = steps
  const node = nodes.get(step)
  const { source } = way
  if (node?.type === 'struct')
    return rest.length === 0 ? { type: 'struct', node, source } : follow(rest, node.nodes, way)
  if (node?.type === 'one') return followOne(rest, node, way)
  if (node?.type === 'many') return { type: 'many', node, source, rest }
  if (node?.type !== 'column' || rest.length > 0) throw new FieldError(way.field)
  if (way.presence === undefined && !node.codec.comparable) throw new FieldError(way.field)
  return { type: 'column', reference: { source, column: node.column }, node }
}

// A structure is there when one of its columns has a value.
function onStruct({ nodes }: StructNode, way: FieldPath): Filter {
  const { presence, source } = way
  if (presence === undefined) throw new FieldError(way.field)
  const parts = [...nodes.values()].flatMap((node): Filter[] => {
    if (node.type === 'struct') return [onStruct(node, way)]
    if (node.type !== 'column') return []
    return [{ op: presence === '!' ? 'not null' : 'null', reference: { source, column: node.column } }]
  })
  return presence === '!' ? or(parts) : and(parts)
}

function followOne(rest: readonly string[], node: OneNode, way: FieldPath): PathEnd {
  const target = node.target()
  const { on } = node
  refuseRepeats(node, target)
  const theirs = on.map(([ours, name]) => [ours, columnOf(target, name)] as const)
  // A key of theirs that we keep ourselves needs no join.
  const isKept = rest.length === 1 && target.scope === undefined
  const kept = isKept ? theirs.find(([, column]) => column === keptColumn(rest, target)) : undefined
  if (kept !== undefined && on.length === 1 && kept[0].kind === kept[1].kind) {
    const inner = target.nodes.get(rest[0] as string) as ColumnNode
    return { type: 'column', reference: { source: way.source, column: kept[0] }, node: inner }
  }
  const source = way.scope.join(way.source, target, theirs)
  if (rest.length > 0) return follow(rest, target.nodes, { ...way, source })
  const [key] = target.key
  if (key === undefined || way.presence === undefined) throw new FieldError(way.field)
  return { type: 'column', reference: { source, column: key.node.column }, node: key.node }
}

/** Throws for a relation that only boot would have refused, had its resource been named to the mapper. */
export function refuseRepeats(node: OneNode, target: Model): void {
  if (single.has(node)) return
  const problem = notUnique(node, target)
  if (problem !== undefined) throw new TypeError(`one(…) leads to ${target.mediaType.name}, but ${problem}`)
  single.add(node)
}

const single = new WeakSet<OneNode>()

function keptColumn([name = '']: readonly string[], { nodes }: Model): Column | undefined {
  const node = nodes.get(name)
  return node?.type === 'column' && node.codec.comparable ? node.column : undefined
}

/**
 * Refuses a relation to one whose columns several rows of the other table may have in common: each would repeat ours. A
 * table without a key of its own is told apart by the key that its resource names.
 */
export function notUnique({ on }: OneNode, { table, key }: Model): string | undefined {
  const theirs = on.map(([, name]) => name)
  const sets = [table.key, ...(table.unique ?? [])].filter((set) => set.length > 0)
  const named = key.map(({ node }) => [...table.columns].find(([, column]) => column === node.column)?.[0] ?? '')
  if ((sets.length === 0 ? [named] : sets).some((set) => set.every((name) => theirs.includes(name)))) return undefined
  return `several rows of ${table.name} may have the same ${theirs.join(', ')}, and each would repeat the element`
}

/** The column of a relation's other side. */
export function columnOf({ table, mediaType }: Pick<Model, 'table' | 'mediaType'>, name: string): Column {
  const column = table.columns.get(name)
  if (column === undefined) throw new TypeError(`${table.name} (of ${mediaType.name}) has no column '${name}'`)
  return column
}

// Some related element fits, or there is none at all: a query of its own, inside the other.
function onMany(rest: readonly string[], node: ManyNode, way: FieldPath, condition: Condition): Filter {
  const { presence } = way
  const { scope, source, on } = relatedScope(node, way.scope.bounds)
  const target = node.target()
  const atEnd = rest.length === 0 && presence !== undefined
  const steps = rest.length === 0 && node.settings.value !== undefined ? [node.settings.value] : rest
  const seen = visible(target, source, way.scope.bounds)
  const found = atEnd ? [] : [onField(steps, target.nodes, { ...way, scope, source }, condition)]
  const filter = and([...seen, ...belonging(node, scope, source), ...found])
  return {
    op: atEnd && presence === '!!' ? 'not exists' : 'exists',
    from: scope.from,
    on: on.map(([ours, theirs]) => [{ source: way.source, column: ours }, theirs]),
    joins: scope.visible(),
    filter,
  }
}

/** The conditions under which a row of a relation is seen: it is there, and within the bounds of its resource. */
export function visible(target: Model, source: number, bounds: Bounds | undefined): Filter[] {
  const [key] = target.key
  // The bounds of a joined row are part of the join; a table between may lead to nothing.
  if (source > 0) return key === undefined ? [] : [{ op: 'not null', reference: { source, column: key.node.column } }]
  const filter = bounds?.filterOf(target, source)
  return filter === undefined ? [] : [filter]
}

/** The relation's own conditions, which a row must meet to be part of it. */
export const belonging = ({ where, target }: ManyNode, scope: Scope, source: number): Filter[] =>
  where === undefined ? [] : [conditions(where, target(), scope, source)]

/** A scope over the elements of a relation: where they stand in it, and which columns of it equal ours. */
export function relatedScope(
  node: ManyNode,
  bounds?: Bounds,
): {
  readonly scope: Scope
  readonly source: number
  readonly on: readonly (readonly [ours: Column, theirs: Column])[]
} {
  const target = node.target()
  if (node.through === undefined) {
    const on = node.on.map(([ours, name]) => [ours, columnOf(target, name)] as const)
    return { scope: new Scope(target.table, undefined, bounds), source: 0, on }
  }
  const { table, on: onwards } = node.through
  const scope = new Scope(table, undefined, bounds)
  const source = scope.join(
    0,
    target,
    onwards.map(([between, name]) => [between, columnOf(target, name)]),
  )
  const between = { table, mediaType: target.mediaType }
  return { scope, source, on: node.on.map(([ours, name]) => [ours, columnOf(between, name)]) }
}

type Comparing = Extract<FilterExpression, { any: unknown } | { value: unknown } | { texts: unknown }>

/** The condition that a comparison is on its column. */
export function compared(expression: Comparing, { reference, node }: Located): Filter {
  if ('any' in expression) return matched(expression, { reference, node })
  if ('texts' in expression) return searched(expression, { reference, node })
  return { op: expression.op, reference, value: operandOf(expression.field, node, expression.value) }
}

function searched({ op, field, texts }: Extract<Comparing, { texts: unknown }>, located: Located): Filter {
  const { reference, node } = located
  refuseTextless(field, reference.column)
  if (op === '@=') {
    const { search } = node
    if (search === undefined) throw new FieldError(field)
    return or(texts.map((text): Filter => ({ op: 'matches', reference, search, text })))
  }
  const each = texts.map((text): Filter => ({ op: op === '~=' ? 'contains' : 'not contains', reference, text }))
  return op === '~=' ? or(each) : and(each)
}

function matched({ op, field, any }: Extract<Comparing, { any: unknown }>, { reference, node }: Located): Filter {
  const values = any.flatMap((one) => ('value' in one ? [operandOf(field, node, one.value)] : []))
  const patterns = any.flatMap((one) => ('pattern' in one ? [one.pattern] : []))
  const equal = op === '='
  const list: Filter = { op: equal ? 'in' : 'not in', reference, values }
  const one: Filter = { op: equal ? '=' : '!=', reference, value: values[0] } as Filter
  const exact = values.length === 0 ? [] : [values.length === 1 ? one : list]
  const like = patterns.map((pattern): Filter => ({ op: equal ? 'like' : 'not like', reference, pattern }))
  return equal ? or([...exact, ...like]) : and([...exact, ...like])
}
