// An application with some of its parts replaced for a test: needs, verifiers, plugins with their stores and clocks, options.
import { type Application, type ApplicationOptions, application } from '../application.ts'
import type { Need } from '../design/declare/need.ts'
import type { Plugin } from '../server/application-options.ts'
import { anything, type Fields, list, validateSettings, custom } from '../util/setting-form.ts'

/** A need and its replacement: another need, made with `need(…)`. */
export type Replacement = readonly [need: Need, by: Need]

/** The parts of an application that a test replaces. */
export interface Replacements {
  /**
   * Needs, each by another one.
   * @default none
   */
  readonly needs?: readonly Replacement[]
  /**
   * Verifiers, each in place of the one of the same scheme.
   * @default none
   */
  readonly verifiers?: ApplicationOptions['verifiers']
  /**
   * Plugins, each in place of the one of the same name: with another store, or another clock.
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

/** Makes another application of the same declarations and controllers, with some of its parts replaced; the first stays as it is. */
export function withReplacements(app: Application, replacements: Replacements): Application {
  const { needs = [], verifiers = [], plugins = [], options = {} } = validateSettings('replaced', replacements, REPLACEMENT_FIELDS)
  const own = app['~options']
  return application({
    ...own,
    ...options,
    verifiers: replaceByKey(own.verifiers ?? [], verifiers, ({ scheme }) => scheme),
    plugins: [...replaceByKey(own.plugins ?? [], plugins, ({ name }) => name), ...createNeedPlugins(needs)],
  })
}

/** A list with some elements in the place of others that have the same key; the others come last. */
function replaceByKey<T>(all: readonly T[], others: readonly T[], keyOf: (one: T) => unknown): T[] {
  const byKey = new Map(others.map((one) => [keyOf(one), one]))
  const kept = all.map((one) => byKey.get(keyOf(one)) ?? one)
  const known = new Set(all.map(keyOf))
  return [...kept, ...others.filter((one) => !known.has(keyOf(one)))]
}

function createNeedPlugins(needs: readonly Replacement[]): Plugin[] {
  if (needs.length === 0) return []
  const byNeed = new Map(needs)
  return [{ name: 'replaced needs', need: (one) => byNeed.get(one) }]
}
