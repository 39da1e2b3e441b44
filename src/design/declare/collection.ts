// Lists as bodies: of a media type or of one of its views, as one JSON text or element by element.
import type { Attributes } from '../../schema/attribute.ts'
import { choice, type Fields, flag, text } from '../../util/setting-form.ts'
import { type DefinitionMistake, refuseMistakes, reporter, readSettings } from '../mistakes.ts'
import { deferredChecks } from './deferred-checks.ts'
import { isMediaType, isView, type MediaType, type View, type ViewNamed, type Views } from './media-type.ts'

/** The format of a list: one JSON array, a line of JSON for each element, or a line of comma-separated values. */
export type ListFormat = 'json' | 'ndjson' | 'csv'

/** A list of a media type, or of one of its views. */
export interface Collection<out M extends MediaType | View = MediaType | View, out F extends ListFormat = ListFormat> {
  readonly '~collection': true
  readonly of: M
  readonly as: F
  /** Whether the CSV is made for spreadsheets. */
  readonly spreadsheet: boolean
}

/** Options of a list. */
export interface CollectionOptions {
  /** The view that each element has. */
  readonly view?: string
  /**
   * The format: `'ndjson'` and `'csv'` are written element by element, so that a list may be of any length.
   * @default `'json'`
   */
  readonly as?: 'ndjson' | 'csv'
  /**
   * Of CSV: begins with a byte order mark, and puts an apostrophe before texts that spreadsheets would run as formulas.
   * @default `false`: texts are written as they are
   */
  readonly spreadsheet?: boolean
}

/** The names of a media type's views. */
type ViewName<M> = M extends MediaType<Attributes, infer V extends Views> ? keyof V & string : never

/** A media type, or one of its views. */
type CollectionElement<M extends MediaType | View, N> = [N] extends [never]
  ? M
  : M extends MediaType<infer A, infer V>
    ? ViewNamed<A, V, N>
    : never

/** Declares a list of a media type, or of one of its views; by `as`, one that is written element by element. */
export function collectionOf<M extends MediaType | View>(of: M): Collection<M, 'json'>
export function collectionOf<
  M extends MediaType | View,
  N extends ViewName<M> = never,
  const F extends 'ndjson' | 'csv' = never,
>(
  of: M,
  options: { readonly view?: N; readonly as?: F; readonly spreadsheet?: boolean },
): Collection<CollectionElement<M, N>, [F] extends [never] ? 'json' : NoInfer<F>>
export function collectionOf(of: MediaType | View, options?: CollectionOptions): Collection {
  // Boot of a server has provided the check before declarations are made.
  if (options !== undefined) deferredChecks.value?.checkCollection(of, options)
  const { view, as = 'json', spreadsheet = false } = options ?? {}
  return Object.freeze({
    '~collection': true as const,
    of: view !== undefined && isMediaType(of) ? of.view(view) : of,
    as,
    spreadsheet,
  })
}

const COLLECTION_OPTIONS: Fields<CollectionOptions> = { view: text, as: choice('ndjson', 'csv'), spreadsheet: flag }

/** Throws the mistakes in the options of a list. */
export function checkCollection(of: unknown, options: unknown): void {
  const mistakes: DefinitionMistake[] = []
  const report = reporter(mistakes, isMediaType(of) || isView(of) ? of.name : 'collectionOf')
  const given = readSettings('collectionOf', options, COLLECTION_OPTIONS, report)
  if (given.view === undefined && given.as === undefined)
    report('collectionOf.view', 'it is missing', 'name a view, or a format in as, or leave the options out')
  if (given.spreadsheet !== undefined && given.as !== 'csv')
    report('collectionOf.spreadsheet', 'it is set, and the list is no CSV', "add as: 'csv', or leave it out")
  refuseMistakes(mistakes)
}

/** Returns whether a value is a collection. */
export const isCollection = (value: unknown): value is Collection =>
  typeof value === 'object' && value !== null && '~collection' in value
