// Related lists of a plain call: the conditions, order and limit of each.
import { form } from '../../../extend.ts'
import type { FieldPath } from '../../../index.ts'
import type { FilterExpression } from '../filters/expression.ts'
import { type WhereOf, whereExpression } from '../filters/where.ts'
import type { Model, Node } from '../resource/model.ts'

/** The options of a plain call for the related list of each element. */
export interface RelatedQuery<T = Readonly<Record<string, unknown>>> {
  /** Conditions that the related elements meet, beside those of the mapping. */
  readonly where?: WhereOf<T>
  /** The fields that each list is ordered by, `-` before one for descending; by default as the mapping says. */
  readonly order?: readonly (FieldPath<T> | `-${FieldPath<T>}`)[]
  /** The most elements of each list, or `Infinity`; by default as the mapping says. */
  readonly limit?: number
}

type ElementOf<V> = NonNullable<V> extends readonly (infer E)[] ? E : never

/** The options of a plain call for related lists, by their names or paths. */
export type RelatedQueries<T> = {
  readonly [N in keyof T as ElementOf<T[N]> extends never ? never : N]?: RelatedQuery<ElementOf<T[N]>>
} & { readonly [P in Exclude<FieldPath<T>, keyof T>]?: RelatedQuery }

/** The options of a related list. */
interface RelatedAsked {
  readonly where: FilterExpression | undefined
  readonly order: readonly string[] | undefined
  readonly limit: number | undefined
}

/** The options of the lists below an attribute, and of itself. */
export interface RelatedBelow {
  readonly own: RelatedAsked | undefined
  readonly below: ReadonlyMap<string, RelatedBelow>
}

const QUERY = form.object<RelatedQuery>({
  where: form.structure,
  order: form.list(form.name),
  limit: form.either(form.whole(1), form.choice(Number.POSITIVE_INFINITY)),
})

/** The form of what is asked of related lists. */
export const relatedForm: form.Form = form.record(QUERY)

/** Puts what is asked of related lists in the places of the lists; tells of one that there is not. */
export function relatedBelow(
  given: Readonly<Record<string, RelatedQuery>>,
  model: Model,
  missing: (path: string) => Error,
): RelatedBelow {
  const root: Growing = { own: undefined, below: new Map() }
  for (const [path, { where, order, limit }] of Object.entries(given)) {
    const steps = path.split('.')
    if (!isList(steps, model.nodes)) throw missing(path)
    const at = steps.reduce(grown, root)
    at.own = {
      where: where === undefined ? undefined : whereExpression(where),
      order,
      limit,
    }
  }
  return root
}

interface Growing {
  own: RelatedAsked | undefined
  readonly below: Map<string, Growing>
}

function grown(at: Growing, step: string): Growing {
  const next = at.below.get(step) ?? { own: undefined, below: new Map() }
  at.below.set(step, next)
  return next
}

function isList([step = '', ...rest]: readonly string[], nodes: ReadonlyMap<string, Node>): boolean {
  const node = nodes.get(step)
  if (rest.length === 0) return node?.type === 'many'
  if (node?.type === 'struct') return isList(rest, node.nodes)
  return (node?.type === 'one' || node?.type === 'many') && isList(rest, node.target().nodes)
}
