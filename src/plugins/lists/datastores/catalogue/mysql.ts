// The types of MySQL and MariaDB: values that drivers would parse differently are read as text, and timestamps are in UTC.

import { textLength } from '../sql/statements/place.ts'
import { clockOf } from '../sql/values/clock.ts'
import { shortestFloat } from '../sql/values/float.ts'
import { timestampForm } from '../sql/values/timestamp.ts'
import type { CatalogueColumn } from './catalogue.ts'
import {
  bitForm,
  bytesForm,
  decimalForm,
  type Form,
  jsonForm,
  numberForm,
  otherForm,
  textForm,
  uuidForm,
  wholeForm,
  wholeRange,
} from './form.ts'
import { dateForm, momentForm, timeForm } from './moment.ts'

const asText = (expression: string): string => `cast(${expression} as char)`

const BITS: ReadonlyMap<string, number> = new Map([
  ['tinyint', 8],
  ['smallint', 16],
  ['mediumint', 24],
  ['int', 32],
])

// A number beside text would be compared as a double, so that the text has to become what the column is.
function whole(kind: 'integer' | 'bigint', range: readonly [bigint, bigint]): Form {
  const around = ['cast(', range[0] === 0n ? ' as unsigned)' : ' as signed)'] as const
  return { ...wholeForm(kind, range), read: asText, around }
}

function decimal(declared: string): Form {
  const [, precision = '10', scale = '0'] = /\((\d+)(?:,(\d+))?\)/.exec(declared) ?? []
  const around = ['cast(', ` as decimal(65, ${Math.min(30, 65 - Number(precision) + Number(scale))}))`] as const
  return { ...decimalForm, read: asText, around }
}

// A float is shown with six digits but compared as the double that it is.
const float: Form = {
  ...numberForm,
  read: (expression) => `(${expression} + 0e0)`,
  encode: (value) => Math.fround(Number(value)),
  decode: shortestFloat,
}

// An enumeration is ordered by the numbers of its labels but compared with their texts, unless it gets a number.
function enumeration(labels: readonly string[]): Form {
  return {
    kind: 'text',
    read: (expression) => `(${expression} + 0)`,
    encode: (value) => labels.indexOf(String(value)) + 1 || value,
    decode: (raw) => labels[Number(raw) - 1] ?? '',
    isPlace: (value) => typeof value === 'number' && (value === 0 || labels[value - 1] !== undefined),
  }
}

const unsigned: NonNullable<Form['comparison']> = (expression, op, value) => ({
  strings: [`cast(${expression} as unsigned) ${op} cast(`, ' as unsigned)'],
  values: [value],
})

// A set is ordered by the number that has a bit for each label, and compared with texts unless it gets a number.
function setOf(labels: readonly string[]): Form {
  return {
    kind: 'text',
    read: (expression) => `cast(cast(${expression} as unsigned) as char)`,
    around: ['cast(', ' as unsigned)'],
    encode: (value) => {
      const names = value === '' ? [] : String(value).split(',')
      const bits = names.map((name) => labels.indexOf(name))
      return bits.includes(-1) ? value : String(bits.reduce((set, bit) => set | (1n << BigInt(bit)), 0n))
    },
    decode: (raw) => {
      const set = BigInt(raw as string)
      return labels.filter((_, bit) => (set >> BigInt(bit)) & 1n).join()
    },
    isPlace: (value) => typeof value === 'string' && /^\d{1,20}$/.test(value) && BigInt(value) < 1n << 64n,
    // Only the number of a full set has a bit that could be taken for a sign.
    ...(labels.length === 64 && { comparison: unsigned }),
  }
}

const labelsOf = (declared: string): readonly string[] =>
  Array.from(declared.matchAll(/'((?:[^']|'')*)'/g), ([, label = '']) => label.replaceAll("''", "'"))

// Dates may lack a day, a month or all of it, and days that a month does not have may have been let in.
const DAY = String.raw`\d{4}-(?:0\d|1[0-2])-(?:[0-2]\d|3[01])`
const CLOCK = String.raw`(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?`
const like = (pattern: string): Form['isPlace'] => {
  const whole = new RegExp(`^${pattern}$`)
  return (value) => typeof value === 'string' && whole.test(value)
}
const utcText = (value: Date): string => value.toISOString().slice(0, -1).replace('T', ' ')
const moment = momentForm({ encode: utcText, isPlace: () => true })
const dateTime: Form = { ...moment, read: asText, isPlace: like(`${DAY} ${CLOCK}`) }
const timestamp: Form = { kind: 'dateTime', ...timestampForm }
const time: Form = {
  ...timeForm,
  read: asText,
  decode: clockOf,
  isPlace: like(String.raw`-?\d{2,3}:[0-5]\d:[0-5]\d(?:\.\d{1,6})?`),
}
const date: Form = { ...dateForm(() => true), read: asText, isPlace: like(DAY) }
// The database reads the text as what the column is, and takes what is none for nothing.
const typed = (type: string): Form => ({ ...textForm(), read: asText, around: ['cast(', ` as ${type})`] })

const bytes: Form = { ...bytesForm, read: (expression) => `lower(hex(${expression}))` }

// MariaDB reads a UUID of the variant 10 as null when its version is above 7, and null comes neither before nor after.
const UNREAD = /^.{14}[89a-f].{4}[89ab]/i

const isOrderedUuid: Form['isPlace'] = (value) => uuidForm.isPlace(value) && !UNREAD.test(String(value))

const forms: ReadonlyMap<string, Form> = new Map([
  ['year', { ...whole('integer', [0n, 2155n]), read: (expression) => asText(`${expression} + 0`) }],
  ['float', float],
  ['double', numberForm],
  ['date', date],
  ['datetime', dateTime],
  ['timestamp', timestamp],
  ['time', time],
  ['json', { ...jsonForm, read: asText }],
  ['uuid', { ...uuidForm, read: asText, isPlace: isOrderedUuid }],
  ['inet4', typed('inet4')],
  ['inet6', typed('inet6')],
])

// Long texts are sorted by so many bytes of their sort keys at most, whatever a session allows.
const sorted: Form = {
  ...textForm(),
  unordered: 'the database sorts texts of its type only by their beginnings; use varchar or text',
}

// Stored, and sorted, with spaces up to its length, and compared without them: below a space, the two differ.
const padded: Form = {
  ...textForm(),
  unordered: 'a char that does not pad is sorted unlike it is compared; use varchar',
}

/** Finds what a column holds. */
export function mysqlForm({ type, declared, collation }: CatalogueColumn): Form {
  const unsigned = declared.includes('unsigned')
  if (declared === 'tinyint(1)') return { ...bitForm, read: asText }
  if (declared === 'bit(1)') return { ...bitForm, read: (expression) => asText(`${expression} + 0`) }
  if (type === 'bit') return bits(Number(/\d+/.exec(declared)?.[0] ?? 1))
  if (type === 'enum') return enumeration(labelsOf(declared))
  if (type === 'set') return setOf(labelsOf(declared))
  const size = BITS.get(type)
  if (size) return whole('integer', wholeRange(size, unsigned))
  if (type === 'bigint') return whole('bigint', wholeRange(64, unsigned))
  if (type === 'decimal') return decimal(declared)
  if (type === 'mediumtext' || type === 'longtext') return sorted
  if (type === 'char' && collation?.includes('nopad')) return padded
  if (/char$|text$/.test(type)) return { ...textForm(), sortLength: textLength(declared) }
  return /blob$|binary$/.test(type) ? bytes : (forms.get(type) ?? otherForm(type))
}

function bits(size: number): Form {
  const kind = size < 53 ? 'integer' : 'bigint'
  return { ...whole(kind, [0n, (1n << BigInt(size)) - 1n]), read: (expression) => asText(`${expression} + 0`) }
}
