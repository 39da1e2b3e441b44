// Lists: a request's pagination, order, filters and selection become one query, and its rows a page.
import type { MediaType, View } from '../design/media-type.ts'
import type { Selection } from '../design/selection.ts'
import { RefusedError } from '../server/refusal.ts'
import { shownBy } from '../server/shown.ts'
import { assemble, type Element } from './assembly.ts'
import { and, type Operand } from './bounds.ts'
import { conditions, FieldError } from './conditions.ts'
import type { FilterExpression } from './filter-expression.ts'
import type { Model } from './model.ts'
import { type OrderTerm, withKey } from './order.ts'
import type { Plan, PlannedStep, Plans } from './plan.ts'
import { asPage, type End, type NumberedPortion, type Page, type PlacedPortion } from './portion.ts'
import type { Datastore, Filter, OrderStep, Place, Selected } from './query.ts'
import { mayBeNull, reversed, type Scope } from './scope.ts'
import { joined, type Segment, segmentsOf } from './segments.ts'

/** The request of an action that lists: whatever of these params it declares is followed. */
export interface ListRequest {
  readonly params: object
}

interface ListParams {
  readonly pagination?: NumberedPortion | PlacedPortion
  readonly order?: readonly OrderTerm[]
  readonly filters?: FilterExpression
}

/** What a list is made with. */
export interface Source {
  readonly datastore: Datastore
  readonly model: Model
  readonly plans: Plans
}

/** Reads the part of a list that a request asks for. */
export async function listPage(
  source: Source,
  request: ListRequest,
  where: FilterExpression | undefined,
): Promise<Page<Element>> {
  const { pagination, filters, order = [] } = request.params as ListParams
  const terms = pagination?.order ?? withKey(order, keyOf(source.model))
  const placed = pagination?.mode === 'cursor'
  const plan = refusing('order', () => source.plans.plan(wantedBy(request, source.model), terms, placed))
  const scope = where === undefined && filters === undefined ? plan.scope : plan.scope.copy()
  const given = where === undefined ? [] : [conditions(where, source.model, scope)]
  const asked = filters === undefined ? [] : [refusing('filters', () => conditions(filters, source.model, scope))]
  const query: Query = { source, plan, scope, filter: [...given, ...asked] }
  const reading = pagination === undefined ? readAll(query) : readPart(query, pagination)
  const [read, total] =
    pagination?.totalCount === true ? await Promise.all([reading, countAll(query)]) : [await reading, undefined]
  const elements = await assemble(plan.shape, read.selected.rows.slice(...read.rows), source.datastore)
  if (read.backwards) elements.reverse()
  return asPage(elements, { next: read.next, prev: read.prev, total, ends: endsOf(plan, pagination, read) })
}

/** What a request wants to see of a resource; undefined when its action shows something else. */
export function wantedBy(request: object, { mediaType }: Model): Selection | MediaType | View | undefined {
  const { shows, selection } = shownBy(request)
  const isOurs = shows !== undefined && (shows === mediaType || ('of' in shows && shows.of === mediaType))
  return isOurs ? (selection ?? shows) : undefined
}

const keyOf = ({ key }: Model): readonly string[] => key.map(({ name }) => name)

// A field may be declared and yet have no column; that is the request's problem only if boot could not see it.
function refusing<V>(param: 'order' | 'filters', work: () => V): V {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof FieldError)) throw error
    const code = param === 'order' ? 'order-field' : 'filter-field'
    throw RefusedError.ofParams([{ pointer: `/${param}`, code, detail: { field: error.field, values: 'others' } }])
  }
}

interface Query {
  readonly source: Source
  readonly plan: Plan
  readonly scope: Scope
  readonly filter: readonly Filter[]
}

/** What was read: which of the rows belong to the part, in which direction, and what lies around it. */
interface Read {
  readonly selected: Selected
  readonly rows: readonly [number, number]
  readonly backwards: boolean
  readonly next: boolean
  readonly prev: boolean
}

async function readAll(query: Query): Promise<Read> {
  const selected = await select(query, { filter: [], order: query.plan.order }, undefined, 0)
  return { selected, rows: [0, selected.rows.length], backwards: false, next: false, prev: false }
}

async function readPart(query: Query, portion: NumberedPortion | PlacedPortion): Promise<Read> {
  const { plan } = query
  const { items } = portion
  // One row more than asked for tells whether there is a next part; of the greatest number there is none.
  const limit = Math.min(items + 1, Number.MAX_SAFE_INTEGER)
  if (portion.mode === 'page') {
    const offset = (portion.page - 1) * items
    const selected =
      offset === 0
        ? await readSegments(query, segmentsOf(plan.order), limit)
        : await select(query, { filter: [], order: plan.order }, limit, offset)
    return { ...cut(selected, items), backwards: false, prev: portion.page > 1 }
  }
  const backwards = portion.before !== undefined || portion.exact?.side === 'before'
  const order = backwards ? reversed(plan.order) : plan.order
  const place = placeOf(portion, order)
  const read = cut(await readSegments(query, segmentsOf(order, place), limit), items)
  // Whoever comes from a place has seen something on its other side.
  return backwards
    ? { ...read, backwards, next: true, prev: read.next }
    : { ...read, backwards, prev: place !== undefined }
}

function readSegments(query: Query, segments: readonly Segment[], limit: number): Promise<Selected> {
  const [only] = segments
  return only !== undefined && segments.length === 1
    ? select(query, only, limit, 0)
    : readInTurn(query, segments, limit)
}

async function readInTurn(query: Query, segments: readonly Segment[], limit: number): Promise<Selected> {
  const parts: Selected[] = []
  let missing = limit
  for (const segment of segments) {
    const part = await select(query, segment, missing, 0)
    parts.push(part)
    missing -= part.rows.length
    if (missing === 0) break
  }
  return joined(parts)
}

function cut(selected: Selected, items: number): Pick<Read, 'selected' | 'rows' | 'next'> {
  return { selected, rows: [0, Math.min(items, selected.rows.length)], next: selected.rows.length > items }
}

function select(
  { source, scope, filter }: Query,
  segment: Segment,
  limit: number | undefined,
  offset: number,
): Promise<Selected> {
  const { from, joins, columns } = scope
  const all = [...filter, ...segment.filter]
  const { order } = segment
  return source.datastore.select({
    from,
    joins,
    columns,
    filter: all.length === 0 ? undefined : and(all),
    order,
    limit,
    offset,
  })
}

function countAll({ source, scope: { from, joins }, filter }: Query): Promise<number> {
  return source.datastore.count({ from, joins, filter: filter.length === 0 ? undefined : and(filter) })
}

// --- places ----------------------------------------------------------------------------

// A value typed by hand is a place without its tie-breakers: all that is tied with it lies before.
function placeOf({ exact, after, before, from }: PlacedPortion, order: readonly PlannedStep[]): Operand[] | undefined {
  if (exact !== undefined) return exactOperands(exact.place, order)
  const position = after ?? before ?? (from === undefined ? undefined : [from])
  return position?.map((value, i) => operandOf(value, order[i] as PlannedStep))
}

// A place comes from a link, and a link from anybody: only what can be a place reaches the datastore.
function exactOperands(place: readonly Place[], order: readonly OrderStep[]): Operand[] {
  return place.map((value, i) => {
    const { reference } = order[i] as OrderStep
    if (value === null ? mayBeNull(reference) : reference.column.isPlace(value)) return { place: value }
    throw RefusedError.ofParams([{ pointer: '/pagination', code: 'pagination-continuation' }])
  })
}

const operandOf = (value: unknown, { codec }: PlannedStep): Operand => ({
  value: value === null ? null : codec.toColumn(value),
})

function endsOf(
  { places }: Plan,
  pagination: ListParams['pagination'],
  { selected, rows: [, count], backwards }: Read,
): readonly [End, End] | undefined {
  if (pagination?.mode !== 'cursor' || count === 0) return undefined
  const at = (row: number): Place[] => places.map((column) => selected.place(row, column))
  return backwards ? [at(count - 1), at(0)] : [at(0), at(count - 1)]
}
