// The differences between the SQL dialects: quotes, the order of nulls, patterns, pages and bound values.
import { listCaseVariants, buildAnyCasePattern } from '../../query/case-folding.ts'
import type { ColumnKind, Pattern, RawRow, Search } from '../../query/query.ts'
import type { DialectName, SqlColumn, SqlTable } from './sql.ts'
import { formatColumn } from './sql-text.ts'
import { readMysqlEstimate, readPostgresEstimate } from './row-estimates.ts'

/** One family of SQL, as far as the writer must know it. */
export interface SqlDialect {
  readonly name: DialectName
  /** The most values that one statement may carry, with a little room. */
  readonly maxValues: number
  /** Whether statements that add or change rows can give them back. */
  readonly supportsReturning: boolean
  /** Whether a transaction has cursors, by which the rows of one query are read some at a time. */
  readonly supportsCursors: boolean
  /** Whether one of several rows that a statement adds can say that it takes a column's default. */
  readonly supportsInlineDefaults: boolean
  /** Whether its indexes have nulls before all values, where lists want them behind. */
  readonly nullsFirst: boolean
  /**
   * How an index is entered at a place of several columns: by comparing them as one row, which has one direction, or by
   * conditions that are joined with `or`; undefined where it is entered by one column only.
   */
  readonly tupleComparison: 'row' | 'or' | undefined
  /** Whether `union all` reads its parts one after the other, and no more of them than its limit needs. */
  readonly hasLazyUnions: boolean
  /** Whether a query can stand beside each row of another and refer to it. */
  readonly supportsLateral: boolean
  /**
   * Whether its planner, given that a column equals something, is content with an index by that column alone: it then passes
   * over all rows that are equal. Two bounds in place of the equality lead it further.
   */
  readonly equalityAsRange: boolean
  /**
   * Whether its planner, told that a column is null, does not take the rest of an index for ordered: only an index of the rows
   * without a value in that column serves the list.
   */
  readonly needsPartialNullIndex: boolean
  /** Whether its planner knows that rows which a unique index tells apart need no further order. */
  readonly endsOrderAtUniqueIndex: boolean
  /** Writes what stands behind a table that is read by one index; undefined where that cannot be said. */
  formatIndexHint?(index: string): string
  /** Writes a condition that every row meets and no index knows of: its planner would prefer one with all columns, and sort. */
  formatOpaqueCondition?(alias: string): string
  /**
   * Writes what stands before and after a bound whose value its planner must not see: near the end of a stretch it would
   * reckon that few rows are left behind the bound, read all of those by another index, and sort them.
   */
  hideFromPlanner?(table: SqlTable, column: SqlColumn): readonly [before: string, after: string]
  /** Whether the removal of rows repeats the alias of their table before `from`. */
  readonly aliasedDelete: boolean
  /**
   * How a pattern with U+0000 is matched: no text has the character, its bytes are compared because patterns end there, or
   * like any other.
   */
  readonly nulMatching: 'absent' | 'bytes' | 'plain'
  /** How a row without any values is added. */
  readonly insertDefaultsSql: string
  /** Writes one step of an order: nulls last when it ascends and first when it descends. */
  formatOrderStep(expression: string, descending: boolean, nullable: boolean): string
  /** Writes what stands before and inside of a `select` that sorts texts of so many characters, all of which count. */
  formatSortOptions?(characters: number): readonly [before: string, inside: string]
  /** Writes which part of the rows is read. */
  formatPage(limit: number | undefined, offset: number): string
  /** Writes what stands before and after the bound text of a pattern; `loose` where the column takes different texts for equal. */
  formatLike(expression: string, negated: boolean, loose?: boolean): readonly [before: string, after: string]
  /** Writes what stands before the bound pattern of a text that another contains without regard to case. */
  formatContains(expression: string, negated: boolean, loose?: boolean): string
  /** Gives that pattern. */
  formatAnyCasePattern(text: string): string
  /** Writes what stands before and after the bound words of a full-text search in a table with an alias. */
  formatSearch(fields: readonly SearchedField[], search: Search, alias: string): readonly [before: string, after: string]
  /** Gives the text of a search for all of some words. */
  formatSearchWords(words: readonly string[], fields: readonly SearchedField[]): string
  /** Gives the text of a pattern, in which only the ends can be wild. */
  formatPattern(pattern: Pattern): string
  /** Writes a cast around a compared value, where the database would compare it with less than all of its digits. */
  findCastType(column: SqlColumn, value: unknown): string | undefined
  /** Gives a value that the clients bind; a text of a number as a number, where the two are not compared alike. */
  toBoundValue(kind: ColumnKind, value: unknown): unknown
  /** The statement that explains another, and the number of rows in what it gives; undefined where the planner tells none. */
  readonly estimate?: { readonly statement: string; rows(plan: readonly RawRow[]): number }
  /** Gives the form of a value that clients do not refuse to bind. */
  toBindable?(value: unknown): unknown
  /** Writes a value that clients refuse to bind in every form. */
  formatLiteral?(value: unknown): string | undefined
}

/** A column that is searched. */
interface SearchedField {
  readonly name: string
  readonly sql: string
  readonly nullable: boolean
}

/** Quotes names, and joins them: a schema and a table, or only one. */
export function quoteIdentifier(dialect: DialectName, ...names: readonly string[]): string {
  const quote = dialect === 'mysql' ? '`' : '"'
  return names.map((name) => quote + name.replaceAll(quote, quote + quote) + quote).join('.')
}

const formatDirection = (expression: string, descending: boolean): string => expression + (descending ? ' desc' : ' asc')

/** Writes a page where each part may be missing; `all` is the limit that is none. */
function createPageFormatter(all: string): SqlDialect['formatPage'] {
  return (limit, offset) => {
    if (limit === undefined && offset === 0) return ''
    const limited = ` limit ${limit === undefined ? all : formatRowCount(limit)}`
    return offset === 0 ? limited : `${limited} offset ${formatRowCount(offset)}`
  }
}

// These two are written, not bound: planners use them, and some databases refuse them as bound values.
function formatRowCount(count: number): string {
  if (!Number.isSafeInteger(count) || count < 0) throw new RangeError(`Not a number of rows: ${count}`)
  return String(count)
}

const escapeLikePattern = ({ text, before, after }: Pattern): string =>
  (before ? '%' : '') + text.replace(/[!%_]/g, '!$&') + (after ? '%' : '')

const keepValue = (_: ColumnKind, value: unknown): unknown => value

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
  // The empty part gives the other one its type.
  hideFromPlanner: (table, column) => [
    `(select ${column.derived ? formatColumn('v', column) : column.sqlName} from ${table.sqlName}${column.derived ? ' as v' : ''} where false union all select `,
    ')',
  ],
  formatOpaqueCondition: (alias) => `(${alias}.ctid is not null) is true`,
  insertDefaultsSql: ' default values',
  // Its own order of nulls is the required one already, and its indexes have that order.
  formatOrderStep: formatDirection,
  formatPage: createPageFormatter('all'),
  // The cast costs nothing for texts, and lets enumerations and identifiers be matched.
  // A collation of its own lets letters be matched where the column's has none; elsewhere it would keep indexes from being used.
  formatLike: (expression, negated, loose = false) => [
    `cast(${expression} as text)${loose ? ' collate "C"' : ''} ${negated ? 'not ' : ''}like `,
    ` escape '!'`,
  ],
  formatPattern: escapeLikePattern,
  formatContains: (expression, negated, loose = false) =>
    `cast(${expression} as text)${loose ? ' collate "C"' : ''} ${negated ? '!~' : '~'} `,
  formatAnyCasePattern: buildAnyCasePattern,
  // As the expression of an index must be written. The name of a configuration comes from the mapping.
  formatSearch: (fields, { language }) => {
    const text = fields.map(({ sql: written, nullable }) =>
      nullable && fields.length > 1 ? `coalesce(${written}, '')` : written,
    )
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
  // It compares rows too, but does not enter an index by the column that is its row id.
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
  formatOrderStep(expression, descending, nullable) {
    const nulls = descending ? ' nulls first' : ' nulls last'
    return formatDirection(expression, descending) + (nullable ? nulls : '')
  },
  formatPage: createPageFormatter('-1'),
  // LIKE takes a and A for the same here; GLOB does not.
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
  // Clients refuse truth values, and whole numbers beyond its own, which it compares with doubles exactly.
  toBindable: (value) => {
    if (typeof value === 'boolean') return Number(value)
    if (typeof value !== 'bigint' || BigInt.asIntN(64, value) === value) return value
    // The least of its numbers is a double, too: what lies below it must not be rounded to it.
    return value > 0n ? Number(value) : Math.min(Number(value), BELOW_INT64)
  },
  // Some clients refuse to bind what is beyond all numbers, though the database has it.
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
  // It runs all parts, whatever the limit is.
  hasLazyUnions: false,
  // MySQL can, and MariaDB cannot.
  supportsLateral: false,
  equalityAsRange: true,
  needsPartialNullIndex: false,
  endsOrderAtUniqueIndex: false,
  // Not every version of MySQL and MariaDB has an alias in the form for one table.
  aliasedDelete: true,
  nulMatching: 'plain',
  formatIndexHint: (index) => ` force index (${index})`,
  insertDefaultsSql: ' () values ()',
  formatOrderStep: (expression, descending, nullable) =>
    (nullable ? `(${expression} is ${descending ? 'not ' : ''}null), ` : '') + formatDirection(expression, descending),
  // It sorts by 1,024 bytes of a text otherwise. Sorting needs memory for several of the longest keys that there can be.
  formatSortOptions: (characters) => {
    const memory = Math.ceil((characters * MAX_SORT_KEY_BYTES * 16) / 2 ** 20) * 2 ** 20
    const [length, buffer] = [`max_sort_length = ${2 ** 23}`, `sort_buffer_size = ${memory}`]
    const needed = memory > 2 ** 21 ? [length, buffer] : [length]
    // The one is a comment for MySQL, and the other for MariaDB.
    return [
      `/*M! set statement ${needed.join(', ')} for */ `,
      `/*+ ${needed.map((one) => `SET_VAR(${one})`).join(' ')} */ `,
    ]
  },
  formatPage: createPageFormatter('18446744073709551615'),
  formatLike: (expression, negated) => [`${expression} ${negated ? 'not ' : ''}like `, ` escape '!'`],
  formatPattern: escapeLikePattern,
  // The collation of a column would decide what is alike.
  formatContains: (expression, negated) => `${expression} ${negated ? 'not ' : ''}regexp `,
  formatAnyCasePattern: (text) => `(?-i)${buildAnyCasePattern(text)}`,
  formatSearch: (fields) => [`match (${fields.map(({ sql: written }) => written).join(', ')}) against (`, ' in boolean mode)'],
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

/** The families of SQL. */
export const DIALECTS: Readonly<Record<DialectName, SqlDialect>> = { postgres, sqlite, mysql }
