// Code that integers and numbers share: the check of limits and values, and examples.

import type { ExampleSeed } from '../example.ts'
import type { IssueCollector } from '../issue.ts'
import { type NumericLimits, refuseUnlisted } from '../value-checks.ts'

/** Limits on a number, or the numbers that are allowed. */
export interface NumericOptions extends NumericLimits {
  readonly values?: readonly number[]
}

type NumberCheck = (value: number, reporter: IssueCollector) => boolean

/** Makes the check of a number's limits and values. */
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

function makeListedCheck(values: readonly number[], check: NumberCheck): NumberCheck {
  const allowed = new Set(values)
  return function checkValue(value, reporter) {
    if (!check(value, reporter)) return false
    if (allowed.has(value)) return true
    refuseUnlisted(values, reporter)
    return false
  }
}

/** The words of JSON Schema for limits and values. */
export function buildNumericSchema({ min, max, values }: NumericOptions): Record<string, unknown> {
  return {
    // Negative zero is written as zero.
    ...(values !== undefined && { enum: values.map((value) => value + 0) }),
    ...(min !== undefined && { minimum: min }),
    ...(max !== undefined && { maximum: max }),
  }
}

/** One of the values, or a small number that keeps to the limits. */
export function makeNumberExample({ min, max, values }: NumericOptions, seed: ExampleSeed): number {
  if (values !== undefined && values.length > 0) return (values[seed.pick(values.length)] as number) + 0
  const least = Math.ceil(min ?? Math.min(1, max ?? 1))
  const most = Math.floor(Math.min(max ?? least + 99, least + 99))
  return most < least ? (min ?? 0) : least + seed.pick(most - least + 1)
}
