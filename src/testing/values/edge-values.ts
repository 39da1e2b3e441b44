// Edge values that careless code mishandles: limits of number types, rare dates, unusual text.
import type { AnyOptions, Attribute } from '../../schema/attribute.ts'
import { makeTextExample, type TextExampleRules } from '../../schema/scalars/text-example.ts'
import { scaleDecimal, unscaleDecimal } from '../../util/decimal.ts'
import type { Draw } from './draw.ts'

interface EdgeLimits<T = number> {
  readonly min?: T
  readonly max?: T
}

type EdgeMaker = (options: AnyOptions, draw: Draw) => unknown

const filterByLimits = <T extends number | bigint>(all: readonly T[], { min, max }: EdgeLimits<T>): T[] =>
  all.filter((one) => (min === undefined || one >= min) && (max === undefined || one <= max))

const EDGE_INTEGERS: readonly number[] = [
  ...[0, 1, -1, 255, 256, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), 2 ** 32 + 1, Number.MAX_SAFE_INTEGER],
]
const EDGE_NUMBERS: readonly number[] = [...EDGE_INTEGERS, 0.1, 1.005, 0.1 + 0.2, 1 / 3, 123_456.789, -0.5]
const EDGE_BIGINTS: readonly bigint[] = [0n, -1n, 2n ** 53n + 1n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n + 1n]
const EDGE_DATES: readonly string[] = [
  '2024-02-29',
  '2000-02-29',
  '1969-12-31',
  '1999-12-31',
  '2038-01-20',
  '2024-03-31',
]
const EDGE_TIMES: readonly string[] = ['00:00:00', '23:59:59', '12:34:56', '02:30:01']
const EDGE_UTC_TIMES: readonly string[] = ['00:00:00.001Z', '23:59:59.999Z', '02:30:00.500Z', '12:34:56.789Z']

const EDGE_MAKERS: Readonly<Record<string, EdgeMaker | undefined>> = {
  string: drawEdgeText,
  integer: (options, draw) => draw.pick(filterByLimits(EDGE_INTEGERS, options as EdgeLimits)),
  number: (options, draw) => draw.pick(filterByLimits(EDGE_NUMBERS, options as EdgeLimits)),
  bigint: (options, draw) => draw.pick(filterByLimits(EDGE_BIGINTS, options as EdgeLimits<bigint>)),
  decimal: drawEdgeDecimal,
  date: (_, draw) => draw.pick(EDGE_DATES),
  time: (_, draw) => draw.pick(EDGE_TIMES),
  dateTime: (_, draw) => new Date(`${draw.pick(EDGE_DATES)}T${draw.pick(EDGE_UTC_TIMES)}`),
}

/** Draws an edge value of an attribute's type; returns undefined when none is known. */
export const drawEdgeValue = ({ core, options }: Attribute, draw: Draw): unknown =>
  EDGE_MAKERS[core.scalar ?? '']?.(options, draw)

/** The number of integer digits of decimals without limits. */
const DEFAULT_INTEGER_DIGITS = 10

// Uses all digits that the declaration allows: the last ones are the first to be lost.
function drawEdgeDecimal(options: AnyOptions, draw: Draw): string {
  const {
    min,
    max,
    scale = 2,
    precision = DEFAULT_INTEGER_DIGITS + scale,
  } = options as EdgeLimits<string> & {
    readonly scale?: number
    readonly precision?: number
  }
  const maximum = max === undefined ? 10n ** BigInt(precision) - 1n : scaleDecimal(max, scale)
  const minimum = min === undefined ? 0n : scaleDecimal(min, scale)
  const span = maximum - minimum
  if (span <= 0n) return unscaleDecimal(maximum, scale)
  const drawn = (BigInt(draw.integerBelow(2 ** 32)) << 32n) | BigInt(draw.integerBelow(2 ** 32))
  const part = draw.pick([span, span > 1000n ? 1000n : span]) as bigint
  return unscaleDecimal(minimum + (drawn % (part + 1n)), scale)
}

/** Characters that careless code interprets. */
const STRANGE_CHARACTERS: readonly string[] = [
  ...["'", '"', '%', '\\', '/', '<b>', ' ', '\t', ',', ';', '\n', '-', '_'],
  ...['\u00e9', 'e\u0301', '\u00df', '\u0130', '\u6771\u4eac', '\u{1f600}'],
]

/** Strings that careless code interprets as a whole. */
const STRANGE_TEXTS: readonly string[] = [' a ', '0', '1e3', 'null', 'true', 'A a', '&amp;', '__proto__']

function drawEdgeText(options: AnyOptions, draw: Draw): string {
  const { pattern, format, min = 0, max = 40 } = options as { pattern?: RegExp; format?: string } & EdgeLimits
  if (pattern !== undefined || format !== undefined)
    return makeTextExample(draw.createSeed('text'), options as TextExampleRules)
  if (min === 0 && draw.chance(15)) return ''
  const special = draw.chance(25)
    ? draw.pick(STRANGE_TEXTS.filter((one) => one.length >= min && one.length <= max))
    : undefined
  if (special !== undefined) return special
  const minLength = draw.chance(20) ? min : Math.max(min, 1)
  const length = draw.pick([minLength, Math.min(max, minLength + 200), Math.min(max, minLength + 3)]) as number
  const characters = Array.from({ length }, () => (draw.chance(30) ? (draw.pick(STRANGE_CHARACTERS) as string) : 'a'))
  return Array.from(characters.join(''))
    .slice(0, Math.max(minLength, Math.min(length, max)))
    .join('')
}
