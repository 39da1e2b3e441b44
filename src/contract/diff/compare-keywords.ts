// Differences between the keywords of two schemas that hold no schemas themselves.
import type { JsonSchema } from '../../schema/json-schema.ts'
import { isSameData } from '../canonical.ts'
import { getRecordValue, type ChangeEffect, collectNames } from './change.ts'

/** Receives what became of the values of a schema. */
type ReportEffect = (effect: ChangeEffect, rule: string, what: string) => void

interface LimitKeyword {
  readonly rule: string
  readonly what: string
  readonly upper: boolean
  /** Compares limits that are texts of numbers. */
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

/** Compares limits, allowed values, patterns and formats; any other keyword may mean anything. */
export function compareKeywords(old: JsonSchema, now: JsonSchema, tell: ReportEffect): void {
  for (const name of collectNames(old, now)) {
    if (COMPARED_ELSEWHERE.has(name)) continue
    const bound = getRecordValue(LIMIT_KEYWORDS, name)
    if (bound !== undefined) compareLimitKeyword(old[name], now[name], bound, tell)
    else if (name === 'enum') compareEnums(old[name], now[name], tell)
    else if (!isSameData(old[name] ?? null, now[name] ?? null)) compareRuleKeyword(name, old[name], now[name], tell)
  }
}

/** Compares two limits of any size; undefined stands for none. */
export function compareLimitKeyword(old: unknown, now: unknown, bound: LimitKeyword, tell: ReportEffect): void {
  const { rule, what, upper, compare = subtractNumbers } = bound
  // Nothing is shorter than nothing.
  const [before, after] = [old, now].map((one) => (!upper && one === 0 && rule !== 'minimum' ? undefined : one))
  if (before === after) return
  if (before === undefined) return tell('narrowed', `${rule}-added`, `${what} is ${String(after)} now`)
  if (after === undefined) return tell('widened', `${rule}-removed`, `${what} is not limited any more`)
  const compared = compare(after, before)
  if (compared === 0) return
  const raised = compared > 0
  const effect = raised === upper ? 'widened' : 'narrowed'
  tell(effect, `${rule}-${raised ? 'raised' : 'lowered'}`, `${what} is ${String(after)} now, and was ${String(before)}`)
}

const subtractNumbers = (a: unknown, b: unknown): number => (a as number) - (b as number)

function compareEnums(old: unknown, now: unknown, tell: ReportEffect): void {
  if (old === undefined && now === undefined) return
  if (!Array.isArray(old))
    return tell('narrowed', 'values-listed', `its values are only ${formatValueList(now as unknown[])} now`)
  if (!Array.isArray(now)) return tell('widened', 'values-unlisted', 'any value is one now')
  const gone = old.filter((one) => !now.some((other) => isSameData(one, other)))
  const fresh = now.filter((one) => !old.some((other) => isSameData(one, other)))
  if (gone.length > 0)
    tell(
      'narrowed',
      'value-removed',
      `${formatValueList(gone)} ${gone.length === 1 ? 'is no value' : 'are no values'} any more`,
    )
  if (fresh.length > 0)
    tell('widened', 'value-added', `${formatValueList(fresh)} ${fresh.length === 1 ? 'is a value' : 'are values'} now`)
}

const formatValueList = (values: readonly unknown[]): string => values.map((one) => JSON.stringify(one)).join(', ')

const RULE_KEYWORDS: Readonly<Record<string, string>> = { pattern: 'pattern', format: 'format', uniqueItems: 'unique' }

function compareRuleKeyword(name: string, old: unknown, now: unknown, tell: ReportEffect): void {
  const rule = getRecordValue(RULE_KEYWORDS, name)
  if (rule === undefined) return tell('changed', 'schema-changed', `its schema says something else with ${name}`)
  const [before, after] = [old === false ? undefined : old, now === false ? undefined : now]
  if (before === after) return
  if (before === undefined) return tell('narrowed', `${rule}-added`, `it must fit the ${name} ${String(after)} now`)
  if (after === undefined)
    return tell('widened', `${rule}-removed`, `it need not fit the ${name} ${String(before)} any more`)
  tell('changed', `${rule}-changed`, `it must fit the ${name} ${String(after)} now, not ${String(before)}`)
}
