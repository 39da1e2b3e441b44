// Scopes: the tables of one query while it is built, each joined once however often it is needed.
import type { Column, Filter, Join, OrderStep, Reference, Table } from '../query.ts'
import type { Model } from '../resource/model.ts'

/** The bounds of a caller: the rows it may see, for resources that have a scope. */
export interface Bounds {
  /** The conditions on a row of a resource's table, without joins; undefined where every row may be seen. */
  filterOf(model: Model, source: number): Filter | undefined
}

/** The tables and columns of a query that is being put together. */
export class Scope {
  readonly from: Table
  readonly joins: Join[]
  readonly columns: Reference[]
  /** The rows that the caller may see of tables that are joined or looked into; undefined where nothing has bounds. */
  readonly bounds: Bounds | undefined
  readonly #joined: Map<string, number>
  /** The resources of joined tables that have bounds, by the numbers of the tables. */
  readonly #bounded: Map<number, Model>

  constructor(from: Table, base?: Scope, bounds?: Bounds) {
    this.from = from
    this.bounds = bounds
    this.joins = base === undefined ? [] : [...base.joins]
    this.columns = base === undefined ? [] : [...base.columns]
    this.#joined = new Map(base === undefined ? [] : base.#joined)
    this.#bounded = new Map(base === undefined ? [] : base.#bounded)
  }

  /** A scope that begins where this one stands, and leaves it as it is. */
  copy(bounds?: Bounds): Scope {
    return new Scope(this.from, this, bounds)
  }

  /** Joins the table of a resource on columns of a source; the same join is made once. */
  join(source: number, target: Model, on: readonly (readonly [Column, Column])[]): number {
    const { table } = target
    // Resources of one table may have bounds of their own.
    const named = target.scope === undefined ? table.name : `${table.name} ${idOf(target)}`
    const key = `${source} ${named} ${on.map(([ours, theirs]) => `${ours.name}=${theirs.name}`).join()}`
    let number = this.#joined.get(key)
    if (number === undefined) {
      this.joins.push({ table, on: on.map(([ours, theirs]) => [{ source, column: ours }, theirs]) })
      number = this.joins.length
      this.#joined.set(key, number)
      if (target.scope !== undefined) this.#bounded.set(number, target)
    }
    return number
  }

  /** The joins, of which the caller finds no rows beyond the bounds. */
  visible(bounds: Bounds | undefined = this.bounds): readonly Join[] {
    if (bounds === undefined || this.#bounded.size === 0) return this.joins
    return this.joins.map((join, i) => {
      const target = this.#bounded.get(i + 1)
      const where = target && bounds.filterOf(target, i + 1)
      return where === undefined ? join : { ...join, where }
    })
  }

  /** Reads a column and tells where its value will stand in each row. */
  read(source: number, column: Column): number {
    const found = this.columns.findIndex((one) => one.source === source && one.column === column)
    return found < 0 ? this.columns.push({ source, column }) - 1 : found
  }

  /** The same for a column whose places will be asked for. */
  place(source: number, column: Column): number {
    const at = this.read(source, column)
    this.columns[at] = { source, column, placed: true }
    return at
  }
}

const ids = new WeakMap<Model, number>()
let greatestId = 0

function idOf(model: Model): number {
  const id = ids.get(model) ?? ++greatestId
  ids.set(model, id)
  return id
}

/** Returns whether there may be no value: the column allows it, or there may be no row beside ours. */
export const mayBeNull = ({ source, column }: Reference): boolean => source > 0 || column.nullable

/** The same order backwards; because nulls change sides with the direction, so do they. */
export const reversed = <S extends OrderStep>(order: readonly S[]): S[] =>
  order.map((step) => ({ ...step, descending: !step.descending }))
