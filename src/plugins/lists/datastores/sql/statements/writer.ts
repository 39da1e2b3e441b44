// Writes SQL text piece by piece: values go into the gaps, names come from descriptions only.
import type { Column, Count, Filter, Join, Place, Reference } from '../../../query.ts'
import type { Dialect } from '../dialect.ts'
import type { SqlColumn, SqlTable, Statement } from '../sql.ts'
import { columnOf } from '../text.ts'
import { rawPlace } from './place.ts'

/** A statement that is being written. */
export class SqlWriter {
  /** The text after the last bound value. */
  text = ''
  readonly dialect: Dialect
  readonly #strings: string[] = []
  readonly #values: unknown[] = []
  #aliases = 0

  constructor(dialect: Dialect) {
    this.dialect = dialect
  }

  /** Binds a value at this point. */
  bind(value: unknown): void {
    const { dialect } = this
    const bound = dialect.bindable === undefined ? value : dialect.bindable(value)
    const literal = dialect.literal?.(bound)
    if (literal !== undefined) {
      this.text += literal
      return
    }
    this.#strings.push(this.text)
    this.#values.push(bound)
    this.text = ''
  }

  /** Binds a value of a column. */
  value(column: SqlColumn, value: unknown): void {
    const { around } = column
    if (!around) return this.bind(value)
    this.text += around[0]
    this.bind(value)
    this.text += around[1]
  }

  /** Binds a value that is compared with a column. */
  compared(column: SqlColumn, value: unknown): void {
    const cast = column.around ? undefined : this.dialect.cast(column, value)
    if (cast === undefined) return this.value(column, value)
    this.text += 'cast('
    this.bind(value)
    this.text += ` as ${cast})`
  }

  /** Binds a place of a column. */
  placed(column: SqlColumn, place: Place): void {
    if (!column.bound) return this.compared(column, rawPlace(this.dialect, column, place))
    const { value, around = ['', ''] } = column.bound(place)
    this.text += around[0]
    this.bind(value)
    this.text += around[1]
  }

  /** Writes a piece of a statement. */
  piece({ strings, values }: Statement): void {
    this.text += strings[0]
    for (let i = 0; i < values.length; i++) {
      this.bind(values[i])
      this.text += strings[i + 1]
    }
  }

  /** Begins a query beside the others, whose aliases mean nothing in it. */
  apart(): void {
    this.#aliases = 0
  }

  /** Takes the aliases of a scope with so many tables, and gives the number of the first. */
  scope(tables: number): number {
    const first = this.#aliases
    this.#aliases += tables
    return first
  }

  /** Writes the tables of a scope, leaving out joined ones that nothing refers to. */
  from(
    scope: number,
    { from, joins }: Pick<Count, 'from' | 'joins'>,
    needed: readonly boolean[],
    condition: (where: Filter) => void,
  ): void {
    const { written, hint = '' } = from as SqlTable
    this.text += ` from ${written} as t${scope}${hint}`
    for (let i = 0; i < joins.length; i++) {
      if (!needed[i + 1]) continue
      const { table, on, where } = joins[i] as Join
      this.text += ` left join ${(table as SqlTable).written} as t${scope + i + 1} on `
      this.links(scope, on, scope + i + 1)
      if (where !== undefined) {
        this.text += ' and '
        condition(where)
      }
    }
  }

  /** Writes that columns of a table equal what they refer to in a scope. */
  links(scope: number, on: readonly (readonly [Reference, Column])[], alias: number): void {
    if (on.length === 0) this.text += TRUE
    for (let i = 0; i < on.length; i++) {
      const [reference, column] = on[i] as readonly [Reference, Column]
      this.text += `${i === 0 ? '' : ' and '}t${alias}.${(column as SqlColumn).written} = ${expression(scope, reference)}`
    }
  }

  /** Ends the statement. */
  end(): Statement {
    return { strings: [...this.#strings, this.text], values: this.#values }
  }
}

/** How a condition that is always true is written. */
export const TRUE = '1=1'

/** How a condition that is never true is written. */
export const FALSE = '1=0'

/** Writes a column of a scope. */
export function expression(scope: number, { source, column }: Reference): string {
  return columnOf(`t${scope + source}`, column as SqlColumn)
}

/** Writes how a column is read, for its values or for its places as well. */
export function readAs(column: SqlColumn, written: string, placed = false): string {
  if (placed && column.readPlace) return column.readPlace(written)
  return column.read ? column.read(written) : written
}

/** Returns whether a column can be null there; a joined row can always be missing. */
export function isNullable(reference: Reference): boolean {
  return reference.source > 0 || reference.column.nullable
}

/** Adds the joins that needed ones refer to; each refers to earlier ones only. */
export function completeNeeded(needed: boolean[], joins: Count['joins']): readonly boolean[] {
  for (let i = joins.length - 1; i >= 0; i--) {
    if (!needed[i + 1]) continue
    for (const [reference] of (joins[i] as Join).on) needed[reference.source] = true
  }
  return needed
}
