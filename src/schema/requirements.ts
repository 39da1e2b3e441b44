// Rules between the attributes of a structure: how many of them a client sends.
import type { Flaw, SettingForm } from '../util/setting-form.ts'
import { custom, isSettings, list } from '../util/setting-form.ts'
import type { AnyOptions, Attributes } from './attribute.ts'
import { INVALID } from './issue.ts'
import type { JsonSchema } from './json-schema.ts'
import { withLoaderCode, writeLoader } from './loader-code.ts'
import type { Loader, Loading } from './loading.ts'

/** A rule between attributes of one structure: how many of them a client sends. */
export interface Requirement<out N extends string = string> {
  readonly '~requires': 'atLeastOne' | 'exactlyOne' | 'atMostOne' | 'allOrNone'
  readonly names: readonly N[]
}

/** The names in a rule: two or more. */
export type RuleNames<N extends string = string> = readonly [N, N, ...N[]]

/** Requires that a client sends at least one of the named attributes. */
export const atLeastOne = <const N extends string>(...names: RuleNames<N>): Requirement<N> =>
  makeRequirement('atLeastOne', names)

/** Requires that a client sends exactly one of the named attributes. */
export const exactlyOne = <const N extends string>(...names: RuleNames<N>): Requirement<N> =>
  makeRequirement('exactlyOne', names)

/** Requires that a client sends at most one of the named attributes. */
export const atMostOne = <const N extends string>(...names: RuleNames<N>): Requirement<N> =>
  makeRequirement('atMostOne', names)

/** Requires that a client sends all of the named attributes, or none. */
export const allOrNone = <const N extends string>(...names: RuleNames<N>): Requirement<N> =>
  makeRequirement('allOrNone', names)

const makeRequirement = <N extends string>(rule: Requirement['~requires'], names: readonly N[]): Requirement<N> =>
  Object.freeze({ '~requires': rule, names: Object.freeze([...names]) })

interface RequirementRule {
  readonly text: string
  isMet(count: number, total: number): boolean
  schema(names: readonly string[]): JsonSchema
}

// Linters want every required name to be a property of the same schema.
const buildRequiredSchema = (...names: readonly string[]): JsonSchema => ({
  required: names,
  properties: Object.fromEntries(names.map((name) => [name, {}])),
})

const buildPairSchemas = (names: readonly string[]): JsonSchema[] =>
  names.flatMap((name, i) => names.slice(i + 1).map((other) => buildRequiredSchema(name, other)))

const combineSchemas = (schemas: readonly JsonSchema[]): JsonSchema =>
  schemas.length === 1 ? (schemas[0] as JsonSchema) : { anyOf: schemas }

const REQUIREMENT_RULES: Readonly<Record<Requirement['~requires'], RequirementRule>> = {
  atLeastOne: {
    text: 'at least one of',
    isMet: (count) => count > 0,
    schema: (names) => ({ anyOf: names.map((name) => buildRequiredSchema(name)) }),
  },
  exactlyOne: {
    text: 'exactly one of',
    isMet: (count) => count === 1,
    schema: (names) => ({ oneOf: names.map((name) => buildRequiredSchema(name)) }),
  },
  atMostOne: {
    text: 'at most one of',
    isMet: (count) => count < 2,
    schema: (names) => ({ not: combineSchemas(buildPairSchemas(names)) }),
  },
  allOrNone: {
    text: 'all or none of',
    isMet: (count, total) => count === 0 || count === total,
    schema: (names) => ({
      dependentRequired: Object.fromEntries(names.map((name) => [name, names.filter((other) => other !== name)])),
    }),
  },
}

export const isRequirement = (value: unknown): value is Requirement =>
  typeof value === 'object' &&
  value !== null &&
  Object.hasOwn(REQUIREMENT_RULES, String((value as Requirement)['~requires'])) &&
  Array.isArray((value as Requirement).names)

/** The form of an option with rules between attributes. */
export const requirementsForm: SettingForm = list(
  custom('atLeastOne(…), exactlyOne(…), atMostOne(…) or allOrNone(…)', isRequirement),
)

/** Formats a rule: `exactly one of 'email', 'phone'`. */
export const formatRequirement = ({ '~requires': rule, names }: Requirement): string =>
  `${REQUIREMENT_RULES[rule].text} ${names.map((name) => `'${name}'`).join(', ')}`

/** Builds the JSON Schema of each rule. */
export const buildRequirementSchemas = (requires: readonly Requirement[]): JsonSchema[] =>
  requires.map(({ '~requires': rule, names }) => REQUIREMENT_RULES[rule].schema(names))

/** Returns whether a rule is met. */
export const isRequirementMet = (
  { '~requires': rule, names }: Requirement,
  isGiven: (name: string) => boolean,
): boolean => REQUIREMENT_RULES[rule].isMet(names.filter(isGiven).length, names.length)

/** Adds rules to the loader of a structure; without rules, returns the same loader. */
export function withRequirements(load: Loader, requires: readonly Requirement[] | undefined): Loader {
  if (requires === undefined || requires.length === 0) return load
  return withLoaderCode(loadRequiring, {
    write: (code) =>
      code.addFunction('value, loading', [
        `const loaded = ${writeLoader(code, load)}(value, loading)`,
        `return ${code.addConstant(check)}(value, loaded, loading)`,
      ]),
  })

  function loadRequiring(value: unknown, loading: Loading): unknown {
    return check(value, load(value, loading), loading)
  }

  function check(value: unknown, loaded: unknown, loading: Loading): unknown {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return loaded
    return checkRequirements(value, requires as readonly Requirement[], loading) ? loaded : INVALID
  }
}

function checkRequirements(value: object, requires: readonly Requirement[], loading: Loading): boolean {
  const isGiven = (name: string): boolean =>
    Object.hasOwn(value, name) && (value as Record<string, unknown>)[name] !== undefined
  let valid = true
  for (const one of requires) {
    if (isRequirementMet(one, isGiven)) continue
    loading.fail('constraint', { rule: formatRequirement(one), requires: one['~requires'], names: one.names })
    valid = false
  }
  return valid
}

/**
 * Chooses attributes that satisfy all rules and include `must`: as many as possible, or as few. Returns undefined if
 * there are none. Names without a rule are left out.
 */
export function findSatisfyingNames(
  requires: readonly Requirement[],
  must: ReadonlySet<string>,
  many: boolean = true,
): ReadonlySet<string> | undefined {
  const rules = groupByName(requires)
  // Whatever is certain goes first, so that other choices end as soon as they contradict it.
  const names = [...rules.keys()].sort((a, b) => Number(must.has(b)) - Number(must.has(a)))
  const chosen = new Set<string>()
  const decided = new Set<string>()
  const isUndecided = (one: Requirement): boolean => one.names.some((name) => !decided.has(name))
  const isViolated = (one: Requirement): boolean =>
    hasTooMany(one, chosen) || (!isUndecided(one) && !isRequirementMet(one, (name) => chosen.has(name)))
  const decide = (i: number): boolean => {
    const name = names[i]
    if (name === undefined) return true
    const choices = must.has(name) ? [true] : [many, !many]
    return choices.some((included) => {
      decided.add(name)
      if (included) chosen.add(name)
      if (!rules.get(name)?.some(isViolated) && decide(i + 1)) return true
      decided.delete(name)
      chosen.delete(name)
      return false
    })
  }
  return decide(0) ? chosen : undefined
}

/** Returns the rules of each name that has one. */
function groupByName(requires: readonly Requirement[]): ReadonlyMap<string, readonly Requirement[]> {
  const rules = new Map<string, Requirement[]>()
  for (const one of requires)
    for (const name of new Set(one.names)) {
      const known = rules.get(name)
      if (known === undefined) rules.set(name, [one])
      else known.push(one)
    }
  return rules
}

const hasTooMany = ({ '~requires': rule, names }: Requirement, chosen: ReadonlySet<string>): boolean =>
  (rule === 'exactlyOne' || rule === 'atMostOne') && names.filter((name) => chosen.has(name)).length > 1

/** Returns the attributes that a client must send, regardless of the rules. */
export const findMandatoryNames = (attributes: Attributes): ReadonlySet<string> =>
  new Set(
    Object.entries(attributes)
      .filter(
        ([, { options }]: [string, { options: AnyOptions }]) =>
          options.required === true && options.default === undefined,
      )
      .map(([name]) => name),
  )

/** Returns the flaws of rules between the given attributes. */
export function findRequirementFlaws(requires: readonly Requirement[] | undefined, attributes: Attributes): Flaw[] {
  if (requires === undefined) return []
  const makeFlaw = (problem: string, remedy: string): Flaw => ({ at: '', problem, remedy })
  const own = requires.flatMap((one) => {
    const unknown = one.names.filter((name) => !Object.hasOwn(attributes, name))
    const flaws = unknown.map((name) =>
      makeFlaw(
        `requires names '${name}', which is not an attribute`,
        `name some of: ${Object.keys(attributes).join(', ')}`,
      ),
    )
    if (new Set(one.names).size < 2 || new Set(one.names).size < one.names.length)
      flaws.push(makeFlaw(`requires has ${formatRequirement(one)}`, 'name two different attributes or more'))
    return flaws
  })
  if (own.length > 0) return own
  const must = findMandatoryNames(attributes)
  if (findSatisfyingNames(requires, must) === undefined)
    return [makeFlaw(`no value has ${requires.map(formatRequirement).join(' and ')}`, 'take one of the rules away')]
  const never = [...new Set(requires.flatMap((one) => one.names))].filter(
    (name) => findSatisfyingNames(requires, new Set([...must, name])) === undefined,
  )
  return never.map((name) =>
    makeFlaw(
      `'${name}' could never be given: ${requires.map(formatRequirement).join(' and ')}`,
      'let the others be optional, or take the attribute away',
    ),
  )
}

/** Describes the rules that the default or the example of a structure breaks. */
export function findValueRuleMistakes(requires: readonly Requirement[] = [], options: AnyOptions): string[] {
  return (['default', 'example'] as const).flatMap((option) => {
    const value = options[option]
    if (!isSettings(value)) return []
    const broken = requires.filter((one) => !isRequirementMet(one, (name) => hasOwnValue(value, name)))
    return broken.map((one) => `${option} does not have ${formatRequirement(one)}`)
  })
}

function hasOwnValue(value: Readonly<Record<string, unknown>>, name: string): boolean {
  try {
    return Object.hasOwn(value, name) && value[name] !== undefined
  } catch {
    // Values that throw when read are reported as examples.
    return true
  }
}
