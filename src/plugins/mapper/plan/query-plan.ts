// Query plans: the query of a list for a selection and an order, built once for each and cached.

import { getMediaType, type Selection } from '../../../extend.ts'
import type { MediaType, View } from '../../../index.ts'
import { asIs } from '../../query/as-is.ts'
import type { OrderTerm } from '../../query/order-terms.ts'
import type { Column, OrderStep, Table } from '../../query/query.ts'
import type { Codec } from '../model/codec.ts'
import type { Model } from '../model/model.ts'
import { locateColumn } from './filter-builder.ts'
import { QueryScope } from './query-scope.ts'
import { buildRowShape, type RowShape, requestAll, requestSelected } from './row-shape.ts'

/** The columns that a query reads, and the order of its rows. */
export interface QueryPlan {
  readonly shape: RowShape
  /** Contains everything that is selected; a query with further joins works on a copy. */
  readonly scope: QueryScope
  readonly order: readonly PlannedStep[]
  /** The index of each order step's value in a row; empty unless cursors are required. */
  readonly cursorIndices: readonly number[]
  /** The row id column of the table when the plan was built. */
  readonly rowId: Column | undefined
  /** The order steps that identify a row. */
  readonly keySteps: readonly number[]
}

/** The fields of elements that are read: those that the client selected, or else those of the response. */
export interface Projection {
  /** The media type or view of the response, as visible to the client; by default that of the resource. */
  readonly of?: MediaType | View | undefined
  /** The selection within `of`. */
  readonly selection?: Selection | undefined
}

/** A step of an order, with the codec of its field. */
export interface PlannedStep extends OrderStep {
  readonly codec: Codec
}

/** The maximum number of cached orders per selection. */
const MAX_CACHED_ORDERS = 64

/** Builds and caches the plans of one resource. */
export class PlanCache {
  readonly #model: Model
  readonly #cache = new WeakMap<object, Map<string, QueryPlan>>()

  constructor(model: Model) {
    this.#model = model
  }

  /** Returns the plan for a projection and an order, with or without cursors; throws a FieldError for fields without a column. */
  getPlan(projection: Projection, order: readonly OrderTerm[], needsCursors: boolean): QueryPlan {
    const owner = projection.selection ?? projection.of ?? this.#model
    let plans = this.#cache.get(owner)
    if (plans === undefined) {
      plans = new Map()
      this.#cache.set(owner, plans)
    }
    const key = (needsCursors ? '@' : '') + formatOrder(order)
    let plan = plans.get(key)
    if (plan === undefined || plan.rowId !== this.#model.table.rowId) {
      if (plans.size >= MAX_CACHED_ORDERS) plans.delete(plans.keys().next().value as string)
      plan = this.#build(projection, order, needsCursors)
      plans.set(key, plan)
    }
    return plan
  }

  #build({ of, selection }: Projection, terms: readonly OrderTerm[], needsCursors: boolean): QueryPlan {
    const { mediaType, table, nodes } = this.#model
    const scope = new QueryScope(table)
    const shown = of ?? mediaType
    const requested =
      selection === undefined
        ? requestAll(shown.core.shown)
        : requestSelected(selection, getMediaType(shown).attributes)
    const shape = buildRowShape(requested, { nodes, scope, source: 0 })
    const order = terms.map(({ field, descending }): PlannedStep => {
      const { reference, node } = locateColumn(field, this.#model, scope)
      return { reference, descending, codec: node.codec }
    })
    const keySteps = addKey(order, this.#model, 0, (step) => ({ ...step, codec: IDENTITY_CODEC }))
    const cursorIndices = needsCursors
      ? order.map(({ reference: { source, column } }) => scope.addCursorColumn(source, column))
      : []
    return { shape, scope, order, cursorIndices, keySteps, rowId: table.rowId }
  }
}

/**
 * Returns the columns that end every order: those of the resource's key, and those by which the table itself identifies
 * rows. A key that a mapping declares may be null, or not be unique.
 */
function listKeyColumns({ key, table }: Model): readonly Column[] {
  const keyColumns = key.map(({ node }) => node.column)
  const sets = (table.unique ?? []).map((set) => set.map((name) => table.columns.get(name)))
  const isUnique = sets.some((set) => set.every((column) => column && !column.nullable && keyColumns.includes(column)))
  return isUnique ? keyColumns : [...new Set([...keyColumns, ...listTableKey(table)])]
}

const listTableKey = ({ key, columns, rowId }: Table): Column[] => [
  ...key.flatMap((name) => columns.get(name) ?? []),
  ...(rowId === undefined ? [] : [rowId]),
]

/**
 * Appends the key of a resource to an order, and returns the index of each of its columns. The key takes the direction of
 * the last field: an index on the field and the key then serves both directions.
 */
export function addKey<S extends OrderStep>(
  order: S[],
  model: Model,
  source: number,
  createStep: (step: OrderStep) => S,
): readonly number[] {
  const descending = order.at(-1)?.descending ?? false
  return listKeyColumns(model).map((column) => {
    const found = order.findIndex(({ reference }) => reference.source === source && reference.column === column)
    return found >= 0 ? found : order.push(createStep({ reference: { source, column }, descending })) - 1
  })
}

const IDENTITY_CODEC: Codec = { toColumn: asIs, fromColumn: asIs, comparable: true }

/** Finds a column of the key that has no order, with the reason. */
export function findUnorderedKey(model: Model): { readonly column: Column; readonly reason: string } | undefined {
  for (const column of listKeyColumns(model))
    if (column.unorderedReason !== undefined) return { column, reason: column.unorderedReason }
  return undefined
}

// Params return the same frozen order for the same text; the text of a mutable order is not cached.
const orderTexts = new WeakMap<readonly OrderTerm[], string>()

function formatOrder(order: readonly OrderTerm[]): string {
  const cached = orderTexts.get(order)
  if (cached !== undefined) return cached
  const text = order.map(({ field, descending }) => (descending ? `-${field}` : field)).join()
  if (Object.isFrozen(order)) orderTexts.set(order, text)
  return text
}
