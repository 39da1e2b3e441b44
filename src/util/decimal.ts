// Decimal numbers as strings: compared and formatted without conversion to a double.
import { compareAscending } from './compare.ts'

const DECIMAL = /^-?[0-9]+(?:\.[0-9]+)?$/

/** Returns whether a value is a decimal number as a string: digits with an optional minus and fraction. */
export const isDecimal = (value: unknown): value is string => typeof value === 'string' && DECIMAL.test(value)

/** Returns the digits after the decimal point. */
export function getFractionDigits(decimal: string): string {
  const point = decimal.indexOf('.')
  return point === -1 ? '' : decimal.slice(point + 1)
}

/** Returns the digits before the decimal point, with their sign. */
export function getIntegerDigits(decimal: string): string {
  const point = decimal.indexOf('.')
  return point === -1 ? decimal : decimal.slice(0, point)
}

/** Multiplies a decimal by 10^scale; the scale must be at least the length of its fraction. */
export const scaleDecimal = (decimal: string, scale: number): bigint =>
  BigInt(getIntegerDigits(decimal) + getFractionDigits(decimal).padEnd(scale, '0'))

/** Divides an integer by 10^scale and returns the decimal. */
export function unscaleDecimal(scaled: bigint, scale: number): string {
  const digits = String(scaled < 0n ? -scaled : scaled).padStart(scale + 1, '0')
  const point = digits.length - scale
  return normalizeDecimal(
    (scaled < 0n ? '-' : '') + digits.slice(0, point) + (scale > 0 ? `.${digits.slice(point)}` : ''),
    scale,
  )
}

/** Compares two decimals exactly, in any notation. */
export function compareDecimals(a: string, b: string): number {
  const scale = Math.max(getFractionDigits(a).length, getFractionDigits(b).length)
  const [x, y] = [scaleDecimal(a, scale), scaleDecimal(b, scale)]
  return compareAscending(x, y)
}

const ZERO = 48

/**
 * Returns the canonical text of a decimal: without redundant zeros and without negative zero. With a scale, the
 * fraction is padded to it; digits beyond it stay, since nothing is rounded.
 */
export function normalizeDecimal(decimal: string, scale = 0): string {
  const [integer, fraction] = [getIntegerDigits(decimal), getFractionDigits(decimal)]
  const isNegative = integer.startsWith('-')
  let start = isNegative ? 1 : 0
  while (start < integer.length - 1 && integer.charCodeAt(start) === ZERO) start++
  let end = fraction.length
  while (end > 0 && fraction.charCodeAt(end - 1) === ZERO) end--
  const [digits, rest] = [integer.slice(start), fraction.slice(0, end)]
  const sign = isNegative && !(digits === '0' && rest === '') ? '-' : ''
  const padded = rest.padEnd(scale, '0')
  return sign + digits + (padded === '' ? '' : `.${padded}`)
}

/** Expands the exponent of a number; other texts are returned unchanged. */
export function expandExponent(text: string): string {
  const [, sign = '', integer = '', fraction = '', exponent] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? []
  if (exponent === undefined) return text
  const point = integer.length + Number(exponent)
  const digits = (integer + fraction)
    .padEnd(point, '0')
    .padStart(integer.length + fraction.length - Math.min(point - 1, 0), '0')
  const split = Math.max(point, 1)
  const rest = digits.slice(split).replace(/0+$/, '')
  return sign + digits.slice(0, split) + (rest === '' ? '' : `.${rest}`)
}
