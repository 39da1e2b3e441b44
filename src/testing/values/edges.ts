// Values at which careless programs change their mind: the ends of number types, days that few years have, strange texts.
import { textFor } from '../../mock/texts.ts'
import type { AnyOptions, Attribute } from '../../schema/attribute.ts'
import { decimalOf, scaledDecimal } from '../../util/decimal.ts'
import type { Draw } from './draw.ts'

interface Limits<T = number> {
  readonly min?: T
  readonly max?: T
}

type Edge = (options: AnyOptions, draw: Draw) => unknown

const within = <T extends number | bigint>(all: readonly T[], { min, max }: Limits<T>): T[] =>
  all.filter((one) => (min === undefined || one >= min) && (max === undefined || one <= max))

const INTEGERS: readonly number[] = [
  ...[0, 1, -1, 255, 256, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), 2 ** 32 + 1, Number.MAX_SAFE_INTEGER],
]
const NUMBERS: readonly number[] = [...INTEGERS, 0.1, 1.005, 0.1 + 0.2, 1 / 3, 123_456.789, -0.5]
const BIGINTS: readonly bigint[] = [0n, -1n, 2n ** 53n + 1n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n + 1n]
const DAYS: readonly string[] = ['2024-02-29', '2000-02-29', '1969-12-31', '1999-12-31', '2038-01-20', '2024-03-31']
const TIMES: readonly string[] = ['00:00:00', '23:59:59', '12:34:56', '02:30:01']
const CLOCKS: readonly string[] = ['00:00:00.001Z', '23:59:59.999Z', '02:30:00.500Z', '12:34:56.789Z']

const EDGES: Readonly<Record<string, Edge | undefined>> = {
  string: edgeText,
  integer: (options, draw) => draw.pick(within(INTEGERS, options as Limits)),
  number: (options, draw) => draw.pick(within(NUMBERS, options as Limits)),
  bigint: (options, draw) => draw.pick(within(BIGINTS, options as Limits<bigint>)),
  decimal: edgeDecimal,
  date: (_, draw) => draw.pick(DAYS),
  time: (_, draw) => draw.pick(TIMES),
  dateTime: (_, draw) => new Date(`${draw.pick(DAYS)}T${draw.pick(CLOCKS)}`),
}

/** A value of a kind that careless programs get wrong; undefined where none is known. */
export const edgeOf = ({ core, options }: Attribute, draw: Draw): unknown => EDGES[core.scalar ?? '']?.(options, draw)

/** Digits before the point of decimals without limits. */
const WHOLE_DIGITS = 10

// All digits that a declaration allows are used: those at the end are the first to be lost.
function edgeDecimal(options: AnyOptions, draw: Draw): string {
  const {
    min,
    max,
    scale = 2,
    precision = WHOLE_DIGITS + scale,
  } = options as Limits<string> & {
    readonly scale?: number
    readonly precision?: number
  }
  const most = max === undefined ? 10n ** BigInt(precision) - 1n : scaledDecimal(max, scale)
  const least = min === undefined ? 0n : scaledDecimal(min, scale)
  const span = most - least
  if (span <= 0n) return decimalOf(most, scale)
  const drawn = (BigInt(draw.below(2 ** 32)) << 32n) | BigInt(draw.below(2 ** 32))
  const part = draw.pick([span, span > 1000n ? 1000n : span]) as bigint
  return decimalOf(least + (drawn % (part + 1n)), scale)
}

/** Characters that careless code takes for something else. */
const STRANGE: readonly string[] = [
  ...["'", '"', '%', '\\', '/', '<b>', ' ', '\t', ',', ';', '\n', '-', '_'],
  ...['\u00e9', 'e\u0301', '\u00df', '\u0130', '\u6771\u4eac', '\u{1f600}'],
]

/** Texts that careless code takes for something else as a whole. */
const WHOLES: readonly string[] = [' a ', '0', '1e3', 'null', 'true', 'A a', '&amp;', '__proto__']

function edgeText(options: AnyOptions, draw: Draw): string {
  const { pattern, format, min = 0, max = 40 } = options as { pattern?: RegExp; format?: string } & Limits
  if (pattern !== undefined || format !== undefined) return textFor(options as never, draw.seed('text'))
  if (min === 0 && draw.percent(15)) return ''
  const whole = draw.percent(25) ? draw.pick(WHOLES.filter((one) => one.length >= min && one.length <= max)) : undefined
  if (whole !== undefined) return whole
  const least = draw.percent(20) ? min : Math.max(min, 1)
  const length = draw.pick([least, Math.min(max, least + 200), Math.min(max, least + 3)]) as number
  const characters = Array.from({ length }, () => (draw.percent(30) ? (draw.pick(STRANGE) as string) : 'a'))
  return Array.from(characters.join(''))
    .slice(0, Math.max(least, Math.min(length, max)))
    .join('')
}
