// The tool `indexes`: reports which index serves each list that clients may request.
import { type ApiDescription, attributeRules, ExampleSeed, getDeclaredMediaType } from '../../../extend.ts'
import type { Attribute, MediaType } from '../../../index.ts'
import { and } from '../../query/combine-filters.ts'
import type { Datastore, Filter, IndexableList } from '../../query/query.ts'
import { findFilterField } from '../fields/field-paths.ts'
import type { VerifiableResource } from '../model/mapping.ts'
import type { ManyNode, Model, ModelNodes } from '../model/model.ts'
import type { CallerBounds } from '../plan/caller-bounds.ts'
import type { FieldError } from '../plan/comparison.ts'
import { buildFilter, buildVisibilityFilters, getColumn } from '../plan/filter-builder.ts'
import { PlanCache } from '../plan/query-plan.ts'
import { QueryScope } from '../plan/query-scope.ts'
import { createPlaceholderBounds } from './placeholder-caller.ts'
import { collectFieldsUses, enumerateLists, type PossibleList } from './possible-lists.ts'

/** The index that serves a list of an action, or a relation. */
export interface ListReport {
  /** The action, `Books.index`, or the relation, `Book.reviews`. */
  readonly origin: string
  readonly table: string
  /** The order as clients write it; the key follows it. */
  readonly order: string
  /** The condition as clients write it, without a value. */
  readonly filters: string
  /** The conditions of the scope. */
  readonly scope: string
  /** The index that serves the list. */
  readonly index?: string
  /** The statement that creates the missing index. */
  readonly create?: string
  /** The reason why no index can serve the list. */
  readonly reason?: string
  readonly residualConditions: readonly string[]
  /** The statement that reads the beginning of the list, without its bound values. */
  readonly statement?: string
}

/** The report of the tool. */
export interface IndexesReport {
  readonly lists: readonly ListReport[]
  /** The statements that create the missing indexes, each with the number of lists that it serves. */
  readonly missing: readonly { readonly create: string; readonly serves: number }[]
  /** The lists that clients may request and that were not checked. */
  readonly skipped: readonly { readonly place: string; readonly what: string }[]
}

/** The options of the tool. */
export interface IndexesOptions {
  /** The context that scopes are evaluated with. */
  readonly context?: unknown
  /** The maximum number of lists of one action. */
  readonly maxLists?: number
  /** Whether lists with filters are checked as well. */
  readonly filters?: boolean
}

/** The default maximum number of lists of one action. */
const DEFAULT_MAX_LISTS = 200

/** Reports the index use of the lists of an application. */
export async function reportIndexes(
  { endpoints }: ApiDescription,
  resources: readonly VerifiableResource[],
  { context, maxLists: most = DEFAULT_MAX_LISTS, filters = true }: IndexesOptions,
): Promise<IndexesReport> {
  const bounds = createPlaceholderBounds(context)
  const leftOut: { place: string; what: string }[] = []
  const candidates: ReportCandidate[] = []
  for (const action of endpoints.flatMap(({ actions }) => [...actions.values()])) {
    const place = `${action.endpoint.name}.${action.name}`
    for (const resource of resources) {
      const uses = collectFieldsUses(action).filter(({ of }) => isForResource(of, resource))
      if (uses.length === 0) continue
      const isOwn = (field: string) => isOwnField(field, resource['~resource'] as Model)
      const possible = enumerateLists(uses, { maxLists: most, filters, isOwnField: isOwn })
      leftOut.push(...possible.skipped.map((what) => ({ place, what })))
      for (const list of possible.lists) candidates.push(await toCandidate(place, resource, list, bounds))
    }
  }
  for (const resource of resources) candidates.push(...listRelationCandidates(resource))
  return { ...(await evaluateCandidates(candidates)), skipped: leftOut }
}

const isForResource = (of: Attribute, { mediaType }: VerifiableResource): boolean =>
  getDeclaredMediaType(of as MediaType) === mediaType

/** A list to be checked. */
interface ReportCandidate extends Pick<ListReport, 'origin' | 'table' | 'order' | 'filters' | 'scope' | 'reason'> {
  readonly datastore: Datastore
  /** Undefined if it is already known that no index serves the list. */
  readonly list?: IndexableList
}

async function toCandidate(
  origin: string,
  resource: VerifiableResource,
  possibleList: PossibleList,
  bounds: CallerBounds,
): Promise<ReportCandidate> {
  const model = resource['~resource'] as Model
  const { datastore } = resource
  const filters = possibleList.filter === undefined ? '' : possibleList.filter.field + possibleList.filter.op
  const common = { origin, table: model.table.name, order: possibleList.order.text, filters, datastore }
  try {
    const scopeFilters = buildVisibilityFilters(model, 0, model.scope === undefined ? undefined : bounds)
    const scope = scopeFilters.flatMap(describeFilter).join(', ')
    return { ...common, scope, list: await planList(resource, possibleList, bounds, scopeFilters) }
  } catch (error) {
    return { ...common, scope: '', reason: explainError(error) }
  }
}

function explainError(error: unknown): string {
  const { name, message, unorderedReason: unordered, field } = error as FieldError
  if (name === 'FieldError') return unordered ?? `the field '${field}' has no column`
  if (name === 'UnknownCallerError' || name === 'InexactListError') return message
  throw error
}

async function planList(
  { datastore, ...resource }: Pick<VerifiableResource, 'datastore' | '~resource'>,
  possibleList: PossibleList,
  bounds: CallerBounds,
  scopeFilters: readonly Filter[],
): Promise<IndexableList> {
  const model = resource['~resource'] as Model
  const plan = new PlanCache(model).getPlan({}, possibleList.order.terms, false)
  const scope = plan.scope.copy(bounds)
  const conditions = possibleList.filter === undefined ? [] : [buildCondition(possibleList.filter, model, scope)]
  const pendingCheck = datastore.check?.({ from: scope.from, joins: scope.joins, order: plan.order })
  if (pendingCheck !== undefined) {
    await pendingCheck
    // The check may have changed the columns of the plan.
    return planList({ datastore, '~resource': model }, possibleList, bounds, scopeFilters)
  }
  const filter = [...scopeFilters, ...conditions]
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
  const attribute = findFilterField(model.mediaType, field)
  const value = attribute && attributeRules.makeExample(attribute, new ExampleSeed())
  return op === '='
    ? buildFilter({ op, field, any: [{ value }] }, model, scope)
    : buildFilter({ op, field, value }, model, scope)
}

function describeFilter(filter: Filter): string[] {
  if ('of' in filter)
    return filter.op === 'and' ? filter.of.flatMap(describeFilter) : [filter.of.flatMap(describeFilter).join('|')]
  if ('from' in filter) return [filter.from.name]
  return [
    filter.op === 'null' ? `${filter.reference.column.name} is null` : `${filter.reference.column.name}${filter.op}`,
  ]
}

// --- relations ---------------------------------------------------------------------------

// Related elements are read by the columns that connect them, for lists and for filters on the relation.
function listRelationCandidates({ datastore, ...resource }: VerifiableResource): readonly ReportCandidate[] {
  const model = resource['~resource'] as Model
  return listManyNodes(model.nodes, model.mediaType.name).map(([origin, node]) => {
    const target = node.target()
    const from = node.through?.table ?? target.table
    const columns = node.on.map(([, name]) => getColumn({ table: from, mediaType: target.mediaType }, name))
    const filter = and(columns.map((column) => ({ op: '=', reference: { source: 0, column }, cursorValue: 1 })))
    const filters = columns.map(({ name }) => `${name}=`).join(' ')
    return {
      origin,
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
    const relation = node.type === 'aggregate' ? node.relation : node
    return relation.type === 'many' ? [[`${above}.${name}`, relation] as const] : []
  })
}

// --- results -----------------------------------------------------------------------------

async function evaluateCandidates(candidates: readonly ReportCandidate[]): Promise<Omit<IndexesReport, 'skipped'>> {
  const reports = new Map<ReportCandidate, ListReport>()
  const missing: { create: string; serves: number }[] = []
  for (const datastore of new Set(candidates.map((one) => one.datastore))) {
    const candidatesOfStore = candidates.filter((one) => one.datastore === datastore)
    const lists = candidatesOfStore.flatMap(({ list }) => list ?? [])
    const { uses, missing: missingIndexes } = (await datastore.reportIndexUse?.(lists)) ?? { uses: [], missing: [] }
    const counts = missingIndexes.map((create, i) => ({
      create,
      serves: uses.filter((one) => one.missing === i).length,
    }))
    missing.push(...counts)
    let next = 0
    for (const { datastore: _, list, ...candidate } of candidatesOfStore) {
      const found =
        list === undefined
          ? undefined
          : (uses[next++] ?? { reason: 'its datastore has no indexes', residualConditions: [] })
      const { missing: number, ...rest } = { missing: undefined, residualConditions: [], ...found }
      const create = number === undefined ? undefined : missingIndexes[number]
      reports.set(
        candidate as ReportCandidate,
        { ...candidate, ...rest, ...(create !== undefined && { create }) } as ListReport,
      )
    }
  }
  return { lists: [...reports.values()], missing }
}
