// Forms: the allowed settings of a declaration and their allowed values, checked the same way everywhere.
import { describeValue, isClass } from './describe-value.ts'
import { memoize } from './memoize.ts'
import { isSettingsObject } from './settings-object.ts'
import { findNearest, suggestName } from './suggest-name.ts'

/** A problem of a value, or of a location within it, such as `.limits.body` or `[0]`. */
export interface Flaw {
  readonly at: string
  readonly problem: string
  readonly remedy: string
}

/** The form of one setting. */
export interface SettingForm {
  /** The valid values, as a remedy names them: `a text`. */
  readonly expected: string
  /** Whether the setting must be present. */
  readonly required?: boolean
  /** Returns the flaws of a value; none if it is valid. */
  check(value: unknown): readonly Flaw[]
}

/** The form of each setting of T: the compiler requires one for every setting of T. */
export type Fields<T> = { readonly [K in keyof Required<T>]: SettingForm }

/** The valid settings, and the flaws of the others. */
export interface CheckedSettings<T> {
  readonly value: T
  readonly flaws: readonly Flaw[]
}

/** The problem of an unknown setting. */
export const NO_SETTING = 'there is no such setting'

const NO_FLAWS: readonly Flaw[] = Object.freeze([])

/** Returns whether a value is an object of settings; dates, lists and results of declaration functions are not. */
export const isSettings = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && isSettingsObject(value)

/** Returns a frozen copy of settings; any other value is returned unchanged, and boot reports it. */
export const freezeSettings = <T>(settings: T): T => (isSettings(settings) ? Object.freeze({ ...settings }) : settings)

/** Returns the valid settings and the flaws of the others; undefined counts as no settings. */
export function accept<T extends object>(value: unknown, fields: Fields<T>, open = false): CheckedSettings<T> {
  const settings = value === undefined ? {} : value
  if (!isSettings(settings)) {
    const flaw = { at: '', problem: `it is ${describeValue(value)}`, remedy: `give ${describeFields(fields)}` }
    return { value: {} as T, flaws: [flaw] }
  }
  const flaws = findFlaws(settings, fields, open)
  if (flaws.length === 0) return { value: settings as T, flaws }
  const invalid = new Set(flaws.map(({ at }) => /^\.([^.[]+)/.exec(at)?.[1]))
  const valid = Object.keys(settings).filter((name) => Object.hasOwn(fields, name) && !invalid.has(name))
  return { value: Object.fromEntries(valid.map((name) => [name, settings[name]])) as T, flaws }
}

const describeFields = (fields: object): string => `an object of settings: ${Object.keys(fields).join(', ')}`

function findFlaws(
  settings: Readonly<Record<string, unknown>>,
  fields: Fields<object>,
  open: boolean,
): readonly Flaw[] {
  const forms = fields as Readonly<Record<string, SettingForm>>
  if (isFlawless(settings, forms)) return NO_FLAWS
  let flaws: Flaw[] | undefined
  for (const name of Object.keys(settings)) {
    if (Object.hasOwn(forms, name)) continue
    const known = Object.keys(forms)
    if (open && findNearest(name, known) === undefined) continue
    flaws ??= []
    flaws.push({ at: `.${name}`, problem: NO_SETTING, remedy: suggestName(name, known) })
  }
  for (const name in forms) {
    const found = checkSetting(settings, name, forms[name] as SettingForm)
    if (found.length > 0) flaws = [...(flaws ?? []), ...prefixFlaws(`.${name}`, found)]
  }
  return flaws ?? NO_FLAWS
}

// Most declarations have few of the settings and no flaw: a look at those that they have is enough. Settings that are
// inherited, or that cannot be read, are left to the complete check.
function isFlawless(
  settings: Readonly<Record<string, unknown>>,
  forms: Readonly<Record<string, SettingForm>>,
): boolean {
  const prototype: unknown = Object.getPrototypeOf(settings)
  if (prototype !== Object.prototype && prototype !== null) return false
  try {
    for (const name of Object.getOwnPropertyNames(settings)) {
      if (!Object.hasOwn(forms, name)) return false
      const value = settings[name]
      if (value !== undefined && (forms[name] as SettingForm).check(value).length > 0) return false
    }
    return getRequiredNames(forms).every((name) => settings[name] !== undefined)
  } catch {
    return false
  }
}

const getRequiredNames = memoize((forms: Readonly<Record<string, SettingForm>>): readonly string[] =>
  Object.keys(forms).filter((name) => forms[name]?.required),
)

function checkSetting(settings: Readonly<Record<string, unknown>>, name: string, form: SettingForm): readonly Flaw[] {
  let value: unknown
  try {
    value = settings[name]
  } catch (error) {
    return [{ at: '', problem: `reading it fails: ${describeValue(error)}`, remedy: `give ${form.expected}` }]
  }
  if (value !== undefined) return form.check(value)
  return form.required ? [{ at: '', problem: 'it is missing', remedy: `give ${form.expected}` }] : NO_FLAWS
}

const prefixFlaws = (at: string, flaws: readonly Flaw[]): readonly Flaw[] =>
  flaws.map((flaw) => ({ ...flaw, at: at + flaw.at }))

/** Marks a form as required. */
export const required = (form: SettingForm): SettingForm => ({ ...form, required: true })

/** Creates a form from a predicate. */
export const custom = (expected: string, isValid: (value: unknown) => boolean): SettingForm => ({
  expected,
  check: (value) => (isValid(value) ? NO_FLAWS : describeMisfit(value, expected)),
})

const describeMisfit = (value: unknown, expected: string): readonly Flaw[] => [
  { at: '', problem: `it is ${describeValue(value)}`, remedy: `give ${expected}` },
]

/** Any value; it is checked elsewhere. */
export const anything: SettingForm = { expected: 'a value', check: () => NO_FLAWS }

/** A text. */
export const text: SettingForm = custom('a text', (value) => typeof value === 'string')

/** A text that is not empty. */
export const name: SettingForm = custom(
  'a text that is not empty',
  (value) => typeof value === 'string' && value !== '',
)

/** True or false. */
export const flag: SettingForm = custom('true or false', (value) => typeof value === 'boolean')

/** Any number; the setting itself checks its limits. */
export const number: SettingForm = custom('a number', (value) => typeof value === 'number' && !Number.isNaN(value))

/** An integer of at least `from`. */
export const integerFrom = (from: number): SettingForm =>
  custom(`a whole number from ${from} on`, (value) => Number.isSafeInteger(value) && (value as number) >= from)

/** A duration: milliseconds, or a text such as `500ms`, `30s`, `5m`, `1h` or `7d`. */
export type Duration = number | `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Returns the milliseconds of a duration; NaN for other values. */
export function toMilliseconds(value: unknown): number {
  if (typeof value === 'number') return value
  const [, digits, unit] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(String(value)) ?? []
  return digits === undefined ? Number.NaN : Number(digits) * (UNITS[unit as string] as number)
}

/** A duration of at least `from` milliseconds; with `seconds`, in whole seconds. */
export const duration = (from: number, seconds = false): SettingForm =>
  custom(
    `a time such as '30s', '5m', '1h' or '7d'${seconds ? ', in whole seconds' : ''}, from ${from / 1000} s on`,
    (value) => {
      const length = toMilliseconds(value)
      return Number.isSafeInteger(length) && length >= from && (!seconds || length % 1000 === 0)
    },
  )

/** A function, not a class. */
export const callable: SettingForm = custom('a function', (value) => typeof value === 'function' && !isClass(value))

/** A regular expression. */
export const regexp: SettingForm = custom('a RegExp', (value) => value instanceof RegExp)

/** An object with any content. */
export const structure: SettingForm = custom('an object', isSettings)

/** One of the given values. */
export const choice = (...values: readonly (string | number | boolean)[]): SettingForm =>
  custom(values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value))).join(' or '), (value) =>
    values.includes(value as string),
  )

/** A list whose elements have one form. */
export const list = (element: SettingForm): SettingForm => {
  const expected = `a list, each element ${element.expected}`
  const check = (value: unknown): readonly Flaw[] => {
    if (!Array.isArray(value)) return describeMisfit(value, expected)
    let flaws = NO_FLAWS
    for (let i = 0; i < value.length; i++) {
      const found = element.check(value[i])
      if (found.length > 0) flaws = [...flaws, ...prefixFlaws(`[${i}]`, found)]
    }
    return flaws
  }
  return { expected, check }
}

/** An object with free names whose values have one form. */
export const record = (element: SettingForm): SettingForm => {
  const expected = `an object, each value ${element.expected}`
  const check = (value: unknown): readonly Flaw[] => {
    if (!isSettings(value)) return describeMisfit(value, expected)
    return Object.entries(value).flatMap(([key, one]) =>
      one === undefined ? NO_FLAWS : prefixFlaws(`.${key}`, element.check(one)),
    )
  }
  return { expected, check }
}

/** An object with the given settings. */
export const object = <T extends object>(fields: Fields<T>): SettingForm => ({
  expected: describeFields(fields),
  check: (value) => accept(value, fields).flaws,
})

/** One of several forms. */
export const either = (...forms: readonly SettingForm[]): SettingForm => {
  const expected = forms.map((form) => form.expected).join(', or ')
  const check = (value: unknown): readonly Flaw[] => {
    const results = forms.map((form) => form.check(value))
    if (results.some((flaws) => flaws.length === 0)) return NO_FLAWS
    // For a value that nearly has one of the forms, report the flaws below it.
    return results.find((flaws) => flaws.every(({ at }) => at !== '')) ?? describeMisfit(value, expected)
  }
  return { expected, check }
}

/** Formats a flaw in one sentence, for messages without a setting. */
export const formatFlaw = ({ at, problem }: Flaw, root: string): string =>
  problem.startsWith('it is ') ? `${at.replace(/^\./, '') || root}${problem.slice(2)}` : `${at.slice(1)}: ${problem}`

/** Returns validated settings of something outside an application; throws a TypeError that names each mistake. */
export function validateSettings<T extends object>(owner: string, settings: T, fields: Fields<T>): T {
  const { value, flaws } = accept<T>(settings, fields)
  if (flaws.length === 0) return value
  const messages = flaws.map((flaw) => `${formatFlaw(flaw, 'what stands for the options')}: ${flaw.remedy}`)
  throw new TypeError(`${owner}: ${messages.join('; ')}`)
}
