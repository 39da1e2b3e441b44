// Relations beyond one resource: what others have many of belongs to them, with an attribute for it or without, and a resource
// may lead to others that have a scope.
import { getColumn } from './filter-builder.ts'
import type { Column } from '../../query/query.ts'
import type { ManyNode, Model, ModelNodes } from '../model/model.ts'

/** The columns by which an element belongs to one of another resource. */
export interface RelationLink {
  readonly target: Model
  readonly on: readonly (readonly [ours: Column, theirs: Column])[]
}

const links = new WeakMap<Model, RelationLink[]>()
const recordedNodes = new WeakSet<ManyNode>()

/** The relations of others that lead to a resource. */
export const getIncomingLinks = (model: Model): readonly RelationLink[] => links.get(model) ?? []

/** Notes which resources belong to others, once all of them are known. */
export function recordLinks(models: readonly Model[]): void {
  for (const model of models) recordNodeLinks(model.nodes, model)
}

function recordNodeLinks(nodes: ModelNodes, owner: Model): void {
  for (const node of nodes.values()) {
    if (node.type === 'struct') recordNodeLinks(node.nodes, owner)
    if (node.type !== 'many' || node.through !== undefined || recordedNodes.has(node)) continue
    const target = node.target()
    // Boot reports what does not exist.
    if (typeof target !== 'object' || node.on.some(([, name]) => !target.table.columns.has(name))) continue
    recordedNodes.add(node)
    const on = node.on.map(([ours, name]) => [getColumn(target, name), ours] as const)
    links.set(target, [...getIncomingLinks(target), { target: owner, on }])
  }
}

/** The first resource with a scope that one leads to, or it itself; undefined if there is none. */
function findScopedModel(model: Model): Model | undefined {
  const known = scopedModels.get(model)
  if (known !== undefined) return known ?? undefined
  const seen = new Set<Model>([model])
  for (const one of seen) for (const target of iterateTargets(one.nodes)) seen.add(target)
  const found = [...seen].find(({ scope }) => scope !== undefined)
  scopedModels.set(model, found ?? null)
  return found
}

/** Refuses work that could pass over the scope of a resource, because nothing says who asks. */
export function refuseUnscoped({ model, bounds }: { readonly model: Model; readonly bounds?: unknown }): void {
  const scoped = bounds === undefined ? findScopedModel(model) : undefined
  if (scoped === undefined) return
  throw new TypeError(
    `${scoped.mediaType.name} has a scope, and nothing says who asks. ` +
      `Remedy: use the resource of ${model.mediaType.name} within the context of the action, resource.within(context)`,
  )
}

const scopedModels = new WeakMap<Model, Model | null>()

function* iterateTargets(nodes: ModelNodes): Generator<Model> {
  for (const node of nodes.values()) {
    if (node.type === 'struct') yield* iterateTargets(node.nodes)
    else if (node.type === 'one' || node.type === 'many') yield node.target()
  }
}
