// Compares rules on the presence of attributes by the combinations that they accept.
import type { JsonSchema } from '../../schema/json-schema.ts'
import { isSameData } from '../canonical.ts'
import type { ReportChange } from './change.ts'

/** The presence rules of an object, and the attributes they concern. */
export interface RuleSet {
  readonly rules: readonly JsonSchema[]
  readonly names: readonly string[]
  readonly required: readonly string[]
}

/**
 * Compares the rules of two objects. A rule that rejects a combination accepted before narrows; a removed rule widens.
 */
export function compareRules(old: RuleSet, now: RuleSet, report: ReportChange): void {
  for (const rule of now.rules)
    if (!isImpliedRule(rule, old)) report('narrowed', 'constraint-added', `it must have ${formatRule(rule)} now`)
  for (const rule of old.rules)
    if (!isImpliedRule(rule, now))
      report('widened', 'constraint-removed', `it need not have ${formatRule(rule)} any more`)
}

const MAX_RULE_NAMES = 12

// Returns whether every accepted combination also satisfies `rule`. Above the limit of names only an equal rule counts.
function isImpliedRule(rule: JsonSchema, { rules, names, required }: RuleSet): boolean {
  if (rules.some((one) => isSameData(one, rule))) return true
  const involved = [...new Set([rule, ...rules].flatMap(collectRuleNames))].filter((name) => names.includes(name))
  if (involved.length > MAX_RULE_NAMES) return false
  for (let bits = 0; bits < 2 ** involved.length; bits++) {
    const present = new Set(involved.filter((name, i) => (bits >> i) % 2 === 1 || required.includes(name)))
    if (rules.every((one) => isRuleMet(one, present)) && !isRuleMet(rule, present)) return false
  }
  return true
}

type RequiredSets = readonly { readonly required: readonly string[] }[]

function readRequiredSets({ anyOf, oneOf, not }: JsonSchema): RequiredSets {
  const excluded = not as JsonSchema | undefined
  return (anyOf ?? oneOf ?? excluded?.['anyOf'] ?? (excluded === undefined ? [] : [excluded])) as RequiredSets
}

const readDependentRequired = ({ dependentRequired = {} }: JsonSchema): Readonly<Record<string, readonly string[]>> =>
  dependentRequired as Record<string, readonly string[]>

const collectRuleNames = (schema: JsonSchema): string[] => [
  ...new Set([
    ...readRequiredSets(schema).flatMap(({ required }) => required),
    ...Object.keys(readDependentRequired(schema)),
  ]),
]

function isRuleMet(schema: JsonSchema, present: ReadonlySet<string>): boolean {
  const met = readRequiredSets(schema).filter(({ required }) => required.every((name) => present.has(name))).length
  if (schema['anyOf'] !== undefined) return met > 0
  if (schema['oneOf'] !== undefined) return met === 1
  if (schema['not'] !== undefined) return met === 0
  return Object.entries(readDependentRequired(schema)).every(
    ([name, others]) => !present.has(name) || others.every((other) => present.has(other)),
  )
}

const RULE_TEXTS: Readonly<Record<string, string>> = {
  anyOf: 'at least one of',
  oneOf: 'exactly one of',
  not: 'at most one of',
  dependentRequired: 'all or none of',
}

function formatRule(schema: JsonSchema): string {
  const keyword = Object.keys(RULE_TEXTS).find((one) => schema[one] !== undefined) ?? 'dependentRequired'
  return `${RULE_TEXTS[keyword]} ${collectRuleNames(schema)
    .map((name) => `'${name}'`)
    .join(', ')}`
}
