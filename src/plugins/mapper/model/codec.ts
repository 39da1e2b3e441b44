// Codecs: how an attribute's values are kept in a column, for each pair of kinds that fit together.

import { type DecimalOptions, Dumping, decimals, INVALID, Loading } from '../../../extend.ts'
import type { Attribute } from '../../../index.ts'
import { asIs } from '../../query/as-is.ts'
import type { ColumnKind } from '../../query/query.ts'
import { parseIsoTimestamp } from '../../query/parse-timestamp.ts'

/** How one attribute's values become a column's, and back; null never reaches it. */
export interface Codec {
  readonly toColumn: (value: unknown) => unknown
  readonly fromColumn: (value: unknown) => unknown
  /** Whether values have the same order and the same equality in both. */
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
// A value without an exact form in the other kind stays as it is: it can be compared, and writing it is refused.
const bigintAsInteger = createCodec(
  (value) => (Number.isSafeInteger(Number(value)) ? Number(value) : value),
  (value) => BigInt(value as number),
)
const integerAsBigint = createCodec((value) => (Number.isInteger(value) ? BigInt(value as number) : value), Number)
// A decimal has no exponent.
const numberAsDecimal = createCodec((value) => decimals.expandExponent(String(value)), Number)
const bigintAsText = createCodec(String, (value) => BigInt((value as string).replace(/\.0*$/, '')))

// Without an offset a text is in the zone of the machine, and with a space it is none of ISO 8601: Date has rules for both.
function parseDateTime(value: unknown): Date {
  const isIso = typeof value === 'string' && value[10] === 'T' && value.endsWith('Z')
  return new Date((isIso ? parseIsoTimestamp(value) : undefined) ?? (value as string))
}

type CodecsByKind = Readonly<Partial<Record<ColumnKind, Codec>>>

// Texts that stand for numbers sort as texts: such a column can be read, but neither ordered nor compared by its attribute.
const withoutOrder = (one: Codec): Codec => ({ ...one, comparable: false })

const CODECS: Readonly<Record<string, CodecsByKind>> = {
  string: { text: identityCodec, decimal: withoutOrder(identityCodec), date: identityCodec, time: identityCodec, other: identityCodec },
  integer: { integer: identityCodec, bigint: integerAsBigint, number: identityCodec, decimal: numberAsDecimal },
  number: { integer: identityCodec, number: identityCodec, decimal: numberAsDecimal, bigint: integerAsBigint },
  bigint: { bigint: identityCodec, integer: bigintAsInteger, decimal: bigintAsText, text: withoutOrder(bigintAsText) },
  decimal: { decimal: identityCodec, text: withoutOrder(identityCodec) },
  boolean: { boolean: identityCodec, integer: booleanAsInteger },
  date: { date: identityCodec, text: identityCodec },
  dateTime: { dateTime: identityCodec, text: dateTimeAsText },
  time: { time: identityCodec, text: identityCodec },
}

// A column has a scale of its own: its texts become those of the attribute. A value that is no number stays, for the response's
// own check to judge.
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

/** The codec of an attribute and a column of some kind; undefined when they do not fit together. */
export function findCodec(attribute: Attribute, kind: ColumnKind): Codec | undefined {
  const meant = unwrapJson(attribute)
  const { scalar } = meant.core
  if (scalar === 'decimal' && (kind === 'decimal' || kind === 'text')) return createDecimalCodec(meant, kind)
  const pairs = scalar === undefined ? undefined : CODECS[scalar]
  if (pairs !== undefined) return pairs[kind] ?? (kind === 'json' ? createJsonCodec(meant) : undefined)
  return kind === 'json' || kind === 'other' ? createJsonCodec(meant) : undefined
}

/** The kinds of columns that an attribute can be kept in. */
export function describeFittingKinds(attribute: Attribute): string {
  const pairs = CODECS[unwrapJson(attribute).core.scalar ?? '']
  return pairs === undefined ? 'json' : Object.keys(pairs).join(', ')
}

// A structure is kept as JSON, the way a response would write it. Values without a form in JSON are read back through the
// attribute; data that no longer fits it is shown as it is, for the response's own check to judge.
function createJsonCodec(attribute: Attribute): Codec {
  const { core } = attribute
  const fromColumn = hasNonJsonValues(attribute, new Set())
    ? (value: unknown): unknown => {
        const loaded = core.loader(value, new Loading(false))
        return loaded === INVALID ? value : loaded
      }
    : identityCodec.fromColumn
  return createCodec(
    (value) => {
      const written = core.dumper(value, new Dumping(false))
      if (written === INVALID) throw new TypeError(`a value does not fit its attribute of the kind ${core.kindName}`)
      return written
    },
    fromColumn,
    false,
  )
}

function hasNonJsonValues(attribute: Attribute, seen: Set<Attribute>): boolean {
  const { scalar, shape, passes, target, children } = attribute.core
  // Decimal numbers are the same texts everywhere.
  if (shape === 'value' && target === undefined && passes === undefined && scalar !== 'decimal') return true
  if (seen.has(attribute)) return false
  seen.add(attribute)
  return [...(target === undefined ? [] : [target]), ...Object.values(children)].some((one) => hasNonJsonValues(one, seen))
}
