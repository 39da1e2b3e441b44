// Decimal numbers as texts: compared and written without ever being a double.
import { compareAscending } from './compare.ts'

const DECIMAL = /^-?[0-9]+(?:\.[0-9]+)?$/

/** Returns whether a value is the text of a decimal number: digits with an optional minus and fraction. */
export const isDecimal = (value: unknown): value is string => typeof value === 'string' && DECIMAL.test(value)

/** The digits after the point. */
export function getFractionDigits(decimal: string): string {
  const point = decimal.indexOf('.')
  return point === -1 ? '' : decimal.slice(point + 1)
}

/** The digits before the point, with their sign. */
export function getIntegerDigits(decimal: string): string {
  const point = decimal.indexOf('.')
  return point === -1 ? decimal : decimal.slice(0, point)
}

/** The number as a whole number of its smallest parts; the scale is at least the length of its fraction. */
export const scaleDecimal = (decimal: string, scale: number): bigint =>
  BigInt(getIntegerDigits(decimal) + getFractionDigits(decimal).padEnd(scale, '0'))

/** The text of a whole number of smallest parts. */
export function unscaleDecimal(scaled: bigint, scale: number): string {
  const digits = String(scaled < 0n ? -scaled : scaled).padStart(scale + 1, '0')
  const point = digits.length - scale
  return normalizeDecimal(
    (scaled < 0n ? '-' : '') + digits.slice(0, point) + (scale > 0 ? `.${digits.slice(point)}` : ''),
    scale,
  )
}

/** Compares two decimal numbers exactly, however they are written. */
export function compareDecimals(a: string, b: string): number {
  const scale = Math.max(getFractionDigits(a).length, getFractionDigits(b).length)
  const [x, y] = [scaleDecimal(a, scale), scaleDecimal(b, scale)]
  return compareAscending(x, y)
}

const ZERO = 48

/**
 * The one text of a decimal number: no zeros that mean nothing, and no negative zero. With a scale the fraction is filled
 * up to it; digits beyond it stay, since nothing is rounded.
 */
export function normalizeDecimal(decimal: string, scale = 0): string {
  const [whole, fraction] = [getIntegerDigits(decimal), getFractionDigits(decimal)]
  const isNegative = whole.startsWith('-')
  let start = isNegative ? 1 : 0
  while (start < whole.length - 1 && whole.charCodeAt(start) === ZERO) start++
  let end = fraction.length
  while (end > 0 && fraction.charCodeAt(end - 1) === ZERO) end--
  const [digits, rest] = [whole.slice(start), fraction.slice(0, end)]
  const sign = isNegative && !(digits === '0' && rest === '') ? '-' : ''
  const filled = rest.padEnd(scale, '0')
  return sign + digits + (filled === '' ? '' : `.${filled}`)
}

/** Writes a number that may have an exponent without one; any other text stays as it is. */
export function expandExponent(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? []
  if (exponent === undefined) return text
  const point = whole.length + Number(exponent)
  const digits = (whole + fraction)
    .padEnd(point, '0')
    .padStart(whole.length + fraction.length - Math.min(point - 1, 0), '0')
  const at = Math.max(point, 1)
  const rest = digits.slice(at).replace(/0+$/, '')
  return sign + digits.slice(0, at) + (rest === '' ? '' : `.${rest}`)
}
