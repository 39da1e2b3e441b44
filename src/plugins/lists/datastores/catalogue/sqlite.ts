// The types of SQLite, which has none: the declared names decide what a column holds.
import { decimals } from '../../../../extend.ts'
import { asIs } from '../../resource/codec.ts'
import { bytesOf, DOUBLE_DIGITS } from '../sql/statements/place.ts'
import { bigOf, numberPlaces, placesOf, textPlaces, unmarked, untypedPlaces, wholeOf } from '../sql/values/sqlite.ts'
import type { CatalogueColumn } from './catalogue.ts'
import {
  bitForm,
  bytesForm,
  decimalForm,
  type Form,
  jsonForm,
  numberForm,
  textForm,
  wholeForm,
  wholeRange,
} from './form.ts'
import { dateForm, momentForm, timeForm } from './moment.ts'

const asInteger = ['cast(', ' as integer)'] as const

const integer: Form = {
  ...wholeForm('integer', wholeRange(64)),
  ...numberPlaces,
  decode: wholeOf,
  around: asInteger,
}
const bigint: Form = { ...integer, kind: 'bigint', decode: bigOf }

// A number with a fraction is a double there.
const decimal: Form = {
  ...decimalForm,
  ...numberPlaces,
  digits: DOUBLE_DIGITS,
  around: ['cast(', ' as numeric)'],
  decode: (raw) => decimals.plainDecimal(String(raw)),
}

const dateTime: Form = {
  ...momentForm({ encode: (value) => value.toISOString(), isPlace: () => true }),
  ...numberPlaces,
}
const boolean: Form = { ...bitForm, ...numberPlaces, decode: (raw) => Number(raw) !== 0, around: asInteger }

// Some clients give a kind of bytes of their own.
function bytesFrom(raw: unknown): unknown {
  const found = bytesOf(raw)
  return found === undefined ? unmarked(raw) : new Uint8Array(found.buffer, found.byteOffset, found.byteLength)
}

const bytes: Form = { ...bytesForm, ...untypedPlaces, decode: bytesFrom }
const json: Form = { ...jsonForm, read: (expression) => `cast(${expression} as text)` }
const date: Form = { ...dateForm(() => true), ...numberPlaces }
const text: Form = { ...textForm(), ...textPlaces }
const number: Form = { ...numberForm, ...numberPlaces }
const time: Form = { ...timeForm, ...numberPlaces }

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
  ['time', time],
  ['numeric', decimal],
  ['decimal', decimal],
  ['json', json],
  ['jsonb', json],
  ['uuid', { ...textForm(), ...numberPlaces }],
])

/** Finds what a column with a declared type holds: by its name, or else as SQLite itself decides it. */
export function sqliteForm({ type }: CatalogueColumn): Form {
  const form = named.get(type)
  if (form) return form
  if (type.includes('int')) return integer
  if (/char|clob|text/.test(type)) return text
  if (type.includes('blob')) return bytes
  if (/real|floa|doub/.test(type)) return number
  return { kind: 'other', encode: asIs, decode: unmarked, ...placesOf(type) }
}
