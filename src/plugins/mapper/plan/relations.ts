// Relations across resources: incoming relations with or without an attribute, and scoped resources that a resource reaches.

import type { Column } from '../../query/query.ts'
import type { ManyNode, Model, ModelNodes } from '../model/model.ts'
import { getColumn } from './filter-builder.ts'

/** The columns by which an element references one of another resource. */
export interface ParentLink {
  readonly parent: Model
  readonly on: readonly (readonly [ours: Column, theirs: Column])[]
}

const links = new WeakMap<Model, ParentLink[]>()
const recordedNodes = new WeakSet<ManyNode>()

/** Returns the relations of other resources that point to a resource. */
export const getParentLinks = (model: Model): readonly ParentLink[] => links.get(model) ?? []

/** Records which resources belong to others, once all of them are resolved. */
export function recordLinks(models: readonly Model[]): void {
  for (const model of models) recordNodeLinks(model.nodes, model)
}

function recordNodeLinks(nodes: ModelNodes, owner: Model): void {
  for (const node of nodes.values()) {
    if (node.type === 'struct') recordNodeLinks(node.nodes, owner)
    if (node.type !== 'many' || node.through !== undefined || recordedNodes.has(node)) continue
    const target = node.target()
    // Boot reports missing columns.
    if (typeof target !== 'object' || node.on.some(([, name]) => !target.table.columns.has(name))) continue
    recordedNodes.add(node)
    const on = node.on.map(([ours, name]) => [getColumn(target, name), ours] as const)
    links.set(target, [...getParentLinks(target), { parent: owner, on }])
  }
}

/** Returns whether attributes depend on the caller. */
const dependsOnCaller = (nodes: ModelNodes): boolean =>
  [...nodes.values()].some((node) => {
    if (node.type === 'struct') return dependsOnCaller(node.nodes)
    if (node.type === 'computed') return node.dependsOnCaller
    const relation = node.type === 'aggregate' ? node.relation : node
    return relation.type === 'many' && relation.callerWhere !== undefined
  })

/** Finds the first resource that depends on the caller and that a resource reaches, itself included; undefined if there is none. */
function findScopedModel(model: Model): Model | undefined {
  const cached = scopedModels.get(model)
  if (cached !== undefined) return cached ?? undefined
  const reached = new Set<Model>([model])
  for (const one of reached) for (const target of iterateTargets(one.nodes)) reached.add(target)
  const found = [...reached].find(({ scope, nodes }) => scope !== undefined || dependsOnCaller(nodes))
  scopedModels.set(model, found ?? null)
  return found
}

/** Throws if work without a context would bypass the scope of a resource. */
export function refuseUnscoped({ model, bounds }: { readonly model: Model; readonly bounds?: unknown }): void {
  const scoped = bounds === undefined ? findScopedModel(model) : undefined
  if (scoped === undefined) return
  throw new TypeError(
    `${scoped.mediaType.name} has ${scoped.scope === undefined ? 'attributes that depend on the caller' : 'a scope'}, and the call has no context. ` +
      `Remedy: call the resource of ${model.mediaType.name} with the context of the action: resource.within(context)`,
  )
}

const scopedModels = new WeakMap<Model, Model | null>()

function* iterateTargets(nodes: ModelNodes): Generator<Model> {
  for (const node of nodes.values()) {
    if (node.type === 'struct') yield* iterateTargets(node.nodes)
    else if (node.type === 'one' || node.type === 'many') yield node.target()
    else if (node.type === 'aggregate') yield node.relation.target()
  }
}
