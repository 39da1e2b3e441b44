// Writes the query for the first rows of each of several keys, as one statement: it enters an index of key and order once for
// each key, and reads only the rows within the limit.
import { and } from '../../../query/combine-filters.ts'
import type { SqlDialect } from '../dialect.ts'
import type {
  SqlColumn,
  SqlFilter,
  SqlOrderStep,
  SqlPerKeyLimit,
  SqlReference,
  SqlSelect,
  SqlTable,
  Statement,
} from '../sql.ts'
import { formatOrder, formatSelectList, withSortOptions, writeRange, writeTables, writeWhere } from './select.ts'
import { formatReference, SqlWriter } from './sql-writer.ts'
import { writeOperand } from './write-filter.ts'

/** The most parts of one union: SQLite allows 500. */
const MAX_UNION_PARTS = 400

/** Writes a query for the first rows of each key; `columns` are selected as c0, c1 and so on. */
export function writeSelectPerKey(
  dialect: SqlDialect,
  query: SqlSelect,
  columns: readonly SqlReference[],
  perKey: SqlPerKeyLimit,
): Statement {
  const writer = new SqlWriter(dialect)
  if (dialect.supportsLateral) writeLateral(writer, query, columns, perKey)
  else if (perKey.keys.length <= MAX_UNION_PARTS) writeUnionPerKey(writer, query, columns, perKey)
  else writeNumberedRows(writer, query, columns, perKey)
  return withSortOptions(dialect, query.order, writer.finish())
}

/** Writes a union with one part for each key, each with its own limit. */
function writeUnionPerKey(
  writer: SqlWriter,
  query: SqlSelect,
  columns: readonly SqlReference[],
  perKey: SqlPerKeyLimit,
): void {
  // An index of key and order is then read in one direction.
  const descending = query.order[0]?.descending ?? false
  const steps = perKey.columns.map((column): SqlOrderStep => ({ reference: { source: 0, column }, descending }))
  const part: SqlSelect = { ...query, order: [...steps, ...query.order], limit: perKey.limit, offset: 0 }
  perKey.keys.forEach((key, i) => {
    writer.text += `${i === 0 ? '' : ' union all '}select * from (`
    writer.resetAliases()
    writeRange(writer, part, columns, { prefix: key.map((value) => ({ value })), needsSort: false })
    writer.text += `) as s${i}`
  })
}

/** Writes the keys as a table, joined laterally with the rows of each. */
function writeLateral(
  writer: SqlWriter,
  query: SqlSelect,
  columns: readonly SqlReference[],
  perKey: SqlPerKeyLimit,
): void {
  const scope = writer.reserveAliases(query.joins.length + 1)
  const { unnest, alias, joinCondition } = getKeySql(perKey.columns, scope)
  writer.text += 'select r.* from '
  if (unnest === undefined) writeKeyValues(writer, query.from, perKey)
  else writeKeyArrays(writer, unnest, perKey)
  writer.text += `${alias}${formatSelectList(columns, scope)}`
  writeTables(writer, scope, query, columns)
  const hasWhere = writeWhere(writer, scope, query.filter === undefined ? [] : [query.filter])
  writer.text += hasWhere ? ' and ' : ' where '
  writer.text += `${joinCondition}${formatOrder(writer.dialect, scope, query.order)}${writer.dialect.formatPage(perKey.limit, 0)}) as r`
}

/** The SQL about the columns of the keys. */
interface KeySql {
  /** The SQL before, between and after the bound arrays; undefined if the type of some column is unknown. */
  readonly unnest: readonly string[] | undefined
  readonly alias: string
  readonly joinCondition: string
}

// Query plans reuse their arrays of columns, so most lookups hit.
const keySqlByColumns = new WeakMap<readonly SqlColumn[], KeySql>()

function getKeySql(columns: readonly SqlColumn[], scope: number): KeySql {
  const known = keySqlByColumns.get(columns)
  if (known !== undefined) return known
  const types = columns.map((one) => one.type)
  const sql = {
    unnest: types.every((type) => type !== undefined) ? buildUnnestStrings(types) : undefined,
    alias: ` as k (${columns.map((_, i) => `k${i}`).join(', ')}) cross join lateral (`,
    joinCondition: columns
      .map((column, i) => `${formatReference(scope, { source: 0, column })} = k.k${i}`)
      .join(' and '),
  }
  keySqlByColumns.set(columns, sql)
  return sql
}

const OPEN_ARRAY = 'cast(string_to_array('

const buildUnnestStrings = (types: readonly string[]): readonly string[] => [
  `unnest(${OPEN_ARRAY}`,
  ...types.map((type, i) => `, ',') as ${type}[])${i === types.length - 1 ? ')' : `, ${OPEN_ARRAY}`}`),
]

/** Binds one text for each column: the statement has the same text for any number of keys. */
function writeKeyArrays(writer: SqlWriter, strings: readonly string[], { columns, keys }: SqlPerKeyLimit): void {
  writer.text += strings[0]
  for (const [i, column] of columns.entries()) {
    writer.bind(keys.map((key) => column.encode(key[i])).join())
    writer.text += strings[i + 1]
  }
}

// The first row gives the others the types of the columns; its nulls equal nothing.
function writeKeyValues(writer: SqlWriter, from: SqlTable, { columns, keys }: SqlPerKeyLimit): void {
  writer.text += `(values (${columns.map(({ sqlName }) => `(select ${sqlName} from ${from.sqlName} where false)`).join(', ')})`
  for (const key of keys) {
    for (const [i, column] of columns.entries()) {
      writer.text += i === 0 ? ', (' : ', '
      writeOperand(writer, column, { value: key[i] })
    }
    writer.text += ')'
  }
  writer.text += ')'
}

/** Writes all rows of all keys, numbered, for more keys than a union can have parts. */
function writeNumberedRows(
  writer: SqlWriter,
  query: SqlSelect,
  columns: readonly SqlReference[],
  perKey: SqlPerKeyLimit,
): void {
  const scope = writer.reserveAliases(query.joins.length + 1)
  const references = perKey.columns.map((column): SqlReference => ({ source: 0, column }))
  writer.text += `select * from (${formatSelectList(columns, scope)}, row_number() over (partition by `
  writer.text += references.map((reference) => formatReference(scope, reference)).join(', ')
  writer.text += `${formatOrder(writer.dialect, scope, query.order)}) as n`
  writeTables(writer, scope, query, columns)
  writeWhere(writer, scope, [
    ...(query.filter === undefined ? [] : [query.filter]),
    buildKeyFilter(references, perKey.keys),
  ])
  writer.text += `) as s where n <= ${perKey.limit} order by n`
}

function buildKeyFilter(references: readonly SqlReference[], keys: SqlPerKeyLimit['keys']): SqlFilter {
  const [only] = references
  if (references.length === 1 && only !== undefined)
    return { op: 'in', reference: only, values: keys.map(([value]) => value) }
  const of = keys.map((key) =>
    and(references.map((reference, i): SqlFilter => ({ op: '=', reference, value: key[i] }))),
  )
  return { op: 'or', of }
}
