// Rules between the attributes of a structure: how many of them a client gives.
import type { Flaw, Form } from '../util/form.ts'
import { isStructure, list, tested } from '../util/form.ts'
import type { AnyOptions, Attributes } from './attribute.ts'
import { INVALID } from './issue.ts'
import type { JsonSchema } from './json-schema.ts'
import type { Loader, Loading } from './loading.ts'

/** A rule between attributes of one structure: how many of them a client sends. */
export interface Requirement<out N extends string = string> {
  readonly '~requires': 'atLeastOne' | 'exactlyOne' | 'atMostOne' | 'allOrNone'
  readonly names: readonly N[]
}

/** Requires that a client sends at least one of the named attributes. */
export const atLeastOne = <const N extends string>(...names: readonly N[]): Requirement<N> => made('atLeastOne', names)

/** Requires that a client sends exactly one of the named attributes. */
export const exactlyOne = <const N extends string>(...names: readonly N[]): Requirement<N> => made('exactlyOne', names)

/** Requires that a client sends at most one of the named attributes. */
export const atMostOne = <const N extends string>(...names: readonly N[]): Requirement<N> => made('atMostOne', names)

/** Requires that a client sends all of the named attributes, or none. */
export const allOrNone = <const N extends string>(...names: readonly N[]): Requirement<N> => made('allOrNone', names)

const made = <N extends string>(rule: Requirement['~requires'], names: readonly N[]): Requirement<N> =>
  Object.freeze({ '~requires': rule, names: Object.freeze([...names]) })

interface Rule {
  readonly words: string
  fits(given: number, of: number): boolean
  schema(names: readonly string[]): JsonSchema
}

// Linters want every required name to be a property of the same schema.
const having = (...names: readonly string[]): JsonSchema => ({
  required: names,
  properties: Object.fromEntries(names.map((name) => [name, {}])),
})

const pairs = (names: readonly string[]): JsonSchema[] =>
  names.flatMap((name, i) => names.slice(i + 1).map((other) => having(name, other)))

const anyOf = (schemas: readonly JsonSchema[]): JsonSchema =>
  schemas.length === 1 ? (schemas[0] as JsonSchema) : { anyOf: schemas }

const RULES: Readonly<Record<Requirement['~requires'], Rule>> = {
  atLeastOne: {
    words: 'at least one of',
    fits: (given) => given > 0,
    schema: (names) => ({ anyOf: names.map((name) => having(name)) }),
  },
  exactlyOne: {
    words: 'exactly one of',
    fits: (given) => given === 1,
    schema: (names) => ({ oneOf: names.map((name) => having(name)) }),
  },
  atMostOne: {
    words: 'at most one of',
    fits: (given) => given < 2,
    schema: (names) => ({ not: anyOf(pairs(names)) }),
  },
  allOrNone: {
    words: 'all or none of',
    fits: (given, of) => given === 0 || given === of,
    schema: (names) => ({
      dependentRequired: Object.fromEntries(names.map((name) => [name, names.filter((other) => other !== name)])),
    }),
  },
}

/** Returns whether a value is a rule between attributes. */
export const isRequirement = (value: unknown): value is Requirement =>
  typeof value === 'object' &&
  value !== null &&
  Object.hasOwn(RULES, String((value as Requirement)['~requires'])) &&
  Array.isArray((value as Requirement).names)

/** The form of an option that holds rules between attributes. */
export const requirements: Form = list(
  tested('atLeastOne(…), exactlyOne(…), atMostOne(…) or allOrNone(…)', isRequirement),
)

/** A rule in words: `exactly one of 'email', 'phone'`. */
export const requirementText = ({ '~requires': rule, names }: Requirement): string =>
  `${RULES[rule].words} ${names.map((name) => `'${name}'`).join(', ')}`

/** The JSON Schema of each rule. */
export const requirementSchemas = (requires: readonly Requirement[]): JsonSchema[] =>
  requires.map(({ '~requires': rule, names }) => RULES[rule].schema(names))

/** Returns whether a rule holds for what is given. */
export const holds = ({ '~requires': rule, names }: Requirement, given: (name: string) => boolean): boolean =>
  RULES[rule].fits(names.filter(given).length, names.length)

/** Adds rules to the loader of a structure; without any it is the same loader. */
export function requiring(load: Loader, requires: readonly Requirement[] | undefined): Loader {
  if (requires === undefined || requires.length === 0) return load
  return function loadRequiring(value, loading) {
    const loaded = load(value, loading)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return loaded
    return refuseMissing(value, requires, loading) ? loaded : INVALID
  }
}

function refuseMissing(value: object, requires: readonly Requirement[], loading: Loading): boolean {
  const isGiven = (name: string): boolean =>
    Object.hasOwn(value, name) && (value as Record<string, unknown>)[name] !== undefined
  let valid = true
  for (const one of requires) {
    if (holds(one, isGiven)) continue
    loading.fail('constraint', { rule: requirementText(one), requires: one['~requires'], names: one.names })
    valid = false
  }
  return valid
}

/**
 * Chooses attributes that satisfy all rules, `must` among them: as many as possible, or as few. Undefined when there are
 * none. Names that no rule has are left out.
 */
export function satisfying(
  requires: readonly Requirement[],
  must: ReadonlySet<string>,
  many: boolean = true,
): ReadonlySet<string> | undefined {
  const names = [...new Set(requires.flatMap((one) => one.names))]
  const chosen = new Set<string>()
  const settled = new Set<string>()
  const isOpen = (one: Requirement): boolean => one.names.some((name) => !settled.has(name))
  const fails = (one: Requirement): boolean =>
    isOpen(one) ? tooMany(one, chosen) : !holds(one, (name) => chosen.has(name))
  const choose = (i: number): boolean => {
    const name = names[i]
    if (name === undefined) return true
    const ways = must.has(name) ? [true] : [many, !many]
    return ways.some((way) => {
      settled.add(name)
      if (way) chosen.add(name)
      if (!requires.some(fails) && choose(i + 1)) return true
      settled.delete(name)
      chosen.delete(name)
      return false
    })
  }
  return choose(0) ? chosen : undefined
}

const tooMany = ({ '~requires': rule, names }: Requirement, chosen: ReadonlySet<string>): boolean =>
  (rule === 'exactlyOne' || rule === 'atMostOne') && names.filter((name) => chosen.has(name)).length > 1

/** Attributes that a client has to send, whatever rules say. */
export const mustBeSent = (attributes: Attributes): ReadonlySet<string> =>
  new Set(
    Object.entries(attributes)
      .filter(
        ([, { options }]: [string, { options: AnyOptions }]) =>
          options.required === true && options.default === undefined,
      )
      .map(([name]) => name),
  )

/** The flaws of rules between the given attributes. */
export function requirementFlaws(requires: readonly Requirement[] | undefined, attributes: Attributes): Flaw[] {
  if (requires === undefined) return []
  const flaw = (problem: string, remedy: string): Flaw => ({ at: '', problem, remedy })
  const own = requires.flatMap((one) => {
    const unknown = one.names.filter((name) => !Object.hasOwn(attributes, name))
    const flaws = unknown.map((name) =>
      flaw(
        `requires names '${name}', which is not an attribute`,
        `name some of: ${Object.keys(attributes).join(', ')}`,
      ),
    )
    if (new Set(one.names).size < 2 || new Set(one.names).size < one.names.length)
      flaws.push(flaw(`requires has ${requirementText(one)}`, 'name two different attributes or more'))
    return flaws
  })
  if (own.length > 0) return own
  const must = mustBeSent(attributes)
  if (satisfying(requires, must) === undefined)
    return [flaw(`no value has ${requires.map(requirementText).join(' and ')}`, 'take one of the rules away')]
  const never = [...new Set(requires.flatMap((one) => one.names))].filter(
    (name) => satisfying(requires, new Set([...must, name])) === undefined,
  )
  return never.map((name) =>
    flaw(
      `'${name}' could never be given: ${requires.map(requirementText).join(' and ')}`,
      'let the others be optional, or take the attribute away',
    ),
  )
}

/** The rules that the default or the example of a structure breaks, in words. */
export function valueRuleMistakes(requires: readonly Requirement[] = [], options: AnyOptions): string[] {
  return (['default', 'example'] as const).flatMap((option) => {
    const value = options[option]
    if (!isStructure(value)) return []
    const broken = requires.filter((one) => !holds(one, (name) => isGiven(value, name)))
    return broken.map((one) => `${option} does not have ${requirementText(one)}`)
  })
}

function isGiven(value: Readonly<Record<string, unknown>>, name: string): boolean {
  try {
    return Object.hasOwn(value, name) && value[name] !== undefined
  } catch {
    // Values that cannot be read are reported as examples.
    return true
  }
}
