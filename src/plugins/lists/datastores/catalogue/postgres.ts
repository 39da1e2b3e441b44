// The types of PostgreSQL: values that drivers would parse differently are read as text that no session setting changes.
import { asIs } from '../../resource/codec.ts'
import { bitsOf, numberOfBits, shortestFloat } from '../sql/values/float.ts'
import { dayOf, dayText, momentText } from '../sql/values/years.ts'
import type { CatalogueColumn } from './catalogue.ts'
import {
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
import { dateForm, type Moment, momentForm, timeForm } from './moment.ts'

const asText = (expression: string): string => `${expression}::text`

/** The form of a column for a client that gives numbers as the database writes them: they need not be read as text. */
export function unparsed(form: Form): Form {
  const { read, ...rest } = form
  return read === asText && NUMBERS.has(form.kind) ? rest : form
}

const NUMBERS = new Set<Form['kind']>(['integer', 'bigint', 'decimal'])
// JSON has the one form of dates that DateStyle does not change, with all digits and the offset.
const asIso = (expression: string): string => `to_json(${expression}) #>> '{}'`

const text = textForm((value) => !value.includes('\0'))

const LIMITS = new Set<unknown>(['NaN', 'Infinity', '-Infinity'])

function withLimits(form: Form): Form {
  return { ...form, read: asText, isPlace: (value) => LIMITS.has(value) || form.isPlace(value) }
}

function float(type: 'float8' | 'float4', decode: (value: unknown) => unknown): Form {
  return {
    ...numberForm,
    read: bitsOf(type),
    decode: (raw) => decode(numberOfBits(raw)),
    place: (raw) => String(numberOfBits(raw)),
    // Places have one form: that of the number that the column's bits are.
    isPlace: (value) => value === String(type === 'float4' ? Math.fround(Number(value)) : Number(value)),
  }
}

const boolean: Form = {
  kind: 'boolean',
  read: asText,
  encode: (value) => value,
  decode: (raw) => raw === 'true',
  isPlace: (value) => value === 'true' || value === 'false',
}

function moment(hasOffset: boolean): Form {
  const isPlace = (found: Moment): boolean => found.hasOffset === hasOffset && found.year > 0
  return { ...momentForm({ encode: momentText, isPlace, boundless: true }), read: asIso }
}

const date: Form = { ...dateForm(({ year }) => year > 0, true), read: asIso, encode: dayText, decode: dayOf }

// The meaning of their texts does not depend on a session, or the same session reads it as it has written it.
const plain: Form = { ...text, read: asText }
const PLAIN =
  'name char interval inet cidr macaddr macaddr8 bit varbit xid8 pg_lsn tid oidvector tsvector tsquery ' +
  'int4range int8range numrange int4multirange int8multirange nummultirange'

const clock: Form = {
  ...timeForm,
  isPlace: (value) =>
    typeof value === 'string' && /^\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:[+-]\d\d(?::\d\d){0,2})?$/.test(value),
}

const forms: ReadonlyMap<string, Form> = new Map([
  ['text', text],
  ['varchar', text],
  ['bpchar', text],
  ['citext', text],
  ['int2', { ...wholeForm('integer', wholeRange(16)), type: 'int2', read: asText }],
  ['int4', { ...wholeForm('integer', wholeRange(32)), type: 'int4', read: asText }],
  ['int8', { ...wholeForm('bigint', wholeRange(64)), type: 'int8', read: asText }],
  ['float4', float('float4', shortestFloat)],
  ['float8', float('float8', asIs)],
  ['numeric', withLimits(decimalForm)],
  ['bool', boolean],
  ['date', date],
  ['timestamp', moment(false)],
  ['timestamptz', moment(true)],
  ['time', { ...clock, read: asText }],
  ['timetz', { ...clock, read: asText }],
  [
    'money',
    { ...decimalForm, read: (expression) => `${expression}::numeric::text`, around: ['cast(', ' as numeric)::money'] },
  ],
  ['oid', { ...wholeForm('bigint', wholeRange(32, true)), read: asText }],
  ['json', { ...jsonForm, read: asText }],
  ['jsonb', { ...jsonForm, read: asText }],
  ['bytea', { ...bytesForm, read: (expression) => `encode(${expression}, 'hex')` }],
  ['uuid', { ...uuidForm, type: 'uuid', read: asText }],
  ...PLAIN.split(' ').map((type) => [type, plain] as const),
])

/** Finds what a column holds. */
export function postgresForm({ type, labels }: CatalogueColumn): Form {
  if (labels) return { ...textForm((value) => labels.includes(value)), read: asText }
  return forms.get(type) ?? otherForm(type)
}
