// Turns the request for a list into a query: its plan, and the conditions of the application, of scopes and of the client.
import type { FilterExpression } from '../filters/expression.ts'
import type { CallerBounds } from '../plan/bounds.ts'
import { and } from '../plan/combine.ts'
import { conditions, visible } from '../plan/conditions.ts'
import type { OrderTerm } from '../plan/order.ts'
import type { Plan, Plans, Showing } from '../plan/plan.ts'
import type { Scope } from '../plan/scope.ts'
import type { Datastore, Filter, Select, Selected } from '../query.ts'
import type { Model } from '../resource/model.ts'
import type { NumberedPortion, PlacedPortion } from './portion.ts'
import { refusing } from './refusals.ts'
import type { RelatedBelow } from './related.ts'

/** The datastore, the model and the plans that a list is read with. */
export interface Source {
  readonly datastore: Datastore
  readonly model: Model
  readonly plans: Plans
  /** The bounds of the caller; undefined where no resource has a scope. */
  readonly bounds?: CallerBounds | undefined
}

/** Where writes are made, and what decides about them is read: no replica may. */
export function onPrimary(source: Source): Source {
  const { replication } = source.datastore
  return replication === undefined ? source : { ...source, datastore: replication.primary }
}

/** The options of a list: order, part, conditions and fields. */
export interface Asked {
  readonly showing: Showing
  readonly order: readonly OrderTerm[]
  /** The part that is wanted; all of the list where it is undefined. */
  readonly portion: NumberedPortion | PlacedPortion | undefined
  /** Conditions of the application. */
  readonly where: FilterExpression | undefined
  /** Conditions of the client. */
  readonly filters?: FilterExpression | undefined
  /** Whether places are wanted, whatever the part is. */
  readonly placed: boolean
  /** The options of related lists. */
  readonly related?: RelatedBelow
}

/** A query for the rows of a list. */
export interface Query {
  readonly source: Source
  readonly plan: Plan
  readonly scope: Scope
  readonly filter: readonly Filter[]
  readonly related?: RelatedBelow | undefined
  /** Those of the conditions that no client has set. */
  readonly bounds: readonly Filter[]
}

/** The query for what is asked of a list. */
export function queryOf(source: Source, asked: Asked): Query {
  const { filters, where, related } = asked
  const plan = refusing('order', () => source.plans.plan(asked.showing, asked.order, asked.placed))
  const isWhole = where === undefined && filters === undefined && source.bounds === undefined
  return isWhole
    ? { source, plan, scope: plan.scope, filter: [], bounds: [], related }
    : { ...filtered(source, plan, where, filters), related }
}

/** Compares the tables of a query with the database, where that has not been done; the plan may be another one then. */
export const checkOf = ({ source, plan, scope }: Query): Promise<void> | undefined =>
  source.datastore.check?.({ from: scope.from, joins: scope.joins, order: plan.order })

function filtered(
  source: Source,
  plan: Plan,
  where: FilterExpression | undefined,
  filters: FilterExpression | undefined,
): Query {
  const { bounds, model } = source
  const scope = plan.scope.copy(bounds)
  const given = where === undefined ? [] : [conditions(where, model, scope)]
  const asked = filters === undefined ? [] : [refusing('filters', () => conditions(filters, source.model, scope))]
  const own = [...visible(model, 0, bounds), ...given]
  return { source, plan, scope, filter: [...own, ...asked], bounds: own }
}

/** The rows that were read. */
// Rows need not be decoded to be counted.
export const countOf = (selected: Selected): number => (selected.undecoded ?? selected).rows.length

/** The part of a query, as a datastore reads it. */
export function selectOf(
  { plan, scope, filter }: Query,
  part: Pick<Select, 'order' | 'after' | 'limit' | 'offset'>,
): Select {
  // Conditions add joins to a copy and nothing else, and the plan's own list is known to the datastore.
  const { columns } = plan.scope
  return {
    from: scope.from,
    joins: scope.visible(),
    columns,
    filter: filter.length === 0 ? undefined : and(filter),
    ...part,
  }
}

/** Reads a part of a query. */
export const select = (query: Query, part: Parameters<typeof selectOf>[1]): Promise<Selected> =>
  query.source.datastore.select(selectOf(query, part))
