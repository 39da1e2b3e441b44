// Builds an application with some parts replaced for a test: needs, verifiers, plugins with their stores and clocks,
// options.
import { type Application, type ApplicationOptions, application } from '../application.ts'
import type { Need } from '../design/declare/need.ts'
import type { Plugin } from '../server/application-options.ts'
import { anything, custom, type Fields, list, validateSettings } from '../util/setting-form.ts'

/** A need and its replacement: another need, created with `need(…)`. */
export type Replacement = readonly [need: Need, by: Need]

/** The parts of an application that a test replaces. */
export interface Replacements {
  /**
   * The needs to replace, each with its replacement.
   * @default none
   */
  readonly needs?: readonly Replacement[]
  /**
   * The verifiers; each replaces the verifier of the same scheme.
   * @default none
   */
  readonly verifiers?: ApplicationOptions['verifiers']
  /**
   * The plugins; each replaces the plugin of the same name, for example to use another store or clock.
   * @default none
   */
  readonly plugins?: readonly Plugin[]
  /**
   * Other options of the application, such as `logger`.
   * @default none
   */
  readonly options?: Partial<Omit<ApplicationOptions, 'controllers' | 'plugins' | 'verifiers'>>
}

const isNeed = (value: unknown): boolean => typeof value === 'object' && value !== null && '~need' in value

const REPLACEMENT_FIELDS: Fields<Replacements> = {
  needs: list(custom('a pair of needs', (value) => Array.isArray(value) && value.length === 2 && value.every(isNeed))),
  verifiers: list(anything),
  plugins: list(anything),
  options: anything,
}

/**
 * Returns a new application with the same declarations and controllers and some parts replaced; the given application is
 * unchanged.
 */
export function withReplacements(app: Application, replacements: Replacements): Application {
  const {
    needs = [],
    verifiers = [],
    plugins = [],
    options = {},
  } = validateSettings('replaced', replacements, REPLACEMENT_FIELDS)
  const own = app['~options']
  return application({
    ...own,
    ...options,
    verifiers: replaceByKey(own.verifiers ?? [], verifiers, ({ scheme }) => scheme),
    plugins: [...replaceByKey(own.plugins ?? [], plugins, ({ name }) => name), ...createNeedPlugins(needs)],
  })
}

/** Returns the list with elements replaced by those of `others` with the same key; the rest of `others` is appended. */
function replaceByKey<T>(all: readonly T[], others: readonly T[], getKey: (one: T) => unknown): T[] {
  const byKey = new Map(others.map((one) => [getKey(one), one]))
  const replaced = all.map((one) => byKey.get(getKey(one)) ?? one)
  const known = new Set(all.map(getKey))
  return [...replaced, ...others.filter((one) => !known.has(getKey(one)))]
}

function createNeedPlugins(needs: readonly Replacement[]): Plugin[] {
  if (needs.length === 0) return []
  const byNeed = new Map(needs)
  return [{ name: 'replaced needs', need: (one) => byNeed.get(one) }]
}
