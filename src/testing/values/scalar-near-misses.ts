// Near misses of single values: the next number beyond a limit, a text that is one character too long, a day that is none.

import type { Attribute } from '../../schema/attribute.ts'
import { Loading } from '../../schema/loading.ts'
import type { NumberOptions } from '../../schema/scalars/number.ts'
import { getPatternMatcher } from '../../schema/scalars/text-pattern.ts'
import type { StringOptions } from '../../schema/scalars/string.ts'
import { normalizeDecimal, unscaleDecimal, scaleDecimal } from '../../util/decimal.ts'

/** A rule, and a value that breaks it and no other. */
export type ScalarMiss = readonly [rule: string, value: unknown]

type ScalarBreaker = (attribute: Attribute, base: unknown) => ScalarMiss[]

const toTypeMisses = (...values: readonly unknown[]): ScalarMiss[] => values.map((value) => ['type', value])

const toFormatMisses = (...values: readonly unknown[]): ScalarMiss[] => values.map((value) => ['format', value])

const SCALAR_BREAKERS: Readonly<Record<string, ScalarBreaker | undefined>> = {
  string: (attribute, base) => [...toTypeMisses(42, true, {}, []), ...breakText(attribute, String(base))],
  integer: (attribute) => [
    ...toTypeMisses('text', 1.5, true, {}, []),
    ...breakNumber(attribute, 1),
    ...((attribute.options as NumberOptions).values === undefined ? [['range', 2 ** 53] as const] : []),
  ],
  number: (attribute) => [...toTypeMisses('text', true, {}, []), ...breakNumber(attribute, 0.5)],
  boolean: () => toTypeMisses('text', 2, {}, []),
  bigint: (attribute) => [...toTypeMisses('text', 1.5, true, {}, []), ...breakBigint(attribute)],
  decimal: (attribute) => [...toTypeMisses('text', true, {}, []), ...breakDecimal(attribute)],
  date: () => [...toTypeMisses(42, true, {}, []), ...toFormatMisses('2023-02-29', '2024-1-1', 'text')],
  dateTime: () => [...toTypeMisses(42, true, {}, []), ...toFormatMisses('2024-02-29', '2024-02-30T00:00:00Z', '2024-01-01T00:00:00')],
  time: () => [...toTypeMisses(42, true, {}, []), ...toFormatMisses('24:00', '12:60', 'text')],
}

/** Near misses of a single value; none for kinds whose values are not known here. */
export function breakScalar(attribute: Attribute, base: unknown): ScalarMiss[] {
  return SCALAR_BREAKERS[attribute.core.scalar ?? '']?.(attribute, base) ?? breakListParam(attribute)
}

// A param of a list names fields: one that does not exist breaks it, whatever its grammar.
function breakListParam({ core }: Attribute): ScalarMiss[] {
  if (core.usesFields === undefined && core.projects === undefined) return []
  const loading = new Loading(true)
  core.loader(UNKNOWN_FIELD, loading)
  return (loading.issues ?? []).slice(0, 1).map(({ code }) => [code, UNKNOWN_FIELD])
}

const UNKNOWN_FIELD = 'undeclared_field=1'

// --- numbers -----------------------------------------------------------------------------

const getValuesRule = (values: readonly unknown[]): string => (values.length === 1 ? 'equal' : 'values')

function breakNumber({ options }: Attribute, step: number): ScalarMiss[] {
  const { min, max, values } = options as NumberOptions
  const found: ScalarMiss[] = []
  if (min !== undefined && Math.abs(min) < 2 ** 50) found.push(['min', min - step])
  if (max !== undefined && Math.abs(max) < 2 ** 50) found.push(['max', max + step])
  if (values !== undefined && values.length > 0) {
    const beyond = Math.max(...values) + 1
    if (min === undefined && max === undefined) found.push([getValuesRule(values), beyond])
  }
  return found
}

function breakBigint({ options }: Attribute): ScalarMiss[] {
  const { min, max, values } = options as { min?: bigint; max?: bigint; values?: readonly bigint[] }
  const found: ScalarMiss[] = []
  if (min !== undefined) found.push(['min', String(min - 1n)])
  if (max !== undefined) found.push(['max', String(max + 1n)])
  if (values !== undefined && min === undefined && max === undefined) {
    const greatest = values.reduce((a, b) => (a > b ? a : b), 0n)
    found.push([getValuesRule(values), String(greatest + 1n)])
  }
  return found
}

function breakDecimal({ options }: Attribute): ScalarMiss[] {
  const { min, max, scale, precision } = options as { min?: string; max?: string; scale?: number; precision?: number }
  const digits = scale ?? 2
  const fits = (text: string): boolean =>
    precision === undefined || text.replace(/\D/g, '').replace(/^0+/, '').length <= precision
  const moved = (limit: string, by: bigint): string =>
    normalizeDecimal(unscaleDecimal(scaleDecimal(limit, digits) + by, digits), scale)
  const found: ScalarMiss[] = []
  if (min !== undefined && fits(moved(min, -1n))) found.push(['min', moved(min, -1n)])
  if (max !== undefined && fits(moved(max, 1n))) found.push(['max', moved(max, 1n)])
  if (scale !== undefined) found.push(['digits', `0.${'0'.repeat(scale)}1`])
  return found
}

// --- texts -------------------------------------------------------------------------------

/** Texts that are longer than this say nothing more. */
const MAX_LENGTH = 100_000
const INVALID_BY_FORMAT: Readonly<Record<string, string>> = { uuid: 'not-a-uuid', uri: 'no address', email: 'nobody' }

function breakText({ options }: Attribute, base: string): ScalarMiss[] {
  const { min = 0, max, pattern, values, format, allowNul } = options as StringOptions
  const characters = Array.from(base)
  const sized = (size: number): string => Array.from({ length: size }, (_, i) => characters[i] ?? 'a').join('')
  const fits = (text: string): boolean => {
    const size = Array.from(text).length
    return size >= min && size <= (max ?? (pattern === undefined ? size : 1000))
  }
  const found: ScalarMiss[] = []
  if (min > 0) found.push(['min-length', sized(min - 1)])
  const most = max ?? (pattern === undefined ? undefined : 1000)
  if (most !== undefined && most < MAX_LENGTH) found.push(['max-length', sized(most + 1)])
  const damaged = (sign: string): string => (characters.length === 0 ? sign : [sign, ...characters.slice(1)].join(''))
  if (allowNul !== true && fits(damaged('\0'))) found.push(['nul', damaged('\0')])
  if (fits(damaged('\ud800'))) found.push(['format', damaged('\ud800')])
  const other = ['~', ' ', '0', 'A', '\u00e9'].map(damaged).filter(fits)
  if (values !== undefined && values.length > 0) {
    const stray = other.find((text) => !values.includes(text))
    const cases = [base.toUpperCase(), base.toLowerCase()].filter((text) => !values.includes(text) && fits(text))
    return [
      ...found,
      ...[...(stray === undefined ? [] : [stray]), ...cases].map((text): ScalarMiss => [getValuesRule(values), text]),
    ]
  }
  if (pattern !== undefined) {
    const whole = getPatternMatcher(pattern)
    const stray = [...other, `${base}~`, `~${base}`, ''].find((text) => fits(text) && !whole.test(text))
    if (stray !== undefined) found.push(['pattern', stray])
  } else if (format !== undefined && fits(INVALID_BY_FORMAT[format] ?? '')) found.push(['format', INVALID_BY_FORMAT[format]])
  return found
}
