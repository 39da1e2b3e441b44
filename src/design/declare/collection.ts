// Lists as bodies: of a media type or of one of its views, as one JSON text or element by element.
import type { Attribute, Attributes } from '../../schema/attribute.ts'
import { checkCollection } from './declaration-checks.ts'
import { isMediaType, type MediaType, type View, type ViewNamed } from './media-type.ts'
import type { Views } from './views.ts'

/**
 * The format of a list: one JSON array; one line of JSON per element, under either of two names; a JSON text sequence
 * (RFC 7464); one line of comma-separated values per element; or events.
 */
export type ListFormat = 'json' | ElementFormat | 'events'

/** The formats of `collectionOf` that are written element by element. */
type ElementFormat = 'ndjson' | 'jsonl' | 'json-seq' | 'csv'

/** A list of a media type, or of one of its views; or a stream of events. */
export interface Collection<out M extends Attribute = Attribute, out F extends ListFormat = ListFormat> {
  readonly '~collection': true
  readonly of: M
  readonly as: F
  /** The media type of a list that has one of its own; other lists have that of their elements. */
  readonly identifier?: string | undefined
  /** Whether the CSV is intended for spreadsheets. */
  readonly spreadsheet: boolean
}

/** The options of `collectionOf`. */
export interface CollectionOptions {
  /** The view of each element. */
  readonly view?: string
  /**
   * The format. All but JSON are written element by element, so a list may have any length: `'ndjson'`
   * (`application/x-ndjson`) and `'jsonl'` (`application/jsonl`) in lines, `'json-seq'` as JSON text sequences
   * (`application/json-seq`), and `'csv'`.
   * @default `'json'`
   */
  readonly as?: 'ndjson' | 'jsonl' | 'json-seq' | 'csv'
  /**
   * For CSV: begins with a byte order mark, and puts an apostrophe before texts that spreadsheets would run as
   * formulas.
   * @default `false`: texts are written unchanged
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

/** The media types of lists whose format does not name them. */
const LIST_TYPES: { readonly [F in ListFormat]?: string } = { ndjson: 'application/x-ndjson', csv: 'text/csv' }

/** Declares a list of a media type, or of one of its views; with `as`, one that is written element by element. */
export function collectionOf<M extends MediaType | View>(element: M): Collection<M, 'json'>
export function collectionOf<
  M extends MediaType | View,
  N extends ViewName<M> = never,
  const F extends ElementFormat = never,
>(
  element: M,
  options: { readonly view?: N; readonly as?: F; readonly spreadsheet?: boolean },
): Collection<CollectionElement<M, N>, [F] extends [never] ? 'json' : NoInfer<F>>
export function collectionOf(element: MediaType | View, options?: CollectionOptions): Collection {
  checkCollection(element, options)
  const { view, as = 'json', spreadsheet = false } = options ?? {}
  return Object.freeze({
    '~collection': true as const,
    of: view !== undefined && isMediaType(element) ? element.view(view) : element,
    as,
    spreadsheet,
    identifier: as === 'json' ? undefined : (LIST_TYPES[as] ?? `application/${as}`),
  })
}

export const isCollection = (value: unknown): value is Collection =>
  typeof value === 'object' && value !== null && '~collection' in value
