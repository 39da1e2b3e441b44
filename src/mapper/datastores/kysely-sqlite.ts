// The types of SQLite, which has none: the declared names decide what a column holds.
import { plainDecimal } from '../../util/decimal.ts'
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
  wholeForm,
  wholeRange,
} from './kysely-form.ts'
import { dateForm, momentForm, timeForm } from './kysely-moment.ts'
import { DOUBLE_DIGITS } from './sql-place.ts'

const asText = (expression: string): string => `cast(${expression} as text)`
const asInteger = ['cast(', ' as integer)'] as const

const integer: Form = { ...wholeForm('integer', wholeRange(64)), read: asText, around: asInteger }
const bigint: Form = { ...wholeForm('bigint', wholeRange(64)), read: asText, around: asInteger }

// A number with a fraction is a double there, and its text would have fewer digits; only whole ones need to be text.
const decimal: Form = {
  ...decimalForm,
  digits: DOUBLE_DIGITS,
  read: (expression) =>
    `case typeof(${expression}) when 'real' then ${expression} else cast(${expression} as text) end`,
  around: ['cast(', ' as numeric)'],
  decode: (raw) => plainDecimal(String(raw)),
  isPlace: (value) => numberForm.isPlace(value) || decimalForm.isPlace(value),
}

const dateTime = momentForm({ encode: (value) => value.toISOString(), isPlace: ({ isBefore }) => !isBefore })
// Everything can be compared with everything there.
const untyped: Form = {
  ...otherForm,
  isPlace: (value) => typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value)),
}
const boolean: Form = { ...bitForm, read: asText, around: asInteger }
const bytes: Form = {
  ...bytesForm,
  read: (expression) => `case when ${expression} is not null then lower(hex(${expression})) end`,
}
const json: Form = { ...jsonForm, read: asText }
const date = dateForm(({ isBefore }) => !isBefore)

const named: ReadonlyMap<string, Form> = new Map([
  ['bigint', bigint],
  ['int8', bigint],
  ['unsigned big int', bigint],
  ['boolean', boolean],
  ['bool', boolean],
  ['date', date],
  ['datetime', dateTime],
  ['timestamp', dateTime],
  ['timestamptz', dateTime],
  ['time', timeForm],
  ['numeric', decimal],
  ['decimal', decimal],
  ['json', json],
  ['jsonb', json],
  ['uuid', textForm()],
])

/** Finds what a column with a declared type holds: by its name, or else as SQLite itself decides it. */
export function sqliteForm({ type }: CatalogueColumn): Form {
  const form = named.get(type)
  if (form) return form
  if (type.includes('int')) return integer
  if (/char|clob|text/.test(type)) return textForm()
  if (type.includes('blob')) return bytes
  return /real|floa|doub/.test(type) ? numberForm : untyped
}
