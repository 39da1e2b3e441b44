// Orders declarations: each after those it needs immediately; references in cycles are lazy.
import { type AttributeNode, type Component, getChildNodes, isMediaComponent } from '../schemas/attribute-node.ts'

/** A component and its position relative to the others. */
export interface OrderedComponent {
  readonly component: Component
  /** The components that are declared later, or the component itself. */
  readonly later: ReadonlySet<Component>
  /** Whether its type cannot be inferred, because it contains itself without a media type in between. */
  readonly needsType: boolean
}

/** Returns the components that an attribute names. */
export function collectReferences(node: AttributeNode, found: Set<Component> = new Set()): Set<Component> {
  if (node.kind === 'ref') found.add(node.component)
  for (const one of getChildNodes(node)) collectReferences(one, found)
  return found
}

/** Returns all components that attributes need, directly or indirectly. */
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

/** Orders components so that they can be declared. */
export function orderComponents(components: readonly Component[]): readonly OrderedComponent[] {
  const cycles = findCycles(components)
  const declared = new Set<Component>()
  return cycles.flatMap((cycle) => {
    const media = cycle.filter(isMediaComponent)
    const values = findCycles(cycle.filter((one) => !isMediaComponent(one)))
    const untyped = new Set(values.filter(isCycle).flat())
    return [...media, ...values.flat()].map((component): OrderedComponent => {
      const later = [...collectReferences(component.node)].filter((one) => cycle.includes(one) && !declared.has(one))
      declared.add(component)
      return { component, later: new Set(later), needsType: untyped.has(component) }
    })
  })
}

const isCycle = (cycle: readonly Component[]): boolean =>
  cycle.length > 1 || cycle.some((one) => collectReferences(one.node).has(one))

/**
 * Returns the strongly connected components, each after those it needs (Tarjan's algorithm with an explicit stack, because a
 * document may have a long chain of schemas).
 */
function findCycles(components: readonly Component[]): Component[][] {
  const all = new Set(components)
  const index = new Map<Component, number>()
  const low = new Map<Component, number>()
  const open: Component[] = []
  const isOpen = new Set<Component>()
  const cycles: Component[][] = []
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
    const cycle = open.splice(open.indexOf(one))
    for (const each of cycle) isOpen.delete(each)
    cycles.push(cycle)
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
  return cycles
}

interface TraversalStep {
  readonly one: Component
  readonly needs: Component[]
}
