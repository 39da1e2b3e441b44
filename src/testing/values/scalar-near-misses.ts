// Near misses of scalars: the next number beyond a limit, a string one character too long, a date that does not exist.

import { attributeRules } from '../../design/attribute-rules.ts'
import type { Attribute } from '../../schema/attribute.ts'
import { Loading } from '../../schema/loading.ts'
import type { NumberOptions } from '../../schema/scalars/number.ts'
import type { StringOptions } from '../../schema/scalars/string.ts'
import { getPatternMatcher } from '../../schema/scalars/text-pattern.ts'
import { normalizeDecimal, scaleDecimal, unscaleDecimal } from '../../util/decimal.ts'

/** A rule and a value that breaks only this rule. */
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
  dateTime: () => [
    ...toTypeMisses(42, true, {}, []),
    ...toFormatMisses('2024-02-29', '2024-02-30T00:00:00Z', '2024-01-01T00:00:00'),
  ],
  time: () => [...toTypeMisses(42, true, {}, []), ...toFormatMisses('24:00', '12:60', 'text')],
}

/** Returns near misses of a scalar; none for kinds that are unknown here. */
export function breakScalar(attribute: Attribute, base: unknown): ScalarMiss[] {
  return SCALAR_BREAKERS[attribute.core.scalar ?? '']?.(attribute, base) ?? breakListParam(attribute)
}

// A list param names fields: an undeclared field breaks it, whatever the syntax.
function breakListParam({ core }: Attribute): ScalarMiss[] {
  if (attributeRules.getFieldsUse({ core }) === undefined && core.selectsFrom === undefined) return []
  const loading = new Loading('text')
  attributeRules.getLoader({ core })(UNKNOWN_FIELD, loading)
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
    const outside = Math.max(...values) + 1
    if (min === undefined && max === undefined) found.push([getValuesRule(values), outside])
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
  const shift = (limit: string, by: bigint): string =>
    normalizeDecimal(unscaleDecimal(scaleDecimal(limit, digits) + by, digits), scale)
  const found: ScalarMiss[] = []
  if (min !== undefined && fits(shift(min, -1n))) found.push(['min', shift(min, -1n)])
  if (max !== undefined && fits(shift(max, 1n))) found.push(['max', shift(max, 1n)])
  if (scale !== undefined) found.push(['digits', `0.${'0'.repeat(scale)}1`])
  return found
}

// --- texts -------------------------------------------------------------------------------

/** Longer texts are not generated. */
const MAX_LENGTH = 100_000
const INVALID_BY_FORMAT: Readonly<Record<string, string>> = { uuid: 'not-a-uuid', uri: 'no address', email: 'nobody' }

function breakText({ options }: Attribute, base: string): ScalarMiss[] {
  const { min = 0, max, pattern, values, format, allowNul } = options as StringOptions
  const characters = Array.from(base)
  const resize = (size: number): string => Array.from({ length: size }, (_, i) => characters[i] ?? 'a').join('')
  const fits = (text: string): boolean => {
    const size = Array.from(text).length
    return size >= min && size <= (max ?? (pattern === undefined ? size : 1000))
  }
  const found: ScalarMiss[] = []
  if (min > 0) found.push(['min-length', resize(min - 1)])
  const maxLength = max ?? (pattern === undefined ? undefined : 1000)
  if (maxLength !== undefined && maxLength < MAX_LENGTH) found.push(['max-length', resize(maxLength + 1)])
  const replaceFirst = (character: string): string =>
    characters.length === 0 ? character : [character, ...characters.slice(1)].join('')
  if (allowNul !== true && fits(replaceFirst('\0'))) found.push(['nul', replaceFirst('\0')])
  if (fits(replaceFirst('\ud800'))) found.push(['format', replaceFirst('\ud800')])
  const variants = ['~', ' ', '0', 'A', '\u00e9'].map(replaceFirst).filter(fits)
  if (values !== undefined && values.length > 0) {
    const stray = variants.find((text) => !values.includes(text))
    const cases = [base.toUpperCase(), base.toLowerCase()].filter((text) => !values.includes(text) && fits(text))
    return [
      ...found,
      ...[...(stray === undefined ? [] : [stray]), ...cases].map((text): ScalarMiss => [getValuesRule(values), text]),
    ]
  }
  if (pattern !== undefined) {
    const matcher = getPatternMatcher(pattern)
    const stray = [...variants, `${base}~`, `~${base}`, ''].find((text) => fits(text) && !matcher.test(text))
    if (stray !== undefined) found.push(['pattern', stray])
  } else if (format !== undefined && fits(INVALID_BY_FORMAT[format] ?? ''))
    found.push(['format', INVALID_BY_FORMAT[format]])
  return found
}
