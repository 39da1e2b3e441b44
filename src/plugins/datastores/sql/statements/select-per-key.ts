// Writes the query for the first rows of each of several keys, in one statement: an index of the keys and the order is entered
// once for each key, and no more of it is read than is wanted.
import { and } from '../../../query/combine-filters.ts'
import type { Column, PerKeyLimit, Filter, OrderStep, Reference, Select } from '../../../query/query.ts'
import type { SqlDialect } from '../dialect.ts'
import type { SqlColumn, SqlTable, Statement } from '../sql.ts'
import { writeOperand } from './write-filter.ts'
import { formatSelectList, formatOrder, withSortOptions, writeRange, writeTables, writeWhere } from './select.ts'
import { formatReference, SqlWriter } from './sql-writer.ts'

/** The most parts of one statement: SQLite allows 500. */
const MAX_UNION_PARTS = 400

/** Writes a query for the first rows of each key; `columns` are read as c0, c1 and so on. */
export function writeSelectPerKey(dialect: SqlDialect, query: Select, columns: readonly Reference[], each: PerKeyLimit): Statement {
  const writer = new SqlWriter(dialect)
  if (dialect.supportsLateral) writeLateral(writer, query, columns, each)
  else if (each.keys.length <= MAX_UNION_PARTS) writeUnionPerKey(writer, query, columns, each)
  else writeNumberedRows(writer, query, columns, each)
  return withSortOptions(dialect, query.order, writer.finish())
}

/** A part for each key, of which each stops at its limit. */
function writeUnionPerKey(writer: SqlWriter, query: Select, columns: readonly Reference[], each: PerKeyLimit): void {
  // An index of the key and the order then has both in one direction.
  const descending = query.order[0]?.descending ?? false
  const steps = each.columns.map((column): OrderStep => ({ reference: { source: 0, column }, descending }))
  const part: Select = { ...query, order: [...steps, ...query.order], limit: each.limit, offset: 0 }
  each.keys.forEach((key, i) => {
    writer.text += `${i === 0 ? '' : ' union all '}select * from (`
    writer.resetAliases()
    writeRange(writer, part, columns, { prefix: key.map((value) => ({ value })), unsorted: false })
    writer.text += `) as s${i}`
  })
}

/** The keys as a table, and beside each of them its rows. */
function writeLateral(writer: SqlWriter, query: Select, columns: readonly Reference[], each: PerKeyLimit): void {
  const scope = writer.reserveAliases(query.joins.length + 1)
  const { unnest: arrays, alias: named, joinCondition: equal } = getKeySql(each.columns, scope)
  writer.text += 'select r.* from '
  if (arrays === undefined) writeKeyValues(writer, query.from as SqlTable, each)
  else writeKeyArrays(writer, arrays, each)
  writer.text += `${named}${formatSelectList(columns, scope)}`
  writeTables(writer, scope, query, columns)
  const opened = writeWhere(writer, scope, query.filter === undefined ? [] : [query.filter])
  writer.text += opened ? ' and ' : ' where '
  writer.text += `${equal}${formatOrder(writer.dialect, scope, query.order)}${writer.dialect.formatPage(each.limit, 0)}) as r`
}

/** The texts about the columns of keys. */
interface KeySql {
  /** What stands before, between and after their bound texts; undefined where some cannot be bound as one. */
  readonly unnest: readonly string[] | undefined
  readonly alias: string
  readonly joinCondition: string
}

// Plans keep these columns, so that the same list comes again and again.
const keySqlByColumns = new WeakMap<readonly Column[], KeySql>()

function getKeySql(columns: readonly Column[], scope: number): KeySql {
  const known = keySqlByColumns.get(columns)
  if (known !== undefined) return known
  const types = columns.map((one) => (one as SqlColumn).type)
  const sql = {
    unnest: types.every((type) => type !== undefined) ? buildUnnestStrings(types) : undefined,
    alias: ` as k (${columns.map((_, i) => `k${i}`).join(', ')}) cross join lateral (`,
    joinCondition: columns.map((column, i) => `${formatReference(scope, { source: 0, column })} = k.k${i}`).join(' and '),
  }
  keySqlByColumns.set(columns, sql)
  return sql
}

const OPEN_ARRAY = 'cast(string_to_array('

const buildUnnestStrings = (types: readonly string[]): readonly string[] => [
  `unnest(${OPEN_ARRAY}`,
  ...types.map((type, i) => `, ',') as ${type}[])${i === types.length - 1 ? ')' : `, ${OPEN_ARRAY}`}`),
]

/** One text for each column, however many keys there are: the statement is the same for all of them. */
function writeKeyArrays(writer: SqlWriter, texts: readonly string[], { columns, keys }: PerKeyLimit): void {
  writer.text += texts[0]
  for (let i = 0; i < columns.length; i++) {
    const column = columns[i] as SqlColumn
    writer.bind(keys.map((key) => column.encode(key[i])).join())
    writer.text += texts[i + 1]
  }
}

// The first row gives the others the types of the columns, and equals nothing.
function writeKeyValues(writer: SqlWriter, from: SqlTable, { columns, keys }: PerKeyLimit): void {
  writer.text += `(values (${columns.map((one) => `(select ${getSqlName(one)} from ${from.sqlName} where false)`).join(', ')})`
  for (const key of keys) {
    for (const [i, value] of key.entries()) {
      writer.text += i === 0 ? ', (' : ', '
      writeOperand(writer, columns[i] as SqlColumn, { value })
    }
    writer.text += ')'
  }
  writer.text += ')'
}

/** All rows of all keys, numbered: for more keys than there can be parts. */
function writeNumberedRows(writer: SqlWriter, query: Select, columns: readonly Reference[], each: PerKeyLimit): void {
  const scope = writer.reserveAliases(query.joins.length + 1)
  const references = each.columns.map((column): Reference => ({ source: 0, column }))
  writer.text += `select * from (${formatSelectList(columns, scope)}, row_number() over (partition by `
  writer.text += references.map((reference) => formatReference(scope, reference)).join(', ')
  writer.text += `${formatOrder(writer.dialect, scope, query.order)}) as n`
  writeTables(writer, scope, query, columns)
  writeWhere(writer, scope, [...(query.filter === undefined ? [] : [query.filter]), buildKeyFilter(references, each.keys)])
  writer.text += `) as s where n <= ${each.limit} order by n`
}

const getSqlName = (column: Column): string => (column as SqlColumn).sqlName

function buildKeyFilter(references: readonly Reference[], keys: PerKeyLimit['keys']): Filter {
  const [only] = references
  if (references.length === 1 && only !== undefined)
    return { op: 'in', reference: only, values: keys.map(([value]) => value) }
  const of = keys.map((key) => and(references.map((reference, i) => ({ op: '=', reference, value: key[i] }))))
  return { op: 'or', of }
}
