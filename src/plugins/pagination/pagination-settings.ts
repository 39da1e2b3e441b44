// The plugin's settings, in layers: built-in values, `defaults`, registration, and the application's config override each other.

import { type ApplicationOptions, form, type Report } from '../../extend.ts'
import { describeFlaw, modeForm } from '../mapper/extend.ts'

/** The global options of pagination. */
export interface PaginationOptions {
  /**
   * The maximum number of elements of one page.
   * @default no limit
   */
  readonly maxItems?: number
  /**
   * The size of a page if the request names none.
   * @default 100
   */
  readonly defaultPageSize?: number
  /**
   * Refuses `page`, unless a parameter allows it.
   * @default `false`
   */
  readonly disallowPagingByDefault?: boolean
  /**
   * Refuses `by` and `from`, unless a parameter allows them.
   * @default `false`
   */
  readonly disallowCursorByDefault?: boolean
  /**
   * The mode of a request that names none: a page, or the first elements by a field.
   * @default `{ page: 1 }`
   */
  readonly pagingDefaultMode?: { readonly page: number } | { readonly by: string }
  readonly sorting?: {
    /**
     * Whether every field of an order must be in `byFields`, not only the first, unless a parameter overrides it.
     * @default `false`
     */
    readonly enforceAllFields?: boolean
  }
  /**
   * The response to a request for more than `maxItems`: `'refuse'` rejects it, `'clamp'` returns `maxItems` elements.
   * @default `'refuse'`
   */
  readonly onExceed?: 'refuse' | 'clamp'
  /**
   * The count for `total_count=true`: `'exact'`, `'estimated'` from the statistics of the database, or `'none'`, which refuses it.
   * @default `'exact'`
   */
  readonly count?: CountMode
  /**
   * The public URL of the server, such as `https://api.example.com`, which absolute links begin with. It is never taken from a request.
   * @default none
   */
  readonly baseUrl?: string
}

/** The count of a list: exact, estimated, or none. */
export type CountMode = 'exact' | 'estimated' | 'none'

/** The resolved options. */
export interface PaginationSettings extends Required<Omit<PaginationOptions, 'sorting'>> {
  readonly enforceAllFields: boolean
}

/** The options of one registration; a higher rank overrides a lower one. */
export interface OptionsLayer {
  readonly rank: number
  readonly options: PaginationOptions
}

type ApplicationConfig = ApplicationOptions['config']

const DEFAULT_SETTINGS: PaginationSettings = {
  maxItems: Number.POSITIVE_INFINITY,
  defaultPageSize: 100,
  disallowPagingByDefault: false,
  disallowCursorByDefault: false,
  pagingDefaultMode: { page: 1 },
  onExceed: 'refuse',
  count: 'exact',
  baseUrl: '',
  enforceAllFields: false,
}

/** Resolves the settings of one application. */
export function resolveSettings(layers: readonly OptionsLayer[], config: ApplicationConfig): PaginationSettings {
  const ranked = [...layers].sort((a, b) => a.rank - b.rank).map(({ options }) => options)
  return [...ranked, getPaginationConfig(config)].reduce<PaginationSettings>(overrideSettings, DEFAULT_SETTINGS)
}

const getPaginationConfig = (config: ApplicationConfig): PaginationOptions =>
  (config?.['pagination'] === undefined ? {} : config['pagination']) as PaginationOptions

function overrideSettings(base: PaginationSettings, { sorting, ...options }: PaginationOptions): PaginationSettings {
  const defined = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  return { ...base, ...defined, enforceAllFields: sorting?.enforceAllFields ?? base.enforceAllFields }
}

// The config of a deployment is not type-checked.
const OPTIONS_FORM: form.Fields<PaginationOptions> = {
  maxItems: form.either(form.integerFrom(1), form.choice(Number.POSITIVE_INFINITY)),
  defaultPageSize: form.integerFrom(1),
  disallowPagingByDefault: form.flag,
  disallowCursorByDefault: form.flag,
  pagingDefaultMode: modeForm,
  sorting: form.object<NonNullable<PaginationOptions['sorting']>>({ enforceAllFields: form.flag }),
  onExceed: form.choice('refuse', 'clamp'),
  count: form.choice('exact', 'estimated', 'none'),
  baseUrl: form.custom("an absolute URL such as 'https://api.example.com', without a query", isBaseUrl),
}

function isBaseUrl(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false
  const { protocol, username, password } = new URL(value)
  return /^https?:$/.test(protocol) && username + password === '' && !/[?#\s]/.test(value)
}

/** Returns the text before the path of every absolute link. */
export const toLinkPrefix = ({ baseUrl }: PaginationSettings): string =>
  baseUrl === '' ? '' : new URL(baseUrl).href.replace(/\/+$/, '')

/** Reports invalid options and contradictions; returns whether there are none. */
export function checkSettings(
  layers: readonly OptionsLayer[],
  config: ApplicationConfig,
  reportMistake?: Report,
): boolean {
  let isValid = true
  const report: Report = (...mistake) => {
    isValid = false
    reportMistake?.(...mistake)
  }
  const all = [...layers.map(({ options }) => options), getPaginationConfig(config)]
  const areFormsValid = all.map((one) => checkOptions(one, report)).every(Boolean)
  if (!areFormsValid) return false
  const settings = resolveSettings(layers, config)
  // The preset size gives way to any limit.
  const isSizeSet = all.some(({ defaultPageSize }) => defaultPageSize !== undefined)
  checkSizes('pagination', settings.maxItems, isSizeSet ? settings.defaultPageSize : 1, report)
  checkMode(settings, report)
  return isValid
}

function checkOptions(layer: PaginationOptions, report: Report): boolean {
  const { flaws } = form.accept(layer, OPTIONS_FORM)
  for (const { problem, remedy } of flaws.map(describeFlaw)) report('pagination', problem, remedy)
  return flaws.length === 0
}

/** Reports page sizes that are not positive, or larger than allowed. */
export function checkSizes(setting: string, maxItems: number, pageSize: number, report: Report): void {
  if (!isPositiveInteger(pageSize)) report(setting, `the page size is ${pageSize}`, 'use a whole number from 1 on')
  if (maxItems !== Number.POSITIVE_INFINITY && !isPositiveInteger(maxItems))
    report(setting, `maxItems is ${maxItems}`, 'use a whole number from 1 on')
  if (pageSize > maxItems) {
    const name = setting === 'pagination' ? 'defaultPageSize' : 'pageSize'
    const remedy = `set ${name} to at most ${maxItems}, or raise maxItems`
    report(setting, `the page size ${pageSize} is above maxItems, ${maxItems}`, remedy)
  }
}

/** Returns whether a number is a positive integer. */
export const isPositiveInteger = (size: number): boolean => Number.isSafeInteger(size) && size >= 1

function checkMode(
  { pagingDefaultMode: mode, disallowPagingByDefault, disallowCursorByDefault }: PaginationSettings,
  report: Report,
): void {
  const byPage = 'page' in mode
  if (disallowPagingByDefault && disallowCursorByDefault)
    report('pagination', 'both modes are disallowed', 'allow one of them')
  else if (byPage ? disallowPagingByDefault : disallowCursorByDefault) {
    report('pagination', 'pagingDefaultMode is a mode that is disallowed', 'allow the mode or choose the other one')
  }
}
