// The types of MySQL and MariaDB: what drivers would parse in their own ways is read as text, and moments are in UTC.
import {
  bitForm,
  bytesForm,
  type CatalogueColumn,
  decimalForm,
  type Form,
  jsonForm,
  numberForm,
  otherForm,
  textForm,
  uuidForm,
  wholeForm,
  wholeRange,
} from './kysely-form.ts'
import { dateForm, type Moment, momentForm, timeForm } from './kysely-moment.ts'

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
  decode: (raw) => shortestFloat(Number(raw)),
}

function shortestFloat(value: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits))
    if (Math.fround(short) === value) return short
  }
  return value
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

const labelsOf = (declared: string): readonly string[] =>
  Array.from(declared.matchAll(/'((?:[^']|'')*)'/g), ([, label = '']) => label.replaceAll("''", "'"))

const isYear = ({ year, isBefore }: Moment): boolean => year <= 9999 && !isBefore
const utcText = (value: Date): string => value.toISOString().slice(0, -1).replace('T', ' ')
const moment = momentForm({ encode: utcText, isPlace: (moment) => !moment.hasOffset && isYear(moment) })
const dateTime: Form = { ...moment, read: asText }

// A column of this type is shown in the session's zone, where an hour of autumn comes twice: only its seconds are exact.
const timestamp: Form = {
  ...moment,
  read: (expression) => asText(`timestamp('1970-01-01') + interval unix_timestamp(${expression}) second`),
  around: ['convert_tz(', `, '+00:00', @@session.time_zone)`],
}

const time: Form = {
  ...timeForm,
  read: asText,
  isPlace: (value) =>
    typeof value === 'string' && /^-?(?:\d\d|[0-7]\d\d|8[0-2]\d|83[0-8]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?$/.test(value),
}

const bytes: Form = { ...bytesForm, read: (expression) => `lower(hex(${expression}))` }

const forms: ReadonlyMap<string, Form> = new Map([
  ['year', whole('integer', [1901n, 2155n])],
  ['float', float],
  ['double', numberForm],
  ['date', { ...dateForm(isYear), read: asText }],
  ['datetime', dateTime],
  ['timestamp', timestamp],
  ['time', time],
  ['json', { ...jsonForm, read: asText }],
  ['uuid', { ...uuidForm, read: asText }],
])

/** Finds what a column holds. */
export function mysqlForm({ type, declared }: CatalogueColumn): Form {
  const unsigned = declared.includes('unsigned')
  if (declared === 'tinyint(1)') return { ...bitForm, read: asText }
  if (declared === 'bit(1)') return { ...bitForm, read: (expression) => asText(`${expression} + 0`) }
  if (type === 'enum') return enumeration(labelsOf(declared))
  const bits = BITS.get(type)
  if (bits) return whole('integer', wholeRange(bits, unsigned))
  if (type === 'bigint') return whole('bigint', wholeRange(64, unsigned))
  if (type === 'decimal') return decimal(declared)
  if (/char$|text$/.test(type)) return textForm()
  return /blob$|binary$/.test(type) ? bytes : (forms.get(type) ?? otherForm)
}
