// Code shared by integers and numbers: the checks of limits and values, schemas, and examples.

import type { GeneratedCode } from '../../util/generated-code.ts'
import type { ExampleSeed } from '../example.ts'
import type { IssueCollector } from '../issue.ts'
import { type Acceptance, writeRange } from '../loader-code.ts'
import { type NumericLimits, refuseUnlisted } from '../value-checks.ts'

/** The limits of a number, or the allowed numbers. */
export interface NumericOptions extends NumericLimits {
  readonly values?: readonly number[]
}

type NumberCheck = (value: number, reporter: IssueCollector) => boolean

/** Creates the check of a number's limits and values. */
export function makeNumberCheck(options: NumericOptions): NumberCheck {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, values } = options
  return values === undefined ? checkNumber : makeListedCheck(values, checkNumber)

  function checkNumber(value: number, reporter: IssueCollector): boolean {
    if (value < min) reporter.fail('min', { limit: min })
    else if (value > max) reporter.fail('max', { limit: max })
    else return true
    return false
  }
}

/** The numbers of a kind: the largest one, the test of a number, and the value of a text, NaN if it has none. */
export interface AcceptedNumbers {
  readonly largest: number
  readonly isNumber: ((value: number) => boolean) | undefined
  readonly parse: (text: string) => number
}

/** Returns the code that accepts numbers, and texts of numbers, within their limits. */
export function acceptNumbers(
  code: GeneratedCode,
  value: string,
  options: NumericOptions,
  { largest, isNumber, parse }: AcceptedNumbers,
): readonly Acceptance[] {
  const { min = -largest, max = largest, values } = options
  const limits = (name: string): string => writeRange(code, name, Math.max(min, -largest), Math.min(max, largest))
  const isListed = (name: string): string =>
    values === undefined ? '' : ` && ${code.addConstant(new Set(values))}.has(${name})`
  const isOfKind = isNumber === undefined ? '' : ` && ${code.addConstant(isNumber)}(${value})`
  return [
    {
      test: `typeof ${value} === 'number'${isOfKind} && ${limits(value)}${isListed(value)}`,
      // Negative zero becomes zero.
      result: `${value} + 0`,
    },
    {
      test: `typeof ${value} === 'string' && (parsed = ${code.addConstant(parse)}(${value})) === parsed && ${limits('parsed')}${isListed('parsed')}`,
      result: 'parsed + 0',
    },
  ]
}

function makeListedCheck(values: readonly number[], check: NumberCheck): NumberCheck {
  const allowed = new Set(values)
  return function checkValue(value, reporter) {
    if (!check(value, reporter)) return false
    if (allowed.has(value)) return true
    refuseUnlisted(values, reporter)
    return false
  }
}

/** Builds the JSON Schema keywords for limits and values. */
export function buildNumericSchema({ min, max, values }: NumericOptions): Record<string, unknown> {
  return {
    // Negative zero is written as zero.
    ...(values !== undefined && { enum: values.map((value) => value + 0) }),
    ...(min !== undefined && { minimum: min }),
    ...(max !== undefined && { maximum: max }),
  }
}

/** Returns one of the values, or a small integer within the limits. */
export function makeIntegerExample({ min, max, values }: NumericOptions, seed: ExampleSeed): number {
  if (values !== undefined && values.length > 0) return seed.pick(values) + 0
  const lowest = Math.ceil(min ?? Math.min(1, max ?? 1))
  const highest = Math.floor(Math.min(max ?? lowest + 99, lowest + 99))
  return highest < lowest ? (min ?? 0) : lowest + seed.numberBelow(highest - lowest + 1)
}

/** Returns one of the values, or a small number within the limits, a multiple of a quarter where there are none. */
export function makeNumberExample({ min, max, values }: NumericOptions, seed: ExampleSeed): number {
  if (values !== undefined && values.length > 0) return seed.pick(values) + 0
  const lowest = min ?? Math.min(1, max ?? 1)
  const span = Math.min((max ?? lowest + 99) - lowest, 99)
  // Quarters have an exact floating-point representation, and some values are equal.
  return lowest + Math.floor((span * seed.numberBelow(41)) / 10) / 4
}
