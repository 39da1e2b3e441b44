// Related lists of a plain call: the conditions, order and limit of each.
import { form } from '../../../extend.ts'
import type { FieldPath } from '../../../index.ts'
import type { FilterExpression } from '../filters/expression.ts'
import { type WhereOf, parseWhere } from '../filters/where.ts'
import type { Model, ModelNode } from '../model/model.ts'

/** The options of a plain call for the related list of each element. */
export interface RelatedQuery<T = Readonly<Record<string, unknown>>> {
  /** Conditions that the related elements meet, beside those of the mapping. */
  readonly where?: WhereOf<T>
  /** The fields that each list is ordered by, `-` before one for descending; by default as the mapping says. */
  readonly order?: readonly (FieldPath<T> | `-${FieldPath<T>}`)[]
  /** The most elements of each list, or `Infinity`; by default as the mapping says. */
  readonly limit?: number
}

type ListElement<V> = NonNullable<V> extends readonly (infer E)[] ? E : never

/** The options of a plain call for related lists, by their names or paths. */
export type RelatedQueries<T> = {
  readonly [N in keyof T as ListElement<T[N]> extends never ? never : N]?: RelatedQuery<ListElement<T[N]>>
} & { readonly [P in Exclude<FieldPath<T>, keyof T>]?: RelatedQuery }

/** The options of a related list. */
interface RelatedOptions {
  readonly where: FilterExpression | undefined
  readonly order: readonly string[] | undefined
  readonly limit: number | undefined
}

/** The options of the lists below an attribute, and of itself. */
export interface RelatedTree {
  readonly options: RelatedOptions | undefined
  readonly children: ReadonlyMap<string, RelatedTree>
}

const RELATED_QUERY_FORM = form.object<RelatedQuery>({
  where: form.structure,
  order: form.list(form.name),
  limit: form.either(form.integerFrom(1), form.choice(Number.POSITIVE_INFINITY)),
})

/** The form of what is asked of related lists. */
export const relatedForm: form.SettingForm = form.record(RELATED_QUERY_FORM)

/** Puts what is asked of related lists in the places of the lists; tells of one that there is not. */
export function buildRelatedTree(
  given: Readonly<Record<string, RelatedQuery>>,
  model: Model,
  missing: (path: string) => Error,
): RelatedTree {
  const root: MutableRelatedTree = { options: undefined, children: new Map() }
  for (const [path, { where, order, limit }] of Object.entries(given)) {
    const steps = path.split('.')
    if (!isRelatedList(steps, model.nodes)) throw missing(path)
    const at = steps.reduce(getOrCreateChild, root)
    at.options = {
      where: where === undefined ? undefined : parseWhere(where),
      order,
      limit,
    }
  }
  return root
}

interface MutableRelatedTree {
  options: RelatedOptions | undefined
  readonly children: Map<string, MutableRelatedTree>
}

function getOrCreateChild(at: MutableRelatedTree, step: string): MutableRelatedTree {
  const next = at.children.get(step) ?? { options: undefined, children: new Map() }
  at.children.set(step, next)
  return next
}

function isRelatedList([step = '', ...rest]: readonly string[], nodes: ReadonlyMap<string, ModelNode>): boolean {
  const node = nodes.get(step)
  if (rest.length === 0) return node?.type === 'many'
  if (node?.type === 'struct') return isRelatedList(rest, node.nodes)
  return (node?.type === 'one' || node?.type === 'many') && isRelatedList(rest, node.target().nodes)
}
