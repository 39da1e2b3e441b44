// Checks that several kinds share: type errors of scalars, and messages for contradicting limits.
import { describeValue, isClass } from '../util/describe-value.ts'
import { memoize } from '../util/memoize.ts'
import { accept, type Fields, type Flaw, formatFlaw, isSettings, NO_SETTING } from '../util/setting-form.ts'
import { type AnyOptions, sharedOptionForms } from './attribute-options.ts'
import { type Dumper, Dumping } from './dumping.ts'
import type { INVALID, IssueCollector } from './issue.ts'
import type { Loading } from './loading.ts'

/** The expected value: a description, and the name of the kind or format. */
interface Expected {
  readonly expected: string
  readonly kind: string
  readonly [name: string]: string
}

/** Returns the expected values of a kind, as issue details. */
export const toExpected = ({ expected, name }: { readonly expected: string; readonly name: string }): Expected => ({
  expected,
  kind: name,
})

/** Refuses a value that is not a scalar; a text name sent twice is reported as repeated. */
export function refuseType(value: unknown, loading: Loading, expected: Expected): typeof INVALID {
  return loading.source === 'text' && Array.isArray(value) ? loading.fail('repeated') : loading.fail('type', expected)
}

/** Returns whether a text has no lone surrogates. */
export function isWellFormed(text: string): boolean {
  // Part of ECMAScript 2024, but available in every engine that this package supports.
  return (text as string & { isWellFormed(): boolean }).isWellFormed()
}

/** Refuses a value that is not in the list. */
export function refuseUnlisted(
  values: readonly (string | number | bigint)[],
  reporter: IssueCollector,
): typeof INVALID {
  if (values.length === 1) return reporter.fail('equal', { expected: String(values[0]) })
  return reporter.fail('values', { values: values.map(toPlain) })
}

const toPlain = (value: string | number | bigint): string | number =>
  typeof value === 'bigint' ? String(value) : value

/** Finds mistakes in a list of allowed values: empty, duplicates, or values that the attribute would refuse. */
export function findValuesMistakes(values: readonly unknown[] | undefined, getDumper: () => Dumper): string[] {
  if (values === undefined) return []
  const dump = getDumper()
  const mistakes: string[] = []
  if (values.length === 0) mistakes.push('values is empty: nothing could ever be sent')
  if (new Set(values).size !== values.length) mistakes.push('values names a value twice')
  for (const value of values) {
    const dumping = new Dumping('checked')
    dump(value, dumping)
    const [issue] = dumping.issues ?? []
    if (issue !== undefined) mistakes.push(`values names ${formatAllowedValue(value)}, which ${issue.message}`)
  }
  return mistakes
}

const formatAllowedValue = (value: unknown): string =>
  typeof value === 'string' ? JSON.stringify(value) : String(value)

/** The limits of a number or a size. */
export interface NumericLimits {
  readonly min?: number
  readonly max?: number
}

/** The limits of any kind of number. */
export interface ValueLimits {
  readonly min?: number | bigint
  readonly max?: number | bigint
}

/** Finds mistakes in limits on values: not finite, or a minimum above the maximum. */
export function findLimitMistakes({ min, max }: ValueLimits): string[] {
  const mistakes: string[] = []
  if (typeof min === 'number' && !Number.isFinite(min)) mistakes.push(`min (${min}) is not finite`)
  if (typeof max === 'number' && !Number.isFinite(max)) mistakes.push(`max (${max}) is not finite`)
  if (min !== undefined && max !== undefined && min > max) mistakes.push(`min (${min}) is greater than max (${max})`)
  return mistakes
}

/** Finds mistakes in limits on a size (characters, items, bytes): those of values, negative numbers and fractions. */
export function findSizeMistakes(limits: ValueLimits): string[] {
  const mistakes = findLimitMistakes(limits)
  for (const name of ['min', 'max'] as const) {
    const limit = limits[name]
    if (limit !== undefined && (limit < 0 || !Number.isInteger(limit)))
      mistakes.push(`${name} (${limit}) is not a size`)
  }
  return mistakes
}

/** Returns the limits as texts: a schema cannot state them, because the values are strings in JSON. */
export function getLimitTexts(options: AnyOptions): { readonly min?: string; readonly max?: string } {
  const { min, max } = options as { readonly min?: unknown; readonly max?: unknown }
  return { ...(min !== undefined && { min: String(min) }), ...(max !== undefined && { max: String(max) }) }
}

/** A contradiction within a declaration: a sentence, or a flaw with a remedy. */
export type AttributeMistake = string | Flaw

/** Finds unknown options and options of a wrong form; their meaning is not checked. */
export function findOptionMistakes(options: unknown, own: Fields<object> | undefined): readonly Flaw[] {
  const { flaws } = accept(options, own === undefined ? sharedOptionForms : mergeOptionForms(own), own === undefined)
  return flaws.length === 0 ? flaws : flaws.map(toOptionFlaw)
}

// There are few kinds and many attributes, so each kind's forms are cached.
const mergeOptionForms = memoize((own: Fields<object>): Fields<AnyOptions> => ({ ...sharedOptionForms, ...own }))

function toOptionFlaw(flaw: Flaw): Flaw {
  const { at, problem, remedy } = flaw
  if (problem === NO_SETTING) return { at: '', problem: `there is no option '${at.slice(1)}'`, remedy }
  return { at: '', problem: formatFlaw(flaw, 'what stands for the options'), remedy }
}

/**
 * Finds mistakes in the options that every attribute takes: a default or an example that the attribute would refuse.
 */
export function findOptionValueMistakes(options: AnyOptions, dumper: () => Dumper): AttributeMistake[] {
  const mistakes: AttributeMistake[] = []
  for (const name of ['default', 'example'] as const) {
    const value = options[name]
    if (value === undefined || (name === 'default' && typeof value === 'function')) {
      if (isClass(value))
        mistakes.push({ at: '', problem: `${name} is ${describeValue(value)}`, remedy: DEFAULT_REMEDY })
    } else if (value === null) {
      if (options.nullable !== true) mistakes.push(`${name} is null, but the attribute is not nullable`)
    } else mistakes.push(...findValueRefusals(name, value, dumper))
  }
  return mistakes
}

const DEFAULT_REMEDY = 'give a value, or a function that is called for each request'

function findValueRefusals(name: string, value: unknown, dumper: () => Dumper): string[] {
  const dumping = new Dumping('checked')
  try {
    const dumped = dumper()(value, dumping)
    if (isSettings(dumped) && !isSettings(value)) return [`${name} is ${describeValue(value)}, which has no attributes`]
  } catch (error) {
    // Either something below is invalid and reported there, or the value throws when read.
    return [`${name} cannot be checked: ${error instanceof Error ? error.message : describeValue(error)}`]
  }
  return (dumping.issues ?? []).map(({ pointer, message }) => `${name}${pointer} ${message}`)
}
