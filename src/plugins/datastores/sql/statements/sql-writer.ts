// Writes SQL text piece by piece: values go into the gaps, names come from descriptions only.
import type { Column, Count, Filter, Join, CursorValue, Reference } from '../../../query/query.ts'
import type { SqlDialect } from '../dialect.ts'
import type { SqlColumn, SqlTable, Statement } from '../sql.ts'
import { formatColumn } from '../sql-text.ts'
import { decodeCursorValue } from '../values/cursor-values.ts'

/** A statement that is being written. */
export class SqlWriter {
  /** The text after the last bound value. */
  text = ''
  readonly dialect: SqlDialect
  readonly #strings: string[] = []
  readonly #values: unknown[] = []
  #aliases = 0

  constructor(dialect: SqlDialect) {
    this.dialect = dialect
  }

  /** Binds a value at this point. */
  bind(value: unknown): void {
    const { dialect } = this
    const bound = dialect.toBindable === undefined ? value : dialect.toBindable(value)
    const literal = dialect.formatLiteral?.(bound)
    if (literal !== undefined) {
      this.text += literal
      return
    }
    this.#strings.push(this.text)
    this.#values.push(bound)
    this.text = ''
  }

  /** Binds a value of a column. */
  bindValue(column: SqlColumn, value: unknown): void {
    const { parameterSql: around } = column
    if (!around) return this.bind(value)
    this.text += around[0]
    this.bind(value)
    this.text += around[1]
  }

  /** Binds a value that is compared with a column. */
  bindCompared(column: SqlColumn, value: unknown): void {
    const cast = column.parameterSql ? undefined : this.dialect.findCastType(column, value)
    if (cast === undefined) return this.bindValue(column, value)
    this.text += 'cast('
    this.bind(value)
    this.text += ` as ${cast})`
  }

  /** Binds a place of a column. */
  bindCursorValue(column: SqlColumn, place: CursorValue): void {
    if (!column.bindCursorValue) return this.bindCompared(column, decodeCursorValue(this.dialect, column, place))
    const { value, parameterSql: around = ['', ''] } = column.bindCursorValue(place)
    this.text += around[0]
    this.bind(value)
    this.text += around[1]
  }

  /** Writes a piece of a statement. */
  appendStatement({ strings, values }: Statement): void {
    this.text += strings[0]
    for (let i = 0; i < values.length; i++) {
      this.bind(values[i])
      this.text += strings[i + 1]
    }
  }

  /** Begins a query beside the others, whose aliases mean nothing in it. */
  resetAliases(): void {
    this.#aliases = 0
  }

  /** Takes the aliases of a scope with so many tables, and gives the number of the first. */
  reserveAliases(tables: number): number {
    const first = this.#aliases
    this.#aliases += tables
    return first
  }

  /** Writes the tables of a scope, leaving out joined ones that nothing refers to. */
  writeFrom(
    scope: number,
    { from, joins }: Pick<Count, 'from' | 'joins'>,
    needed: readonly boolean[],
    condition: (where: Filter) => void,
  ): void {
    const { sqlName: written, indexHint: hint = '' } = from as SqlTable
    this.text += ` from ${written} as t${scope}${hint}`
    for (let i = 0; i < joins.length; i++) {
      if (!needed[i + 1]) continue
      const { table, on, where } = joins[i] as Join
      this.text += ` left join ${(table as SqlTable).sqlName} as t${scope + i + 1} on `
      this.writeJoinCondition(scope, on, scope + i + 1)
      if (where !== undefined) {
        this.text += ' and '
        condition(where)
      }
    }
  }

  /** Writes that columns of a table equal what they refer to in a scope. */
  writeJoinCondition(scope: number, on: readonly (readonly [Reference, Column])[], alias: number): void {
    if (on.length === 0) this.text += TRUE
    for (let i = 0; i < on.length; i++) {
      const [reference, column] = on[i] as readonly [Reference, Column]
      this.text += `${i === 0 ? '' : ' and '}t${alias}.${(column as SqlColumn).sqlName} = ${formatReference(scope, reference)}`
    }
  }

  /** Ends the statement. */
  finish(): Statement {
    return { strings: [...this.#strings, this.text], values: this.#values }
  }
}

/** How a condition that is always true is written. */
export const TRUE = '1=1'

/** How a condition that is never true is written. */
export const FALSE = '1=0'

/** Writes a column of a scope. */
export function formatReference(scope: number, { source, column }: Reference): string {
  return formatColumn(`t${scope + source}`, column as SqlColumn)
}

/** Writes how a column is read, for its values or for its places as well. */
export function formatSelected(column: SqlColumn, written: string, placed = false): string {
  if (placed && column.toCursorSql) return column.toCursorSql(written)
  return column.toSelectSql ? column.toSelectSql(written) : written
}

/** Returns whether a column can be null there; a joined row can always be missing. */
export function isNullableReference(reference: Reference): boolean {
  return reference.source > 0 || reference.column.nullable
}

/** Adds the joins that needed ones refer to; each refers to earlier ones only. */
export function addRequiredJoins(needed: boolean[], joins: Count['joins']): readonly boolean[] {
  for (let i = joins.length - 1; i >= 0; i--) {
    if (!needed[i + 1]) continue
    for (const [reference] of (joins[i] as Join).on) needed[reference.source] = true
  }
  return needed
}
