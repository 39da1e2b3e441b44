// Lists: what a request asks for with its pagination, order, filters and selection is read, and becomes a page.

import { isThenable, mediaTypeOf, originOf, shownBy } from '../../../extend.ts'
import type { FilterExpression } from '../filters/expression.ts'
import { whereExpression } from '../filters/where.ts'
import { and } from '../plan/combine.ts'
import { conditions } from '../plan/conditions.ts'
import type { Plan, PlannedStep, Showing } from '../plan/plan.ts'
import { reversed } from '../plan/scope.ts'
import type { Abridged, Operand, OrderStep, Place, Selected } from '../query.ts'
import type { Model } from '../resource/model.ts'
import { notedList } from './asked.ts'
import { assemble } from './assembly.ts'
import type { Element } from './elements.ts'
import type { Exact, RowPlace } from './exact.ts'
import type { ListParams, ListRequest } from './list-request.ts'
import { digestOf, linkable } from './long-place.ts'
import { exactOperands, namedBy, placeOf } from './operands.ts'
import { asPage, isBackwards, type NumberedPortion, type Page, type PlacedPortion } from './portion.ts'
import { type Asked, checkOf, countOf, type Query, queryOf, type Source, select } from './query.ts'
import { strangePlace } from './refusals.ts'

/** The options that a request asks for, by the params that its action declares. */
export function askedBy(request: ListRequest, model: Model, where: FilterExpression | undefined): Asked {
  const noted = notedList(request.params)
  const { pagination, filters, order = [] } = noted ?? (request.params as ListParams)
  const placed = pagination?.mode === 'cursor'
  return {
    showing: noted === undefined ? wantedBy(request, model) : ownShowing(noted.showing, model),
    order: pagination?.asked ?? order,
    portion: pagination,
    where,
    filters,
    placed,
  }
}

/** The same of a list that has no parts. */
export function allAskedBy(request: ListRequest, model: Model, where: FilterExpression | undefined): Asked {
  const asked = askedBy(request, model, where)
  if (asked.portion === undefined) return { ...asked, placed: true }
  throw new TypeError(
    `All of ${model.mediaType.name} is streamed for an action that has pagination. ` +
      'Remedy: leave pagination out of the action, or call list',
  )
}

/** Reads the part of a list that is asked for. */
export function listPage(source: Source, asked: Asked): Promise<Page<Element>> {
  const query = queryOf(source, asked)
  const checking = checkOf(query)
  // The check may have changed the plan.
  return checking === undefined ? readPage(query, asked.portion) : checking.then(() => listPage(source, asked))
}

function readPage(query: Query, pagination: ListParams['pagination']): Promise<Page<Element>> {
  const reading = pagination === undefined ? readAll(query) : readPart(query, pagination)
  const wanted = pagination?.totalCount ?? false
  if (wanted === false) return reading.then((read) => pageOf(query, pagination, read, undefined))
  return Promise.all([reading, countAll(query, wanted === 'estimated')]).then(([read, total]) =>
    pageOf(query, pagination, read, total),
  )
}

function pageOf(
  { source, plan, related }: Query,
  pagination: ListParams['pagination'],
  read: Read,
  total: number | undefined,
): Page<Element> | Promise<Page<Element>> {
  const { selected, count, backwards, next, prev } = read
  const finish = (elements: Element[]): Page<Element> => {
    if (backwards) elements.reverse()
    const estimated = pagination?.totalCount === 'estimated'
    const ends = endsOf(plan, read)
    return asPage(elements, { next, prev, total, ends, binding: pagination?.binding, ...(estimated && { estimated }) })
  }
  const elements = assemble(plan.shape, selected, count, related === undefined ? source : { ...source, related })
  return isThenable(elements) ? elements.then(finish) : finish(elements)
}

/** The fields of a resource that a request asks for; none in particular when its action shows something else. */
export function wantedBy(request: object, { mediaType }: Model): Showing {
  const { shows, selection } = shownBy(request)
  const isOurs = shows !== undefined && originOf(mediaTypeOf(shows)) === mediaType
  return isOurs ? { of: shows, selection } : NOTHING
}

const NOTHING: Showing = {}

const ownShowing = (showing: Showing, { mediaType }: Model): Showing =>
  showing.of !== undefined && originOf(mediaTypeOf(showing.of)) === mediaType ? showing : NOTHING

/** The rows that were read: in which direction, and what lies around them. */
interface Read {
  readonly selected: Selected
  /** How many of the rows belong to the part. */
  readonly count: number
  readonly backwards: boolean
  readonly next: boolean
  readonly prev: boolean
}

async function readAll(query: Query): Promise<Read> {
  const selected = await select(query, { order: query.plan.order, limit: undefined, offset: 0 })
  return { selected, count: countOf(selected), backwards: false, next: false, prev: false }
}

function readPart(query: Query, portion: NumberedPortion | PlacedPortion): Promise<Read> {
  const { plan } = query
  const { items } = portion
  // One row more than asked for tells whether there is a next part; of the greatest number there is none.
  const limit = Math.min(items + 1, Number.MAX_SAFE_INTEGER)
  if (portion.mode === 'page') {
    const { offset } = portion
    return select(query, { order: plan.order, limit, offset }).then((selected) =>
      cut(selected, items, false, offset > 0 && countOf(selected) > 0),
    )
  }
  const order = isBackwards(portion) ? reversed(plan.order) : plan.order
  const { exact, element } = portion
  if (element !== undefined)
    return elementPlace(query, element.key).then((place) =>
      readPlaced(query, portion, order, exactOperands(place, order)),
    )
  if (exact === undefined) return readPlaced(query, portion, order, placeOf(portion, order))
  const place = exact.digest === undefined ? exact.place : wholePlace(query, exact)
  const reading = isThenable(place)
    ? place.then((whole) => readPlaced(query, portion, order, exactOperands(whole, order)))
    : readPlaced(query, portion, order, exactOperands(place, order))
  // Columns tell most of what cannot be a place, and the database the rest.
  return reading.catch((error: unknown) => {
    throw query.source.datastore.fault(error) === 'value' ? strangePlace() : error
  })
}

function readPlaced(
  query: Query,
  portion: PlacedPortion,
  order: readonly PlannedStep[],
  after: Operand[] | undefined,
): Promise<Read> {
  const { items } = portion
  const limit = Math.min(items + 1, Number.MAX_SAFE_INTEGER)
  const backwards = isBackwards(portion)
  return select(query, { order, after, limit, offset: 0 }).then((selected) => {
    const read = cut(selected, items, backwards, after !== undefined)
    return portion.from !== undefined && read.count > 0 ? lookBehind(query, read) : read
  })
}

// Anything may be typed by hand: only a look tells whether elements come before it.
async function lookBehind(query: Query, read: Read): Promise<Read> {
  const { order, places } = query.plan
  const after = places.map((column): Operand => ({ place: read.selected.place(0, column) }))
  const before = await select(query, { order: reversed(order), after, limit: 1, offset: 0 })
  return { ...read, prev: countOf(before) > 0 }
}

// A client that follows a link to a place has seen something on its other side.
function cut(selected: Selected, items: number, backwards: boolean, begun: boolean): Read {
  const found = countOf(selected)
  const more = found > items
  return {
    selected,
    count: more ? items : found,
    backwards,
    next: backwards || more,
    prev: backwards ? more : begun,
  }
}

function countAll({ source, scope, filter }: Query, estimated: boolean): Promise<number> {
  const { datastore, bounds } = source
  const counted = {
    from: scope.from,
    joins: scope.visible(),
    filter: filter.length === 0 ? undefined : and(filter),
  }
  // Statistics are about the rows of all callers: within a scope, only its own rows are counted.
  const estimate = estimated && bounds === undefined ? datastore.estimate : undefined
  return estimate === undefined ? datastore.count(counted) : estimate(counted)
}

// --- places ----------------------------------------------------------------------------

/** The rows that are read at once where several may be meant. */
const CANDIDATES = 20

/** The place of a row that a link names by its key; a row that is gone, or has another place, continues no list. */
async function wholePlace(query: Query, { place: key, digest }: RowPlace): Promise<readonly Place[]> {
  const { order, places } = query.plan
  const steps = query.plan.key.map((step) => order[step] as OrderStep)
  if (key.length !== steps.length) throw strangePlace()
  const own = steps.map(({ reference }, i) => namedBy(reference, key[i] as Place | Abridged, key.length))
  const found = { ...query, filter: [...query.filter, ...own] }
  for (let after: Operand[] | undefined; ; ) {
    const selected = await select(found, { order: steps, after, limit: CANDIDATES, offset: 0 })
    const count = countOf(selected)
    for (let row = 0; row < count; row++) {
      const place = places.map((column) => selected.place(row, column))
      if (digestOf(JSON.stringify(place)) === digest) return place
    }
    if (count < CANDIDATES) throw strangePlace()
    after = query.plan.key.map((step) => ({ place: selected.place(count - 1, places[step] as number) }))
  }
}

/** The place of the element with a key, whatever filters a client has; one that is not there continues no list. */
async function elementPlace(query: Query, key: Readonly<Record<string, unknown>>): Promise<readonly Place[]> {
  const { places } = query.plan
  const { model } = query.source
  const scope = query.scope.copy(query.source.bounds)
  const own = conditions(whereExpression(key), model, scope)
  const found = { ...query, scope, filter: [...query.bounds, own] }
  const selected = await select(found, { order: query.plan.order, limit: 1, offset: 0 })
  if (countOf(selected) === 0) throw strangePlace()
  return places.map((column) => selected.place(0, column))
}

function endsOf({ places, key }: Plan, { selected, count, backwards }: Read): readonly [Exact, Exact] | undefined {
  if (places.length === 0 || count === 0) return undefined
  const at = (row: number): Exact =>
    linkable(
      places.map((column) => selected.place(row, column)),
      key,
    )
  return backwards ? [at(count - 1), at(0)] : [at(0), at(count - 1)]
}
