// The tool `indexes`: for every list that clients may ask for, which index serves it.
import { type ApiDescription, ExampleSeed, originOf } from '../../../extend.ts'
import type { Attribute, MediaType } from '../../../index.ts'
import { findFilterField } from '../fields/field-paths.ts'
import type { CallerBounds } from '../plan/caller-bounds.ts'
import { and } from '../../query/combine-filters.ts'
import { getColumn, buildFilter, type FieldError, buildVisibilityFilters } from '../plan/filter-builder.ts'
import { PlanCache } from '../plan/query-plan.ts'
import { QueryScope } from '../plan/query-scope.ts'
import type { Datastore, Filter, IndexableList } from '../../query/query.ts'
import type { VerifiableResource } from '../model/mapping.ts'
import type { ManyNode, Model, ModelNodes } from '../model/model.ts'
import { createPlaceholderBounds } from './placeholder-caller.ts'
import { type PossibleList, enumerateLists, collectFieldsUses } from './possible-lists.ts'

/** Which index serves a list of an action, or a relation. */
export interface ListReport {
  /** The action, `Books.index`, or the relation, `Book.reviews`. */
  readonly place: string
  readonly table: string
  /** The order, as clients write it; the key comes behind it, or alone. */
  readonly order: string
  /** The condition of the client, as it writes it without a value. */
  readonly filters: string
  /** The conditions of the scope. */
  readonly scope: string
  /** The index that serves it. */
  readonly index?: string
  /** The statement that creates the index which is missing. */
  readonly create?: string
  /** Why no index serves it. */
  readonly never?: string
  readonly passes: readonly string[]
  /** The statement that reads the beginning of the list, without its values. */
  readonly statement?: string
}

/** The report of the tool. */
export interface IndexesReport {
  readonly lists: readonly ListReport[]
  /** The statements that create what is missing, each with the number of lists that it serves. */
  readonly missing: readonly { readonly create: string; readonly serves: number }[]
  /** Lists that clients may ask for and that were not judged. */
  readonly leftOut: readonly { readonly place: string; readonly what: string }[]
}

/** Settings of the tool. */
export interface IndexesOptions {
  /** The context that scopes are asked with. */
  readonly context?: unknown
  /** The most lists of one action. */
  readonly most?: number
  /** Whether lists with filters are judged as well. */
  readonly filters?: boolean
}

/** How many lists of one action are judged unless more are wanted. */
const DEFAULT_MAX_LISTS = 200

/** Judges the lists of an application. */
export async function reportIndexes(
  { endpoints }: ApiDescription,
  resources: readonly VerifiableResource[],
  { context, most = DEFAULT_MAX_LISTS, filters = true }: IndexesOptions,
): Promise<IndexesReport> {
  const bounds = createPlaceholderBounds(context)
  const leftOut: { place: string; what: string }[] = []
  const wanted: ReportCandidate[] = []
  for (const action of endpoints.flatMap(({ actions }) => [...actions.values()])) {
    const place = `${action.endpoint.name}.${action.name}`
    for (const resource of resources) {
      const uses = collectFieldsUses(action).filter(({ of }) => isForResource(of, resource))
      if (uses.length === 0) continue
      const isOwn = (field: string) => isOwnField(field, resource['~resource'] as Model)
      const asked = enumerateLists(uses, { most, filters, isOwnField: isOwn })
      leftOut.push(...asked.leftOut.map((what) => ({ place, what })))
      for (const list of asked.lists) wanted.push(await toCandidate(place, resource, list, bounds))
    }
  }
  for (const resource of resources) wanted.push(...listRelationCandidates(resource))
  return { ...(await evaluateCandidates(wanted)), leftOut }
}

const isForResource = (of: Attribute, { mediaType }: VerifiableResource): boolean => originOf(of as MediaType) === mediaType

/** A list that is to be judged. */
interface ReportCandidate extends Pick<ListReport, 'place' | 'table' | 'order' | 'filters' | 'scope' | 'never'> {
  readonly datastore: Datastore
  /** Undefined where it is known already that nothing serves it. */
  readonly list?: IndexableList
}

async function toCandidate(
  place: string,
  resource: VerifiableResource,
  asked: PossibleList,
  bounds: CallerBounds,
): Promise<ReportCandidate> {
  const model = resource['~resource'] as Model
  const { datastore } = resource
  const filters = asked.filter === undefined ? '' : asked.filter.field + asked.filter.op
  const common = { place, table: model.table.name, order: asked.order.text, filters, datastore }
  try {
    const scoped = buildVisibilityFilters(model, 0, model.scope === undefined ? undefined : bounds)
    const scope = scoped.flatMap(describeFilter).join(', ')
    return { ...common, scope, list: await planList(resource, asked, bounds, scoped) }
  } catch (error) {
    return { ...common, scope: '', never: explainError(error) }
  }
}

function explainError(error: unknown): string {
  const { name, message, unordered, field } = error as FieldError
  if (name === 'FieldError') return unordered ?? `the field '${field}' has no column`
  if (name === 'UnknownCallerError' || name === 'InexactListError') return message
  throw error
}

async function planList(
  { datastore, ...resource }: Pick<VerifiableResource, 'datastore' | '~resource'>,
  asked: PossibleList,
  bounds: CallerBounds,
  scoped: readonly Filter[],
): Promise<IndexableList> {
  const model = resource['~resource'] as Model
  const plan = new PlanCache(model).getPlan({}, asked.order.terms, false)
  const scope = plan.scope.copy(bounds)
  const own = asked.filter === undefined ? [] : [buildCondition(asked.filter, model, scope)]
  const checking = datastore.check?.({ from: scope.from, joins: scope.joins, order: plan.order })
  if (checking !== undefined) {
    await checking
    // The check may have changed what the plan is made of.
    return planList({ datastore, '~resource': model }, asked, bounds, scoped)
  }
  const filter = [...scoped, ...own]
  return {
    from: scope.from,
    joins: scope.getBoundedJoins(),
    filter: filter.length === 0 ? undefined : and(filter),
    order: plan.order,
  }
}

function isOwnField(field: string, model: Model): boolean {
  const filter = buildFilter({ op: '!', field }, model, new QueryScope(model.table))
  return 'reference' in filter && filter.reference.source === 0
}

function buildCondition({ field, op }: NonNullable<PossibleList['filter']>, model: Model, scope: QueryScope): Filter {
  const value = findFilterField(model.mediaType, field)?.core.example(new ExampleSeed())
  return op === '='
    ? buildFilter({ op, field, any: [{ value }] }, model, scope)
    : buildFilter({ op, field, value }, model, scope)
}

function describeFilter(filter: Filter): string[] {
  if ('of' in filter) return filter.op === 'and' ? filter.of.flatMap(describeFilter) : [filter.of.flatMap(describeFilter).join('|')]
  if ('from' in filter) return [filter.from.name]
  return [
    filter.op === 'null' ? `${filter.reference.column.name} is null` : `${filter.reference.column.name}${filter.op}`,
  ]
}

// --- relations ---------------------------------------------------------------------------

// Related elements are looked for by the columns that connect them, for lists and for filters through them.
function listRelationCandidates({ datastore, ...resource }: VerifiableResource): readonly ReportCandidate[] {
  const model = resource['~resource'] as Model
  return listManyNodes(model.nodes, model.mediaType.name).map(([place, node]) => {
    const target = node.target()
    const from = node.through?.table ?? target.table
    const columns = node.on.map(([, name]) => getColumn({ table: from, mediaType: target.mediaType }, name))
    const filter = and(columns.map((column) => ({ op: '=', reference: { source: 0, column }, cursorValue: 1 })))
    const filters = columns.map(({ name }) => `${name}=`).join(' ')
    return {
      place,
      table: from.name,
      order: '',
      filters,
      scope: '',
      datastore,
      list: { from, joins: [], filter, order: [] },
    }
  })
}

function listManyNodes(nodes: ModelNodes, above: string): (readonly [string, ManyNode])[] {
  return [...nodes].flatMap(([name, node]) => {
    if (node.type === 'struct') return listManyNodes(node.nodes, `${above}.${name}`)
    return node.type === 'many' ? [[`${above}.${name}`, node] as const] : []
  })
}

// --- judgements --------------------------------------------------------------------------

async function evaluateCandidates(wanted: readonly ReportCandidate[]): Promise<Omit<IndexesReport, 'leftOut'>> {
  const reports = new Map<ReportCandidate, ListReport>()
  const missing: { create: string; serves: number }[] = []
  for (const datastore of new Set(wanted.map((one) => one.datastore))) {
    const own = wanted.filter((one) => one.datastore === datastore)
    const lists = own.flatMap(({ list }) => list ?? [])
    const { uses: servings, missing: lacking } = (await datastore.indexing?.(lists)) ?? { uses: [], missing: [] }
    const counts = lacking.map((create, i) => ({ create, serves: servings.filter((one) => one.missing === i).length }))
    missing.push(...counts)
    let at = 0
    for (const { datastore: _, list, ...one } of own) {
      const found =
        list === undefined ? undefined : (servings[at++] ?? { never: 'its datastore has no indexes', passes: [] })
      const { missing: number, ...rest } = { missing: undefined, passes: [], ...found }
      const create = number === undefined ? undefined : lacking[number]
      reports.set(one as ReportCandidate, { ...one, ...rest, ...(create !== undefined && { create }) } as ListReport)
    }
  }
  return { lists: [...reports.values()], missing }
}
