// Related lists of a direct call: the conditions, order and limit of each.
import { form } from '../../../extend.ts'
import type { FieldPath } from '../../../index.ts'
import type { FilterExpression } from '../filters/expression.ts'
import { parseListWhere, type WhereOf } from '../filters/where.ts'
import type { Model, ModelNode } from '../model/model.ts'

/** The options of a direct call for the related list of each element. */
export interface RelatedQuery<T = Readonly<Record<string, unknown>>> {
  /** The conditions that related elements must meet, in addition to those of the mapping. */
  readonly where?: WhereOf<T>
  /** The fields that each list is ordered by, `-` before one for descending; by default those of the mapping. */
  readonly order?: readonly (FieldPath<T> | `-${FieldPath<T>}`)[]
  /** The maximum number of elements in each list, or `Infinity`; by default that of the mapping. */
  readonly limit?: number
}

type ListElement<V> = NonNullable<V> extends readonly (infer E)[] ? E : never

/** The options of a direct call for related lists, by name or path. */
export type RelatedQueries<T> = {
  readonly [N in keyof T as ListElement<T[N]> extends never ? never : N]?: RelatedQuery<ListElement<T[N]>>
} & { readonly [P in Exclude<FieldPath<T>, keyof T>]?: RelatedQuery }

/** The options of a related list. */
interface RelatedOptions {
  readonly where: FilterExpression | undefined
  readonly order: readonly string[] | undefined
  readonly limit: number | undefined
}

/** The options of an attribute, and of the lists below it. */
export interface RelatedTree {
  readonly options: RelatedOptions | undefined
  readonly children: ReadonlyMap<string, RelatedTree>
}

const RELATED_QUERY_FORM = form.object<RelatedQuery>({
  where: form.structure,
  order: form.list(form.name),
  limit: form.either(form.integerFrom(1), form.choice(Number.POSITIVE_INFINITY)),
})

export const relatedForm: form.SettingForm = form.record(RELATED_QUERY_FORM)

/** Builds the tree of options of related lists; throws for a path that is not a related list. */
export function buildRelatedTree(
  queries: Readonly<Record<string, RelatedQuery>>,
  model: Model,
  createMissingError: (path: string) => Error,
): RelatedTree {
  const root: MutableRelatedTree = { options: undefined, children: new Map() }
  for (const [path, { where, order, limit }] of Object.entries(queries)) {
    const steps = path.split('.')
    if (!isRelatedList(steps, model.nodes)) throw createMissingError(path)
    const node = steps.reduce(getOrCreateChild, root)
    node.options = {
      where: where === undefined ? undefined : parseListWhere(where),
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

function getOrCreateChild(tree: MutableRelatedTree, step: string): MutableRelatedTree {
  const child = tree.children.get(step) ?? { options: undefined, children: new Map() }
  tree.children.set(step, child)
  return child
}

function isRelatedList([step = '', ...rest]: readonly string[], nodes: ReadonlyMap<string, ModelNode>): boolean {
  const node = nodes.get(step)
  if (rest.length === 0) return node?.type === 'many'
  if (node?.type === 'struct') return isRelatedList(rest, node.nodes)
  return (node?.type === 'one' || node?.type === 'many') && isRelatedList(rest, node.target().nodes)
}
