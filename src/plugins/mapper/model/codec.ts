// Codecs: convert an attribute's values to those of a column and back, for each pair of compatible kinds.

import { attributeRules, type DecimalOptions, Dumping, decimals, INVALID, Loading } from '../../../extend.ts'
import type { Attribute } from '../../../index.ts'
import { asIs } from '../../query/as-is.ts'
import { parseIsoTimestamp } from '../../query/parse-timestamp.ts'
import type { ColumnKind } from '../../query/query.ts'

/** Converts an attribute's values to those of a column and back; null is never passed to it. */
export interface Codec {
  readonly toColumn: (value: unknown) => unknown
  readonly fromColumn: (value: unknown) => unknown
  /** Whether order and equality of the values are the same in both. */
  readonly comparable: boolean
}

const identityCodec: Codec = { toColumn: asIs, fromColumn: asIs, comparable: true }

const createCodec = (toColumn: Codec['toColumn'], fromColumn: Codec['fromColumn'], comparable = true): Codec => ({
  toColumn,
  fromColumn,
  comparable,
})

const dateTimeAsText = createCodec((value) => (value as Date).toISOString(), parseDateTime)
const booleanAsInteger = createCodec(Number, Boolean)
// A value without an exact equivalent in the other kind stays unchanged: it can be compared, but not written.
const bigintAsInteger = createCodec(
  (value) => (Number.isSafeInteger(Number(value)) ? Number(value) : value),
  (value) => BigInt(value as number),
)
const integerAsBigint = createCodec((value) => (Number.isInteger(value) ? BigInt(value as number) : value), Number)
// SQL decimals are written without an exponent.
const numberAsDecimal = createCodec((value) => decimals.expandExponent(String(value)), Number)
const bigintAsText = createCodec(String, (value) => BigInt((value as string).replace(/\.0*$/, '')))

// Without an offset, the text is in local time; with a space, it is not ISO 8601. Date has rules for both.
function parseDateTime(value: unknown): Date {
  const isIso = typeof value === 'string' && value[10] === 'T' && value.endsWith('Z')
  return new Date((isIso ? parseIsoTimestamp(value) : undefined) ?? (value as string))
}

type CodecsByKind = Readonly<Partial<Record<ColumnKind, Codec>>>

// Numbers stored as text sort as text: such a column can be read, but neither ordered nor filtered by.
const withoutOrder = (codec: Codec): Codec => ({ ...codec, comparable: false })

const CODECS: Readonly<Record<string, CodecsByKind>> = {
  string: {
    text: identityCodec,
    decimal: withoutOrder(identityCodec),
    date: identityCodec,
    time: identityCodec,
    other: identityCodec,
  },
  integer: { integer: identityCodec, bigint: integerAsBigint, number: identityCodec, decimal: numberAsDecimal },
  number: { integer: identityCodec, number: identityCodec, decimal: numberAsDecimal, bigint: integerAsBigint },
  bigint: { bigint: identityCodec, integer: bigintAsInteger, decimal: bigintAsText, text: withoutOrder(bigintAsText) },
  decimal: { decimal: identityCodec, text: withoutOrder(identityCodec) },
  boolean: { boolean: identityCodec, integer: booleanAsInteger },
  date: { date: identityCodec, text: identityCodec },
  dateTime: { dateTime: identityCodec, text: dateTimeAsText },
  time: { time: identityCodec, text: identityCodec },
}

// The column may have another scale: its text is normalized to that of the attribute. A value that is not a number is
// returned as it is; response validation reports it.
function createDecimalCodec({ options }: Attribute, kind: 'decimal' | 'text'): Codec {
  const { scale } = options as DecimalOptions
  return createCodec(
    asIs,
    (value) => (decimals.isDecimal(value) ? decimals.normalizeDecimal(value, scale) : value),
    CODECS['decimal']?.[kind]?.comparable,
  )
}

/** Returns the attribute inside `t.json`; any other attribute itself. */
export const unwrapJson = (attribute: Attribute): Attribute =>
  attribute.core.shape === 'value' ? (attribute.core.target ?? attribute) : attribute

/** Returns the codec of an attribute and a column of some kind; undefined if they are incompatible. */
export function findCodec(attribute: Attribute, kind: ColumnKind): Codec | undefined {
  const inner = unwrapJson(attribute)
  const { scalar } = inner.core
  if (scalar === 'decimal' && (kind === 'decimal' || kind === 'text')) return createDecimalCodec(inner, kind)
  const pairs = scalar === undefined ? undefined : CODECS[scalar]
  if (pairs !== undefined) return pairs[kind] ?? (kind === 'json' ? createJsonCodec(inner) : undefined)
  return kind === 'json' || kind === 'other' ? createJsonCodec(inner) : undefined
}

/** Lists the column kinds that can store an attribute. */
export function describeFittingKinds(attribute: Attribute): string {
  const pairs = CODECS[unwrapJson(attribute).core.scalar ?? '']
  return pairs === undefined ? 'json' : Object.keys(pairs).join(', ')
}

// Structures are stored as JSON, in the format of a response. Values that JSON does not have are parsed by the attribute;
// data that no longer fits it is returned as it is, and response validation reports it.
function createJsonCodec(attribute: Attribute): Codec {
  const { core } = attribute
  const fromColumn = hasNonJsonValues(attribute, new Set())
    ? (value: unknown): unknown => {
        const loaded = attributeRules.getLoader({ core })(value, new Loading('json'))
        return loaded === INVALID ? value : loaded
      }
    : identityCodec.fromColumn
  return createCodec(
    (value) => {
      const dumped = attributeRules.getDumper({ core })(value, new Dumping('unchecked'))
      if (dumped === INVALID) throw new TypeError(`a value does not fit its attribute of the kind ${core.kindName}`)
      return dumped
    },
    fromColumn,
    false,
  )
}

function hasNonJsonValues(attribute: Attribute, seen: Set<Attribute>): boolean {
  const { scalar, shape, unchangedType: passes, target, children } = attribute.core
  // Decimals are strings in JSON and in JavaScript.
  if (shape === 'value' && target === undefined && passes === undefined && scalar !== 'decimal') return true
  if (seen.has(attribute)) return false
  seen.add(attribute)
  return [...(target === undefined ? [] : [target]), ...Object.values(children)].some((one) =>
    hasNonJsonValues(one, seen),
  )
}
