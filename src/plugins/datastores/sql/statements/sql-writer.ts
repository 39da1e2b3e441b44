// Writes SQL text piece by piece: values are bound in the gaps, names come only from table descriptions.
import type { CursorValue } from '../../../query/query.ts'
import type { SqlDialect } from '../dialect.ts'
import type { SqlAggregateJoin, SqlColumn, SqlCount, SqlFilter, SqlJoin, SqlReference, Statement } from '../sql.ts'
import { expandMarks, formatColumn } from '../sql-text.ts'
import { decodeCursorValue } from '../values/cursor-values.ts'

/** A statement that is being written. */
export class SqlWriter {
  /** The text after the last bound value. */
  text = ''
  readonly dialect: SqlDialect
  #strings: string[] = []
  #values: unknown[] = []
  #aliases = 0
  /** The expressions of aggregates by the alias of their join; undefined if the statement has none. */
  #expressions: Map<string, Statement> | undefined

  constructor(dialect: SqlDialect) {
    this.dialect = dialect
  }

  /** Binds a value at the end of the text. */
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
    const { parameterWrapper } = column
    if (!parameterWrapper) return this.bind(value)
    this.text += parameterWrapper[0]
    this.bind(value)
    this.text += parameterWrapper[1]
  }

  /** Binds a value that is compared with a column. */
  bindCompared(column: SqlColumn, value: unknown): void {
    const cast = column.parameterWrapper ? undefined : this.dialect.findCastType(column, value)
    if (cast === undefined) return this.bindValue(column, value)
    this.text += 'cast('
    this.bind(value)
    this.text += ` as ${cast})`
  }

  /** Binds a cursor value of a column. */
  bindCursorValue(column: SqlColumn, cursorValue: CursorValue): void {
    if (!column.bindCursorValue) return this.bindCompared(column, decodeCursorValue(this.dialect, column, cursorValue))
    const { value, parameterWrapper = ['', ''] } = column.bindCursorValue(cursorValue)
    this.text += parameterWrapper[0]
    this.bind(value)
    this.text += parameterWrapper[1]
  }

  /** Appends a part of a statement. */
  appendStatement({ strings, values }: Statement): void {
    this.text += strings[0]
    for (let i = 0; i < values.length; i++) {
      this.bind(values[i])
      this.text += strings[i + 1]
    }
  }

  /** Restarts the aliases, for a query that cannot see those of the others. */
  resetAliases(): void {
    this.#expandAggregates()
    this.#aliases = 0
  }

  /** Reserves the aliases of a scope with this many tables, and returns the number of the first. */
  reserveAliases(tables: number): number {
    const first = this.#aliases
    this.#aliases += tables
    return first
  }

  /** Writes the tables of a scope, without joined ones that nothing refers to. */
  writeFrom(
    scope: number,
    { from, joins }: Pick<SqlCount, 'from' | 'joins'>,
    needed: readonly boolean[],
    { condition, aggregate }: TableWriters,
  ): void {
    const { sqlName, indexHint = '' } = from
    this.text += ` from ${sqlName} as t${scope}${indexHint}`
    for (let i = 0; i < joins.length; i++) {
      if (!needed[i + 1]) continue
      const join = joins[i] as SqlJoin
      if (isAggregateJoin(join)) {
        this.#expressions ??= new Map()
        this.#expressions.set(
          `t${scope + i + 1}`,
          this.#capture(() => aggregate(join)),
        )
        continue
      }
      const { table, on, where } = join
      this.text += ` left join ${table.sqlName} as t${scope + i + 1} on `
      this.writeJoinCondition(scope, on, scope + i + 1)
      if (where !== undefined) {
        this.text += ' and '
        condition(where)
      }
    }
  }

  /** Writes that columns of a table equal the columns that they refer to in a scope. */
  writeJoinCondition(scope: number, on: readonly (readonly [SqlReference, SqlColumn])[], alias: number): void {
    if (on.length === 0) this.text += TRUE
    for (let i = 0; i < on.length; i++) {
      const [reference, column] = on[i] as readonly [SqlReference, SqlColumn]
      this.text += `${i === 0 ? '' : ' and '}t${alias}.${column.sqlName} = ${formatReference(scope, reference)}`
    }
  }

  /** Returns what is written meanwhile, apart from the rest. */
  #capture(write: () => void): Statement {
    const [text, strings, values] = [this.text, this.#strings, this.#values]
    this.text = ''
    this.#strings = []
    this.#values = []
    write()
    const captured = { strings: [...this.#strings, this.text], values: this.#values }
    this.text = text
    this.#strings = strings
    this.#values = values
    return captured
  }

  #expandAggregates(): void {
    const expressions = this.#expressions
    if (expressions === undefined) return
    const { strings, values } = expandMarks({ strings: [...this.#strings, this.text], values: this.#values }, (alias) =>
      expressions.get(alias),
    )
    this.text = strings.at(-1) as string
    this.#strings = strings.slice(0, -1)
    this.#values = [...values]
    this.#expressions = undefined
  }

  /** Returns the finished statement. */
  finish(): Statement {
    this.#expandAggregates()
    return { strings: [...this.#strings, this.text], values: this.#values }
  }
}

/** The functions that write what the tables of a scope contain. */
export interface TableWriters {
  condition(where: SqlFilter): void
  aggregate(join: SqlAggregateJoin): void
}

const isAggregateJoin = (join: SqlJoin): join is SqlAggregateJoin => join.aggregate !== undefined

/** A condition that is always true. */
export const TRUE = '1=1'

/** A condition that is never true. */
export const FALSE = '1=0'

/** Writes a column of a scope. */
export function formatReference(scope: number, { source, column }: SqlReference): string {
  return formatColumn(`t${scope + source}`, column)
}

/** Writes the expression that selects a column, for its values or for cursor values as well. */
export function formatSelected(column: SqlColumn, expression: string, forCursor = false): string {
  if (forCursor && column.toCursorSql) return column.toCursorSql(expression)
  return column.toSelectSql ? column.toSelectSql(expression) : expression
}

/** A column in an order, which no row lacks that the filter lets through. */
export interface PresentReference extends SqlReference {
  readonly isPresent?: true
}

/** Returns whether a reference can be null; a joined row can always be missing. */
export function isNullableReference({ source, column, isPresent }: PresentReference): boolean {
  return isPresent !== true && (column.nullable || (source > 0 && column.aggregate === undefined))
}

/** Marks the joins that needed ones refer to; each refers to earlier ones only. */
export function addRequiredJoins(needed: boolean[], joins: SqlCount['joins']): readonly boolean[] {
  for (let i = joins.length - 1; i >= 0; i--) {
    if (!needed[i + 1]) continue
    const { on, aggregate } = joins[i] as SqlJoin
    for (const [reference] of on) needed[reference.source] = true
    if (aggregate?.owner !== undefined) needed[aggregate.owner.source] = true
  }
  return needed
}
