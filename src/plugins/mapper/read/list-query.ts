// List queries: the options of a direct call for a list, with conditions, order, page and fields.
import { form, memoize, parseSelection } from '../../../extend.ts'
import type { Attributes, FieldPath, MediaType, ObjectOf, View } from '../../../index.ts'
import type { OrderTerm } from '../../query/order-terms.ts'
import type { FieldName } from '../fields/field-paths.ts'
import { isMediaTypeOrView } from '../fields/list-param.ts'
import { parseListWhere, type Where } from '../filters/where.ts'
import type { Model } from '../model/model.ts'
import { FieldError } from '../plan/comparison.ts'
import type { Projection } from '../plan/query-plan.ts'
import type { RowShape } from '../plan/row-shape.ts'
import { computeFingerprint, decodeCursor } from './cursor-text.ts'
import type { ListPointers } from './list-request.ts'
import type { ListOptions, ResourceSource } from './planned-query.ts'
import type { CursorPortion, OffsetPortion } from './portion.ts'
import { createCursorFault } from './refusals.ts'
import { buildRelatedTree, type RelatedQueries, type RelatedQuery, relatedForm } from './related-options.ts'

/** The options of a direct call for a list: of the fields F, or of elements in the form S. */
export interface ListQuery<A extends Attributes, F = FieldPath<ObjectOf<A>>, S = View | MediaType> {
  /** The conditions that elements must meet. */
  readonly where?: Where<A>
  /** The fields of the order, `-` before one for descending; the key always comes last. */
  readonly order?: readonly (FieldName<A> | `-${FieldName<A>}`)[]
  /**
   * The maximum number of elements; `Infinity` for all of them.
   * @default `100`
   */
  readonly limit?: number
  /** The number of elements to skip. */
  readonly offset?: number
  /** The cursor after which the page begins: the `next` of another page. */
  readonly after?: string | undefined
  /** The cursor before which the page ends: the `prev` of another page. */
  readonly before?: string | undefined
  /** The paths of the fields that are read; by default those of the default view. */
  readonly fields?: readonly F[]
  /** The view in which elements are returned, or the media type, instead of `fields`. */
  readonly shown?: S
  /** Whether the elements are counted; `'estimated'` uses the statistics of the database if available. */
  readonly count?: boolean | 'estimated'
  /** The conditions, order and limit of related lists. */
  readonly related?: RelatedQueries<ObjectOf<A>>
}

const DEFAULT_LIMIT = 100

const LIST_QUERY_FORM: form.Fields<ListQuery<Attributes>> = {
  where: form.structure,
  order: form.list(form.name),
  limit: form.custom('a number of elements', (value) => isAmount(value) || value === Number.POSITIVE_INFINITY),
  offset: form.custom('a number of elements', isAmount),
  after: form.text,
  before: form.text,
  fields: form.list(form.name),
  shown: form.custom('a view or a media type', isMediaTypeOrView),
  count: form.either(form.flag, form.choice('estimated')),
  related: relatedForm,
}

function isAmount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/** Parses the options of a direct call; throws a TypeError for invalid ones. */
export function parseListQuery(query: object, { model, plans }: ResourceSource): ListOptions {
  if ('params' in query)
    throw createQueryError(
      model,
      'got params instead of the request of an action',
      'give the request as it is, or { where, order, limit }',
    )
  const options = acceptQuery(query, model)
  const { where, order = [], related } = options
  const { terms, binding } = parseOrder(order, model)
  const listOptions: { -readonly [K in keyof ListOptions]: ListOptions[K] } = {
    projection: parseProjection(options, model),
    order: terms,
    portion: undefined,
    where: where === undefined ? undefined : parseListWhere(where),
    needsCursors: true,
    ...(related !== undefined && {
      related: buildRelatedTree(related, model, (path) => createNoListError(model, path)),
    }),
  }
  try {
    const { shape } = plans.getPlan(listOptions.projection, listOptions.order, true)
    refuseUnreadRelated(listOptions, shape, model)
  } catch (error) {
    if (!(error instanceof FieldError)) throw error
    throw createQueryError(
      model,
      `orders by '${error.field}', ${error.unorderedReason ?? 'which has no column'}`,
      'order by another field',
    )
  }
  listOptions.portion = parsePortion(options, terms, binding)
  return listOptions
}

/** Parses the options of a direct call for a streamed list, which has no pages. */
export function parseStreamQuery(query: object, source: ResourceSource): ListOptions {
  const option = PORTION_OPTIONS.find((name) => (query as Readonly<Record<string, unknown>>)[name] !== undefined)
  if (option !== undefined)
    throw createQueryError(source.model, `is streamed with '${option}'`, 'leave it out, or call list, which has parts')
  return { ...parseListQuery(query, source), portion: undefined }
}

const PORTION_OPTIONS = ['limit', 'offset', 'after', 'before', 'count'] as const

/** The options of a direct call for a streamed list. */
export type StreamQuery<A extends Attributes, F = FieldPath<ObjectOf<A>>, S = View | MediaType> = Omit<
  ListQuery<A, F, S>,
  (typeof PORTION_OPTIONS)[number]
>

/** Returns pointers to the options of a direct call. */
export const getQueryPointers = (query: object): ListPointers => ({
  pagination: 'after' in query && query.after !== undefined ? '/after' : '/before',
  order: '/order',
  filters: '/where',
})

const createNoListError = (model: Model, path: string): TypeError =>
  createQueryError(
    model,
    `requests '${path}' in 'related', which is no related list`,
    'name attributes that are mapped with many(…)',
  )

// The options of a related list that is not read would be ignored silently.
function refuseUnreadRelated({ related }: ListOptions, shape: RowShape, model: Model): void {
  for (const name of related?.children.keys() ?? [])
    if (![...shape.manys, ...shape.ones, ...shape.structs].some((part) => part.name === name))
      throw createQueryError(model, `requests '${name}' in 'related', and does not read it`, `name it in fields`)
}

type AcceptedQuery = Omit<ListQuery<Attributes>, 'order' | 'fields' | 'related'> & {
  readonly related?: Readonly<Record<string, RelatedQuery>>
  readonly order?: readonly string[]
  readonly fields?: readonly string[]
}

function acceptQuery(query: object, model: Model): AcceptedQuery {
  const isComplete = !Object.values(query).includes(undefined)
  const defined = isComplete
    ? query
    : Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
  const { value, flaws } = form.accept(defined, LIST_QUERY_FORM)
  const [flaw] = flaws
  if (flaw !== undefined)
    throw createQueryError(model, `has a wrong '${flaw.at.replace(/^\./, '')}': ${flaw.problem}`, flaw.remedy)
  const positions = ['offset', 'after', 'before'].filter((name) => Object.hasOwn(defined, name))
  if (positions.length > 1) throw createQueryError(model, `has ${positions.join(' and ')}`, 'give one of them')
  return value as AcceptedQuery
}

const createQueryError = ({ mediaType }: Model, problem: string, remedy: string): TypeError =>
  new TypeError(`A list of ${mediaType.name} ${problem}. Remedy: ${remedy}`)

/** A parsed order, and the text that binds cursors to it. */
interface BoundOrder {
  readonly terms: readonly OrderTerm[]
  readonly binding: string
}

const orders = new WeakMap<Model, Map<string, BoundOrder>>()

function parseOrder(order: readonly string[], model: Model): BoundOrder {
  return getCached(orders, model, order.length === 0 ? '' : JSON.stringify(order), () => {
    const terms = order.map((term) => ({ field: term.replace(/^-/, ''), descending: term.startsWith('-') }))
    return { terms: Object.freeze(terms), binding: computeFingerprint(JSON.stringify([model.mediaType.name, terms])) }
  })
}

function parsePortion(
  { limit = DEFAULT_LIMIT, offset = 0, after, before, count = false }: AcceptedQuery,
  order: readonly OrderTerm[],
  binding: string,
): OffsetPortion | CursorPortion {
  const text = after ?? before
  if (text === undefined)
    return { mode: 'page', offset, items: limit, totalCount: count, order, requestedOrder: order, binding }
  const cursor = decodeCursor(text, binding)
  const side = after === undefined ? 'before' : 'after'
  if (cursor === undefined) throw createCursorFault()
  return {
    mode: 'cursor',
    from: undefined,
    after: undefined,
    before: undefined,
    exact: { side, ...cursor },
    items: limit,
    totalCount: count,
    order,
    requestedOrder: order,
    binding,
  }
}

// --- fields ------------------------------------------------------------------------------

const projectionsByModel = new WeakMap<Model, Map<string, Projection>>()

/** Returns the projection of selected fields, which is the same object for the same fields, so that its plan is cached. */
export function parseFields(fields: readonly string[], model: Model): Projection {
  return getCached(projectionsByModel, model, JSON.stringify(fields), () => {
    refuseUnknownFields(fields, model)
    return { of: model.mediaType, selection: parseSelection(fields) }
  })
}

function parseProjection({ fields, shown }: AcceptedQuery, model: Model): Projection {
  if (fields === undefined) return shown === undefined ? DEFAULT_PROJECTION : projectShown(shown)
  if (shown !== undefined) throw createQueryError(model, "has both 'fields' and 'shown'", 'leave one of them out')
  return parseFields(fields, model)
}

const DEFAULT_PROJECTION: Projection = {}

// Plans are cached by projection.
const projectShown = memoize((of: View | MediaType): Projection => ({ of }))

/** The maximum number of cached texts per resource. */
const MAX_CACHED = 64

function getCached<V>(caches: WeakMap<Model, Map<string, V>>, model: Model, text: string, create: () => V): V {
  const cache = caches.get(model) ?? new Map<string, V>()
  caches.set(model, cache)
  const cached = cache.get(text)
  if (cached !== undefined) return cached
  const value = create()
  if (cache.size >= MAX_CACHED) cache.delete(cache.keys().next().value as string)
  cache.set(text, value)
  return value
}

function refuseUnknownFields(fields: readonly string[], model: Model): void {
  if (fields.length === 0) throw createQueryError(model, 'reads no fields', 'name some, or leave fields out')
  for (const field of fields) {
    let attributes: Attributes | undefined = model.mediaType.attributes
    for (const step of field.split('.')) {
      const found: Attributes[string] | undefined =
        attributes !== undefined && Object.hasOwn(attributes, step) ? attributes[step] : undefined
      if (found === undefined)
        throw createQueryError(
          model,
          `reads '${field}', which does not exist`,
          `use one of ${Object.keys(attributes ?? {}).join(', ')}`,
        )
      attributes = (found.core.element ?? found).core.children
    }
  }
}
