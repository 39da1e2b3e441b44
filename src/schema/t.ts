// Every kind of attribute under one short name.
import { any } from './structures/any.ts'
import { bigint } from './scalars/bigint.ts'
import { boolean } from './scalars/boolean.ts'
import { collection } from './structures/array.ts'
import { date } from './scalars/date.ts'
import { dateTime } from './scalars/date-time.ts'
import { decimal } from './scalars/decimal.ts'
import { file } from './structures/file.ts'
import { hash } from './structures/record.ts'
import { integer } from './scalars/integer.ts'
import { json } from './structures/json.ts'
import { number } from './scalars/number.ts'
import { ref } from './structures/ref.ts'
import { schema } from './structures/standard.ts'
import { string } from './scalars/string.ts'
import { struct } from './structures/object.ts'
import { time } from './scalars/time.ts'
import { union } from './structures/union.ts'

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
