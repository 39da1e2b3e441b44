// Relations beyond one resource: what others have many of belongs to them, with an attribute for it or without, and a resource
// may lead to others that have a scope.
import { columnOf } from '../plan/conditions.ts'
import type { Column } from '../query.ts'
import type { ManyNode, Model, Nodes } from './model.ts'

/** The columns by which an element belongs to one of another resource. */
export interface Link {
  readonly target: Model
  readonly on: readonly (readonly [ours: Column, theirs: Column])[]
}

const links = new WeakMap<Model, Link[]>()
const noted = new WeakSet<ManyNode>()

/** The relations of others that lead to a resource. */
export const linksTo = (model: Model): readonly Link[] => links.get(model) ?? []

/** Notes which resources belong to others, once all of them are known. */
export function noteLinks(models: readonly Model[]): void {
  for (const model of models) noteIn(model.nodes, model)
}

function noteIn(nodes: Nodes, owner: Model): void {
  for (const node of nodes.values()) {
    if (node.type === 'struct') noteIn(node.nodes, owner)
    if (node.type !== 'many' || node.through !== undefined || noted.has(node)) continue
    const target = node.target()
    // Boot reports what does not exist.
    if (typeof target !== 'object' || node.on.some(([, name]) => !target.table.columns.has(name))) continue
    noted.add(node)
    const on = node.on.map(([ours, name]) => [columnOf(target, name), ours] as const)
    links.set(target, [...linksTo(target), { target: owner, on }])
  }
}

/** The first resource with a scope that one leads to, or it itself; undefined if there is none. */
function reachesScope(model: Model): Model | undefined {
  const known = reached.get(model)
  if (known !== undefined) return known ?? undefined
  const seen = new Set<Model>([model])
  for (const one of seen) for (const target of targetsIn(one.nodes)) seen.add(target)
  const found = [...seen].find(({ scope }) => scope !== undefined)
  reached.set(model, found ?? null)
  return found
}

/** Refuses work that could pass over the scope of a resource, because nothing says who asks. */
export function refuseUnscoped({ model, bounds }: { readonly model: Model; readonly bounds?: unknown }): void {
  const scoped = bounds === undefined ? reachesScope(model) : undefined
  if (scoped === undefined) return
  throw new TypeError(
    `${scoped.mediaType.name} has a scope, and nothing says who asks. ` +
      `Remedy: use the resource of ${model.mediaType.name} within the context of the action, resource.within(context)`,
  )
}

const reached = new WeakMap<Model, Model | null>()

function* targetsIn(nodes: Nodes): Generator<Model> {
  for (const node of nodes.values()) {
    if (node.type === 'struct') yield* targetsIn(node.nodes)
    else if (node.type === 'one' || node.type === 'many') yield node.target()
  }
}
