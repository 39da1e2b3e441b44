// Scopes: the tables of one query while it is put together, each joined once however often it is needed.
import type { Column, Join, OrderStep, Reference, Table } from '../query.ts'

/** The tables and columns of a query that is being put together. */
export class Scope {
  readonly from: Table
  readonly joins: Join[]
  readonly columns: Reference[]
  readonly #joined: Map<string, number>

  constructor(from: Table, base?: Scope) {
    this.from = from
    this.joins = base === undefined ? [] : [...base.joins]
    this.columns = base === undefined ? [] : [...base.columns]
    this.#joined = new Map(base === undefined ? [] : base.#joined)
  }

  /** A scope that begins where this one stands, and leaves it as it is. */
  copy(): Scope {
    return new Scope(this.from, this)
  }

  /** Joins a table on columns of a source; the same join is made once. */
  join(source: number, table: Table, on: readonly (readonly [Column, Column])[]): number {
    const key = `${source} ${table.name} ${on.map(([ours, theirs]) => `${ours.name}=${theirs.name}`).join()}`
    let number = this.#joined.get(key)
    if (number === undefined) {
      this.joins.push({ table, on: on.map(([ours, theirs]) => [{ source, column: ours }, theirs]) })
      number = this.joins.length
      this.#joined.set(key, number)
    }
    return number
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

/** Tells whether there may be no value: the column allows it, or there may be no row beside ours. */
export const mayBeNull = ({ source, column }: Reference): boolean => source > 0 || column.nullable

/** The same order backwards; because nulls change sides with the direction, so do they. */
export const reversed = <S extends OrderStep>(order: readonly S[]): S[] =>
  order.map((step) => ({ ...step, descending: !step.descending }))
