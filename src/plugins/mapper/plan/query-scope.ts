// Query scopes: the tables of one query while it is built; each is joined once.
import type { Column, Filter, Join, OrderStep, Reference, Table } from '../../query/query.ts'
import type { FilterExpression } from '../filters/expression.ts'
import type { RelationConditions } from '../model/mapping.ts'
import type { ManyNode, Model } from '../model/model.ts'

/** The bounds of a caller: the rows that it may see of resources that have a scope. */
export interface ScopeBounds {
  /** The context of the call. */
  readonly context: unknown
  /** Returns the condition on a row of a resource's table, without joins; undefined if every row is visible. */
  getFilter(model: Model, source: number): Filter | undefined
  /** Returns the conditions of a relation that depend on the caller. */
  getRelationWhere(node: ManyNode, conditions: RelationConditions): FilterExpression
}

/** The tables and columns of a query that is being built. */
export class QueryScope {
  readonly from: Table
  readonly joins: Join[]
  readonly columns: Reference[]
  /** The rows that the caller may see of joined and subqueried tables; undefined if there are no bounds. */
  readonly bounds: ScopeBounds | undefined
  readonly #joinNumbers: Map<string, number>
  /** The functions that restrict joins to what a caller may see, by the number of the table. */
  readonly #restrictions: Map<number, RestrictJoin>

  constructor(from: Table, base?: QueryScope, bounds?: ScopeBounds) {
    this.from = from
    this.bounds = bounds
    this.joins = base === undefined ? [] : [...base.joins]
    this.columns = base === undefined ? [] : [...base.columns]
    this.#joinNumbers = new Map(base === undefined ? [] : base.#joinNumbers)
    this.#restrictions = new Map(base === undefined ? [] : base.#restrictions)
  }

  /** Copies the scope, so that the copy can be extended. */
  copy(bounds?: ScopeBounds): QueryScope {
    return new QueryScope(this.from, this, bounds)
  }

  /** Joins the table of a resource on columns of a source, once; returns its number. */
  join(source: number, target: Model, on: readonly (readonly [Column, Column])[]): number {
    const { table } = target
    // Resources of one table may have different scopes.
    const name = target.scope === undefined ? table.name : `${table.name} ${getId(target)}`
    const key = `${source} ${name} ${on.map(([ours, theirs]) => `${ours.name}=${theirs.name}`).join()}`
    let number = this.#joinNumbers.get(key)
    if (number === undefined) {
      this.joins.push({ table, on: on.map(([ours, theirs]) => [{ source, column: ours }, theirs]) })
      number = this.joins.length
      this.#joinNumbers.set(key, number)
      if (target.scope !== undefined) this.#restrictions.set(number, createScopeRestriction(target, number))
    }
    return number
  }

  /** Joins the value of an aggregate to a source, once; returns its number. */
  joinAggregate(source: number, owner: object, build: (bounds: ScopeBounds | undefined) => Join): number {
    const key = `${source} ${getId(owner)}`
    const known = this.#joinNumbers.get(key)
    if (known !== undefined) return known
    const number = this.joins.push(build(this.bounds))
    this.#joinNumbers.set(key, number)
    this.#restrictions.set(number, (_, bounds) => build(bounds))
    return number
  }

  /** Returns the joins, restricted to rows within the bounds of the caller. */
  getBoundedJoins(bounds: ScopeBounds | undefined = this.bounds): readonly Join[] {
    if (bounds === undefined || this.#restrictions.size === 0) return this.joins
    return this.joins.map((join, i) => this.#restrictions.get(i + 1)?.(join, bounds) ?? join)
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

type RestrictJoin = (join: Join, bounds: ScopeBounds) => Join

const createScopeRestriction =
  (target: Model, source: number): RestrictJoin =>
  (join, bounds) => {
    const where = bounds.getFilter(target, source)
    return where === undefined ? join : { ...join, where }
  }

const ids = new WeakMap<object, number>()
let lastId = 0

function getId(one: object): number {
  const id = ids.get(one) ?? ++lastId
  ids.set(one, id)
  return id
}

/** Returns whether a value may be null: the column is nullable, or the left join may find no row. */
export const mayBeNull = ({ source, column }: Reference): boolean =>
  column.nullable || (source > 0 && column.aggregate === undefined)

/** Reverses an order; nulls change sides as well. */
export const reverseOrder = <S extends OrderStep>(order: readonly S[]): S[] =>
  order.map((step) => ({ ...step, descending: !step.descending }))
