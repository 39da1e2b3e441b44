// The contents of tables: few different values, so that there are many ties, and some that are hard to tell apart.
import fc from 'fast-check'

/** The kind of a field's values. */
export type Kind = 'text' | 'integer' | 'number' | 'bigint' | 'boolean' | 'date' | 'moment'

/** A value of a field; moments are texts with six digits after the point, in UTC. */
export type Value = string | number | bigint | boolean

/** A row, by the names of its columns. */
export type Row = Readonly<Record<string, Value | null>>

/** The contents of the tables; the items are those of one of the two tables. */
export interface Content {
  readonly table: 'singles' | 'pairs'
  readonly towns: readonly Row[]
  readonly owners: readonly Row[]
  readonly items: readonly Row[]
  readonly marks: readonly Row[]
}

/** The kinds of the columns of each table. */
export const COLUMNS = {
  towns: { id: 'integer', name: 'text' },
  owners: { id: 'integer', name: 'text', rank: 'integer', town_id: 'integer' },
  marks: { id: 'integer', section: 'text', number: 'integer', score: 'integer', note: 'text' },
  items: {
    section: 'text',
    number: 'integer',
    word: 'text',
    note: 'text',
    count: 'integer',
    size: 'integer',
    ratio: 'number',
    big: 'bigint',
    flag: 'boolean',
    day: 'date',
    at: 'moment',
    owner_id: 'integer',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Kind>>>>

/** The values that a datastore can keep. */
export interface Abilities {
  /** Whether moments have microseconds. */
  readonly micros: boolean
  /** Whether whole numbers have 64 bits, and not only as many as a number of JavaScript. */
  readonly wide: boolean
}

const words = ['a', 'A', 'b', '', ' ', 'a ', 'a  ', 'é', 'e\u0301', 'ß', '\uffff', '\ue000', '😀', '😁', 'a😀', '中']
const signs = ['%', '_', 'a%', "it's", '"', '\\', 'a\\', 'a,b', '*', '[a]', '?', '!', '\n', '+', 'a&b=(c|d)']
const texts: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...words.slice(0, 7)) },
  { weight: 4, arbitrary: fc.constantFrom(...words, ...signs) },
  {
    weight: 1,
    arbitrary: fc.string({ unit: 'grapheme-composite', maxLength: 4 }).filter((text) => !text.includes('\0')),
  },
)
const days = ['0001-01-01', '1999-12-31', '2000-01-01', '2000-02-29', '9999-12-31']
const moments = [
  '1000-01-01T00:00:00.000000',
  '1969-12-31T23:59:59.999999',
  '1970-01-01T00:00:00.000000',
  '2024-02-29T12:00:00.123000',
  '2024-02-29T12:00:00.123001',
  '2024-02-29T12:00:00.123999',
  '2024-02-29T12:00:00.124000',
  '9999-12-31T23:59:59.999000',
]
const SAFE = BigInt(Number.MAX_SAFE_INTEGER)
const bigs = [-SAFE, -1n, 0n, 7n, SAFE - 1n, SAFE]
const wideBigs = [-(2n ** 63n), -(2n ** 63n) + 1n, SAFE + 1n, SAFE + 2n, 2n ** 63n - 2n, 2n ** 63n - 1n]

/** Some value of a kind. */
export function valuesOf(kind: Kind, { micros, wide }: Abilities): fc.Arbitrary<Value> {
  switch (kind) {
    case 'text':
      return texts
    case 'integer':
      return fc.constantFrom(-2147483648, -2, -1, 0, 1, 2, 3, 2147483647)
    case 'number':
      return fc.constantFrom(-1e300, -1.5, -0.1, 0, 0.1, 0.30000000000000004, 0.3, 1e-9, 2, 12345678.000000002, 1e300)
    case 'bigint':
      return fc.constantFrom(...bigs, ...(wide ? wideBigs : []))
    case 'boolean':
      return fc.boolean()
    case 'date':
      return fc.constantFrom(...days)
    case 'moment':
      return fc.constantFrom(...moments.map((moment) => (micros ? moment : `${moment.slice(0, 23)}000`)))
  }
}

const small = fc.constantFrom<Value>(-1, 0, 1, 2)
const maybe = (kind: Kind, able: Abilities) => fc.option(valuesOf(kind, able), { nil: null, freq: 3 })

/** Any item; its owner is any number. */
export const itemRows = (able: Abilities): fc.Arbitrary<Row> =>
  fc.record<Record<string, Value | null>>({
    section: fc.constantFrom('', 'p', 'q ', 'q', '😀', '\uffff'),
    number: fc.integer({ min: -100, max: 99 }),
    word: valuesOf('text', able),
    note: maybe('text', able),
    count: small,
    size: maybe('integer', able),
    ratio: maybe('number', able),
    big: maybe('bigint', able),
    flag: maybe('boolean', able),
    day: maybe('date', able),
    at: maybe('moment', able),
    owner_id: fc.option(fc.nat(), { nil: null, freq: 4 }),
  })

/** Contents of the tables that a datastore can keep. */
export function contents(able: Abilities, maxItems = 40): fc.Arbitrary<Content> {
  const text = maybe('text', able)
  const towns = fc.array(text, { minLength: 1, maxLength: 3 })
  const owner = fc.record({ name: text, rank: small, town_id: fc.option(fc.nat(), { nil: null, freq: 3 }) })
  const owners = fc.array(owner, { minLength: 1, maxLength: 5, size: 'max' })
  const mark = fc.record({ of: fc.nat(), score: fc.option(small, { nil: null }), note: text })
  const marks = fc.array(mark, { maxLength: 30, size: 'max' })
  return fc.constantFrom<Content['table']>('singles', 'pairs').chain((table) => {
    const items = fc
      .array(itemRows(able), { maxLength: maxItems, size: 'max' })
      .map((rows) => uniqueRows(table === 'singles' ? rows : rows.map(closer), table))
    return fc.record({ towns, owners, items, marks }).map((drawn) => linked(table, drawn))
  })
}

// Keys of two fields have much in common.
const closer = (row: Row): Row => ({ ...row, number: ((Number(row['number']) + 100) % 10) - 3 })

function uniqueRows(rows: readonly Row[], table: Content['table']): Row[] {
  const keyOf = (row: Row): string =>
    table === 'singles' ? String(row['number']) : `${row['number']} ${row['section']}`
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()]
}

/** Rows whose references are any numbers. */
interface DrawnRows {
  readonly towns: readonly (Value | null)[]
  readonly owners: readonly { readonly name: Value | null; readonly rank: Value; readonly town_id: number | null }[]
  readonly items: readonly Row[]
  readonly marks: readonly { readonly of: number; readonly score: Value | null; readonly note: Value | null }[]
}

/** Turns numbers into references to rows that exist. */
function linked(
  table: Content['table'],
  { towns: townNames, owners: ownerRows, items: itemRows, marks: markRows }: DrawnRows,
): Content {
  const at = (number: number | null, length: number): number | null => (number === null ? null : (number % length) + 1)
  const towns = townNames.map((name, i) => ({ id: i + 1, name }))
  const owners = ownerRows.map((row, i) => ({ id: i + 1, ...row, town_id: at(row.town_id, towns.length) }))
  const items = itemRows.map((row) => ({ ...row, owner_id: at(row['owner_id'] as number | null, owners.length) }))
  const marks = markRows.flatMap(({ of, score, note }, i) => {
    const item = items[of % items.length] as Row | undefined
    return item === undefined ? [] : [{ id: i + 1, section: item['section']!, number: item['number']!, score, note }]
  })
  return { table, towns, owners, items, marks }
}
