// Codecs: how an attribute's values are kept in a column, for each pair of kinds that fit together.

import { type DecimalOptions, Dumping, decimals, INVALID, Loading } from '../../../extend.ts'
import type { Attribute } from '../../../index.ts'
import type { ColumnKind } from '../query.ts'
import { usualMoment } from './moment.ts'

/** How one attribute's values become a column's, and back; null never reaches it. */
export interface Codec {
  readonly toColumn: (value: unknown) => unknown
  readonly fromColumn: (value: unknown) => unknown
  /** Whether values have the same order and the same equality in both. */
  readonly comparable: boolean
}

/** Gives values as they are; callers that find it may skip the call. */
export const asIs = (value: unknown): unknown => value

const same: Codec = { toColumn: asIs, fromColumn: asIs, comparable: true }

const codec = (toColumn: Codec['toColumn'], fromColumn: Codec['fromColumn'], comparable = true): Codec => ({
  toColumn,
  fromColumn,
  comparable,
})

const moments = codec((value) => (value as Date).toISOString(), momentFrom)
const flags = codec(Number, Boolean)
// A value without an exact form in the other kind stays as it is: it can be compared, and writing it is refused.
const bigFromInteger = codec(
  (value) => (Number.isSafeInteger(Number(value)) ? Number(value) : value),
  (value) => BigInt(value as number),
)
const integerFromBig = codec((value) => (Number.isInteger(value) ? BigInt(value as number) : value), Number)
// A decimal has no exponent.
const numberFromText = codec((value) => decimals.plainDecimal(String(value)), Number)
const bigFromText = codec(String, (value) => BigInt((value as string).replace(/\.0*$/, '')))

// Without an offset a text is in the zone of the machine, and with a space it is none of ISO 8601: Date has rules for both.
function momentFrom(value: unknown): Date {
  const isIso = typeof value === 'string' && value[10] === 'T' && value.endsWith('Z')
  return new Date((isIso ? usualMoment(value) : undefined) ?? (value as string))
}

type Pairs = Readonly<Partial<Record<ColumnKind, Codec>>>

// Texts that stand for numbers sort as texts: such a column can be read, but neither ordered nor compared by its attribute.
const unordered = (one: Codec): Codec => ({ ...one, comparable: false })

const PAIRS: Readonly<Record<string, Pairs>> = {
  string: { text: same, decimal: unordered(same), date: same, time: same, other: same },
  integer: { integer: same, bigint: integerFromBig, number: same, decimal: numberFromText },
  number: { integer: same, number: same, decimal: numberFromText, bigint: integerFromBig },
  bigint: { bigint: same, integer: bigFromInteger, decimal: bigFromText, text: unordered(bigFromText) },
  decimal: { decimal: same, text: unordered(same) },
  boolean: { boolean: same, integer: flags },
  date: { date: same, text: same },
  dateTime: { dateTime: same, text: moments },
  time: { time: same, text: same },
}

// A column has a scale of its own: its texts become those of the attribute. A value that is no number stays, for the response's
// own check to judge.
function decimalCodec({ options }: Attribute, kind: 'decimal' | 'text'): Codec {
  const { scale } = options as DecimalOptions
  return codec(
    asIs,
    (value) => (decimals.isDecimal(value) ? decimals.canonicalDecimal(value, scale) : value),
    PAIRS['decimal']?.[kind]?.comparable,
  )
}

/** Returns the attribute inside `t.json`; any other attribute itself. */
export const meantBy = (attribute: Attribute): Attribute =>
  attribute.core.shape === 'value' ? (attribute.core.target ?? attribute) : attribute

/** The codec of an attribute and a column of some kind; undefined when they do not fit together. */
export function codecOf(attribute: Attribute, kind: ColumnKind): Codec | undefined {
  const meant = meantBy(attribute)
  const { scalar } = meant.core
  if (scalar === 'decimal' && (kind === 'decimal' || kind === 'text')) return decimalCodec(meant, kind)
  const pairs = scalar === undefined ? undefined : PAIRS[scalar]
  if (pairs !== undefined) return pairs[kind] ?? (kind === 'json' ? structured(meant) : undefined)
  return kind === 'json' || kind === 'other' ? structured(meant) : undefined
}

/** The kinds of columns that an attribute can be kept in. */
export function fittingKinds(attribute: Attribute): string {
  const pairs = PAIRS[meantBy(attribute).core.scalar ?? '']
  return pairs === undefined ? 'json' : Object.keys(pairs).join(', ')
}

// A structure is kept as JSON, the way a response would write it. Values without a form in JSON are read back through the
// attribute; data that no longer fits it is shown as it is, for the response's own check to judge.
function structured(attribute: Attribute): Codec {
  const { core } = attribute
  const fromColumn = holdsMore(attribute, new Set())
    ? (value: unknown): unknown => {
        const loaded = core.loader(value, new Loading(false))
        return loaded === INVALID ? value : loaded
      }
    : same.fromColumn
  return codec(
    (value) => {
      const written = core.dumper(value, new Dumping(false))
      if (written === INVALID) throw new TypeError(`a value does not fit its attribute of the kind ${core.kindName}`)
      return written
    },
    fromColumn,
    false,
  )
}

function holdsMore(attribute: Attribute, seen: Set<Attribute>): boolean {
  const { scalar, shape, passes, target, children } = attribute.core
  // Decimal numbers are the same texts everywhere.
  if (shape === 'value' && target === undefined && passes === undefined && scalar !== 'decimal') return true
  if (seen.has(attribute)) return false
  seen.add(attribute)
  return [...(target === undefined ? [] : [target]), ...Object.values(children)].some((one) => holdsMore(one, seen))
}
