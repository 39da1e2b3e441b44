// Plans: the query of a list for a selection and an order. Made once for each, and cached.

import { mediaTypeOf, type Selection } from '../../../extend.ts'
import type { MediaType, View } from '../../../index.ts'
import type { Column, OrderStep, Table } from '../../query/query.ts'
import { asIs } from '../../query/as-is.ts'
import type { Codec } from '../model/codec.ts'
import type { Model } from '../model/model.ts'
import { locateColumn } from './filter-builder.ts'
import type { OrderTerm } from '../../query/order-terms.ts'
import { requestAll, type RowShape, requestSelected, buildRowShape } from './row-shape.ts'
import { QueryScope } from './query-scope.ts'

/** The columns that a query reads, and the order of its rows. */
export interface QueryPlan {
  readonly shape: RowShape
  /** Holds everything that is selected; a query with more in it works on a copy. */
  readonly scope: QueryScope
  readonly order: readonly PlannedStep[]
  /** Where the values of the order's steps stand in each row; none unless places are asked for. */
  readonly cursorIndices: readonly number[]
  /** The columns that told rows of the table apart when this was made. */
  readonly rowId: Column | undefined
  /** Which steps tell one row from all others. */
  readonly keySteps: readonly number[]
}

/** The fields of elements that are read: those a client selected, or else those the response shows. */
export interface Projection {
  /** The media type or view of the answer, as the client sees it; the one of the resource where it is another. */
  readonly of?: MediaType | View | undefined
  /** A selection belongs to one `of`, and is kept by it. */
  readonly selection?: Selection | undefined
}

/** A step of an order, and how values of its field are kept. */
export interface PlannedStep extends OrderStep {
  readonly codec: Codec
}

/** How many orders are kept for one selection. */
const MAX_CACHED_ORDERS = 64

/** Makes and keeps the plans of one resource. */
export class PlanCache {
  readonly #model: Model
  readonly #cache = new WeakMap<object, Map<string, QueryPlan>>()

  constructor(model: Model) {
    this.#model = model
  }

  /** The plan for what is shown, in an order, with its places or without; fields without a column throw a FieldError. */
  getPlan(showing: Projection, order: readonly OrderTerm[], placed: boolean): QueryPlan {
    const owner = showing.selection ?? showing.of ?? this.#model
    let plans = this.#cache.get(owner)
    if (plans === undefined) {
      plans = new Map()
      this.#cache.set(owner, plans)
    }
    const key = (placed ? '@' : '') + formatOrder(order)
    let plan = plans.get(key)
    if (plan === undefined || plan.rowId !== this.#model.table.rowId) {
      if (plans.size >= MAX_CACHED_ORDERS) plans.delete(plans.keys().next().value as string)
      plan = this.#build(showing, order, placed)
      plans.set(key, plan)
    }
    return plan
  }

  #build({ of, selection }: Projection, terms: readonly OrderTerm[], placed: boolean): QueryPlan {
    const { mediaType, table, nodes } = this.#model
    const scope = new QueryScope(table)
    const shown = of ?? mediaType
    const wanted =
      selection === undefined ? requestAll(shown.core.shown) : requestSelected(selection, mediaTypeOf(shown).attributes)
    const shape = buildRowShape(wanted, { nodes, scope, source: 0 })
    const order = terms.map(({ field, descending }): PlannedStep => {
      const { reference, node } = locateColumn(field, this.#model, scope)
      return { reference, descending, codec: node.codec }
    })
    const key = addKey(order, this.#model, 0, (step) => ({ ...step, codec: IDENTITY_CODEC }))
    const places = placed ? order.map(({ reference: { source, column } }) => scope.addCursorColumn(source, column)) : []
    return { shape, scope, order, cursorIndices: places, keySteps: key, rowId: table.rowId }
  }
}

/**
 * The columns that end every order: those of the resource's key, and those by which the table itself tells rows apart. A key
 * that a mapping names may be null, or not be unique.
 */
function listKeyColumns({ key, table }: Model): readonly Column[] {
  const named = key.map(({ node }) => node.column)
  const sets = (table.unique ?? []).map((set) => set.map((name) => table.columns.get(name)))
  const isCertain = sets.some((set) => set.every((column) => column && !column.nullable && named.includes(column)))
  return isCertain ? named : [...new Set([...named, ...listTableKey(table)])]
}

const listTableKey = ({ key, columns, rowId: last }: Table): Column[] => [
  ...key.flatMap((name) => columns.get(name) ?? []),
  ...(last === undefined ? [] : [last]),
]

/**
 * Ends an order with the key of a resource, and tells where each of its columns stands. The key goes the way of the last field:
 * an index on a field and the key then serves both directions of the field.
 */
export function addKey<S extends OrderStep>(
  order: S[],
  model: Model,
  source: number,
  made: (step: OrderStep) => S,
): readonly number[] {
  const descending = order.at(-1)?.descending ?? false
  return listKeyColumns(model).map((column) => {
    const found = order.findIndex(({ reference }) => reference.source === source && reference.column === column)
    return found >= 0 ? found : order.push(made({ reference: { source, column }, descending })) - 1
  })
}

const IDENTITY_CODEC: Codec = { toColumn: asIs, fromColumn: asIs, comparable: true }

/** Why a list cannot be told apart by its key: a column of it that has no order. */
export function findUnorderedKey(model: Model): { readonly column: Column; readonly reason: string } | undefined {
  for (const column of listKeyColumns(model))
    if (column.unordered !== undefined) return { column, reason: column.unordered }
  return undefined
}

// Params give the same order again for the same text; one that may still change is written each time.
const orderTexts = new WeakMap<readonly OrderTerm[], string>()

function formatOrder(order: readonly OrderTerm[]): string {
  const known = orderTexts.get(order)
  if (known !== undefined) return known
  const text = order.map(({ field, descending }) => (descending ? `-${field}` : field)).join()
  if (Object.isFrozen(order)) orderTexts.set(order, text)
  return text
}
