// Reads a part of a list stretch by stretch until it is full: in one statement where the database reads no more stretches
// than it needs, and otherwise in one for each.
import type { PerKeyLimit, IndexableList, Operand, OrderStep, RawRow, Reference, Select } from '../../../query/query.ts'
import { DIALECTS, type SqlDialect } from '../dialect.ts'
import { isIndexMissing } from '../classify-error.ts'
import type { SqlClient, SqlColumn, Statement } from '../sql.ts'
import { writeSelectPerKey } from './select-per-key.ts'
import { mayEqual } from './write-filter.ts'
import { useIndexPrefix, dropConstantTerms } from './index-prefix.ts'
import { toCursorValue } from '../values/cursor-values.ts'
import { type HintedSelect, writeSelect } from './select.ts'
import { type ListOrder, type IndexRange, splitIntoRanges, listRangesWithPrefix } from './index-ranges.ts'

type RawRows = readonly RawRow[]

/** A query that is being read. */
interface ReadContext {
  readonly client: SqlClient
  readonly query: HintedSelect
  readonly columns: readonly Reference[]
  readonly list: ListOrder
}

/** Reads the rows of a query; `columns` are read as c0, c1 and so on. */
export function readRows(client: SqlClient, query: Select, columns: readonly Reference[]): Promise<RawRows> {
  return readByIndexPrefix(client, query, columns).catch((error: unknown) => {
    if (!isIndexMissing(error)) throw error
    // The catalogue was read when the application started, and the index was removed since.
    return readByIndexPrefix(client, { ...query, from: Object.assign(query.from, { indexes: [] }) }, columns)
  })
}

function readByIndexPrefix(client: SqlClient, query: Select, columns: readonly Reference[]): Promise<RawRows> {
  const dialect = DIALECTS[client.dialect]
  const { limit = Number.POSITIVE_INFINITY, offset, perKey: each } = query
  if (each !== undefined) return readPerKey(client, query, columns, each)
  // A page by its number passes over the rows before it anyway, and a list without pages reads all of them.
  const free = dropConstantTerms(dialect, query)
  const isPlaced = free.after !== undefined || (offset === 0 && limit < Number.POSITIVE_INFINITY)
  if (!isPlaced) return client.query(writeSelect(dialect, free, columns))
  const led = useIndexPrefix(dialect, free)
  const list = { dialect, order: led.query.order }
  const reading = { client, query: led.query, columns, list }
  const rows = readRangeGroups(reading, groupRanges(list, splitIntoRanges(list, led.prefix, led.query.after)), offset + limit)
  return offset === 0 ? rows : rows.then((all) => all.slice(offset))
}

// Keys are values of other columns, of which this one may be too narrow for some: no row has them.
function readPerKey(client: SqlClient, query: Select, columns: readonly Reference[], each: PerKeyLimit): Promise<RawRows> {
  const fits = (key: PerKeyLimit['keys'][number]): boolean =>
    key.every((value, i) => mayEqual(each.columns[i] as SqlColumn, value))
  const fitting = each.keys.every(fits) ? each : { ...each, keys: each.keys.filter(fits) }
  if (fitting.keys.length === 0) return Promise.resolve([])
  return client.query(writeSelectPerKey(DIALECTS[client.dialect], query, columns, fitting))
}

/** How many rows a statement reads that is written for no request. */
const SAMPLE_LIMIT = 100

/** Writes the statement that reads the beginning of a list. */
export function writeFirstPage(dialect: SqlDialect, list: IndexableList): Statement {
  const { query, prefix: tied } = useIndexPrefix(dialect, dropConstantTerms(dialect, { ...list, columns: [], limit: SAMPLE_LIMIT, offset: 0 }))
  const listing = { dialect, order: query.order }
  const [group = []] = groupRanges(listing, splitIntoRanges(listing, tied, undefined))
  return writeSelect(dialect, query, [], group)
}

/** Puts together what one statement reads. */
function groupRanges({ dialect }: ListOrder, stretches: readonly IndexRange[]): readonly (readonly IndexRange[])[] {
  const groups: IndexRange[][] = []
  for (const stretch of stretches) {
    const last = groups.at(-1)
    if (dialect.hasLazyUnions && last?.[0]?.unsorted === false && !stretch.unsorted) last.push(stretch)
    else groups.push([stretch])
  }
  return groups
}

function readRangeGroups(reading: ReadContext, groups: readonly (readonly IndexRange[])[], limit: number): Promise<RawRows> {
  const [only] = groups
  return groups.length === 1 && only !== undefined
    ? readRangeGroup(reading, only, limit)
    : readSequentially(reading, groups, limit)
}

async function readSequentially(reading: ReadContext, groups: readonly (readonly IndexRange[])[], limit: number): Promise<RawRows> {
  let rows: RawRows = []
  for (const group of groups) {
    if (rows.length >= limit) break
    rows = rows.concat(await readRangeGroup(reading, group, limit - rows.length))
  }
  return rows
}

function readRangeGroup(reading: ReadContext, group: readonly IndexRange[], limit: number): Promise<RawRows> {
  const { client, query, columns, list } = reading
  const isLimited = limit < Number.POSITIVE_INFINITY
  const [first] = group
  if (first?.unsorted === true && isLimited) return readValueByValue(reading, first, limit)
  const part = { ...query, limit: isLimited ? limit : undefined, offset: 0 }
  const statement = writeSelect(list.dialect, part, columns, group)
  // Conditions with many values may not fit into one statement as often as there are stretches.
  if (group.length === 1 || statement.values.length <= list.dialect.maxValues) return client.query(statement)
  return readSequentially(
    reading,
    group.map((stretch) => [stretch]),
    limit,
  )
}

// Rows that are equal in the next column can be read from an index, value by value: first those of the first value, in case
// there are many. If they are not enough, all that come before the value at which the part is full, which are few and are
// sorted, and then those that have it.
async function readValueByValue(reading: ReadContext, stretch: IndexRange, limit: number): Promise<RawRows> {
  const { list } = reading
  let left = stretch
  let rows: RawRows = []
  for (let reach = 1; rows.length < limit; reach = limit - rows.length) {
    const value = await readCursorValueAt(reading, left, reach)
    const near: IndexRange = { ...left, ...(value && { bounds: { ...pickAfter(left), before: value } }), unsorted: false }
    const tied = value === undefined ? [] : listRangesWithPrefix(list, [...left.prefix, value])
    const found = reach === 1 ? tied : [near, ...tied]
    rows = rows.concat(await readRangeGroups(reading, groupRanges(list, found), limit - rows.length))
    if (value === undefined) break
    left = { ...left, bounds: { after: [value] } }
  }
  return rows
}

const pickAfter = ({ bounds: values }: IndexRange): { readonly after: readonly Operand[] } => ({ after: values?.after ?? [] })

/** The value of the next column in a row of a stretch, counted from 1; undefined when there are fewer. */
async function readCursorValueAt({ client, query, list }: ReadContext, stretch: IndexRange, row: number): Promise<Operand | undefined> {
  const { length } = stretch.prefix
  const { reference } = list.order[length] as OrderStep
  const order = list.order.slice(0, length + 1)
  const placed = [{ ...reference, forCursor: true as const }]
  const statement = writeSelect(list.dialect, { ...query, order, limit: 1, offset: row - 1 }, placed, [stretch])
  const [found] = await client.query(statement)
  if (found === undefined) return undefined
  const raw: unknown = Array.isArray(found) ? found[0] : found['c0' as never]
  const { toCursorValue: place = toCursorValue } = reference.column as SqlColumn
  return { cursorValue: raw === null ? null : place(raw) }
}
