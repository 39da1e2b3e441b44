// Plain calls: a list that an application asks for itself, by an object of conditions, order, part and fields.
import { form, selectionOf } from '../../../extend.ts'
import type { Attributes, FieldPath, ObjectOf } from '../../../index.ts'
import type { FieldName } from '../fields/field.ts'
import { type Where, whereExpression } from '../filters/where.ts'
import { FieldError } from '../plan/conditions.ts'
import type { OrderTerm } from '../plan/order.ts'
import type { Showing } from '../plan/plan.ts'
import type { Shape } from '../plan/row-layout.ts'
import type { Model } from '../resource/model.ts'
import type { ListPointers } from './asked.ts'
import { bindingText, readPlace } from './place-text.ts'
import type { NumberedPortion, PlacedPortion } from './portion.ts'
import type { Asked, Source } from './query.ts'
import { strangePlace } from './refusals.ts'
import { type RelatedQueries, type RelatedQuery, relatedBelow, relatedForm } from './related.ts'

/** The options of a plain call for a list. */
export interface ListQuery<A extends Attributes, F = FieldPath<ObjectOf<A>>> {
  /** Conditions that all elements meet. */
  readonly where?: Where<A>
  /** The fields of the order, `-` before one for descending; the key always comes last. */
  readonly order?: readonly (FieldName<A> | `-${FieldName<A>}`)[]
  /**
   * The most elements; `Infinity` for all of them.
   * @default `100`
   */
  readonly limit?: number
  /** The number of elements to skip. */
  readonly offset?: number
  /** The cursor after which the page begins: the `next` of another page. */
  readonly after?: string | undefined
  /** The cursor before which the page ends: the `prev` of another page. */
  readonly before?: string | undefined
  /** The fields that are read, by their paths; by default those of the default view. */
  readonly fields?: readonly F[]
  /** Whether the elements are counted; `'estimated'` uses the statistics of the database if it has some. */
  readonly count?: boolean | 'estimated'
  /** The conditions, order and limit of related lists. */
  readonly related?: RelatedQueries<ObjectOf<A>>
}

const DEFAULT_LIMIT = 100

const FORM: form.Fields<ListQuery<Attributes>> = {
  where: form.structure,
  order: form.list(form.name),
  limit: form.tested('a number of elements', (value) => isAmount(value) || value === Number.POSITIVE_INFINITY),
  offset: form.tested('a number of elements', isAmount),
  after: form.text,
  before: form.text,
  fields: form.list(form.name),
  count: form.either(form.flag, form.choice('estimated')),
  related: relatedForm,
}

function isAmount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/** Reads the options of a plain call; throws a TypeError for those that no list has. */
export function askedPlainly(query: object, { model, plans }: Source): Asked {
  if ('params' in query)
    throw mistake(
      model,
      'is asked for with params, and not by the request of an action',
      'give the request as it is, or { where, order, limit }',
    )
  const options = accepted(query, model)
  const { where, order = [], fields, related } = options
  const { terms, binding } = orderOf(order, model)
  const asked: { -readonly [K in keyof Asked]: Asked[K] } = {
    showing: showingOf(fields, model),
    order: terms,
    portion: undefined,
    where: where === undefined ? undefined : whereExpression(where),
    placed: true,
    ...(related !== undefined && { related: relatedBelow(related, model, (path) => noList(model, path)) }),
  }
  try {
    const { shape } = plans.plan(asked.showing, asked.order, true)
    refuseUnread(asked, shape, model)
  } catch (error) {
    if (!(error instanceof FieldError)) throw error
    throw mistake(
      model,
      `orders by '${error.field}', ${error.unordered ?? 'which has no column'}`,
      'order by another field',
    )
  }
  asked.portion = portionOf(options, terms, binding)
  return asked
}

/** The options of a plain call for a list that has no parts. */
export function allAskedPlainly(query: object, source: Source): Asked {
  const part = PARTS.find((name) => (query as Readonly<Record<string, unknown>>)[name] !== undefined)
  if (part !== undefined)
    throw mistake(source.model, `is streamed with '${part}'`, 'leave it out, or call list, which has parts')
  return { ...askedPlainly(query, source), portion: undefined }
}

const PARTS = ['limit', 'offset', 'after', 'before', 'count'] as const

/** The settings of a plain call for a list that is streamed. */
export type StreamQuery<A extends Attributes, F = FieldPath<ObjectOf<A>>> = Omit<
  ListQuery<A, F>,
  (typeof PARTS)[number]
>

/** Where a plain call says what it wants of a list. */
export const plainPointers = (query: object): ListPointers => ({
  pagination: 'after' in query && query.after !== undefined ? '/after' : '/before',
  order: '/order',
  filters: '/where',
})

const noList = (model: Model, path: string): TypeError =>
  mistake(
    model,
    `asks for '${path}' in 'related', which is no related list`,
    'name attributes that are mapped with many(…)',
  )

// Options of a related list that is not read would be ignored silently.
function refuseUnread({ related }: Asked, shape: Shape, model: Model): void {
  for (const name of related?.below.keys() ?? [])
    if (![...shape.manys, ...shape.ones, ...shape.structs].some((part) => part.name === name))
      throw mistake(model, `asks for '${name}' in 'related', and does not read it`, `name it in fields`)
}

type Accepted = Omit<ListQuery<Attributes>, 'order' | 'fields' | 'related'> & {
  readonly related?: Readonly<Record<string, RelatedQuery>>
  readonly order?: readonly string[]
  readonly fields?: readonly string[]
}

function accepted(query: object, model: Model): Accepted {
  const isWhole = !Object.values(query).includes(undefined)
  const given = isWhole ? query : Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
  const { value, flaws } = form.accept(given, FORM)
  const [flaw] = flaws
  if (flaw !== undefined)
    throw mistake(model, `has a wrong '${flaw.at.replace(/^\./, '')}': ${flaw.problem}`, flaw.remedy)
  const places = ['offset', 'after', 'before'].filter((name) => Object.hasOwn(given, name))
  if (places.length > 1) throw mistake(model, `has ${places.join(' and ')}`, 'give one of them')
  return value as Accepted
}

const mistake = ({ mediaType }: Model, problem: string, remedy: string): TypeError =>
  new TypeError(`A list of ${mediaType.name} ${problem}. Remedy: ${remedy}`)

/** An order as it is planned, and the text that binds places to it. */
interface PlainOrder {
  readonly terms: readonly OrderTerm[]
  readonly binding: string
}

const orders = new WeakMap<Model, Map<string, PlainOrder>>()

function orderOf(order: readonly string[], model: Model): PlainOrder {
  return kept(orders, model, order.length === 0 ? '' : JSON.stringify(order), () => {
    const terms = order.map((term) => ({ field: term.replace(/^-/, ''), descending: term.startsWith('-') }))
    return { terms: Object.freeze(terms), binding: bindingText(JSON.stringify([model.mediaType.name, terms])) }
  })
}

function portionOf(
  { limit = DEFAULT_LIMIT, offset = 0, after, before, count = false }: Accepted,
  order: readonly OrderTerm[],
  binding: string,
): NumberedPortion | PlacedPortion {
  const text = after ?? before
  if (text === undefined) return { mode: 'page', offset, items: limit, totalCount: count, order, asked: order, binding }
  const exact = readPlace(text, binding)
  const side = after === undefined ? 'before' : 'after'
  if (exact === undefined) throw strangePlace()
  return {
    mode: 'cursor',
    from: undefined,
    after: undefined,
    before: undefined,
    exact: { side, ...exact },
    items: limit,
    totalCount: count,
    order,
    asked: order,
    binding,
  }
}

// --- fields ------------------------------------------------------------------------------

const showings = new WeakMap<Model, Map<string, Showing>>()

function showingOf(fields: readonly string[] | undefined, model: Model): Showing {
  if (fields === undefined) return EVERYTHING
  return kept(showings, model, JSON.stringify(fields), () => {
    refuseUnknown(fields, model)
    return { of: model.mediaType, selection: selectionOf(fields) }
  })
}

const EVERYTHING: Showing = {}

/** How many texts are kept for one resource. */
const MAX_KEPT = 64

function kept<V>(all: WeakMap<Model, Map<string, V>>, model: Model, text: string, make: () => V): V {
  const own = all.get(model) ?? new Map<string, V>()
  all.set(model, own)
  const known = own.get(text)
  if (known !== undefined) return known
  const made = make()
  if (own.size >= MAX_KEPT) own.delete(own.keys().next().value as string)
  own.set(text, made)
  return made
}

function refuseUnknown(fields: readonly string[], model: Model): void {
  if (fields.length === 0) throw mistake(model, 'reads no fields', 'name some, or leave fields out')
  for (const field of fields) {
    let attributes: Attributes | undefined = model.mediaType.attributes
    for (const step of field.split('.')) {
      const found: Attributes[string] | undefined =
        attributes !== undefined && Object.hasOwn(attributes, step) ? attributes[step] : undefined
      if (found === undefined)
        throw mistake(
          model,
          `reads '${field}', which does not exist`,
          `use one of ${Object.keys(attributes ?? {}).join(', ')}`,
        )
      attributes = (found.core.element ?? found).core.children
    }
  }
}
