// Small answers that several kinds share: how a scalar is refused, and how contradicting limits are put into words.

import { type Dumper, Dumping } from './dumping.ts'
import type { INVALID, Reporter } from './issue.ts'
import type { Loading } from './loading.ts'
import type { AnyOptions } from './options.ts'

/** Refuses a value where a scalar is declared; two values of one text name are called what they are. */
export function refuse(value: unknown, loading: Loading, expected: string): typeof INVALID {
  return loading.text && Array.isArray(value) ? loading.fail('repeated') : loading.fail('type', { expected })
}

/** Tells whether a text has no half of a surrogate pair on its own. */
export function isWellFormed(text: string): boolean {
  // ECMAScript 2024, but in every engine that this package supports.
  return (text as string & { isWellFormed(): boolean }).isWellFormed()
}

/** Refuses a value that is none of the listed ones. */
export function refuseValue(values: readonly (string | number | bigint)[], reporter: Reporter): typeof INVALID {
  if (values.length === 1) return reporter.fail('equal', { expected: String(values[0]) })
  return reporter.fail('values', { values: values.join(', ') })
}

/** Mistakes in a list of allowed values: none, one of them twice, or one that the attribute would refuse. */
export function valuesMistakes(values: readonly unknown[] | undefined, dump: Dumper): string[] {
  if (values === undefined) return []
  const mistakes: string[] = []
  if (values.length === 0) mistakes.push('values is empty: nothing could ever be sent')
  if (new Set(values).size !== values.length) mistakes.push('values names a value twice')
  for (const value of values) {
    const dumping = new Dumping(true)
    dump(value, dumping)
    const [issue] = dumping.issues ?? []
    if (issue !== undefined) mistakes.push(`values names ${shown(value)}, which ${issue.message}`)
  }
  return mistakes
}

const shown = (value: unknown): string => (typeof value === 'string' ? JSON.stringify(value) : String(value))

/** Limits on a number or a size. */
export interface Bounds {
  readonly min?: number
  readonly max?: number
}

/** Limits of any kind of number. */
export interface Limits {
  readonly min?: number | bigint
  readonly max?: number | bigint
}

/** Mistakes in limits on values: not finite, or a minimum above the maximum. */
export function limitMistakes({ min, max }: Limits): string[] {
  const mistakes: string[] = []
  if (typeof min === 'number' && !Number.isFinite(min)) mistakes.push(`min (${min}) is not finite`)
  if (typeof max === 'number' && !Number.isFinite(max)) mistakes.push(`max (${max}) is not finite`)
  if (min !== undefined && max !== undefined && min > max) mistakes.push(`min (${min}) is greater than max (${max})`)
  return mistakes
}

/** Mistakes in limits on a size (characters, items, bytes): as for values, and neither negative nor a fraction. */
export function sizeMistakes(limits: Limits): string[] {
  const mistakes = limitMistakes(limits)
  for (const name of ['min', 'max'] as const) {
    const limit = limits[name]
    if (limit !== undefined && (limit < 0 || !Number.isInteger(limit)))
      mistakes.push(`${name} (${limit}) is not a size`)
  }
  return mistakes
}

/** Mistakes in the options that every attribute takes: a default or an example that the attribute would refuse. */
export function optionMistakes(
  options: AnyOptions,
  dumper: () => Dumper,
  known: readonly string[] | undefined,
): string[] {
  const mistakes: string[] = []
  if (known !== undefined) {
    for (const name of Object.keys(options)) {
      if (!SHARED.has(name) && !known.includes(name)) mistakes.push(`${name} is not an option of this kind`)
    }
  }
  for (const name of ['default', 'example'] as const) {
    const value = options[name]
    if (value === undefined || typeof value === 'function') continue
    if (value === null) {
      if (options.nullable !== true) mistakes.push(`${name} is null, but the attribute is not nullable`)
      continue
    }
    const dumping = new Dumping(true)
    dumper()(value, dumping)
    for (const { pointer, message } of dumping.issues ?? []) mistakes.push(`${name}${pointer} ${message}`)
  }
  return mistakes
}

const SHARED: ReadonlySet<string> = new Set(['required', 'default', 'nullable', 'description', 'example'])
