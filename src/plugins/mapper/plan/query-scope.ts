// Scopes: the tables of one query while it is built, each joined once however often it is needed.
import type { Column, Filter, Join, OrderStep, Reference, Table } from '../../query/query.ts'
import type { Model } from '../model/model.ts'

/** The bounds of a caller: the rows it may see, for resources that have a scope. */
export interface ScopeBounds {
  /** The conditions on a row of a resource's table, without joins; undefined where every row may be seen. */
  getFilter(model: Model, source: number): Filter | undefined
}

/** The tables and columns of a query that is being put together. */
export class QueryScope {
  readonly from: Table
  readonly joins: Join[]
  readonly columns: Reference[]
  /** The rows that the caller may see of tables that are joined or looked into; undefined where nothing has bounds. */
  readonly bounds: ScopeBounds | undefined
  readonly #joinNumbers: Map<string, number>
  /** The resources of joined tables that have bounds, by the numbers of the tables. */
  readonly #scopedModels: Map<number, Model>

  constructor(from: Table, base?: QueryScope, bounds?: ScopeBounds) {
    this.from = from
    this.bounds = bounds
    this.joins = base === undefined ? [] : [...base.joins]
    this.columns = base === undefined ? [] : [...base.columns]
    this.#joinNumbers = new Map(base === undefined ? [] : base.#joinNumbers)
    this.#scopedModels = new Map(base === undefined ? [] : base.#scopedModels)
  }

  /** A scope that begins where this one stands, and leaves it as it is. */
  copy(bounds?: ScopeBounds): QueryScope {
    return new QueryScope(this.from, this, bounds)
  }

  /** Joins the table of a resource on columns of a source; the same join is made once. */
  join(source: number, target: Model, on: readonly (readonly [Column, Column])[]): number {
    const { table } = target
    // Resources of one table may have bounds of their own.
    const named = target.scope === undefined ? table.name : `${table.name} ${getModelId(target)}`
    const key = `${source} ${named} ${on.map(([ours, theirs]) => `${ours.name}=${theirs.name}`).join()}`
    let number = this.#joinNumbers.get(key)
    if (number === undefined) {
      this.joins.push({ table, on: on.map(([ours, theirs]) => [{ source, column: ours }, theirs]) })
      number = this.joins.length
      this.#joinNumbers.set(key, number)
      if (target.scope !== undefined) this.#scopedModels.set(number, target)
    }
    return number
  }

  /** The joins, of which the caller finds no rows beyond the bounds. */
  getBoundedJoins(bounds: ScopeBounds | undefined = this.bounds): readonly Join[] {
    if (bounds === undefined || this.#scopedModels.size === 0) return this.joins
    return this.joins.map((join, i) => {
      const target = this.#scopedModels.get(i + 1)
      const where = target && bounds.getFilter(target, i + 1)
      return where === undefined ? join : { ...join, where }
    })
  }

  /** Reads a column and tells where its value will stand in each row. */
  addColumn(source: number, column: Column): number {
    const found = this.columns.findIndex((one) => one.source === source && one.column === column)
    return found < 0 ? this.columns.push({ source, column }) - 1 : found
  }

  /** The same for a column whose places will be asked for. */
  addCursorColumn(source: number, column: Column): number {
    const at = this.addColumn(source, column)
    this.columns[at] = { source, column, forCursor: true }
    return at
  }
}

const modelIds = new WeakMap<Model, number>()
let lastModelId = 0

function getModelId(model: Model): number {
  const id = modelIds.get(model) ?? ++lastModelId
  modelIds.set(model, id)
  return id
}

/** Returns whether there may be no value: the column allows it, or there may be no row beside ours. */
export const mayBeNull = ({ source, column }: Reference): boolean => source > 0 || column.nullable

/** The same order backwards; because nulls change sides with the direction, so do they. */
export const reverseOrder = <S extends OrderStep>(order: readonly S[]): S[] =>
  order.map((step) => ({ ...step, descending: !step.descending }))
