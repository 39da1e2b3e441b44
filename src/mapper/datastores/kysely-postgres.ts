// The types of PostgreSQL: what drivers would parse in their own ways is read as text that no setting of a session changes.
import {
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
import { dayOf, dayText, momentText } from './sql-years.ts'

const asText = (expression: string): string => `${expression}::text`
// JSON has the one form of dates that DateStyle does not change, with all digits and the offset.
const asIso = (expression: string): string => `to_json(${expression}) #>> '{}'`

const text = textForm((value) => !value.includes('\0'))

const LIMITS = new Set<unknown>(['NaN', 'Infinity', '-Infinity'])

function withLimits(form: Form): Form {
  return { ...form, read: asText, isPlace: (value) => LIMITS.has(value) || form.isPlace(value) }
}

// What is too great for the type is an error there, and so is what is too near to zero.
function float(nearest: (value: number) => number): Form {
  const isPlace = (value: unknown): boolean => {
    if (typeof value !== 'string' || !FLOAT.test(value)) return false
    const number = nearest(Number(value))
    return Number.isFinite(number) && (number !== 0 || /^[-0.]+(?:e|$)/.test(value))
  }
  return withLimits({ ...numberForm, isPlace })
}

const FLOAT = /^-?\d{1,20}(?:\.\d{1,30})?(?:e[+-]\d{1,3})?$/

const boolean: Form = {
  kind: 'boolean',
  read: asText,
  encode: (value) => value,
  decode: (raw) => raw === 'true',
  isPlace: (value) => value === 'true' || value === 'false',
}

// Years before the first are counted from 1 backwards there, and have a sign of their own.
const isYear = ({ year, isBefore }: Moment): boolean => year > 0 && year <= (isBefore ? 4712 : 275_759)

function moment(hasOffset: boolean): Form {
  const isPlace = (found: Moment): boolean => found.hasOffset === hasOffset && isYear(found)
  return { ...momentForm({ encode: momentText, isPlace, boundless: true }), read: asIso }
}

const date: Form = { ...dateForm(isYear, true), read: asIso, encode: dayText, decode: dayOf }

const forms: ReadonlyMap<string, Form> = new Map([
  ['text', text],
  ['varchar', text],
  ['bpchar', text],
  ['citext', text],
  ['int2', { ...wholeForm('integer', wholeRange(16)), read: asText }],
  ['int4', { ...wholeForm('integer', wholeRange(32)), read: asText }],
  ['int8', { ...wholeForm('bigint', wholeRange(64)), read: asText }],
  ['float4', float(Math.fround)],
  ['float8', float(Number)],
  ['numeric', withLimits(decimalForm)],
  ['bool', boolean],
  ['date', date],
  ['timestamp', moment(false)],
  ['timestamptz', moment(true)],
  ['time', { ...timeForm, read: asText }],
  ['json', { ...jsonForm, read: asText }],
  ['jsonb', { ...jsonForm, read: asText }],
  ['bytea', { ...bytesForm, read: (expression) => `encode(${expression}, 'hex')` }],
  ['uuid', { ...uuidForm, read: asText }],
])

/** Finds what a column holds. */
export function postgresForm({ type, labels }: CatalogueColumn): Form {
  if (labels) return { ...textForm((value) => labels.includes(value)), read: asText }
  return forms.get(type) ?? otherForm
}
