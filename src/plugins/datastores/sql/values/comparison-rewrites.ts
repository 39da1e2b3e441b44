// Folds comparisons with values that a column cannot hold: decides or rewrites them, where a database would refuse, round or
// misread the value.
import { decimals } from '../../../../extend.ts'
import type { Comparison } from '../../../query/query.ts'
import type { ComparisonFold, DialectName, FoldedComparison } from '../sql.ts'
import { toShortestFloat } from './float.ts'

/** Returns the fold for a type, by its name in the database; `labels` are those of an enumeration. */
export function findComparisonRewrite(
  dialect: DialectName,
  type: string,
  labels?: readonly string[],
): ComparisonFold | undefined {
  const name = type.toLowerCase()
  if (dialect === 'sqlite') return /^(?:decimal|numeric)\b/.test(name) ? foldDouble : undefined
  if (dialect === 'mysql') {
    if (/^float\b/.test(name)) return createFloatFold('finite')
    if (/^year\b/.test(name)) return foldYear
    return /^(?:decimal|numeric)\b/.test(name) ? createDecimalFold(name) : undefined
  }
  if (labels !== undefined) return createTextFold((text) => labels.includes(text))
  if (/^(?:real|float4)$/.test(name)) return createFloatFold('with-infinity')
  if (name === 'money') return foldMoney
  return name === 'uuid' ? createTextFold((text) => UUID.test(text)) : createTextFold(() => true)
}

const UUID = /^\{?(?:[0-9a-f]{4}-?){8}\}?$/i

/** On which side of another value a value is. */
type Side = 'above' | 'below'

const getSide = (isAbove: boolean): Side => (isAbove ? 'above' : 'below')

const isLessThan = (op: Comparison): boolean => op === '<' || op === '<='

/** Rewrites a comparison with a value just above or below `near`, which the column can hold. */
function foldToNeighbor(op: Comparison, near: unknown, side: Side): FoldedComparison {
  if (op === '=') return 'never'
  if (isLessThan(op)) return { op: side === 'above' ? '<=' : '<', value: near }
  return { op: side === 'above' ? '>' : '>=', value: near }
}

/** Returns the result of a comparison with a value above or below the range of the column. */
const foldOutOfRange = (op: Comparison, side: Side): FoldedComparison =>
  op !== '=' && isLessThan(op) === (side === 'above') ? 'always' : 'never'

// A four-byte float is displayed, and compared, with the fewest digits that identify it.
function createFloatFold(range: 'finite' | 'with-infinity'): ComparisonFold {
  return (op, value) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
    const near = Math.fround(value) + 0
    if (Number.isFinite(near)) {
      const shown = toShortestFloat(near)
      return shown === value ? undefined : foldToNeighbor(op, near, getSide(value > shown))
    }
    if (range === 'with-infinity') return foldToNeighbor(op, near, getSide(near < 0))
    return foldOutOfRange(op, getSide(near > 0))
  }
}

// SQLite stores decimals as doubles, which are displayed, and compared, with the fewest digits that identify them.
const foldDouble: ComparisonFold = (op, value) => {
  if (typeof value === 'bigint' && BigInt.asIntN(64, value) !== value) return foldOutOfRange(op, getSide(value > 0n))
  if (typeof value !== 'string' || !decimals.isDecimal(value)) return undefined
  const near = Number(value)
  if (!Number.isFinite(near)) return undefined
  const shown = decimals.expandExponent(String(near))
  const compared = decimals.compareDecimals(value, shown)
  return compared === 0 || Math.abs(near) > Number.MAX_SAFE_INTEGER
    ? undefined
    : foldToNeighbor(op, shown, getSide(compared > 0))
}

// A cast would truncate a number with more digits than its column has.
function createDecimalFold(type: string): ComparisonFold {
  const [, precision = '10', scale = '0'] = /\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\)/.exec(type) ?? []
  const [before, after] = [Number(precision) - Number(scale), Number(scale)]
  return (op, operand) => {
    const value = decimals.expandExponent(String(operand))
    if (!/^-?\d+(?:\.\d+)?$/.test(value)) return undefined
    const exact = decimals.normalizeDecimal(value)
    const isNegative = exact.startsWith('-')
    const integer = decimals.getIntegerDigits(exact).replace('-', '')
    if (integer !== '0' && integer.length > before) return foldOutOfRange(op, getSide(!isNegative))
    const fraction = decimals.getFractionDigits(exact)
    if (fraction.length <= after) return undefined
    const truncated = decimals.normalizeDecimal(
      `${decimals.getIntegerDigits(exact)}${after === 0 ? '' : `.${fraction.slice(0, after)}`}`,
    )
    return foldToNeighbor(op, truncated, getSide(!isNegative))
  }
}

const MAX_MONEY = '92233720368547758.07'
const foldCents = createDecimalFold('numeric(19, 2)')

// A cast to money rounds to cents, and refuses a value outside of its range.
const foldMoney: ComparisonFold = (op, value) => {
  const exact = decimals.expandExponent(String(value))
  if (!decimals.isDecimal(exact)) return undefined
  if (decimals.compareDecimals(exact, MAX_MONEY) > 0) return foldOutOfRange(op, 'above')
  return decimals.compareDecimals(exact, `-${MAX_MONEY}`) < 0 ? foldOutOfRange(op, 'below') : foldCents(op, exact)
}

// A year is 0 or between 1901 and 2155. MySQL expands a smaller number: 1 becomes 2001.
const foldYear: ComparisonFold = (op, value) =>
  Number(value) > 0 && Number(value) < 1901 ? foldToNeighbor(op, 0, 'above') : undefined

// PostgreSQL has no text with U+0000: a text with one compares as the part before it, and is just above that.
function createTextFold(isText: (text: string) => boolean): ComparisonFold {
  return (op, value) => {
    if (typeof value !== 'string') return undefined
    const nul = value.indexOf('\0')
    if (nul >= 0) return foldToNeighbor(op, value.slice(0, nul), 'above')
    return op === '=' && !isText(value) ? 'never' : undefined
  }
}
