// Bounds: the scopes of resources, as they are for one caller. A row that a scope hides is as if it were not there.
import { describeValue, form } from '../../../extend.ts'
import type { FilterExpression } from '../filters/expression.ts'
import { parseWhere } from '../filters/where.ts'
import type { Column, Filter } from '../../query/query.ts'
import { asIs } from '../../query/as-is.ts'
import type { ScopeFunction } from '../model/mapping.ts'
import type { ColumnNode, ManyNode, Model, ModelNode, ModelNodes, OneNode } from '../model/model.ts'
import { and, or } from '../../query/combine-filters.ts'
import { getColumn, buildComparison, buildFilter, refuseRepeatedRows, buildVisibilityFilters } from './filter-builder.ts'
import { toOperand, UnfitValueError } from './operand.ts'
import { type ScopeBounds, QueryScope } from './query-scope.ts'

/** Conditions of which all hold, by the names of fields. */
type ScopeAlternative = readonly (FilterExpression & { readonly field: string })[]

/** Columns that a scope gives one value. */
export interface FixedValues {
  readonly values: readonly (readonly [Column, unknown])[]
  /** Whether rows with other values cannot be seen. */
  readonly isExclusive: boolean
}

/** Gives the conditions of a resource's scope. */
export type EvaluateScope = (scope: ScopeFunction, model: Model) => unknown

/** The scopes of all resources that a call reaches, each asked once. */
export class CallerBounds implements ScopeBounds {
  readonly #evaluate: EvaluateScope
  readonly #alternativesByModel = new Map<Model, readonly ScopeAlternative[]>()
  readonly #filtersByModel = new Map<Model, Filter[]>()

  constructor(context: unknown, ask: EvaluateScope = (scope) => scope(context as never)) {
    this.#evaluate = ask
  }

  getFilter(model: Model, source: number): Filter | undefined {
    if (model.scope === undefined) return undefined
    const known = this.#filtersByModel.get(model) ?? []
    this.#filtersByModel.set(model, known)
    const { scope } = model
    known[source] ??= withScopeErrors(model, () =>
      or(this.#getAlternatives(model, scope).map((all) => and(all.map((one) => this.#buildCondition(model, one, source))))),
    )
    return known[source]
  }

  /** The columns that a scope gives one value, with these values; of several alternatives the first says what new rows get. */
  getFixedValues(model: Model): FixedValues {
    const [first = [], ...others] = model.scope === undefined ? [] : this.#getAlternatives(model, model.scope)
    const values = first.flatMap((one) => {
      const value = getOnlyValue(one)
      const node = value === undefined ? undefined : findFieldNode(model, one.field)
      if (node === undefined) return []
      return [[node.column, value === null ? null : withScopeErrors(model, () => toOperand(one.field, node, value))] as const]
    })
    return { values, isExclusive: others.length === 0 }
  }

  #getAlternatives(model: Model, scope: ScopeFunction): readonly ScopeAlternative[] {
    const known = this.#alternativesByModel.get(model)
    if (known !== undefined) return known
    const made = parseAlternatives(this.#evaluate(scope, model), model)
    this.#alternativesByModel.set(model, made)
    return made
  }

  #buildCondition(model: Model, one: ScopeAlternative[number], source: number): Filter {
    const column = 'where' in one ? undefined : findFieldNode(model, one.field)
    if (column !== undefined) return buildColumnFilter(one, column, source)
    const { node, rest } = findRelation(model, one.field)
    if (node.type === 'many') return buildFilter(one, model, new QueryScope(model.table, undefined, this), source)
    const target = node.target()
    refuseRepeatedRows(node, target)
    // A related row is looked for by a query of its own, so that changes can have the same conditions.
    return {
      op: 'exists',
      from: target.table,
      on: node.on.map(([ours, name]) => [{ source, column: ours }, getColumn(target, name)]),
      joins: [],
      filter: and([...buildVisibilityFilters(target, 0, this), this.#buildCondition(target, { ...one, field: rest }, 0)]),
    }
  }
}

/** Does something with a scope; no client has set its values, so that no answer blames one for them. */
function withScopeErrors<V>({ mediaType }: Model, work: () => V): V {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof UnfitValueError)) throw error
    throw new TypeError(`The scope of ${mediaType.name} cannot be kept: ${error.message}`, { cause: error })
  }
}

/** The relation that a path leads through, and the path behind it. */
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

function parseAlternatives(given: unknown, { mediaType }: Model): readonly ScopeAlternative[] {
  const all: readonly unknown[] = Array.isArray(given) ? given : [given]
  return all.map((one) => {
    // A promise has no conditions, and would show everything.
    if (!form.isSettings(one))
      throw new TypeError(
        `The scope of ${mediaType.name} gives ${describeValue(one)}. Remedy: return conditions, { tenant_id: 7 }, or a list of them`,
      )
    const { of } = parseWhere(one) as { readonly of: ScopeAlternative }
    return of
  })
}

/** An attribute with a column, also one in a structure, or else a column that no attribute shows. */
function findFieldNode({ nodes, table }: Model, field: string): ColumnNode | undefined {
  const [name = '', ...steps] = field.split('.')
  const node = steps.reduce((one: ModelNode | undefined, step) => getStructNodes(one)?.get(step), nodes.get(name))
  if (node?.type === 'column' && node.codec.comparable && node.column.derived === undefined) return node
  const column = table.columns.get(field)
  return column === undefined ? undefined : ({ type: 'column', column, codec: IDENTITY_CODEC } as unknown as ColumnNode)
}

const getStructNodes = (node: ModelNode | undefined): ModelNodes | undefined => (node?.type === 'struct' ? node.nodes : undefined)

const IDENTITY_CODEC: ColumnNode['codec'] = { toColumn: asIs, fromColumn: asIs, comparable: true }

function buildColumnFilter(one: ScopeAlternative[number], node: ColumnNode, source: number): Filter {
  const reference = { source, column: node.column }
  if (one.op === '@=')
    throw new TypeError(`A scope searches '${one.field}' for words, of which writes know nothing. Remedy: compare it`)
  if ('any' in one || 'value' in one || 'texts' in one) return buildComparison(one, { reference, node })
  return { op: one.op === '!' ? 'not null' : 'null', reference }
}

/** The one value that a condition lets a field have, null for none; undefined if there may be others. */
function getOnlyValue(one: ScopeAlternative[number]): unknown {
  if (one.op === '!!') return null
  if (one.op !== '=' || one.any.length !== 1) return undefined
  const [only] = one.any
  return only !== undefined && 'value' in only ? only.value : undefined
}
