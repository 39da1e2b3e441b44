// The codecs of PostgreSQL: values that drivers parse differently are read as text that no session setting changes.
import { asIs } from '../../query/as-is.ts'
import { parseFloatBits, selectFloatBits, toShortestFloat } from '../sql/values/float.ts'
import { formatPostgresDate, formatPostgresTimestamp, parsePostgresDate } from '../sql/values/postgres-dates.ts'
import type { CatalogueColumn } from './catalogue.ts'
import {
  bytesCodec,
  type ColumnCodec,
  computeIntegerRange,
  createIntegerCodec,
  createOtherCodec,
  createTextCodec,
  decimalCodec,
  jsonCodec,
  numberCodec,
  uuidCodec,
} from './column-codec.ts'
import { createDateCodec, createTimestampCodec, type ParsedTimestamp, timeCodec } from './timestamp-codecs.ts'

const castToText = (expression: string): string => `${expression}::text`

/** Returns the codec for a client that returns numbers as the database writes them: it needs no cast to text. */
export function withoutNumberCast(codec: ColumnCodec): ColumnCodec {
  const { toSelectSql, ...rest } = codec
  return toSelectSql === castToText && NUMBER_KINDS.has(codec.kind) ? rest : codec
}

const NUMBER_KINDS = new Set<ColumnCodec['kind']>(['integer', 'bigint', 'decimal'])
// JSON has the only format of dates that DateStyle does not change, with all digits and the offset.
const formatAsIso = (expression: string): string => `to_json(${expression}) #>> '{}'`

const textCodec = createTextCodec((value) => !value.includes('\0'))

const SPECIAL_NUMBERS = new Set<unknown>(['NaN', 'Infinity', '-Infinity'])

function withSpecialNumbers(codec: ColumnCodec): ColumnCodec {
  return {
    ...codec,
    toSelectSql: castToText,
    isCursorValue: (value) => SPECIAL_NUMBERS.has(value) || codec.isCursorValue(value),
  }
}

function createFloatCodec(type: 'float8' | 'float4', decode: (value: unknown) => unknown): ColumnCodec {
  return {
    ...numberCodec,
    toSelectSql: selectFloatBits(type),
    decode: (raw) => decode(parseFloatBits(raw)),
    toCursorValue: (raw) => String(parseFloatBits(raw)),
    // A cursor value has one form: the number with the bits of the column.
    isCursorValue: (value) => value === String(type === 'float4' ? Math.fround(Number(value)) : Number(value)),
  }
}

const booleanCodec: ColumnCodec = {
  kind: 'boolean',
  toSelectSql: castToText,
  encode: (value) => value,
  decode: (raw) => raw === 'true',
  isCursorValue: (value) => value === 'true' || value === 'false',
}

function createPostgresTimestampCodec(form: 'local' | 'with-offset'): ColumnCodec {
  const isCursorValue = (found: ParsedTimestamp): boolean =>
    found.hasOffset === (form === 'with-offset') && found.year > 0
  return {
    ...createTimestampCodec({ encode: formatPostgresTimestamp, isCursorValue, hasInfinity: true }),
    toSelectSql: formatAsIso,
  }
}

const dateCodec: ColumnCodec = {
  ...createDateCodec(({ year }) => year > 0, true),
  toSelectSql: formatAsIso,
  encode: formatPostgresDate,
  decode: parsePostgresDate,
}

// The meaning of these texts does not depend on the session, or the session parses them as it has written them.
const castTextCodec: ColumnCodec = { ...textCodec, toSelectSql: castToText }
const CAST_TEXT_TYPES =
  'name char interval inet cidr macaddr macaddr8 bit varbit xid8 pg_lsn tid oidvector tsvector tsquery ' +
  'int4range int8range numrange int4multirange int8multirange nummultirange'

const timeOfDayCodec: ColumnCodec = {
  ...timeCodec,
  isCursorValue: (value) =>
    typeof value === 'string' && /^\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:[+-]\d\d(?::\d\d){0,2})?$/.test(value),
}

const codecByType: ReadonlyMap<string, ColumnCodec> = new Map([
  ['text', textCodec],
  ['varchar', textCodec],
  ['bpchar', textCodec],
  ['citext', textCodec],
  ['int2', { ...createIntegerCodec('integer', computeIntegerRange(16)), type: 'int2', toSelectSql: castToText }],
  ['int4', { ...createIntegerCodec('integer', computeIntegerRange(32)), type: 'int4', toSelectSql: castToText }],
  ['int8', { ...createIntegerCodec('bigint', computeIntegerRange(64)), type: 'int8', toSelectSql: castToText }],
  ['float4', createFloatCodec('float4', toShortestFloat)],
  ['float8', createFloatCodec('float8', asIs)],
  ['numeric', withSpecialNumbers(decimalCodec)],
  ['bool', booleanCodec],
  ['date', dateCodec],
  ['timestamp', createPostgresTimestampCodec('local')],
  ['timestamptz', createPostgresTimestampCodec('with-offset')],
  ['time', { ...timeOfDayCodec, toSelectSql: castToText }],
  ['timetz', { ...timeOfDayCodec, toSelectSql: castToText }],
  [
    'money',
    {
      ...decimalCodec,
      toSelectSql: (expression) => `${expression}::numeric::text`,
      parameterWrapper: ['cast(', ' as numeric)::money'],
    },
  ],
  ['oid', { ...createIntegerCodec('bigint', computeIntegerRange(32, true)), toSelectSql: castToText }],
  ['json', { ...jsonCodec, toSelectSql: castToText }],
  ['jsonb', { ...jsonCodec, toSelectSql: castToText }],
  ['bytea', { ...bytesCodec, toSelectSql: (expression) => `encode(${expression}, 'hex')` }],
  ['uuid', { ...uuidCodec, type: 'uuid', toSelectSql: castToText }],
  ...CAST_TEXT_TYPES.split(' ').map((type) => [type, castTextCodec] as const),
])

/** Returns the codec of a column. */
export function findPostgresCodec({ type, labels }: Pick<CatalogueColumn, 'type' | 'labels'>): ColumnCodec {
  if (labels) return { ...createTextCodec((value) => labels.includes(value)), toSelectSql: castToText }
  return codecByType.get(type) ?? createOtherCodec(type)
}
