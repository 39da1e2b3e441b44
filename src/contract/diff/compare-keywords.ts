// Compares the keywords of two schemas that contain no schemas themselves.
import type { JsonSchema } from '../../schema/json-schema.ts'
import { isSameData } from '../canonical.ts'
import { type ChangeEffect, collectNames, getRecordValue } from './change.ts'

/** Reports an effect on the values of a schema. */
type ReportEffect = (effect: ChangeEffect, rule: string, what: string) => void

interface LimitKeyword {
  readonly rule: string
  readonly what: string
  readonly upper: boolean
  /** Compares limits that are numeric strings. */
  readonly compare?: (a: unknown, b: unknown) => number
}

const LIMIT_KEYWORDS: Readonly<Record<string, LimitKeyword>> = {
  minimum: { rule: 'minimum', what: 'the least value', upper: false },
  exclusiveMinimum: { rule: 'minimum', what: 'the value it must be above', upper: false },
  minLength: { rule: 'min-length', what: 'the least number of characters', upper: false },
  minItems: { rule: 'min-items', what: 'the least number of elements', upper: false },
  minProperties: { rule: 'min-names', what: 'the least number of names', upper: false },
  maximum: { rule: 'maximum', what: 'the greatest value', upper: true },
  exclusiveMaximum: { rule: 'maximum', what: 'the value it must be below', upper: true },
  maxLength: { rule: 'max-length', what: 'the greatest number of characters', upper: true },
  maxItems: { rule: 'max-elements', what: 'the greatest number of elements', upper: true },
  maxProperties: { rule: 'max-names', what: 'the greatest number of names', upper: true },
}

const COMPARED_ELSEWHERE: ReadonlySet<string> = new Set([
  'type',
  'description',
  'examples',
  'title',
  'contentMediaType',
  '$comment',
  'deprecated',
  'x-secret',
  'default',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'oneOf',
  'anyOf',
  'allOf',
])

/** Compares limits, enums, patterns and formats. Every other changed keyword is reported as an unclassified change. */
export function compareKeywords(old: JsonSchema, now: JsonSchema, report: ReportEffect): void {
  for (const name of collectNames(old, now)) {
    if (COMPARED_ELSEWHERE.has(name)) continue
    const limit = getRecordValue(LIMIT_KEYWORDS, name)
    if (limit !== undefined) compareLimitKeyword(old[name], now[name], limit, report)
    else if (name === 'enum') compareEnums(old[name], now[name], report)
    else if (!isSameData(old[name] ?? null, now[name] ?? null)) compareRuleKeyword(name, old[name], now[name], report)
  }
}

/** Compares two limits; undefined means no limit. */
export function compareLimitKeyword(old: unknown, now: unknown, limit: LimitKeyword, report: ReportEffect): void {
  const { rule, what, upper, compare = (a, b) => (a as number) - (b as number) } = limit
  // A minimum length or count of 0 is not a limit.
  const [before, after] = [old, now].map((one) => (!upper && one === 0 && rule !== 'minimum' ? undefined : one))
  if (before === after) return
  if (before === undefined) return report('narrowed', `${rule}-added`, `${what} is ${String(after)} now`)
  if (after === undefined) return report('widened', `${rule}-removed`, `${what} is not limited any more`)
  const compared = compare(after, before)
  if (compared === 0) return
  const raised = compared > 0
  const effect = raised === upper ? 'widened' : 'narrowed'
  report(
    effect,
    `${rule}-${raised ? 'raised' : 'lowered'}`,
    `${what} is ${String(after)} now, and was ${String(before)}`,
  )
}

function compareEnums(old: unknown, now: unknown, report: ReportEffect): void {
  if (old === undefined && now === undefined) return
  if (!Array.isArray(old))
    return report('narrowed', 'values-listed', `its values are only ${formatValueList(now as unknown[])} now`)
  if (!Array.isArray(now)) return report('widened', 'values-unlisted', 'any value is one now')
  const removed = old.filter((one) => !now.some((other) => isSameData(one, other)))
  const added = now.filter((one) => !old.some((other) => isSameData(one, other)))
  if (removed.length > 0)
    report(
      'narrowed',
      'value-removed',
      `${formatValueList(removed)} ${removed.length === 1 ? 'is no value' : 'are no values'} any more`,
    )
  if (added.length > 0)
    report(
      'widened',
      'value-added',
      `${formatValueList(added)} ${added.length === 1 ? 'is a value' : 'are values'} now`,
    )
}

const formatValueList = (values: readonly unknown[]): string => values.map((one) => JSON.stringify(one)).join(', ')

const RULE_KEYWORDS: Readonly<Record<string, string>> = { pattern: 'pattern', format: 'format', uniqueItems: 'unique' }

function compareRuleKeyword(name: string, old: unknown, now: unknown, report: ReportEffect): void {
  const rule = getRecordValue(RULE_KEYWORDS, name)
  if (rule === undefined) return report('changed', 'schema-changed', `its schema says something else with ${name}`)
  const [before, after] = [old === false ? undefined : old, now === false ? undefined : now]
  if (before === after) return
  if (before === undefined) return report('narrowed', `${rule}-added`, `it must fit the ${name} ${String(after)} now`)
  if (after === undefined)
    return report('widened', `${rule}-removed`, `it need not fit the ${name} ${String(before)} any more`)
  report('changed', `${rule}-changed`, `it must fit the ${name} ${String(after)} now, not ${String(before)}`)
}
