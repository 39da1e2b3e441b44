// Planned queries: combines the plan of a list with the conditions of the application, of scopes and of the client.

import { and } from '../../query/combine-filters.ts'
import type { OrderTerm } from '../../query/order-terms.ts'
import type { Datastore, Filter, Select, SelectedRows } from '../../query/query.ts'
import type { FilterExpression } from '../filters/expression.ts'
import type { Model } from '../model/model.ts'
import type { CallerBounds } from '../plan/caller-bounds.ts'
import { buildFilter, buildVisibilityFilters } from '../plan/filter-builder.ts'
import type { PlanCache, Projection, QueryPlan } from '../plan/query-plan.ts'
import type { QueryScope } from '../plan/query-scope.ts'
import type { CursorPortion, OffsetPortion } from './portion.ts'
import { translateFieldErrors } from './refusals.ts'
import type { RelatedTree } from './related-options.ts'

/** The datastore, the model and the plans that a list is read with. */
export interface ResourceSource {
  readonly datastore: Datastore
  readonly model: Model
  readonly plans: PlanCache
  /** The bounds of the caller; undefined if no resource has a scope. */
  readonly bounds?: CallerBounds | undefined
}

/** Returns the source on the primary node, for writes and for the reads that decide about them. */
export function usePrimary(source: ResourceSource): ResourceSource {
  const { replication } = source.datastore
  return replication === undefined ? source : { ...source, datastore: replication.primary }
}

/** The options of a list: order, page, conditions and fields. */
export interface ListOptions {
  readonly projection: Projection
  readonly order: readonly OrderTerm[]
  /** The requested page; undefined for the complete list. */
  readonly portion: OffsetPortion | CursorPortion | undefined
  /** The conditions of the application. */
  readonly where: FilterExpression | undefined
  /** The conditions of the client. */
  readonly filters?: FilterExpression | undefined
  /** Whether cursors are required, regardless of the page. */
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
  /** The conditions that do not come from the client. */
  readonly trustedFilters: readonly Filter[]
}

/** Plans the query for the options of a list. */
export function planQuery(source: ResourceSource, options: ListOptions): PlannedQuery {
  const { filters, where, related } = options
  const plan = translateFieldErrors('order', () =>
    source.plans.getPlan(options.projection, options.order, options.needsCursors),
  )
  const isUnfiltered = where === undefined && filters === undefined && source.bounds === undefined
  return isUnfiltered
    ? { source, plan, scope: plan.scope, filter: [], trustedFilters: [], related }
    : { ...applyFilters(source, plan, where, filters), related }
}

/** Compares the tables of a query with the database, unless that is done; the plan may change. */
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
  const applicationFilters = where === undefined ? [] : [buildFilter(where, model, scope)]
  const clientFilters =
    filters === undefined ? [] : [translateFieldErrors('filters', () => buildFilter(filters, source.model, scope))]
  const trustedFilters = [...buildVisibilityFilters(model, 0, bounds), ...applicationFilters]
  return { source, plan, scope, filter: [...trustedFilters, ...clientFilters], trustedFilters }
}

// Counts the undecoded rows, because accessing `rows` would decode them.
export const countRows = (selected: SelectedRows): number => (selected.undecoded ?? selected).rows.length

/** Builds the datastore query for a range of a planned query. */
export function buildSelect(
  { plan, scope, filter }: PlannedQuery,
  range: Pick<Select, 'order' | 'after' | 'limit' | 'offset'>,
): Select {
  // Conditions only add joins to a copy; the plan's own column list is cached by the datastore.
  const { columns } = plan.scope
  return {
    from: scope.from,
    joins: scope.getBoundedJoins(),
    columns,
    filter: filter.length === 0 ? undefined : and(filter),
    ...range,
  }
}

/** Reads a range of a planned query. */
export const selectRows = (query: PlannedQuery, range: Parameters<typeof buildSelect>[1]): Promise<SelectedRows> =>
  query.source.datastore.select(buildSelect(query, range))
