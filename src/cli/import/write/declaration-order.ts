// The order of declarations: each after those that it needs at once, and the others looked up when they are first used.
import { getChildNodes, type Component, isMediaComponent, type AttributeNode } from '../schemas/attribute-node.ts'

/** A component at its place among the others. */
export interface OrderedComponent {
  readonly component: Component
  /** Those that are declared later, or that it is itself. */
  readonly later: ReadonlySet<Component>
  /** Whether its type cannot be inferred, since it contains itself without a media type between. */
  readonly needsType: boolean
}

/** The components that an attribute names. */
export function collectReferences(node: AttributeNode, found: Set<Component> = new Set()): Set<Component> {
  if (node.kind === 'ref') found.add(node.component)
  for (const one of getChildNodes(node)) collectReferences(one, found)
  return found
}

/** All components that some attributes need, directly or not. */
export function collectReachable(nodes: Iterable<AttributeNode>): Set<Component> {
  const found = new Set<Component>()
  const waiting = [...nodes]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const one of collectReferences(next))
      if (!found.has(one)) {
        found.add(one)
        waiting.push(one.node)
      }
  return found
}

/** Puts components into an order in which they can be declared. */
export function orderComponents(components: readonly Component[]): readonly OrderedComponent[] {
  const circles = findCycles(components)
  const declared = new Set<Component>()
  return circles.flatMap((circle) => {
    const media = circle.filter(isMediaComponent)
    const values = findCycles(circle.filter((one) => !isMediaComponent(one)))
    const loose = new Set(values.filter(isCycle).flat())
    return [...media, ...values.flat()].map((component): OrderedComponent => {
      const later = [...collectReferences(component.node)].filter((one) => circle.includes(one) && !declared.has(one))
      declared.add(component)
      return { component, later: new Set(later), needsType: loose.has(component) }
    })
  })
}

const isCycle = (circle: readonly Component[]): boolean =>
  circle.length > 1 || circle.some((one) => collectReferences(one.node).has(one))

/**
 * Groups of components that need each other, each group after those that it needs (Tarjan's algorithm, without a stack of
 * calls: a document may have a long chain of schemas).
 */
function findCycles(components: readonly Component[]): Component[][] {
  const all = new Set(components)
  const index = new Map<Component, number>()
  const low = new Map<Component, number>()
  const open: Component[] = []
  const isOpen = new Set<Component>()
  const circles: Component[][] = []
  const enter = (one: Component): TraversalStep => {
    index.set(one, index.size)
    low.set(one, index.get(one) as number)
    open.push(one)
    isOpen.add(one)
    return { one, needs: [...collectReferences(one.node)].filter((other) => all.has(other)) }
  }
  const lower = (one: Component, to: number): void => void low.set(one, Math.min(low.get(one) as number, to))
  const leave = (one: Component): void => {
    if (low.get(one) !== index.get(one)) return
    const circle = open.splice(open.indexOf(one))
    for (const each of circle) isOpen.delete(each)
    circles.push(circle)
  }
  for (const root of components) {
    const steps: TraversalStep[] = index.has(root) ? [] : [enter(root)]
    for (let step = steps.at(-1); step !== undefined; step = steps.at(-1)) {
      const next = step.needs.shift()
      if (next === undefined) {
        leave(step.one)
        steps.pop()
        const above = steps.at(-1)
        if (above !== undefined) lower(above.one, low.get(step.one) as number)
      } else if (!index.has(next)) steps.push(enter(next))
      else if (isOpen.has(next)) lower(step.one, index.get(next) as number)
    }
  }
  return circles
}

interface TraversalStep {
  readonly one: Component
  readonly needs: Component[]
}
