// Turns the request for a list into a query: its plan, and the conditions of the application, of scopes and of the client.
import type { FilterExpression } from '../filters/expression.ts'
import type { CallerBounds } from '../plan/caller-bounds.ts'
import { and } from '../../query/combine-filters.ts'
import { buildFilter, buildVisibilityFilters } from '../plan/filter-builder.ts'
import type { OrderTerm } from '../../query/order-terms.ts'
import type { QueryPlan, PlanCache, Projection } from '../plan/query-plan.ts'
import type { QueryScope } from '../plan/query-scope.ts'
import type { Datastore, Filter, Select, SelectedRows } from '../../query/query.ts'
import type { Model } from '../model/model.ts'
import type { OffsetPortion, CursorPortion } from './portion.ts'
import { translateFieldErrors } from './refusals.ts'
import type { RelatedTree } from './related-options.ts'

/** The datastore, the model and the plans that a list is read with. */
export interface ResourceSource {
  readonly datastore: Datastore
  readonly model: Model
  readonly plans: PlanCache
  /** The bounds of the caller; undefined where no resource has a scope. */
  readonly bounds?: CallerBounds | undefined
}

/** Where writes are made, and what decides about them is read: no replica may. */
export function usePrimary(source: ResourceSource): ResourceSource {
  const { replication } = source.datastore
  return replication === undefined ? source : { ...source, datastore: replication.primary }
}

/** The options of a list: order, part, conditions and fields. */
export interface ListOptions {
  readonly projection: Projection
  readonly order: readonly OrderTerm[]
  /** The part that is wanted; all of the list where it is undefined. */
  readonly portion: OffsetPortion | CursorPortion | undefined
  /** Conditions of the application. */
  readonly where: FilterExpression | undefined
  /** Conditions of the client. */
  readonly filters?: FilterExpression | undefined
  /** Whether places are wanted, whatever the part is. */
  readonly needsCursors: boolean
  /** The options of related lists. */
  readonly related?: RelatedTree
}

/** A query for the rows of a list. */
export interface PlannedQuery {
  readonly source: ResourceSource
  readonly plan: QueryPlan
  readonly scope: QueryScope
  readonly filter: readonly Filter[]
  readonly related?: RelatedTree | undefined
  /** Those of the conditions that no client has set. */
  readonly trustedFilters: readonly Filter[]
}

/** The query for what is asked of a list. */
export function planQuery(source: ResourceSource, asked: ListOptions): PlannedQuery {
  const { filters, where, related } = asked
  const plan = translateFieldErrors('order', () => source.plans.getPlan(asked.projection, asked.order, asked.needsCursors))
  const isWhole = where === undefined && filters === undefined && source.bounds === undefined
  return isWhole
    ? { source, plan, scope: plan.scope, filter: [], trustedFilters: [], related }
    : { ...applyFilters(source, plan, where, filters), related }
}

/** Compares the tables of a query with the database, where that has not been done; the plan may be another one then. */
export const checkTables = ({ source, plan, scope }: PlannedQuery): Promise<void> | undefined =>
  source.datastore.check?.({ from: scope.from, joins: scope.joins, order: plan.order })

function applyFilters(
  source: ResourceSource,
  plan: QueryPlan,
  where: FilterExpression | undefined,
  filters: FilterExpression | undefined,
): PlannedQuery {
  const { bounds, model } = source
  const scope = plan.scope.copy(bounds)
  const given = where === undefined ? [] : [buildFilter(where, model, scope)]
  const asked = filters === undefined ? [] : [translateFieldErrors('filters', () => buildFilter(filters, source.model, scope))]
  const own = [...buildVisibilityFilters(model, 0, bounds), ...given]
  return { source, plan, scope, filter: [...own, ...asked], trustedFilters: own }
}

/** The rows that were read. */
// Rows need not be decoded to be counted.
export const countRows = (selected: SelectedRows): number => (selected.undecoded ?? selected).rows.length

/** The part of a query, as a datastore reads it. */
export function buildSelect(
  { plan, scope, filter }: PlannedQuery,
  part: Pick<Select, 'order' | 'after' | 'limit' | 'offset'>,
): Select {
  // Conditions add joins to a copy and nothing else, and the plan's own list is known to the datastore.
  const { columns } = plan.scope
  return {
    from: scope.from,
    joins: scope.getBoundedJoins(),
    columns,
    filter: filter.length === 0 ? undefined : and(filter),
    ...part,
  }
}

/** Reads a part of a query. */
export const selectRows = (query: PlannedQuery, part: Parameters<typeof buildSelect>[1]): Promise<SelectedRows> =>
  query.source.datastore.select(buildSelect(query, part))
