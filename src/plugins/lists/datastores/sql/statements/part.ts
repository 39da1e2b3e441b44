// Reads a part of a list stretch by stretch until it is full: in one statement where the database reads no more stretches
// than it needs, and otherwise in one for each.
import type { Each, Indexable, Operand, OrderStep, RawRow, Reference, Select } from '../../../query.ts'
import { DIALECTS, type Dialect } from '../dialect.ts'
import { isIndexMissing } from '../fault.ts'
import type { SqlClient, SqlColumn, Statement } from '../sql.ts'
import { writeEach } from './each.ts'
import { mayEqual } from './filter.ts'
import { ledBy, withoutSettled } from './lead.ts'
import { placeOf } from './place.ts'
import { type Guided, writeSelect } from './select.ts'
import { type Listing, type Stretch, stretchesOf, tiedTo } from './stretches.ts'

type Rows = readonly RawRow[]

/** A query that is being read. */
interface Reading {
  readonly client: SqlClient
  readonly query: Guided
  readonly columns: readonly Reference[]
  readonly list: Listing
}

/** Reads the rows of a query; `columns` are read as c0, c1 and so on. */
export function readPart(client: SqlClient, query: Select, columns: readonly Reference[]): Promise<Rows> {
  return readLed(client, query, columns).catch((error: unknown) => {
    if (!isIndexMissing(error)) throw error
    // The catalogue was read when the application started, and the index was removed since.
    return readLed(client, { ...query, from: Object.assign(query.from, { indexes: [] }) }, columns)
  })
}

function readLed(client: SqlClient, query: Select, columns: readonly Reference[]): Promise<Rows> {
  const dialect = DIALECTS[client.dialect]
  const { limit = Number.POSITIVE_INFINITY, offset, each } = query
  if (each !== undefined) return readEach(client, query, columns, each)
  // A page by its number passes over the rows before it anyway, and a list without pages reads all of them.
  const free = withoutSettled(dialect, query)
  const isPlaced = free.after !== undefined || (offset === 0 && limit < Number.POSITIVE_INFINITY)
  if (!isPlaced) return client.query(writeSelect(dialect, free, columns))
  const led = ledBy(dialect, free)
  const list = { dialect, order: led.query.order }
  const reading = { client, query: led.query, columns, list }
  const rows = readGroups(reading, groupsOf(list, stretchesOf(list, led.tied, led.query.after)), offset + limit)
  return offset === 0 ? rows : rows.then((all) => all.slice(offset))
}

// Keys are values of other columns, of which this one may be too narrow for some: no row has them.
function readEach(client: SqlClient, query: Select, columns: readonly Reference[], each: Each): Promise<Rows> {
  const fits = (key: Each['keys'][number]): boolean =>
    key.every((value, i) => mayEqual(each.columns[i] as SqlColumn, value))
  const fitting = each.keys.every(fits) ? each : { ...each, keys: each.keys.filter(fits) }
  if (fitting.keys.length === 0) return Promise.resolve([])
  return client.query(writeEach(DIALECTS[client.dialect], query, columns, fitting))
}

/** How many rows a statement reads that is written for no request. */
const SOME_ROWS = 100

/** Writes the statement that reads the beginning of a list. */
export function openingOf(dialect: Dialect, list: Indexable): Statement {
  const { query, tied } = ledBy(dialect, withoutSettled(dialect, { ...list, columns: [], limit: SOME_ROWS, offset: 0 }))
  const listing = { dialect, order: query.order }
  const [group = []] = groupsOf(listing, stretchesOf(listing, tied, undefined))
  return writeSelect(dialect, query, [], group)
}

/** Puts together what one statement reads. */
function groupsOf({ dialect }: Listing, stretches: readonly Stretch[]): readonly (readonly Stretch[])[] {
  const groups: Stretch[][] = []
  for (const stretch of stretches) {
    const last = groups.at(-1)
    if (dialect.unions && last?.[0]?.unsorted === false && !stretch.unsorted) last.push(stretch)
    else groups.push([stretch])
  }
  return groups
}

function readGroups(reading: Reading, groups: readonly (readonly Stretch[])[], limit: number): Promise<Rows> {
  const [only] = groups
  return groups.length === 1 && only !== undefined
    ? readGroup(reading, only, limit)
    : readInTurn(reading, groups, limit)
}

async function readInTurn(reading: Reading, groups: readonly (readonly Stretch[])[], limit: number): Promise<Rows> {
  let rows: Rows = []
  for (const group of groups) {
    if (rows.length >= limit) break
    rows = rows.concat(await readGroup(reading, group, limit - rows.length))
  }
  return rows
}

function readGroup(reading: Reading, group: readonly Stretch[], limit: number): Promise<Rows> {
  const { client, query, columns, list } = reading
  const isLimited = limit < Number.POSITIVE_INFINITY
  const [first] = group
  if (first?.unsorted === true && isLimited) return readByValues(reading, first, limit)
  const part = { ...query, limit: isLimited ? limit : undefined, offset: 0 }
  const statement = writeSelect(list.dialect, part, columns, group)
  // Conditions with many values may not fit into one statement as often as there are stretches.
  if (group.length === 1 || statement.values.length <= list.dialect.maxValues) return client.query(statement)
  return readInTurn(
    reading,
    group.map((stretch) => [stretch]),
    limit,
  )
}

// Rows that are equal in the next column can be read from an index, value by value: first those of the first value, in case
// there are many. If they are not enough, all that come before the value at which the part is full, which are few and are
// sorted, and then those that have it.
async function readByValues(reading: Reading, stretch: Stretch, limit: number): Promise<Rows> {
  const { list } = reading
  let left = stretch
  let rows: Rows = []
  for (let reach = 1; rows.length < limit; reach = limit - rows.length) {
    const value = await valueAt(reading, left, reach)
    const near: Stretch = { ...left, ...(value && { values: { ...after(left), before: value } }), unsorted: false }
    const tied = value === undefined ? [] : tiedTo(list, [...left.tied, value])
    const found = reach === 1 ? tied : [near, ...tied]
    rows = rows.concat(await readGroups(reading, groupsOf(list, found), limit - rows.length))
    if (value === undefined) break
    left = { ...left, values: { after: [value] } }
  }
  return rows
}

const after = ({ values }: Stretch): { readonly after: readonly Operand[] } => ({ after: values?.after ?? [] })

/** The value of the next column in a row of a stretch, counted from 1; undefined when there are fewer. */
async function valueAt({ client, query, list }: Reading, stretch: Stretch, row: number): Promise<Operand | undefined> {
  const { length } = stretch.tied
  const { reference } = list.order[length] as OrderStep
  const order = list.order.slice(0, length + 1)
  const placed = [{ ...reference, placed: true as const }]
  const statement = writeSelect(list.dialect, { ...query, order, limit: 1, offset: row - 1 }, placed, [stretch])
  const [found] = await client.query(statement)
  if (found === undefined) return undefined
  const raw: unknown = Array.isArray(found) ? found[0] : found['c0' as never]
  const { place = placeOf } = reference.column as SqlColumn
  return { place: raw === null ? null : place(raw) }
}
