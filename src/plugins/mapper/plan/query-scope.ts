// Query scopes: the tables of one query while it is built; each is joined once.
import type { Column, Filter, Join, OrderStep, Reference, Table } from '../../query/query.ts'
import type { Model } from '../model/model.ts'

/** The bounds of a caller: the rows that it may see of resources that have a scope. */
export interface ScopeBounds {
  /** Returns the condition on a row of a resource's table, without joins; undefined if every row is visible. */
  getFilter(model: Model, source: number): Filter | undefined
}

/** The tables and columns of a query that is being built. */
export class QueryScope {
  readonly from: Table
  readonly joins: Join[]
  readonly columns: Reference[]
  /** The rows that the caller may see of joined and subqueried tables; undefined if there are no bounds. */
  readonly bounds: ScopeBounds | undefined
  readonly #joinNumbers: Map<string, number>
  /** The resources of joined tables that have a scope, by the number of the table. */
  readonly #scopedModels: Map<number, Model>

  constructor(from: Table, base?: QueryScope, bounds?: ScopeBounds) {
    this.from = from
    this.bounds = bounds
    this.joins = base === undefined ? [] : [...base.joins]
    this.columns = base === undefined ? [] : [...base.columns]
    this.#joinNumbers = new Map(base === undefined ? [] : base.#joinNumbers)
    this.#scopedModels = new Map(base === undefined ? [] : base.#scopedModels)
  }

  /** Copies the scope, so that the copy can be extended. */
  copy(bounds?: ScopeBounds): QueryScope {
    return new QueryScope(this.from, this, bounds)
  }

  /** Joins the table of a resource on columns of a source, once; returns its number. */
  join(source: number, target: Model, on: readonly (readonly [Column, Column])[]): number {
    const { table } = target
    // Resources of one table may have different scopes.
    const name = target.scope === undefined ? table.name : `${table.name} ${getModelId(target)}`
    const key = `${source} ${name} ${on.map(([ours, theirs]) => `${ours.name}=${theirs.name}`).join()}`
    let number = this.#joinNumbers.get(key)
    if (number === undefined) {
      this.joins.push({ table, on: on.map(([ours, theirs]) => [{ source, column: ours }, theirs]) })
      number = this.joins.length
      this.#joinNumbers.set(key, number)
      if (target.scope !== undefined) this.#scopedModels.set(number, target)
    }
    return number
  }

  /** Returns the joins, restricted to rows within the bounds of the caller. */
  getBoundedJoins(bounds: ScopeBounds | undefined = this.bounds): readonly Join[] {
    if (bounds === undefined || this.#scopedModels.size === 0) return this.joins
    return this.joins.map((join, i) => {
      const target = this.#scopedModels.get(i + 1)
      const where = target && bounds.getFilter(target, i + 1)
      return where === undefined ? join : { ...join, where }
    })
  }

  /** Adds a column to the query and returns its index in each row. */
  addColumn(source: number, column: Column): number {
    const found = this.columns.findIndex((one) => one.source === source && one.column === column)
    return found < 0 ? this.columns.push({ source, column }) - 1 : found
  }

  /** Adds a column whose cursor values are required as well. */
  addCursorColumn(source: number, column: Column): number {
    const index = this.addColumn(source, column)
    this.columns[index] = { source, column, forCursor: true }
    return index
  }
}

const modelIds = new WeakMap<Model, number>()
let lastModelId = 0

function getModelId(model: Model): number {
  const id = modelIds.get(model) ?? ++lastModelId
  modelIds.set(model, id)
  return id
}

/** Returns whether a value may be null: the column is nullable, or the left join may find no row. */
export const mayBeNull = ({ source, column }: Reference): boolean => source > 0 || column.nullable

/** Reverses an order; nulls change sides as well. */
export const reverseOrder = <S extends OrderStep>(order: readonly S[]): S[] =>
  order.map((step) => ({ ...step, descending: !step.descending }))
