// Reads a part of a list range by range until it is full: in one statement if the database reads only as many ranges as it
// needs, otherwise with one statement for each.
import type { Operand, RawRow } from '../../../query/query.ts'
import { isIndexMissing } from '../classify-error.ts'
import { DIALECTS, type SqlDialect } from '../dialect.ts'
import type {
  SqlClient,
  SqlIndexableList,
  SqlOrderStep,
  SqlPerKeyLimit,
  SqlReference,
  SqlSelect,
  Statement,
} from '../sql.ts'
import { toCursorValue } from '../values/cursor-values.ts'
import { dropConstantTerms, useIndexPrefix } from './index-prefix.ts'
import { type IndexRange, type ListOrder, listRangesWithPrefix, splitIntoRanges } from './index-ranges.ts'
import { type HintedSelect, writeSelect } from './select.ts'
import { writeSelectPerKey } from './select-per-key.ts'
import { mayEqual } from './write-filter.ts'

type RawRows = readonly RawRow[]

/** A query that is being read. */
interface ReadContext {
  readonly client: SqlClient
  readonly query: HintedSelect
  readonly columns: readonly SqlReference[]
  readonly list: ListOrder
}

/** Reads the rows of a query; `columns` are selected as c0, c1 and so on. */
export function readRows(client: SqlClient, query: SqlSelect, columns: readonly SqlReference[]): Promise<RawRows> {
  return readByIndexPrefix(client, query, columns).catch((error: unknown) => {
    if (!isIndexMissing(error)) throw error
    // The catalogue was read when the application started, and the index has been dropped since.
    return readByIndexPrefix(client, { ...query, from: Object.assign(query.from, { indexes: [] }) }, columns)
  })
}

function readByIndexPrefix(client: SqlClient, query: SqlSelect, columns: readonly SqlReference[]): Promise<RawRows> {
  const dialect = DIALECTS[client.dialect]
  const { limit = Number.POSITIVE_INFINITY, offset, perKey } = query
  if (perKey !== undefined) return readPerKey(client, query, columns, perKey)
  // A page by number scans the rows before it anyway, and a list without pages reads all of them.
  const reduced = dropConstantTerms(dialect, query)
  const usesRanges = reduced.after !== undefined || (offset === 0 && limit < Number.POSITIVE_INFINITY)
  if (!usesRanges || query.distinct === true)
    return client.query(writeSelect(dialect, query.distinct === true ? query : reduced, columns))
  const prefixed = useIndexPrefix(dialect, reduced)
  const list = { dialect, order: prefixed.query.order }
  const context = { client, query: prefixed.query, columns, list }
  const rows = readRangeGroups(
    context,
    groupRanges(list, splitIntoRanges(list, prefixed.prefix, prefixed.query.after)),
    offset + limit,
  )
  return offset === 0 ? rows : rows.then((all) => all.slice(offset))
}

// Keys are values of other columns, some of which may be outside of this column's range: no row has them.
function readPerKey(
  client: SqlClient,
  query: SqlSelect,
  columns: readonly SqlReference[],
  perKey: SqlPerKeyLimit,
): Promise<RawRows> {
  const fits = (key: SqlPerKeyLimit['keys'][number]): boolean =>
    perKey.columns.every((column, i) => mayEqual(column, key[i]))
  const fitting = perKey.keys.every(fits) ? perKey : { ...perKey, keys: perKey.keys.filter(fits) }
  if (fitting.keys.length === 0) return Promise.resolve([])
  return client.query(writeSelectPerKey(DIALECTS[client.dialect], query, columns, fitting))
}

/** The limit in a statement that is written without a request. */
const SAMPLE_LIMIT = 100

/** Writes the statement that reads the first page of a list. */
export function writeFirstPage(dialect: SqlDialect, list: SqlIndexableList): Statement {
  const { query, prefix } = useIndexPrefix(
    dialect,
    dropConstantTerms(dialect, { ...list, columns: [], limit: SAMPLE_LIMIT, offset: 0 }),
  )
  const listOrder = { dialect, order: query.order }
  const [group = []] = groupRanges(listOrder, splitIntoRanges(listOrder, prefix, undefined))
  return writeSelect(dialect, query, [], group)
}

/** Groups the ranges that one statement reads. */
function groupRanges({ dialect }: ListOrder, ranges: readonly IndexRange[]): readonly (readonly IndexRange[])[] {
  const groups: IndexRange[][] = []
  for (const range of ranges) {
    const last = groups.at(-1)
    if (dialect.hasLazyUnions && last?.[0]?.needsSort === false && !range.needsSort) last.push(range)
    else groups.push([range])
  }
  return groups
}

function readRangeGroups(
  context: ReadContext,
  groups: readonly (readonly IndexRange[])[],
  limit: number,
): Promise<RawRows> {
  const [only] = groups
  return groups.length === 1 && only !== undefined
    ? readRangeGroup(context, only, limit)
    : readSequentially(context, groups, limit)
}

async function readSequentially(
  context: ReadContext,
  groups: readonly (readonly IndexRange[])[],
  limit: number,
): Promise<RawRows> {
  let rows: RawRows = []
  for (const group of groups) {
    if (rows.length >= limit) break
    rows = rows.concat(await readRangeGroup(context, group, limit - rows.length))
  }
  return rows
}

function readRangeGroup(context: ReadContext, group: readonly IndexRange[], limit: number): Promise<RawRows> {
  const { client, query, columns, list } = context
  const isLimited = limit < Number.POSITIVE_INFINITY
  const [first] = group
  if (first?.needsSort === true && isLimited) return readValueByValue(context, first, limit)
  const part = { ...query, limit: isLimited ? limit : undefined, offset: 0 }
  const statement = writeSelect(list.dialect, part, columns, group)
  // Conditions with many values may exceed the limit of one statement, since each range repeats them.
  if (group.length === 1 || statement.values.length <= list.dialect.maxValues) return client.query(statement)
  return readSequentially(
    context,
    group.map((range) => [range]),
    limit,
  )
}

// Reads rows by the values of the next column, since equal ones can be read from an index: first the rows of the first value,
// in case there are many. If they are not enough, reads all rows before the value that fills the part, which are few and are
// sorted, and then the rows with that value.
async function readValueByValue(context: ReadContext, range: IndexRange, limit: number): Promise<RawRows> {
  const { list } = context
  let rest = range
  let rows: RawRows = []
  for (let row = 1; rows.length < limit; row = limit - rows.length) {
    const value = await readCursorValueAt(context, rest, row)
    const before: IndexRange = {
      ...rest,
      ...(value && { bounds: { ...pickAfter(rest), before: value } }),
      needsSort: false,
    }
    const equal = value === undefined ? [] : listRangesWithPrefix(list, [...rest.prefix, value])
    const ranges = row === 1 ? equal : [before, ...equal]
    rows = rows.concat(await readRangeGroups(context, groupRanges(list, ranges), limit - rows.length))
    if (value === undefined) break
    rest = { ...rest, bounds: { after: [value] } }
  }
  return rows
}

const pickAfter = ({ bounds }: IndexRange): { readonly after: readonly Operand[] } => ({ after: bounds?.after ?? [] })

/** Reads the value of the next column in a row of a range, counted from 1; undefined if there are fewer rows. */
async function readCursorValueAt(
  { client, query, list }: ReadContext,
  range: IndexRange,
  row: number,
): Promise<Operand | undefined> {
  const { length } = range.prefix
  const { reference } = list.order[length] as SqlOrderStep
  const order = list.order.slice(0, length + 1)
  const columns = [{ ...reference, forCursor: true as const }]
  const statement = writeSelect(list.dialect, { ...query, order, limit: 1, offset: row - 1 }, columns, [range])
  const [found] = await client.query(statement)
  if (found === undefined) return undefined
  const raw: unknown = Array.isArray(found) ? found[0] : found['c0' as never]
  const { toCursorValue: encode = toCursorValue } = reference.column
  return { cursorValue: raw === null ? null : encode(raw) }
}
