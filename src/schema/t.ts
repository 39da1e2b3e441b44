// The functions of all attribute kinds under one short name.

import { bigint } from './scalars/bigint.ts'
import { boolean } from './scalars/boolean.ts'
import { date } from './scalars/date.ts'
import { dateTime } from './scalars/date-time.ts'
import { decimal } from './scalars/decimal.ts'
import { integer } from './scalars/integer.ts'
import { number } from './scalars/number.ts'
import { string } from './scalars/string.ts'
import { time } from './scalars/time.ts'
import { any } from './structures/any.ts'
import { array } from './structures/array.ts'
import { file } from './structures/file.ts'
import { json } from './structures/json.ts'
import { object } from './structures/object.ts'
import { record } from './structures/record.ts'
import { ref } from './structures/ref.ts'
import { standard } from './structures/standard.ts'
import { union } from './structures/union.ts'

/** The functions that declare attributes, one for each kind. */
export interface AttributeKinds {
  readonly any: typeof any
  readonly bigint: typeof bigint
  readonly boolean: typeof boolean
  readonly array: typeof array
  readonly date: typeof date
  readonly dateTime: typeof dateTime
  readonly decimal: typeof decimal
  readonly file: typeof file
  readonly record: typeof record
  readonly integer: typeof integer
  readonly json: typeof json
  readonly number: typeof number
  readonly ref: typeof ref
  readonly standard: typeof standard
  readonly string: typeof string
  readonly object: typeof object
  readonly time: typeof time
  readonly union: typeof union
}

/** The kinds of attributes: `t.string({ max: 200 })`, `t.array(t.integer())`, and so on. */
export const t: AttributeKinds = Object.freeze({
  any,
  bigint,
  boolean,
  array,
  date,
  dateTime,
  decimal,
  file,
  record,
  integer,
  json,
  number,
  ref,
  standard,
  string,
  object,
  time,
  union,
})
