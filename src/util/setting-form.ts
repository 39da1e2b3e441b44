// Forms: which settings a declaration may have and what each of them may be, checked in one way everywhere.
import { describeValue, isClass } from './describe-value.ts'
import { holdsSettings } from './late.ts'
import { suggestName, findNearest } from './suggest-name.ts'

/** Something wrong with a value, or at a place within it, such as `.limits.body` or `[0]`. */
export interface Flaw {
  readonly at: string
  readonly problem: string
  readonly remedy: string
}

/** The form of one setting. */
export interface SettingForm {
  /** The values that fit, as a remedy names them: `a text`. */
  readonly expected: string
  /** The setting may not be left out. */
  readonly required?: boolean
  /** The problem of a value; nothing if it fits. */
  check(value: unknown): readonly Flaw[]
}

/** The form of each setting of T: a setting that is added to T must be added here, the compiler insists. */
export type Fields<T> = { readonly [K in keyof Required<T>]: SettingForm }

/** The settings that are right, and the flaws of the others. */
export interface CheckedSettings<T> {
  readonly value: T
  readonly flaws: readonly Flaw[]
}

/** The problem of a name that no setting has. */
export const NO_SETTING = 'there is no such setting'

const NO_FLAWS: readonly Flaw[] = Object.freeze([])

/** Returns whether a value is an object that holds settings; dates, lists, declared things and the like hold none. */
export const isSettings = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && (holdsSettings.value?.(value) ?? true)

/** Settings that nobody can change any more; a value that holds none stays as it is, and boot reports it. */
export const freezeSettings = <T>(given: T): T => (isSettings(given) ? Object.freeze({ ...given }) : given)

/** Takes what fits of given settings, and says what does not; nothing given is taken for no settings. */
export function accept<T extends object>(given: unknown, fields: Fields<T>, open = false): CheckedSettings<T> {
  const missing = given === undefined ? {} : given
  if (!isSettings(missing)) {
    const flaw = { at: '', problem: `it is ${describeValue(given)}`, remedy: `give ${describeFields(fields)}` }
    return { value: {} as T, flaws: [flaw] }
  }
  const flaws = findFlaws(missing, fields, open)
  if (flaws.length === 0) return { value: missing as T, flaws }
  const wrong = new Set(flaws.map(({ at }) => /^\.([^.[]+)/.exec(at)?.[1]))
  const right = Object.keys(missing).filter((name) => Object.hasOwn(fields, name) && !wrong.has(name))
  return { value: Object.fromEntries(right.map((name) => [name, missing[name]])) as T, flaws }
}

const describeFields = (fields: object): string => `an object of settings: ${Object.keys(fields).join(', ')}`

function findFlaws(given: Readonly<Record<string, unknown>>, fields: Fields<object>, open: boolean): readonly Flaw[] {
  const forms = fields as Readonly<Record<string, SettingForm>>
  let flaws: Flaw[] | undefined
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(forms, name)) continue
    const known = Object.keys(forms)
    if (open && findNearest(name, known) === undefined) continue
    flaws ??= []
    flaws.push({ at: `.${name}`, problem: NO_SETTING, remedy: suggestName(name, known) })
  }
  for (const name in forms) {
    const found = checkSetting(given, name, forms[name] as SettingForm)
    if (found.length > 0) flaws = [...(flaws ?? []), ...prefixFlaws(`.${name}`, found)]
  }
  return flaws ?? NO_FLAWS
}

function checkSetting(given: Readonly<Record<string, unknown>>, name: string, form: SettingForm): readonly Flaw[] {
  let value: unknown
  try {
    value = given[name]
  } catch (error) {
    return [{ at: '', problem: `reading it fails: ${describeValue(error)}`, remedy: `give ${form.expected}` }]
  }
  if (value !== undefined) return form.check(value)
  return form.required ? [{ at: '', problem: 'it is missing', remedy: `give ${form.expected}` }] : NO_FLAWS
}

const prefixFlaws = (at: string, flaws: readonly Flaw[]): readonly Flaw[] =>
  flaws.map((flaw) => ({ ...flaw, at: at + flaw.at }))

/** The same form for a setting that may not be left out. */
export const required = (form: SettingForm): SettingForm => ({ ...form, required: true })

/** A form of everything that passes a test. */
export const custom = (words: string, fits: (value: unknown) => boolean): SettingForm => ({
  expected: words,
  check: (value) => (fits(value) ? NO_FLAWS : describeMisfit(value, words)),
})

const describeMisfit = (value: unknown, words: string): readonly Flaw[] => [
  { at: '', problem: `it is ${describeValue(value)}`, remedy: `give ${words}` },
]

/** Anything: something else looks at it. */
export const anything: SettingForm = { expected: 'a value', check: () => NO_FLAWS }

/** A text. */
export const text: SettingForm = custom('a text', (value) => typeof value === 'string')

/** A text that is not empty. */
export const name: SettingForm = custom('a text that is not empty', (value) => typeof value === 'string' && value !== '')

/** True or false. */
export const flag: SettingForm = custom('true or false', (value) => typeof value === 'boolean')

/** Any number; the setting knows its own limits. */
export const number: SettingForm = custom('a number', (value) => typeof value === 'number' && !Number.isNaN(value))

/** A whole number from a least one on. */
export const integerFrom = (from: number): SettingForm =>
  custom(`a whole number from ${from} on`, (value) => Number.isSafeInteger(value) && (value as number) >= from)

/** A length of time: milliseconds, or a text such as `500ms`, `30s`, `5m`, `1h` or `7d`. */
export type Duration = number | `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** The milliseconds of a length of time; NaN for what is none. */
export function toMilliseconds(value: unknown): number {
  if (typeof value === 'number') return value
  const [, digits, unit] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(String(value)) ?? []
  return digits === undefined ? Number.NaN : Number(digits) * (UNITS[unit as string] as number)
}

/** A duration of at least so many milliseconds; with `seconds`, in whole seconds. */
export const duration = (from: number, seconds = false): SettingForm =>
  custom(
    `a time such as '30s', '5m', '1h' or '7d'${seconds ? ', in whole seconds' : ''}, from ${from / 1000} s on`,
    (value) => {
      const length = toMilliseconds(value)
      return Number.isSafeInteger(length) && length >= from && (!seconds || length % 1000 === 0)
    },
  )

/** A function that can be called. */
export const callable: SettingForm = custom('a function', (value) => typeof value === 'function' && !isClass(value))

/** A regular expression. */
export const regexp: SettingForm = custom('a RegExp', (value) => value instanceof RegExp)

/** An object, whatever is in it. */
export const structure: SettingForm = custom('an object', isSettings)

/** One of some values. */
export const choice = (...values: readonly (string | number | boolean)[]): SettingForm =>
  custom(values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value))).join(' or '), (value) =>
    values.includes(value as string),
  )

/** A list, each element of one form. */
export const list = (of: SettingForm): SettingForm => {
  const words = `a list, each element ${of.expected}`
  const check = (value: unknown): readonly Flaw[] => {
    if (!Array.isArray(value)) return describeMisfit(value, words)
    let flaws = NO_FLAWS
    for (let i = 0; i < value.length; i++) {
      const found = of.check(value[i])
      if (found.length > 0) flaws = [...flaws, ...prefixFlaws(`[${i}]`, found)]
    }
    return flaws
  }
  return { expected: words, check }
}

/** An object of free names, each value of one form. */
export const record = (of: SettingForm): SettingForm => {
  const words = `an object, each value ${of.expected}`
  const check = (value: unknown): readonly Flaw[] => {
    if (!isSettings(value)) return describeMisfit(value, words)
    return Object.entries(value).flatMap(([key, one]) => (one === undefined ? NO_FLAWS : prefixFlaws(`.${key}`, of.check(one))))
  }
  return { expected: words, check }
}

/** An object of settings. */
export const object = <T extends object>(fields: Fields<T>): SettingForm => ({
  expected: describeFields(fields),
  check: (value) => accept(value, fields).flaws,
})

/** One of several forms. */
export const either = (...forms: readonly SettingForm[]): SettingForm => {
  const words = forms.map((form) => form.expected).join(', or ')
  const check = (value: unknown): readonly Flaw[] => {
    const all = forms.map((form) => form.check(value))
    if (all.some((flaws) => flaws.length === 0)) return NO_FLAWS
    // For a value that is nearly one of them, the message says what it lacks.
    return all.find((flaws) => flaws.every(({ at }) => at !== '')) ?? describeMisfit(value, words)
  }
  return { expected: words, check }
}

/** A flaw in one sentence, for places without settings. */
export const formatFlaw = ({ at, problem }: Flaw, whole: string): string =>
  problem.startsWith('it is ') ? `${at.replace(/^\./, '') || whole}${problem.slice(2)}` : `${at.slice(1)}: ${problem}`

/** The settings of something that is no part of an application; throws a TypeError that names each mistake. */
export function validateSettings<T extends object>(owner: string, given: T, fields: Fields<T>): T {
  const { value, flaws } = accept<T>(given, fields)
  if (flaws.length === 0) return value
  const told = flaws.map((flaw) => `${formatFlaw(flaw, 'what stands for the options')}: ${flaw.remedy}`)
  throw new TypeError(`${owner}: ${told.join('; ')}`)
}
