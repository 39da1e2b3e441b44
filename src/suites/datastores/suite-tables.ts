// The tables of the datastore suite, and the rows that its read tests expect in them.
import type { ColumnKind, MemoryTable } from '../../plugins/mapper/index.ts'

/** A column that a tested datastore must have. */
export interface SuiteColumn {
  readonly name: string
  readonly kind: ColumnKind
  readonly nullable: boolean
  /** Whether the datastore generates the values of new rows. */
  readonly generated: boolean
}

/** A table that a tested datastore must have. */
export interface SuiteTable {
  readonly name: string
  readonly columns: readonly SuiteColumn[]
  /** The names of the columns of the primary key. */
  readonly key: readonly string[]
}

/** A row by the names of its columns. */
export type SuiteRow = Readonly<Record<string, unknown>>

/** Values of every comparable kind, in ascending order. */
export const ascendingValues: Readonly<Partial<Record<ColumnKind, readonly unknown[]>>> = {
  text: [
    ...[
      '',
      ' a',
      '"b"',
      '%',
      '100%',
      'A',
      "O'Hara",
      '[a]',
      '\\',
      '_',
      'a',
      'a ',
      'a%b',
      'aB',
      'a\\b',
      'a_b',
      'ab',
      'axb',
    ],
    ...['e', 'e\u0301', 'ß', 'é', '\uffee', '\u{1f600}', '\u{1f600}a'],
  ],
  integer: [-2147483648, -12, -1, 0, 1, 2, 10, 2147483647],
  bigint: [-(2n ** 63n), -(2n ** 53n) - 1n, -(2n ** 53n), -1n, 0n, 9n, 10n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n],
  number: [-1e21, -1.5, -1e-7, 0, 0.1, 0.2, 0.3, 0.30000000000000004, 1, 10, 123456789.12345679],
  decimal: [
    ...['-1234567890123456.7892', '-1234567890123456.7891', '-10', '-0.0001', '0', '0.1', '0.1001', '9.5', '10'],
    ...['9007199254740993', '9007199254740993.0001', '9999999999999999.9999'],
  ],
  boolean: [false, true],
  date: ['1900-01-01', '1969-12-31', '1970-01-01', '2024-02-29', '2024-03-01', '2024-12-31', '9999-12-31'],
  dateTime: [
    ...['1901-01-01T00:00:00.001Z', '1969-12-31T23:59:59.999Z', '1970-01-01T00:00:00.000Z', '2024-02-29T23:59:59.999Z'],
    ...['2024-03-31T01:30:00.000Z', '2024-03-31T02:30:00.000Z', '2024-03-31T02:30:00.001Z', '2024-10-27T00:30:00.000Z'],
    ...['2024-10-27T01:30:00.000Z', '2038-01-19T03:14:08.000Z', '2100-01-01T00:00:00.000Z'],
  ].map((text) => new Date(text)),
  time: ['00:00:00', '00:00:01', '09:30:00', '10:00:00', '23:59:59'],
}

/** Values of the kinds that are only written and read. */
const opaqueValues: Readonly<Partial<Record<ColumnKind, readonly unknown[]>>> = {
  json: [{}, [], { a: [1, null, { b: 'é\u{1f600}' }], c: false }, [0.1, -1, 'x', "'"]],
  bytes: [new Uint8Array(), Uint8Array.of(0), Uint8Array.of(0, 255, 10, 39, 92), Uint8Array.of(200, 1)],
}

/** The kinds that the suite can test. */
export type SuiteKind = Exclude<ColumnKind, 'other'>

/** The column of each kind in the table `samples`. */
export const sampleColumns: Readonly<Record<SuiteKind, string>> = {
  text: 'label',
  integer: 'amount',
  bigint: 'big',
  number: 'ratio',
  decimal: 'price',
  boolean: 'done',
  date: 'day',
  dateTime: 'moment',
  time: 'clock',
  json: 'extra',
  bytes: 'content',
}

/** Every kind that the suite can test. */
export const suiteKinds: readonly SuiteKind[] = Object.keys(sampleColumns) as readonly SuiteKind[]

const createSuiteColumn = (
  name: string,
  kind: ColumnKind,
  given: 'always' | 'nullable' | 'generated' = 'always',
): SuiteColumn => ({
  name,
  kind,
  nullable: given === 'nullable',
  generated: given === 'generated',
})

/** Builds the tables, limited to the kinds of columns that a datastore has. */
export function buildSuiteTables(kinds: readonly SuiteKind[]): readonly SuiteTable[] {
  const samples = kinds.map((kind) => createSuiteColumn(sampleColumns[kind], kind, 'nullable'))
  return [
    { name: 'samples', columns: [createSuiteColumn('id', 'integer', 'generated'), ...samples], key: ['id'] },
    {
      name: 'countries',
      columns: [createSuiteColumn('code', 'text'), createSuiteColumn('name', 'text', 'nullable')],
      key: ['code'],
    },
    {
      name: 'authors',
      columns: [
        createSuiteColumn('id', 'integer', 'generated'),
        createSuiteColumn('name', 'text'),
        createSuiteColumn('country', 'text', 'nullable'),
      ],
      key: ['id'],
    },
    {
      name: 'books',
      columns: [
        ...[
          createSuiteColumn('id', 'integer', 'generated'),
          createSuiteColumn('title', 'text'),
          createSuiteColumn('author', 'integer', 'nullable'),
        ],
        ...[createSuiteColumn('editor', 'integer', 'nullable'), createSuiteColumn('pages', 'integer', 'nullable')],
      ],
      key: ['id'],
    },
    {
      name: 'editions',
      columns: [
        createSuiteColumn('book', 'integer'),
        createSuiteColumn('issue', 'integer'),
        createSuiteColumn('note', 'text', 'nullable'),
      ],
      key: ['book', 'issue'],
    },
  ]
}

/** Converts a table of the suite to a declaration of the memory datastore. */
export function toMemoryTable({ columns, key }: SuiteTable): MemoryTable {
  const declared = columns.map(({ name, kind, nullable, generated }) => [name, { kind, nullable, generated }] as const)
  return { columns: Object.fromEntries(declared), key }
}

/** The number of rows in `samples`: more than any kind has values, so that each value and null occur. */
const sampleCount = 30

/** Returns the index of a sample's value among the values of a kind; undefined if it is null. */
export function getSampleIndex(kind: SuiteKind, id: number): number | undefined {
  const count = (ascendingValues[kind] ?? opaqueValues[kind] ?? []).length
  const shift = suiteKinds.indexOf(kind) * 3
  const index = (shift % 2 === 0 ? id + shift : sampleCount - id + shift) % (count + 1)
  return index === count ? undefined : index
}

/** Returns a sample's value of a kind. */
export function getSampleValue(kind: SuiteKind, id: number): unknown {
  const index = getSampleIndex(kind, id)
  return index === undefined ? null : (ascendingValues[kind] ?? opaqueValues[kind])?.[index]
}

/** The ids of all samples. */
export const sampleIds: readonly number[] = Array.from({ length: sampleCount }, (_, i) => i + 1)

/** Builds the rows that the read tests expect, by the names of the tables. */
export function buildSuiteRows(kinds: readonly SuiteKind[]): Readonly<Record<string, readonly SuiteRow[]>> {
  const buildSample = (id: number): SuiteRow => ({
    id,
    ...Object.fromEntries(kinds.map((kind) => [sampleColumns[kind], getSampleValue(kind, id)])),
  })
  return {
    samples: sampleIds.map(buildSample),
    countries: [
      { code: 'at', name: 'Austria' },
      { code: 'es', name: 'España' },
      { code: 'xx', name: null },
    ],
    authors: [
      { id: 1, name: 'Ana', country: 'es' },
      { id: 2, name: 'Bert', country: 'at' },
      { id: 3, name: 'ana', country: null },
      { id: 4, name: 'Zoë', country: 'xx' },
      { id: 5, name: 'Lost', country: '??' },
    ],
    books: [
      { id: 1, title: 'One', author: 1, editor: 2, pages: 100 },
      { id: 2, title: 'Two', author: 1, editor: 1, pages: null },
      { id: 3, title: 'Three', author: 2, editor: null, pages: 30 },
      { id: 4, title: 'Four', author: 3, editor: 4, pages: 100 },
      { id: 5, title: 'Five', author: null, editor: null, pages: 5 },
      { id: 6, title: 'Six', author: 99, editor: 1, pages: null },
      { id: 7, title: 'Seven', author: 4, editor: 5, pages: -7 },
    ],
    editions: [
      { book: 1, issue: 1, note: 'first' },
      { book: 1, issue: 2, note: null },
      { book: 2, issue: 1, note: 'first' },
      { book: 4, issue: 7, note: 'signed' },
      { book: 99, issue: 1, note: 'lost' },
    ],
  }
}
