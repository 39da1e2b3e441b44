// Differences between rules of how many attributes a client gives, judged by what may be sent under them.
import type { JsonSchema } from '../../schema/json-schema.ts'
import { isSame } from '../canonical.ts'
import type { Judge } from './change.ts'

/** The rules of a structure, and the attributes that they are about. */
export interface Ruled {
  readonly rules: readonly JsonSchema[]
  readonly names: readonly string[]
  readonly required: readonly string[]
}

/** Compares the rules of two structures: one that refuses what was accepted narrows, one that is gone widens. */
export function compareRules(old: Ruled, now: Ruled, tell: Judge): void {
  for (const rule of now.rules)
    if (!follows(rule, old)) tell('narrowed', 'constraint-added', `it must have ${worded(rule)} now`)
  for (const rule of old.rules)
    if (!follows(rule, now)) tell('widened', 'constraint-removed', `it need not have ${worded(rule)} any more`)
}

const MOST_NAMES = 12

// Whether everything that may be sent keeps a rule; with very many names only an equal rule tells.
function follows(rule: JsonSchema, { rules, names, required }: Ruled): boolean {
  if (rules.some((one) => isSame(one, rule))) return true
  const involved = [...new Set([rule, ...rules].flatMap(namesIn))].filter((name) => names.includes(name))
  if (involved.length > MOST_NAMES) return false
  for (let bits = 0; bits < 2 ** involved.length; bits++) {
    const given = new Set(involved.filter((name, i) => (bits >> i) % 2 === 1 || required.includes(name)))
    if (rules.every((one) => holds(one, given)) && !holds(rule, given)) return false
  }
  return true
}

type Needs = readonly { readonly required: readonly string[] }[]

function needsIn({ anyOf, oneOf, not }: JsonSchema): Needs {
  const excluded = not as JsonSchema | undefined
  return (anyOf ?? oneOf ?? excluded?.['anyOf'] ?? (excluded === undefined ? [] : [excluded])) as Needs
}

const dependentIn = ({ dependentRequired = {} }: JsonSchema): Readonly<Record<string, readonly string[]>> =>
  dependentRequired as Record<string, readonly string[]>

const namesIn = (schema: JsonSchema): string[] => [
  ...new Set([...needsIn(schema).flatMap(({ required }) => required), ...Object.keys(dependentIn(schema))]),
]

function holds(schema: JsonSchema, given: ReadonlySet<string>): boolean {
  const met = needsIn(schema).filter(({ required }) => required.every((name) => given.has(name))).length
  if (schema['anyOf'] !== undefined) return met > 0
  if (schema['oneOf'] !== undefined) return met === 1
  if (schema['not'] !== undefined) return met === 0
  return Object.entries(dependentIn(schema)).every(
    ([name, others]) => !given.has(name) || others.every((other) => given.has(other)),
  )
}

const WORDS: Readonly<Record<string, string>> = {
  anyOf: 'at least one of',
  oneOf: 'exactly one of',
  not: 'at most one of',
  dependentRequired: 'all or none of',
}

function worded(schema: JsonSchema): string {
  const keyword = Object.keys(WORDS).find((one) => schema[one] !== undefined) ?? 'dependentRequired'
  return `${WORDS[keyword]} ${namesIn(schema)
    .map((name) => `'${name}'`)
    .join(', ')}`
}
