// The differences between the SQL dialects: quoting, the order of nulls, patterns, pages and bound values.
import { buildAnyCasePattern, listCaseVariants } from '../../query/case-folding.ts'
import type { ColumnKind, Pattern, RawRow, Search } from '../../query/query.ts'
import { readMysqlEstimate, readPostgresEstimate } from './row-estimates.ts'
import type { DialectName, SqlColumn, SqlTable } from './sql.ts'
import { formatColumn } from './sql-text.ts'

/** A SQL dialect, as far as the writer depends on it. */
export interface SqlDialect {
  readonly name: DialectName
  /** The most values that one statement may bind, with a small reserve. */
  readonly maxValues: number
  /** Whether `insert` and `update` support `returning`. */
  readonly supportsReturning: boolean
  /** Whether a transaction has cursors, which read the rows of one query in portions. */
  readonly supportsCursors: boolean
  /** Whether one row of an `insert` of several rows can use `default` for a column. */
  readonly supportsInlineDefaults: boolean
  /** Whether its indexes order nulls before all values, where lists require them after. */
  readonly nullsFirst: boolean
  /**
   * The comparison by which an index is entered at a cursor of several columns: as one row, which has one direction, or by
   * conditions joined with `or`; undefined if an index can be entered by one column only.
   */
  readonly tupleComparison: 'row' | 'or' | undefined
  /** Whether `union all` reads its parts one after the other, and stops once the limit is reached. */
  readonly hasLazyUnions: boolean
  /** Whether it supports lateral joins. */
  readonly supportsLateral: boolean
  /**
   * Whether its planner, given an equality on a column, settles for an index on that column alone, and then scans all equal
   * rows. Two bounds in place of the equality make it use the columns that follow in the index.
   */
  readonly equalityAsRange: boolean
  /**
   * Whether its planner does not treat the rest of an index as ordered after `is null` on a column: only a partial index of
   * the rows without a value in that column serves the list.
   */
  readonly needsPartialNullIndex: boolean
  /** Whether its planner knows that an order ends at the columns of a unique index. */
  readonly endsOrderAtUniqueIndex: boolean
  /** Writes the hint, after the name of a table, that forces an index; undefined if the dialect has none. */
  formatIndexHint?(index: string): string
  /**
   * Writes a condition that is always true, but seems to cost much for each row: the planner of a dialect without hints then
   * takes the way that reads the fewest rows.
   */
  formatCostlyCondition?(alias: string, limit: number | undefined): string
  /**
   * Writes the SQL before and after a bound whose value the planner must not see: near the end of a range it would estimate
   * that few rows follow, read them by another index, and sort them.
   */
  hideFromPlanner?(table: SqlTable, column: SqlColumn): readonly [before: string, after: string]
  /** Whether `delete` repeats the alias of the table before `from`. */
  readonly aliasedDelete: boolean
  /**
   * The handling of U+0000 in a pattern: `absent` if no text can contain it, `bytes` if patterns end there and bytes are
   * compared instead, `plain` if it is a character like any other.
   */
  readonly nulMatching: 'absent' | 'bytes' | 'plain'
  /** The SQL that inserts a row without any values. */
  readonly insertDefaultsSql: string
  /** Writes a sum that is 0 without values, where the common one does not do. */
  formatSum?(expression: string, kind: ColumnKind): string | undefined
  /** Writes one step of an order: nulls last if it ascends, first if it descends. */
  formatOrderStep(expression: string, descending: boolean, nullable: boolean): string
  /** Writes the SQL before and inside a `select` that sorts texts of this length by all of their characters. */
  formatSortOptions?(characters: number): readonly [before: string, inside: string]
  /** Writes `limit` and `offset`. */
  formatPage(limit: number | undefined, offset: number): string
  /** Writes the SQL before and after the bound text of a pattern; `loose` if the column's collation is nondeterministic. */
  formatLike(expression: string, negated: boolean, loose?: boolean): readonly [before: string, after: string]
  /** Writes the SQL before the bound pattern of a case-insensitive substring. */
  formatContains(expression: string, negated: boolean, loose?: boolean): string
  /** Returns the pattern of a case-insensitive substring. */
  formatAnyCasePattern(text: string): string
  /** Writes the SQL before and after the bound words of a full-text search in the table with this alias. */
  formatSearch(
    fields: readonly SearchedField[],
    search: Search,
    alias: string,
  ): readonly [before: string, after: string]
  /** Returns the text of a search for all of the words. */
  formatSearchWords(words: readonly string[], fields: readonly SearchedField[]): string
  /** Returns the text of a pattern, whose only wildcards are at its ends. */
  formatPattern(pattern: Pattern): string
  /** Returns the type to cast a compared value to, if the database would otherwise compare it with fewer digits. */
  findCastType(column: SqlColumn, value: unknown): string | undefined
  /** Returns the value that clients bind: the text of a number as a number, if the database compares the two differently. */
  toBoundValue(kind: ColumnKind, value: unknown): unknown
  /** The statement that explains another, and the reader of its row estimate; undefined if the planner reports none. */
  readonly estimate?: { readonly statement: string; rows(plan: readonly RawRow[]): number }
  /** Returns a form of the value that clients agree to bind. */
  toBindable?(value: unknown): unknown
  /** Writes a value that clients refuse to bind in any form. */
  formatLiteral?(value: unknown): string | undefined
}

/** A column of a full-text search. */
interface SearchedField {
  readonly name: string
  readonly sql: string
  readonly nullable: boolean
}

/** Quotes names and joins them with dots: a schema and a table, or a single name. */
export function quoteIdentifier(dialect: DialectName, ...names: readonly string[]): string {
  const quote = dialect === 'mysql' ? '`' : '"'
  return names.map((name) => quote + name.replaceAll(quote, quote + quote) + quote).join('.')
}

const formatDirection = (expression: string, descending: boolean): string =>
  expression + (descending ? ' desc' : ' asc')

/** Creates the writer of `limit` and `offset`, either of which may be absent; `all` is the limit that means none. */
function createPageFormatter(all: string): SqlDialect['formatPage'] {
  return (limit, offset) => {
    if (limit === undefined && offset === 0) return ''
    const limited = ` limit ${limit === undefined ? all : formatRowCount(limit)}`
    return offset === 0 ? limited : `${limited} offset ${formatRowCount(offset)}`
  }
}

// These are written into the text, not bound: planners use them, and some databases refuse them as bound values.
function formatRowCount(count: number): string {
  if (!Number.isSafeInteger(count) || count < 0) throw new RangeError(`Not a number of rows: ${count}`)
  return String(count)
}

const escapeLikePattern = ({ text, before, after }: Pattern): string =>
  (before ? '%' : '') + text.replace(/[!%_]/g, '!$&') + (after ? '%' : '')

const keepValue = (_: ColumnKind, value: unknown): unknown => value

// A page may seem to cost a quarter of what PostgreSQL compiles a statement for (`jit_above_cost`).
const MOST_COST_STEPS = 2_000_000
const MOST_COSTLY_LIMIT = 20_000

const postgres: SqlDialect = {
  name: 'postgres',
  maxValues: 65_000,
  supportsReturning: true,
  supportsCursors: true,
  supportsInlineDefaults: true,
  nullsFirst: false,
  tupleComparison: 'row',
  hasLazyUnions: true,
  supportsLateral: true,
  equalityAsRange: false,
  needsPartialNullIndex: true,
  endsOrderAtUniqueIndex: false,
  aliasedDelete: false,
  nulMatching: 'absent',
  // The empty part determines the type of the other.
  hideFromPlanner: (table, column) => [
    `(select ${column.derived ? formatColumn('v', column) : column.sqlName} from ${table.sqlName}${column.derived ? ' as v' : ''} where false union all select `,
    ')',
  ],
  // No row has this id, so that the second part is never evaluated. A function of the first process only keeps other processes out,
  // which are not worth their start for a page.
  formatCostlyCondition: (alias, limit = MOST_COSTLY_LIMIT) => {
    const steps = Math.ceil(MOST_COST_STEPS / Math.max(limit, 50))
    const never = `select count(*) from generate_series(1, ${steps}) where ${alias}.ctid = '(0,0)' and pg_backend_pid() = 0`
    return `(${alias}.ctid <> '(0,0)' or (${never}) > 0)`
  },
  insertDefaultsSql: ' default values',
  // The default order of nulls is already the required one, and indexes have it.
  formatOrderStep: formatDirection,
  formatPage: createPageFormatter('all'),
  // The cast is free for texts, and lets enumerations and UUIDs be matched. An explicit collation allows `like` on columns
  // with a nondeterministic one; elsewhere it would prevent the use of indexes.
  formatLike: (expression, negated, loose = false) => [
    `cast(${expression} as text)${loose ? ' collate "C"' : ''} ${negated ? 'not ' : ''}like `,
    ` escape '!'`,
  ],
  formatPattern: escapeLikePattern,
  formatContains: (expression, negated, loose = false) =>
    `cast(${expression} as text)${loose ? ' collate "C"' : ''} ${negated ? '!~' : '~'} `,
  formatAnyCasePattern: buildAnyCasePattern,
  // Must match the expression of the index. The name of the configuration comes from the mapping.
  formatSearch: (fields, { language }) => {
    const text = fields.map(({ sql, nullable }) => (nullable && fields.length > 1 ? `coalesce(${sql}, '')` : sql))
    return [`to_tsvector('${language}', ${text.join(" || ' ' || ")}) @@ plainto_tsquery('${language}', `, ')']
  },
  formatSearchWords: (words) => words.join(' '),
  findCastType: () => undefined,
  toBoundValue: keepValue,
  estimate: { statement: 'explain (format json)', rows: readPostgresEstimate },
}

const sqlite: SqlDialect = {
  name: 'sqlite',
  maxValues: 32_000,
  supportsReturning: true,
  supportsCursors: false,
  supportsInlineDefaults: false,
  nullsFirst: true,
  // It compares rows too, but does not enter an index by the column that is the row id.
  tupleComparison: undefined,
  hasLazyUnions: true,
  supportsLateral: false,
  equalityAsRange: false,
  needsPartialNullIndex: false,
  endsOrderAtUniqueIndex: true,
  aliasedDelete: false,
  formatIndexHint: (index) => ` indexed by ${index}`,
  nulMatching: 'bytes',
  insertDefaultsSql: ' default values',
  // Sums of whole numbers beyond 64 bits are an error here, and `total` is exact for all that fit into a number.
  formatSum: (expression, kind) => (kind === 'integer' || kind === 'number' ? `total(${expression})` : undefined),
  formatOrderStep(expression, descending, nullable) {
    const nulls = descending ? ' nulls first' : ' nulls last'
    return formatDirection(expression, descending) + (nullable ? nulls : '')
  },
  formatPage: createPageFormatter('-1'),
  // LIKE ignores the case of ASCII letters here; GLOB does not.
  formatLike: (expression, negated) => [`${expression} ${negated ? 'not ' : ''}glob `, ''],
  formatPattern: ({ text, before, after }) => (before ? '*' : '') + text.replace(/[*?[]/g, '[$&]') + (after ? '*' : ''),
  formatContains: (expression, negated) => `${expression} ${negated ? 'not ' : ''}glob `,
  formatAnyCasePattern: (text) => `*${Array.from(text, formatGlobCharacter).join('')}*`,
  formatSearch: (_, { index }, alias) => {
    const table = quoteIdentifier('sqlite', index)
    return [`${alias}.rowid in (select rowid from ${table} where ${table} match `, ')']
  },
  formatSearchWords: (words, fields) => {
    const all = words.map((word) => `"${word}"`).join(' AND ')
    return `{${fields.map(({ name }) => quoteIdentifier('sqlite', name)).join(' ')}} : (${all})`
  },
  findCastType: () => undefined,
  toBoundValue: (kind, value) => {
    if (typeof value !== 'string') return value
    if (kind === 'integer' || kind === 'bigint') return INTEGER.test(value) ? BigInt(value) : value
    return kind === 'number' && value !== '' && !Number.isNaN(Number(value)) ? Number(value) : value
  },
  // Clients refuse booleans, and integers beyond 64 bits; SQLite compares integers with doubles exactly.
  toBindable: (value) => {
    if (typeof value === 'boolean') return Number(value)
    if (typeof value !== 'bigint' || BigInt.asIntN(64, value) === value) return value
    // The least 64-bit integer is also a double: a value below it must not be rounded to it.
    return value > 0n ? Number(value) : Math.min(Number(value), BELOW_INT64)
  },
  // Some clients refuse to bind infinity, which the database supports.
  formatLiteral: (value) => {
    if (value === Infinity) return '9e999'
    return value === -Infinity ? '-9e999' : undefined
  },
}

function formatGlobCharacter(character: string): string {
  const all = listCaseVariants(character)
  return all === character && !'*?['.includes(character) ? character : `[${all}]`
}

const BELOW_INT64 = -(2 ** 63) - 2048

const INTEGER = /^-?\d+$/
const DECIMAL = /^-?\d+(?:\.(\d+))?$/
const INT64_MAX = 2n ** 63n - 1n

/** The bytes that one character may take in a sort key. */
const MAX_SORT_KEY_BYTES = 36

const mysql: SqlDialect = {
  name: 'mysql',
  maxValues: 65_000,
  supportsReturning: false,
  supportsCursors: false,
  supportsInlineDefaults: true,
  nullsFirst: true,
  tupleComparison: 'or',
  // It runs all parts, whatever the limit.
  hasLazyUnions: false,
  // MySQL supports it, MariaDB does not.
  supportsLateral: false,
  equalityAsRange: true,
  needsPartialNullIndex: false,
  endsOrderAtUniqueIndex: false,
  // Not every version of MySQL and MariaDB allows an alias in the single-table form.
  aliasedDelete: true,
  nulMatching: 'plain',
  formatIndexHint: (index) => ` force index (${index})`,
  insertDefaultsSql: ' () values ()',
  formatOrderStep: (expression, descending, nullable) =>
    (nullable ? `(${expression} is ${descending ? 'not ' : ''}null), ` : '') + formatDirection(expression, descending),
  // By default it sorts by the first 1,024 bytes of a text. Sorting needs memory for several keys of the greatest length.
  formatSortOptions: (characters) => {
    const memory = Math.ceil((characters * MAX_SORT_KEY_BYTES * 16) / 2 ** 20) * 2 ** 20
    const [length, buffer] = [`max_sort_length = ${2 ** 23}`, `sort_buffer_size = ${memory}`]
    const needed = memory > 2 ** 21 ? [length, buffer] : [length]
    // The first is a comment to MySQL, the second to MariaDB.
    return [
      `/*M! set statement ${needed.join(', ')} for */ `,
      `/*+ ${needed.map((one) => `SET_VAR(${one})`).join(' ')} */ `,
    ]
  },
  formatPage: createPageFormatter('18446744073709551615'),
  formatLike: (expression, negated) => [`${expression} ${negated ? 'not ' : ''}like `, ` escape '!'`],
  formatPattern: escapeLikePattern,
  // With `like`, the collation of the column would decide which characters are equal.
  formatContains: (expression, negated) => `${expression} ${negated ? 'not ' : ''}regexp `,
  formatAnyCasePattern: (text) => `(?-i)${buildAnyCasePattern(text)}`,
  formatSearch: (fields) => [`match (${fields.map(({ sql }) => sql).join(', ')}) against (`, ' in boolean mode)'],
  formatSearchWords: (words) => words.map((word) => `+${word}`).join(' '),
  // It compares a number with a text as floating-point numbers, which have fewer digits than either.
  findCastType: (column, value) => {
    if (typeof value !== 'string') return undefined
    const { kind, range } = column
    if (kind !== 'integer' && kind !== 'bigint' && kind !== 'number' && kind !== 'decimal') return undefined
    const digits = DECIMAL.exec(value)
    if (!digits) return undefined
    if (range) return range[1] > INT64_MAX ? 'unsigned' : 'signed'
    return `decimal(65, ${Math.min(digits[1]?.length ?? 0, 30)})`
  },
  toBoundValue: keepValue,
  estimate: { statement: 'explain', rows: readMysqlEstimate },
}

/** The SQL dialects, by name. */
export const DIALECTS: Readonly<Record<DialectName, SqlDialect>> = { postgres, sqlite, mysql }
