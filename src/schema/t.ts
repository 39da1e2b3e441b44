// Every kind of attribute under one short name.
import { any } from './any.ts'
import { bigint } from './bigint.ts'
import { boolean } from './boolean.ts'
import { collection } from './collection.ts'
import { date } from './date.ts'
import { dateTime } from './date-time.ts'
import { decimal } from './decimal.ts'
import { file } from './file.ts'
import { hash } from './hash.ts'
import { integer } from './integer.ts'
import { json } from './json.ts'
import { number } from './number.ts'
import { ref } from './ref.ts'
import { schema } from './standard.ts'
import { string } from './string.ts'
import { struct } from './struct.ts'
import { time } from './time.ts'
import { union } from './union.ts'

/** The kinds of attributes: `t.string({ max: 200 })`, `t.collection(t.integer())`, and so on. */
export const t: {
  readonly any: typeof any
  readonly bigint: typeof bigint
  readonly boolean: typeof boolean
  readonly collection: typeof collection
  readonly date: typeof date
  readonly dateTime: typeof dateTime
  readonly decimal: typeof decimal
  readonly file: typeof file
  readonly hash: typeof hash
  readonly integer: typeof integer
  readonly json: typeof json
  readonly number: typeof number
  readonly ref: typeof ref
  readonly schema: typeof schema
  readonly string: typeof string
  readonly struct: typeof struct
  readonly time: typeof time
  readonly union: typeof union
} = Object.freeze({
  any,
  bigint,
  boolean,
  collection,
  date,
  dateTime,
  decimal,
  file,
  hash,
  integer,
  json,
  number,
  ref,
  schema,
  string,
  struct,
  time,
  union,
})
