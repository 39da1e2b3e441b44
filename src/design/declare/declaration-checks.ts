// Checks of declarations that run while they are written. Front ends have `declaration-checks.browser.ts` in its place.
import { describeValue, readProperty } from '../../util/describe-value.ts'
import { choice, type Duration, duration, type Fields, flag, isSettings, text } from '../../util/setting-form.ts'
import { suggestName } from '../../util/suggest-name.ts'
import { isMediaTypeName } from '../media-type-name.ts'
import { createReporter, DefinitionError, type DefinitionMistake, readSettings, refuseMistakes } from '../mistakes.ts'
import type { ViewsOf } from './views.ts'

/** The name and the settings of a media type. */
export interface MediaDeclaration {
  readonly name: string
  readonly identifier?: string
  readonly description?: string
  readonly attributes: object
  readonly views?: ViewsOf<string>
}

/** Returns the settings of a media type that have the right form; boot reports the others. */
export function readMediaType(name: unknown, spec: unknown): MediaDeclaration {
  const { identifier, description, attributes, views }: Partial<Record<string, unknown>> = isSettings(spec) ? spec : {}
  return {
    name: isMediaTypeName(name) ? name : 'MediaType',
    ...(typeof identifier === 'string' && { identifier }),
    ...(typeof description === 'string' && { description }),
    attributes: isSettings(attributes) ? attributes : {},
    ...(isViews(views) && { views }),
  }
}

const isViews = (views: unknown): views is NonNullable<MediaDeclaration['views']> =>
  isSettings(views) &&
  Object.values(views).every((shown) => isNames(shown) || (isSettings(shown) && isNames(shown['except'])))

const isNames = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === 'string')

/** Throws for a view that does not exist. */
export function failOnView(mediaType: { readonly name: string; readonly views: object }, name: string): never {
  const known = [...new Set(['default', ...Object.keys(mediaType.views)])]
  const problem = `${mediaType.name} has no view ${describeValue(name)}`
  const remedy = `declare it in its views, or ${suggestName(String(name), known)}`
  throw new DefinitionError([{ endpoint: '', setting: `${mediaType.name}.views`, problem, remedy }])
}

interface CollectionSettings {
  readonly view?: string
  readonly as?: 'ndjson' | 'jsonl' | 'json-seq' | 'csv'
  readonly spreadsheet?: boolean
}

const COLLECTION_OPTIONS: Fields<CollectionSettings> = {
  view: text,
  as: choice('ndjson', 'jsonl', 'json-seq', 'csv'),
  spreadsheet: flag,
}

/** Throws if the options of a list have mistakes. */
export function checkCollection(element: unknown, options: unknown): void {
  if (options === undefined) return
  const mistakes: DefinitionMistake[] = []
  const name = readProperty(element, 'name')
  const report = createReporter(mistakes, typeof name === 'string' ? name : 'collectionOf')
  const settings = readSettings('collectionOf', options, COLLECTION_OPTIONS, report)
  if (settings.view === undefined && settings.as === undefined)
    report('collectionOf.view', 'it is missing', 'name a view, or a format in as, or leave the options out')
  if (settings.spreadsheet !== undefined && settings.as !== 'csv')
    report('collectionOf.spreadsheet', 'it is set, and the list is no CSV', "add as: 'csv', or leave it out")
  refuseMistakes(mistakes)
}

interface EventSettings {
  readonly heartbeat?: Duration
  readonly retry?: Duration
  readonly recheck?: Duration
}

const EVENT_OPTIONS: Fields<EventSettings> = { heartbeat: duration(0), retry: duration(1), recheck: duration(0) }

/** Throws if the options of a stream of events have mistakes. */
export function checkEvents(options: unknown): void {
  const mistakes: DefinitionMistake[] = []
  readSettings('events', options, EVENT_OPTIONS, createReporter(mistakes, 'events'))
  refuseMistakes(mistakes)
}
