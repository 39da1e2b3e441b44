// Lists: what a request asks for with its pagination, order, filters and selection is read, and becomes a page.

import { isThenable, mediaTypeOf, originOf, getRequestedView } from '../../../extend.ts'
import type { FilterExpression } from '../filters/expression.ts'
import { parseWhere } from '../filters/where.ts'
import { and } from '../../query/combine-filters.ts'
import { buildFilter } from '../plan/filter-builder.ts'
import type { QueryPlan, PlannedStep, Projection } from '../plan/query-plan.ts'
import { reverseOrder } from '../plan/query-scope.ts'
import type { TruncatedValue, Operand, OrderStep, CursorValue, SelectedRows } from '../../query/query.ts'
import type { Model } from '../model/model.ts'
import { getAttachedListOptions } from './attached-options.ts'
import { assembleElements } from './assembly.ts'
import type { AssembledElement } from './build-elements.ts'
import type { ExactCursor, RowCursor } from '../../query/exact-cursor.ts'
import type { ListParams, ListRequest } from './list-request.ts'
import { computeDigest, toLinkCursor } from '../../query/truncated-cursor.ts'
import { toCursorOperands, buildKeyValueFilter, toPositionOperands } from './cursor-operands.ts'
import { asPage, isBackwards, type OffsetPortion, type Page, type CursorPortion } from './portion.ts'
import { type ListOptions, checkTables, countRows, type PlannedQuery, planQuery, type ResourceSource, selectRows } from './planned-query.ts'
import { createCursorFault } from './refusals.ts'

/** The options that a request asks for, by the params that its action declares. */
export function readListOptions(request: ListRequest, model: Model, where: FilterExpression | undefined): ListOptions {
  const noted = getAttachedListOptions(request.params)
  const { pagination, filters, order = [] } = noted ?? (request.params as ListParams)
  const placed = pagination?.mode === 'cursor'
  return {
    projection: noted === undefined ? getRequestProjection(request, model) : keepOwnProjection(noted.projection, model),
    order: pagination?.requestedOrder ?? order,
    portion: pagination,
    where,
    filters,
    needsCursors: placed,
  }
}

/** The same of a list that has no parts. */
export function readStreamOptions(request: ListRequest, model: Model, where: FilterExpression | undefined): ListOptions {
  const asked = readListOptions(request, model, where)
  if (asked.portion === undefined) return { ...asked, needsCursors: true }
  throw new TypeError(
    `All of ${model.mediaType.name} is streamed for an action that has pagination. ` +
      'Remedy: leave pagination out of the action, or call list',
  )
}

/** Reads the part of a list that is asked for. */
export function readListPage(source: ResourceSource, asked: ListOptions): Promise<Page<AssembledElement>> {
  const query = planQuery(source, asked)
  const checking = checkTables(query)
  // The check may have changed the plan.
  return checking === undefined ? readPage(query, asked.portion) : checking.then(() => readListPage(source, asked))
}

function readPage(query: PlannedQuery, pagination: ListParams['pagination']): Promise<Page<AssembledElement>> {
  const reading = pagination === undefined ? readAll(query) : readPortion(query, pagination)
  const wanted = pagination?.totalCount ?? false
  if (wanted === false) return reading.then((read) => buildPage(query, pagination, read, undefined))
  return Promise.all([reading, countElements(query, wanted === 'estimated')]).then(([read, total]) =>
    buildPage(query, pagination, read, total),
  )
}

function buildPage(
  { source, plan, related }: PlannedQuery,
  pagination: ListParams['pagination'],
  read: ReadRows,
  total: number | undefined,
): Page<AssembledElement> | Promise<Page<AssembledElement>> {
  const { selected, count, backwards, next, prev } = read
  const finish = (elements: AssembledElement[]): Page<AssembledElement> => {
    if (backwards) elements.reverse()
    const estimated = pagination?.totalCount === 'estimated'
    const ends = getEndCursors(plan, read)
    return asPage(elements, { next, prev, total, ends, binding: pagination?.binding, ...(estimated && { estimated }) })
  }
  const elements = assembleElements(plan.shape, selected, count, related === undefined ? source : { ...source, related })
  return isThenable(elements) ? elements.then(finish) : finish(elements)
}

/** The fields of a resource that a request asks for; none in particular when its action shows something else. */
export function getRequestProjection(request: object, { mediaType }: Model): Projection {
  const { shows, selection } = getRequestedView(request)
  const isOurs = shows !== undefined && originOf(mediaTypeOf(shows)) === mediaType
  return isOurs ? { of: shows, selection } : DEFAULT_PROJECTION
}

const DEFAULT_PROJECTION: Projection = {}

const keepOwnProjection = (showing: Projection, { mediaType }: Model): Projection =>
  showing.of !== undefined && originOf(mediaTypeOf(showing.of)) === mediaType ? showing : DEFAULT_PROJECTION

/** The rows that were read: in which direction, and what lies around them. */
interface ReadRows {
  readonly selected: SelectedRows
  /** How many of the rows belong to the part. */
  readonly count: number
  readonly backwards: boolean
  readonly next: boolean
  readonly prev: boolean
}

async function readAll(query: PlannedQuery): Promise<ReadRows> {
  const selected = await selectRows(query, { order: query.plan.order, limit: undefined, offset: 0 })
  return { selected, count: countRows(selected), backwards: false, next: false, prev: false }
}

function readPortion(query: PlannedQuery, portion: OffsetPortion | CursorPortion): Promise<ReadRows> {
  const { plan } = query
  const { items } = portion
  // One row more than asked for tells whether there is a next part; of the greatest number there is none.
  const limit = Math.min(items + 1, Number.MAX_SAFE_INTEGER)
  if (portion.mode === 'page') {
    const { offset } = portion
    return selectRows(query, { order: plan.order, limit, offset }).then((selected) =>
      trimRows(selected, items, false, offset > 0 && countRows(selected) > 0),
    )
  }
  const order = isBackwards(portion) ? reverseOrder(plan.order) : plan.order
  const { exact, element } = portion
  if (element !== undefined)
    return findElementCursor(query, element.key).then((place) =>
      readFromCursor(query, portion, order, toCursorOperands(place, order)),
    )
  if (exact === undefined) return readFromCursor(query, portion, order, toPositionOperands(portion, order))
  const place = exact.digest === undefined ? exact.values : resolveRowCursor(query, exact)
  const reading = isThenable(place)
    ? place.then((whole) => readFromCursor(query, portion, order, toCursorOperands(whole, order)))
    : readFromCursor(query, portion, order, toCursorOperands(place, order))
  // Columns tell most of what cannot be a place, and the database the rest.
  return reading.catch((error: unknown) => {
    throw query.source.datastore.fault(error) === 'value' ? createCursorFault() : error
  })
}

function readFromCursor(
  query: PlannedQuery,
  portion: CursorPortion,
  order: readonly PlannedStep[],
  after: Operand[] | undefined,
): Promise<ReadRows> {
  const { items } = portion
  const limit = Math.min(items + 1, Number.MAX_SAFE_INTEGER)
  const backwards = isBackwards(portion)
  return selectRows(query, { order, after, limit, offset: 0 }).then((selected) => {
    const read = trimRows(selected, items, backwards, after !== undefined)
    return portion.from !== undefined && read.count > 0 ? detectPrevious(query, read) : read
  })
}

// Anything may be typed by hand: only a look tells whether elements come before it.
async function detectPrevious(query: PlannedQuery, read: ReadRows): Promise<ReadRows> {
  const { order, cursorIndices: places } = query.plan
  const after = places.map((column): Operand => ({ cursorValue: read.selected.cursorValue(0, column) }))
  const before = await selectRows(query, { order: reverseOrder(order), after, limit: 1, offset: 0 })
  return { ...read, prev: countRows(before) > 0 }
}

// A client that follows a link to a place has seen something on its other side.
function trimRows(selected: SelectedRows, items: number, backwards: boolean, begun: boolean): ReadRows {
  const found = countRows(selected)
  const more = found > items
  return {
    selected,
    count: more ? items : found,
    backwards,
    next: backwards || more,
    prev: backwards ? more : begun,
  }
}

function countElements({ source, scope, filter }: PlannedQuery, estimated: boolean): Promise<number> {
  const { datastore, bounds } = source
  const counted = {
    from: scope.from,
    joins: scope.getBoundedJoins(),
    filter: filter.length === 0 ? undefined : and(filter),
  }
  // Statistics are about the rows of all callers: within a scope, only its own rows are counted.
  const estimate = estimated && bounds === undefined ? datastore.estimate : undefined
  return estimate === undefined ? datastore.count(counted) : estimate(counted)
}

// --- places ----------------------------------------------------------------------------

/** The rows that are read at once where several may be meant. */
const CANDIDATE_LIMIT = 20

/** The place of a row that a link names by its key; a row that is gone, or has another place, continues no list. */
async function resolveRowCursor(query: PlannedQuery, { values: key, digest }: RowCursor): Promise<readonly CursorValue[]> {
  const { order, cursorIndices: places } = query.plan
  const steps = query.plan.keySteps.map((step) => order[step] as OrderStep)
  if (key.length !== steps.length) throw createCursorFault()
  const own = steps.map(({ reference }, i) => buildKeyValueFilter(reference, key[i] as CursorValue | TruncatedValue, key.length))
  const found = { ...query, filter: [...query.filter, ...own] }
  for (let after: Operand[] | undefined; ; ) {
    const selected = await selectRows(found, { order: steps, after, limit: CANDIDATE_LIMIT, offset: 0 })
    const count = countRows(selected)
    for (let row = 0; row < count; row++) {
      const place = places.map((column) => selected.cursorValue(row, column))
      if (computeDigest(JSON.stringify(place)) === digest) return place
    }
    if (count < CANDIDATE_LIMIT) throw createCursorFault()
    after = query.plan.keySteps.map((step) => ({ cursorValue: selected.cursorValue(count - 1, places[step] as number) }))
  }
}

/** The place of the element with a key, whatever filters a client has; one that is not there continues no list. */
async function findElementCursor(query: PlannedQuery, key: Readonly<Record<string, unknown>>): Promise<readonly CursorValue[]> {
  const { cursorIndices: places } = query.plan
  const { model } = query.source
  const scope = query.scope.copy(query.source.bounds)
  const own = buildFilter(parseWhere(key), model, scope)
  const found = { ...query, scope, filter: [...query.trustedFilters, own] }
  const selected = await selectRows(found, { order: query.plan.order, limit: 1, offset: 0 })
  if (countRows(selected) === 0) throw createCursorFault()
  return places.map((column) => selected.cursorValue(0, column))
}

function getEndCursors({ cursorIndices: places, keySteps: key }: QueryPlan, { selected, count, backwards }: ReadRows): readonly [ExactCursor, ExactCursor] | undefined {
  if (places.length === 0 || count === 0) return undefined
  const at = (row: number): ExactCursor =>
    toLinkCursor(
      places.map((column) => selected.cursorValue(row, column)),
      key,
    )
  return backwards ? [at(count - 1), at(0)] : [at(0), at(count - 1)]
}
