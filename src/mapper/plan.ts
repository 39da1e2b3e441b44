// Plans: what a list reads for a selection and an order. Made once for each, and kept while it is asked for again.
import type { MediaType, View } from '../design/media-type.ts'
import type { Selection } from '../design/selection.ts'
import type { Codec } from './codec.ts'
import { locate } from './conditions.ts'
import type { Model } from './model.ts'
import type { OrderTerm } from './order.ts'
import type { OrderStep } from './query.ts'
import { Scope } from './scope.ts'
import { allOf, type Shape, shapeOf } from './shape.ts'

/** What is read, and in which order. */
export interface Plan {
  readonly shape: Shape
  /** Holds everything that is selected; a query with more in it works on a copy. */
  readonly scope: Scope
  readonly order: readonly PlannedStep[]
  /** Where the values of the order's steps stand in each row; none unless somebody will ask for places. */
  readonly places: readonly number[]
}

/** A step of an order, and how values of its field are kept. */
export interface PlannedStep extends OrderStep {
  readonly codec: Codec
}

/** How many orders are kept for one selection. */
const MAX_KEPT = 64

/** Makes and keeps the plans of one resource. */
export class Plans {
  readonly #model: Model
  readonly #kept = new WeakMap<object, Map<string, Plan>>()

  constructor(model: Model) {
    this.#model = model
  }

  /** The plan for what is wanted, in an order, with its places or without; fields without a column throw a FieldError. */
  plan(wanted: Selection | MediaType | View | undefined, order: readonly OrderTerm[], placed: boolean): Plan {
    const owner = wanted ?? this.#model
    let plans = this.#kept.get(owner)
    if (plans === undefined) {
      plans = new Map()
      this.#kept.set(owner, plans)
    }
    const key = (placed ? '@' : '') + orderText(order)
    let plan = plans.get(key)
    if (plan === undefined) {
      if (plans.size >= MAX_KEPT) plans.delete(plans.keys().next().value as string)
      plan = this.#make(wanted, order, placed)
      plans.set(key, plan)
    }
    return plan
  }

  #make(wanted: Selection | MediaType | View | undefined, terms: readonly OrderTerm[], placed: boolean): Plan {
    const { mediaType, table, nodes } = this.#model
    const scope = new Scope(table)
    const fields = wanted !== undefined && 'fields' in wanted ? wanted.fields : allOf((wanted ?? mediaType).core.shown)
    const shape = shapeOf(fields, nodes, scope, 0)
    const order = terms.map(({ field, descending }) => {
      const { reference, node } = locate(field, this.#model, scope)
      return { reference, descending, codec: node.codec }
    })
    const places = placed ? order.map(({ reference: { source, column } }) => scope.read(source, column)) : []
    return { shape, scope, order, places }
  }
}

// Params give the same order again for the same text; one that may still change is written each time.
const texts = new WeakMap<readonly OrderTerm[], string>()

function orderText(order: readonly OrderTerm[]): string {
  const known = texts.get(order)
  if (known !== undefined) return known
  const text = order.map(({ field, descending }) => (descending ? `-${field}` : field)).join()
  if (Object.isFrozen(order)) texts.set(order, text)
  return text
}
