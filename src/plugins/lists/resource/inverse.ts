// Inverse relations: a resource that others have many of belongs to them, whether or not it has an attribute for it.
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
