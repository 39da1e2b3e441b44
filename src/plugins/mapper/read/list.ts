// Lists: reads the page that a request specifies by pagination, order, filters and selection.

import { getDeclaredMediaType, getMediaType, getRequestedView, isThenable } from '../../../extend.ts'
import { and } from '../../query/combine-filters.ts'
import type { ExactCursor, RowCursor } from '../../query/exact-cursor.ts'
import type { CursorValue, Operand, OrderStep, SelectedRows, TruncatedValue } from '../../query/query.ts'
import { computeDigest, toLinkCursor } from '../../query/truncated-cursor.ts'
import type { FilterExpression } from '../filters/expression.ts'
import { parseWhere } from '../filters/where.ts'
import type { Model } from '../model/model.ts'
import { buildFilter } from '../plan/filter-builder.ts'
import type { PlannedStep, Projection, QueryPlan } from '../plan/query-plan.ts'
import { reverseOrder } from '../plan/query-scope.ts'
import { assembleElements } from './assembly.ts'
import type { AssembledElement } from './build-elements.ts'
import { buildAfterFilter, buildKeyValueFilter, toCursorOperands, toPositionOperands } from './cursor-operands.ts'
import type { ListParams, ListRequest } from './list-request.ts'
import {
  checkTables,
  countRows,
  type ListOptions,
  type PlannedQuery,
  planQuery,
  type ResourceSource,
  selectRows,
} from './planned-query.ts'
import { asPage, type CursorBound, type CursorPortion, isBackwards, type OffsetPortion, type Page } from './portion.ts'
import { createCursorFault } from './refusals.ts'

/** Reads the list options of a request, from the params that its action declares. */
export function readListOptions(request: ListRequest, model: Model, where: FilterExpression | undefined): ListOptions {
  const { list } = request
  const { pagination, filters, order = [] } = list ?? (request.params as ListParams)
  const needsCursors = pagination?.mode === 'cursor' || pagination?.namesElements === true
  return {
    projection: getRequestProjection(request, model),
    order: pagination?.requestedOrder ?? order,
    portion: pagination,
    where,
    filters,
    needsCursors,
  }
}

/** Reads the list options of a request for a streamed list, which has no pages. */
export function readStreamOptions(
  request: ListRequest,
  model: Model,
  where: FilterExpression | undefined,
): ListOptions {
  const options = readListOptions(request, model, where)
  if (options.portion === undefined) return { ...options, needsCursors: true }
  throw new TypeError(
    `All of ${model.mediaType.name} is streamed for an action that has pagination. ` +
      'Remedy: leave pagination out of the action, or call list',
  )
}

/** Reads the requested page of a list. */
export function readListPage(source: ResourceSource, options: ListOptions): Promise<Page<AssembledElement>> {
  const query = planQuery(source, options)
  const pendingCheck = checkTables(query)
  // The check may have changed the plan.
  return pendingCheck === undefined
    ? readPage(query, options.portion)
    : pendingCheck.then(() => readListPage(source, options))
}

function readPage(query: PlannedQuery, pagination: ListParams['pagination']): Promise<Page<AssembledElement>> {
  const pendingRows = pagination === undefined ? readAll(query) : readPortion(query, pagination)
  const totalCount = pagination?.totalCount ?? false
  if (totalCount === false) return pendingRows.then((read) => buildPage(query, pagination, read, undefined))
  return Promise.all([pendingRows, countElements(query, totalCount === 'estimated')]).then(([read, total]) =>
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
    const cursors = pagination?.namesElements === true && { cursors: getCursors(plan, read) }
    const more = { ...(estimated && { estimated }), ...cursors }
    return asPage(elements, { next, prev, total, ends, binding: pagination?.binding, ...more })
  }
  const elements = assembleElements(
    plan.shape,
    selected,
    count,
    related === undefined ? source : { ...source, related },
  )
  return isThenable(elements) ? elements.then(finish) : finish(elements)
}

/** Returns the fields of a resource that a request selects; the default ones if its action returns another media type. */
export function getRequestProjection(request: object, model: Model): Projection {
  const { mediaType } = model
  const { list } = request as Partial<ListRequest>
  if (list !== undefined) return keepOwnProjection(list.projection, model)
  const { shows, selection } = getRequestedView(request)
  const isOwnView = shows !== undefined && getDeclaredMediaType(getMediaType(shows)) === mediaType
  return isOwnView ? { of: shows, selection } : DEFAULT_PROJECTION
}

const DEFAULT_PROJECTION: Projection = {}

const keepOwnProjection = (projection: Projection, { mediaType }: Model): Projection =>
  projection.of !== undefined && getDeclaredMediaType(getMediaType(projection.of)) === mediaType
    ? projection
    : DEFAULT_PROJECTION

/** The rows that were read, their direction, and whether there are more. */
interface ReadRows {
  readonly selected: SelectedRows
  /** The number of rows that belong to the page. */
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
  // One row more than requested shows whether there is a next page.
  const limit = Math.min(items + 1, Number.MAX_SAFE_INTEGER)
  if (portion.mode === 'page') {
    const { offset } = portion
    return selectRows(query, { order: plan.order, limit, offset }).then((selected) =>
      trimRows(selected, items, { backwards: false, hasOther: offset > 0 && countRows(selected) > 0 }),
    )
  }
  const order = isBackwards(portion) ? reverseOrder(plan.order) : plan.order
  const pendingRows =
    portion.until === undefined ? readFromBound(query, portion, order) : readUntil(query, portion, order, portion.until)
  if (portion.exact === undefined && portion.until?.exact === undefined) return pendingRows
  // The columns reject most invalid cursors, and the database the rest.
  return pendingRows.catch((error: unknown) => {
    throw query.source.datastore.classifyError(error) === 'value' ? createCursorFault() : error
  })
}

function readFromBound(query: PlannedQuery, portion: CursorPortion, order: readonly PlannedStep[]): Promise<ReadRows> {
  const after = resolveBound(query, portion, order)
  return isThenable(after)
    ? after.then((operands) => readFromCursor(query, portion, order, operands))
    : readFromCursor(query, portion, order, after)
}

// The rows before a cursor in one order are those after it in the reverse one.
async function readUntil(
  query: PlannedQuery,
  portion: CursorPortion,
  order: readonly PlannedStep[],
  until: CursorBound,
): Promise<ReadRows> {
  const opposite = reverseOrder(order)
  const [after, end] = await Promise.all([resolveBound(query, portion, order), resolveBound(query, until, opposite)])
  const bounded = { ...query, filter: [...query.filter, buildAfterFilter(opposite, end ?? [])] }
  return readFromCursor(bounded, portion, order, after)
}

/** Resolves a cursor to the operands of an order; undefined if there is none. */
function resolveBound(
  query: PlannedQuery,
  bound: CursorBound & Pick<Partial<CursorPortion>, 'from'>,
  order: readonly PlannedStep[],
): Operand[] | undefined | Promise<Operand[]> {
  const { exact, element } = bound
  if (element !== undefined)
    return findElementCursor(query, element.key).then((cursor) => toCursorOperands(cursor, order))
  if (exact === undefined) return toPositionOperands(bound, order)
  const cursor = exact.digest === undefined ? exact.values : resolveRowCursor(query, exact)
  return isThenable(cursor)
    ? cursor.then((fullCursor) => toCursorOperands(fullCursor, order))
    : toCursorOperands(cursor, order)
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
    const read = trimRows(selected, items, { backwards, hasOther: after !== undefined })
    return portion.from !== undefined && read.count > 0 ? detectPrevious(query, read) : read
  })
}

// A value may be typed by hand: only a query shows whether elements precede it.
async function detectPrevious(query: PlannedQuery, read: ReadRows): Promise<ReadRows> {
  const { order, cursorIndices } = query.plan
  const after = cursorIndices.map((column): Operand => ({ cursorValue: read.selected.cursorValue(0, column) }))
  const before = await selectRows(query, { order: reverseOrder(order), after, limit: 1, offset: 0 })
  return { ...read, prev: countRows(before) > 0 }
}

/** The direction of a page, and whether there are elements on the side that it comes from. */
interface PageSides {
  readonly backwards: boolean
  readonly hasOther: boolean
}

// A client that follows a cursor has seen an element on its other side.
function trimRows(selected: SelectedRows, items: number, { backwards, hasOther }: PageSides): ReadRows {
  const found = countRows(selected)
  const more = found > items
  return {
    selected,
    count: more ? items : found,
    backwards,
    next: backwards ? hasOther : more,
    prev: backwards ? more : hasOther,
  }
}

function countElements({ source, scope, filter }: PlannedQuery, estimated: boolean): Promise<number> {
  const { datastore, bounds } = source
  const countQuery = {
    from: scope.from,
    joins: scope.getBoundedJoins(),
    filter: filter.length === 0 ? undefined : and(filter),
  }
  // Statistics include the rows of all callers: within a scope, the rows are counted.
  const estimate = estimated && bounds === undefined ? datastore.estimate : undefined
  return estimate === undefined ? datastore.count(countQuery) : estimate(countQuery)
}

// --- cursors ---------------------------------------------------------------------------

/** The maximum number of rows read at once if several may match a truncated key. */
const CANDIDATE_LIMIT = 20

/** Resolves a row cursor to the full cursor; refuses it if the row is gone or has moved. */
async function resolveRowCursor(
  query: PlannedQuery,
  { values: key, digest }: RowCursor,
): Promise<readonly CursorValue[]> {
  const { order, cursorIndices } = query.plan
  const steps = query.plan.keySteps.map((step) => order[step] as OrderStep)
  if (key.length !== steps.length) throw createCursorFault()
  const keyFilters = steps.map(({ reference }, i) =>
    buildKeyValueFilter(reference, key[i] as CursorValue | TruncatedValue, key.length),
  )
  const candidates = { ...query, filter: [...query.filter, ...keyFilters] }
  for (let after: Operand[] | undefined; ; ) {
    const selected = await selectRows(candidates, { order: steps, after, limit: CANDIDATE_LIMIT, offset: 0 })
    const count = countRows(selected)
    for (let row = 0; row < count; row++) {
      const cursor = cursorIndices.map((column) => selected.cursorValue(row, column))
      if (computeDigest(JSON.stringify(cursor)) === digest) return cursor
    }
    if (count < CANDIDATE_LIMIT) throw createCursorFault()
    after = query.plan.keySteps.map((step) => ({
      cursorValue: selected.cursorValue(count - 1, cursorIndices[step] as number),
    }))
  }
}

/** Returns the cursor of the element with a key, regardless of the client's filters; refuses a missing element. */
async function findElementCursor(
  query: PlannedQuery,
  key: Readonly<Record<string, unknown>>,
): Promise<readonly CursorValue[]> {
  const { cursorIndices } = query.plan
  const { model } = query.source
  const scope = query.scope.copy(query.source.bounds)
  const keyFilter = buildFilter(parseWhere(key), model, scope)
  const elementQuery = { ...query, scope, filter: [...query.trustedFilters, keyFilter] }
  const selected = await selectRows(elementQuery, { order: query.plan.order, limit: 1, offset: 0 })
  if (countRows(selected) === 0) throw createCursorFault()
  return cursorIndices.map((column) => selected.cursorValue(0, column))
}

/** Returns the cursors of all elements, in the order of the page. */
function getCursors({ cursorIndices, keySteps }: QueryPlan, { selected, count, backwards }: ReadRows): ExactCursor[] {
  const cursors = Array.from({ length: count }, (_, row) =>
    toLinkCursor(
      cursorIndices.map((column) => selected.cursorValue(row, column)),
      keySteps,
    ),
  )
  return backwards ? cursors.reverse() : cursors
}

function getEndCursors(
  { cursorIndices, keySteps }: QueryPlan,
  { selected, count, backwards }: ReadRows,
): readonly [ExactCursor, ExactCursor] | undefined {
  if (cursorIndices.length === 0 || count === 0) return undefined
  const getCursor = (row: number): ExactCursor =>
    toLinkCursor(
      cursorIndices.map((column) => selected.cursorValue(row, column)),
      keySteps,
    )
  return backwards ? [getCursor(count - 1), getCursor(0)] : [getCursor(0), getCursor(count - 1)]
}
