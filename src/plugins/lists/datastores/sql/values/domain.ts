// Domains: comparisons with values that a column cannot hold are decided, or said otherwise, before a database refuses them,
// rounds them or takes them for something else.
import { decimals } from '../../../../../extend.ts'
import type { Comparison } from '../../../query.ts'
import type { DialectName, Fold, Folded } from '../sql.ts'
import { shortestFloat } from './float.ts'

/** Finds what a type needs, by its name as the database has it; labels are those of an enumeration. */
export function foldOf(dialect: DialectName, type: string, labels?: readonly string[]): Fold | undefined {
  const name = type.toLowerCase()
  if (dialect === 'sqlite') return /^(?:decimal|numeric)\b/.test(name) ? doubleFold : undefined
  if (dialect === 'mysql') {
    if (/^float\b/.test(name)) return singleFold(false)
    if (/^year\b/.test(name)) return yearFold
    return /^(?:decimal|numeric)\b/.test(name) ? decimalFold(name) : undefined
  }
  if (labels !== undefined) return textFold((text) => labels.includes(text))
  if (/^(?:real|float4)$/.test(name)) return singleFold(true)
  if (name === 'money') return moneyFold
  return name === 'uuid' ? textFold((text) => UUID.test(text)) : textFold(() => true)
}

const UUID = /^\{?(?:[0-9a-f]{4}-?){8}\}?$/i

const isBelow = (op: Comparison): boolean => op === '<' || op === '<='

/** The comparison that stands for one with a value that lies just above or below one that the column has. */
function beside(op: Comparison, near: unknown, isAbove: boolean): Folded {
  if (op === '=') return 'never'
  if (isBelow(op)) return { op: isAbove ? '<=' : '<', value: near }
  return { op: isAbove ? '>' : '>=', value: near }
}

/** The result of a comparison with a value that lies above or below all that the column has. */
const outside = (op: Comparison, isAbove: boolean): Folded =>
  op !== '=' && isBelow(op) === isAbove ? 'always' : 'never'

// A number of four bytes is shown with the fewest digits that mean it, and compared as it is shown.
function singleFold(hasInfinity: boolean): Fold {
  return (op, value) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
    const near = Math.fround(value) + 0
    if (Number.isFinite(near)) {
      const shown = shortestFloat(near)
      return shown === value ? undefined : beside(op, near, value > shown)
    }
    if (hasInfinity) return beside(op, near, near < 0)
    return outside(op, near > 0)
  }
}

// SQLite has decimals as doubles, which are shown with the fewest digits that mean them, and compared as they are shown.
const doubleFold: Fold = (op, value) => {
  if (typeof value === 'bigint' && BigInt.asIntN(64, value) !== value) return outside(op, value > 0n)
  if (typeof value !== 'string' || !decimals.isDecimal(value)) return undefined
  const near = Number(value)
  if (!Number.isFinite(near)) return undefined
  const shown = decimals.plainDecimal(String(near))
  const compared = decimals.compareDecimals(value, shown)
  return compared === 0 || Math.abs(near) > Number.MAX_SAFE_INTEGER ? undefined : beside(op, shown, compared > 0)
}

// A number with more digits than its column has would be cut to those that a cast allows.
function decimalFold(type: string): Fold {
  const [, precision = '10', scale = '0'] = /\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\)/.exec(type) ?? []
  const [before, after] = [Number(precision) - Number(scale), Number(scale)]
  return (op, given) => {
    const value = decimals.plainDecimal(String(given))
    if (!/^-?\d+(?:\.\d+)?$/.test(value)) return undefined
    const exact = decimals.canonicalDecimal(value)
    const isNegative = exact.startsWith('-')
    const whole = decimals.wholeOf(exact).replace('-', '')
    if (whole !== '0' && whole.length > before) return outside(op, !isNegative)
    const fraction = decimals.fractionOf(exact)
    if (fraction.length <= after) return undefined
    const cut = decimals.canonicalDecimal(
      `${decimals.wholeOf(exact)}${after === 0 ? '' : `.${fraction.slice(0, after)}`}`,
    )
    return beside(op, cut, !isNegative)
  }
}

const MOST_MONEY = '92233720368547758.07'
const centsFold = decimalFold('numeric(19, 2)')

// A cast to money rounds to its smallest parts, and refuses what it has no room for.
const moneyFold: Fold = (op, value) => {
  const exact = decimals.plainDecimal(String(value))
  if (!decimals.isDecimal(exact)) return undefined
  if (decimals.compareDecimals(exact, MOST_MONEY) > 0) return outside(op, true)
  return decimals.compareDecimals(exact, `-${MOST_MONEY}`) < 0 ? outside(op, false) : centsFold(op, exact)
}

// A year is 0 or lies between 1901 and 2155, and a lesser number is taken for the end of one: 1 for 2001.
const yearFold: Fold = (op, value) => (Number(value) > 0 && Number(value) < 1901 ? beside(op, 0, true) : undefined)

// PostgreSQL has no text with U+0000: what comes before a text with one is not greater than what stands in front of it.
function textFold(isText: (text: string) => boolean): Fold {
  return (op, value) => {
    if (typeof value !== 'string') return undefined
    const nul = value.indexOf('\0')
    if (nul >= 0) return beside(op, value.slice(0, nul), true)
    return op === '=' && !isText(value) ? 'never' : undefined
  }
}
