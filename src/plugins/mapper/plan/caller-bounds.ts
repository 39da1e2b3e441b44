// Caller bounds: the scopes of resources, evaluated for one caller. A row outside the scope is treated as nonexistent.
import { describeValue, form } from '../../../extend.ts'
import { asIs } from '../../query/as-is.ts'
import { and, or } from '../../query/combine-filters.ts'
import type { Column, Filter } from '../../query/query.ts'
import type { FilterExpression } from '../filters/expression.ts'
import { parseWhere } from '../filters/where.ts'
import type { RelationConditions, ScopeFunction } from '../model/mapping.ts'
import type { ColumnNode, ManyNode, Model, ModelNode, ModelNodes, OneNode } from '../model/model.ts'
import { buildComparison } from './comparison.ts'
import { buildFilter, buildVisibilityFilters, getColumn, refuseRepeatedRows } from './filter-builder.ts'
import { toOperand, UnfitValueError } from './operand.ts'
import { QueryScope, type ScopeBounds } from './query-scope.ts'

/** Conditions on fields, combined with AND. */
type ScopeAlternative = readonly (FilterExpression & { readonly field: string })[]

/** Columns that a scope fixes to one value. */
export interface FixedValues {
  readonly values: readonly (readonly [Column, unknown])[]
  /** Whether rows with other values are outside the scope. */
  readonly isExclusive: boolean
}

/** Returns the conditions of a resource's scope. */
export type EvaluateScope = (scope: ScopeFunction, model: Model) => unknown

/** The scopes of all resources that a call reaches, each evaluated once. */
export class CallerBounds implements ScopeBounds {
  readonly #evaluate: EvaluateScope
  readonly #alternativesByModel = new Map<Model, readonly ScopeAlternative[]>()
  readonly #filtersByModel = new Map<Model, Filter[]>()
  /** The resources whose filters are being built; one scope may lead to another. */
  readonly #inProgress = new Set<Model>()

  /** The context of the call. */
  readonly context: unknown
  readonly #wheresByNode = new Map<ManyNode, FilterExpression>()

  constructor(context: unknown, evaluate: EvaluateScope = (scope) => scope(context as never)) {
    this.context = context
    this.#evaluate = evaluate
  }

  getFilter(model: Model, source: number): Filter | undefined {
    if (model.scope === undefined) return undefined
    const filters = this.#filtersByModel.get(model) ?? []
    this.#filtersByModel.set(model, filters)
    filters[source] ??= this.#buildFilter(model, model.scope, source)
    return filters[source]
  }

  #buildFilter(model: Model, scope: ScopeFunction, source: number): Filter {
    if (this.#inProgress.has(model))
      throw new TypeError(
        `The scope of ${model.mediaType.name} leads back to itself. ` +
          'Remedy: compare a column of its own table in one of the scopes on the way',
      )
    this.#inProgress.add(model)
    try {
      return withScopeErrors(model, () =>
        or(
          this.#getAlternatives(model, scope).map((all) =>
            and(all.map((one) => this.#buildCondition(model, one, source))),
          ),
        ),
      )
    } finally {
      this.#inProgress.delete(model)
    }
  }

  /** Returns the columns that a scope fixes, with their values; the first of several alternatives determines those of new rows. */
  getFixedValues(model: Model): FixedValues {
    const [first = [], ...others] = model.scope === undefined ? [] : this.#getAlternatives(model, model.scope)
    const values = first.flatMap((one) => {
      const value = getOnlyValue(one)
      const node = value === undefined ? undefined : findFieldNode(model, one.field)
      if (node === undefined) return []
      return [
        [node.column, value === null ? null : withScopeErrors(model, () => toOperand(one.field, node, value))] as const,
      ]
    })
    return { values, isExclusive: others.length === 0 }
  }

  getRelationWhere(node: ManyNode, conditions: RelationConditions): FilterExpression {
    const cached = this.#wheresByNode.get(node)
    if (cached !== undefined) return cached
    const target = node.target()
    const given = this.#evaluate(conditions as ScopeFunction, target)
    const alternatives = given === false ? [] : parseAlternatives(given, target, 'The conditions on related elements')
    const where: FilterExpression = { op: 'or', of: alternatives.map((of) => ({ op: 'and', of })) }
    this.#wheresByNode.set(node, where)
    return where
  }

  #getAlternatives(model: Model, scope: ScopeFunction): readonly ScopeAlternative[] {
    const cached = this.#alternativesByModel.get(model)
    if (cached !== undefined) return cached
    const alternatives = parseAlternatives(this.#evaluate(scope, model), model)
    this.#alternativesByModel.set(model, alternatives)
    return alternatives
  }

  #buildCondition(model: Model, condition: ScopeAlternative[number], source: number): Filter {
    const column = 'where' in condition ? undefined : findFieldNode(model, condition.field)
    if (column !== undefined) return buildColumnFilter(condition, column, source)
    const { node, rest } = findRelation(model, condition.field)
    if (node.type === 'many') return buildFilter(condition, model, new QueryScope(model.table, undefined, this), source)
    const target = node.target()
    refuseRepeatedRows(node, target)
    // A subquery instead of a join, so that updates and deletes can have the same condition.
    return {
      op: 'exists',
      from: target.table,
      on: node.on.map(([ours, name]) => [{ source, column: ours }, getColumn(target, name)]),
      joins: [],
      filter: and([
        ...buildVisibilityFilters(target, 0, this),
        this.#buildCondition(target, { ...condition, field: rest }, 0),
      ]),
    }
  }
}

/** Runs work on a scope; turns invalid values into server errors, because no client has set them. */
function withScopeErrors<V>({ mediaType }: Model, work: () => V): V {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof UnfitValueError)) throw error
    throw new TypeError(`The scope of ${mediaType.name} cannot be kept: ${error.message}`, { cause: error })
  }
}

/** Returns the first relation on a path, and the path after it. */
function findRelation(model: Model, field: string): { readonly node: OneNode | ManyNode; readonly rest: string } {
  const steps = field.split('.')
  let nodes: ModelNodes | undefined = model.nodes
  for (const [i, step] of steps.entries()) {
    const node: ModelNode | undefined = nodes?.get(step)
    if (node?.type === 'many' || (node?.type === 'one' && i < steps.length - 1))
      return { node, rest: steps.slice(i + 1).join('.') }
    nodes = node?.type === 'struct' ? node.nodes : undefined
  }
  const { mediaType, table } = model
  throw new TypeError(
    `The scope of ${mediaType.name} names '${field}', and no attribute or column of ${table.name} is called so. ` +
      `Remedy: use one of ${[...table.columns.keys()].join(', ')}`,
  )
}

function parseAlternatives(scope: unknown, { mediaType }: Model, subject = 'The scope'): readonly ScopeAlternative[] {
  const alternatives: readonly unknown[] = Array.isArray(scope) ? scope : [scope]
  return alternatives.map((one) => {
    // A promise has no conditions, so it would expose every row.
    if (!form.isSettings(one))
      throw new TypeError(
        `${subject} of ${mediaType.name} gives ${describeValue(one)}. Remedy: return conditions, { tenant_id: 7 }, or a list of them`,
      )
    const { of } = parseWhere(one) as { readonly of: ScopeAlternative }
    return of
  })
}

/** Finds the column of an attribute, nested ones included, or a column that no attribute maps. */
function findFieldNode({ nodes, table }: Model, field: string): ColumnNode | undefined {
  const [name = '', ...steps] = field.split('.')
  const node = steps.reduce((one: ModelNode | undefined, step) => getStructNodes(one)?.get(step), nodes.get(name))
  if (node?.type === 'column' && node.codec.comparable && node.column.derived === undefined) return node
  const column = table.columns.get(field)
  return column === undefined ? undefined : ({ type: 'column', column, codec: IDENTITY_CODEC } as unknown as ColumnNode)
}

const getStructNodes = (node: ModelNode | undefined): ModelNodes | undefined =>
  node?.type === 'struct' ? node.nodes : undefined

const IDENTITY_CODEC: ColumnNode['codec'] = { toColumn: asIs, fromColumn: asIs, comparable: true }

function buildColumnFilter(condition: ScopeAlternative[number], node: ColumnNode, source: number): Filter {
  const reference = { source, column: node.column }
  if (condition.op === '@=')
    throw new TypeError(
      `A scope searches '${condition.field}' for words, of which writes know nothing. Remedy: compare it`,
    )
  if ('any' in condition || 'value' in condition || 'texts' in condition)
    return buildComparison(condition, { reference, node })
  return { op: condition.op === '!' ? 'not null' : 'null', reference }
}

/** Returns the only value that a condition allows for a field, null for no value; undefined if there may be others. */
function getOnlyValue(condition: ScopeAlternative[number]): unknown {
  if (condition.op === '!!') return null
  if (condition.op !== '=' || condition.any.length !== 1) return undefined
  const [only] = condition.any
  return only !== undefined && 'value' in only ? only.value : undefined
}
