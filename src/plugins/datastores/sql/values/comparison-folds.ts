// Domains: comparisons with values that a column cannot hold are decided, or said otherwise, before a database refuses them,
// rounds them or takes them for something else.
import { decimals } from '../../../../extend.ts'
import type { Comparison } from '../../../query/query.ts'
import type { DialectName, ComparisonFold, FoldedComparison } from '../sql.ts'
import { toShortestFloat } from './float.ts'

/** Finds what a type needs, by its name as the database has it; labels are those of an enumeration. */
export function findFold(dialect: DialectName, type: string, labels?: readonly string[]): ComparisonFold | undefined {
  const name = type.toLowerCase()
  if (dialect === 'sqlite') return /^(?:decimal|numeric)\b/.test(name) ? foldDouble : undefined
  if (dialect === 'mysql') {
    if (/^float\b/.test(name)) return createFloatFold(false)
    if (/^year\b/.test(name)) return foldYear
    return /^(?:decimal|numeric)\b/.test(name) ? createDecimalFold(name) : undefined
  }
  if (labels !== undefined) return createTextFold((text) => labels.includes(text))
  if (/^(?:real|float4)$/.test(name)) return createFloatFold(true)
  if (name === 'money') return foldMoney
  return name === 'uuid' ? createTextFold((text) => UUID.test(text)) : createTextFold(() => true)
}

const UUID = /^\{?(?:[0-9a-f]{4}-?){8}\}?$/i

const isLessThan = (op: Comparison): boolean => op === '<' || op === '<='

/** The comparison that stands for one with a value that lies just above or below one that the column has. */
function foldToNeighbor(op: Comparison, near: unknown, isAbove: boolean): FoldedComparison {
  if (op === '=') return 'never'
  if (isLessThan(op)) return { op: isAbove ? '<=' : '<', value: near }
  return { op: isAbove ? '>' : '>=', value: near }
}

/** The result of a comparison with a value that lies above or below all that the column has. */
const foldOutOfRange = (op: Comparison, isAbove: boolean): FoldedComparison =>
  op !== '=' && isLessThan(op) === isAbove ? 'always' : 'never'

// A number of four bytes is shown with the fewest digits that mean it, and compared as it is shown.
function createFloatFold(hasInfinity: boolean): ComparisonFold {
  return (op, value) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
    const near = Math.fround(value) + 0
    if (Number.isFinite(near)) {
      const shown = toShortestFloat(near)
      return shown === value ? undefined : foldToNeighbor(op, near, value > shown)
    }
    if (hasInfinity) return foldToNeighbor(op, near, near < 0)
    return foldOutOfRange(op, near > 0)
  }
}

// SQLite has decimals as doubles, which are shown with the fewest digits that mean them, and compared as they are shown.
const foldDouble: ComparisonFold = (op, value) => {
  if (typeof value === 'bigint' && BigInt.asIntN(64, value) !== value) return foldOutOfRange(op, value > 0n)
  if (typeof value !== 'string' || !decimals.isDecimal(value)) return undefined
  const near = Number(value)
  if (!Number.isFinite(near)) return undefined
  const shown = decimals.expandExponent(String(near))
  const compared = decimals.compareDecimals(value, shown)
  return compared === 0 || Math.abs(near) > Number.MAX_SAFE_INTEGER ? undefined : foldToNeighbor(op, shown, compared > 0)
}

// A number with more digits than its column has would be cut to those that a cast allows.
function createDecimalFold(type: string): ComparisonFold {
  const [, precision = '10', scale = '0'] = /\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\)/.exec(type) ?? []
  const [before, after] = [Number(precision) - Number(scale), Number(scale)]
  return (op, given) => {
    const value = decimals.expandExponent(String(given))
    if (!/^-?\d+(?:\.\d+)?$/.test(value)) return undefined
    const exact = decimals.normalizeDecimal(value)
    const isNegative = exact.startsWith('-')
    const whole = decimals.getIntegerDigits(exact).replace('-', '')
    if (whole !== '0' && whole.length > before) return foldOutOfRange(op, !isNegative)
    const fraction = decimals.getFractionDigits(exact)
    if (fraction.length <= after) return undefined
    const cut = decimals.normalizeDecimal(
      `${decimals.getIntegerDigits(exact)}${after === 0 ? '' : `.${fraction.slice(0, after)}`}`,
    )
    return foldToNeighbor(op, cut, !isNegative)
  }
}

const MAX_MONEY = '92233720368547758.07'
const foldCents = createDecimalFold('numeric(19, 2)')

// A cast to money rounds to its smallest parts, and refuses what it has no room for.
const foldMoney: ComparisonFold = (op, value) => {
  const exact = decimals.expandExponent(String(value))
  if (!decimals.isDecimal(exact)) return undefined
  if (decimals.compareDecimals(exact, MAX_MONEY) > 0) return foldOutOfRange(op, true)
  return decimals.compareDecimals(exact, `-${MAX_MONEY}`) < 0 ? foldOutOfRange(op, false) : foldCents(op, exact)
}

// A year is 0 or lies between 1901 and 2155, and a lesser number is taken for the end of one: 1 for 2001.
const foldYear: ComparisonFold = (op, value) => (Number(value) > 0 && Number(value) < 1901 ? foldToNeighbor(op, 0, true) : undefined)

// PostgreSQL has no text with U+0000: what comes before a text with one is not greater than what stands in front of it.
function createTextFold(isText: (text: string) => boolean): ComparisonFold {
  return (op, value) => {
    if (typeof value !== 'string') return undefined
    const nul = value.indexOf('\0')
    if (nul >= 0) return foldToNeighbor(op, value.slice(0, nul), true)
    return op === '=' && !isText(value) ? 'never' : undefined
  }
}
