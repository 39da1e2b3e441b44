// Examples that never change and hold: what an attribute's own checks refuse is left out rather than shown.
import type { Attribute } from '../schema/attribute.ts'
import { Dumping } from '../schema/dumping.ts'
import { ExampleSeed } from '../schema/example.ts'
import { INVALID } from '../schema/issue.ts'

/** How deep an example of a request is completed. */
const MAX_DEPTH = 16

/** The example of what clients receive, as JSON; undefined when there is none that holds. */
export function exampleOf(attribute: Attribute, path: string): unknown {
  const example = attribute.core.example(new ExampleSeed(path, nameIn(path)))
  if (example === undefined) return undefined
  if (example === null) return attribute.options.nullable === true ? null : undefined
  const { dumped, holds, first } = dump(attribute, example)
  if (holds) return dumped
  // If one optional attribute has no example, the others still have theirs.
  const { children } = attribute.core
  const name = first === undefined || !Object.hasOwn(children, first) ? undefined : children[first]
  if (name === undefined || name.options.required === true || !((first as string) in (example as object)))
    return undefined
  const { [first as string]: _, ...rest } = example as Record<string, unknown>
  const again = dump(attribute, rest)
  return again.holds ? again.dumped : undefined
}

/** The example of what clients send: what a media type only shows is completed by what a request must bring. */
export function inputExampleOf(attribute: Attribute, path: string): unknown {
  const example = exampleOf(attribute, path)
  const seed = new ExampleSeed(path, nameIn(path))
  return example === undefined ? undefined : completed(attribute, example, seed, 0)
}

/**
 * Returns whether a query or a form can carry an example: only a declaration tells a list there from an object, and an empty
 * one from none.
 */
export function isTold({ core }: Attribute, example: unknown, depth = 0): boolean {
  if (core.target !== undefined) return isTold(core.target, example, depth)
  if (depth > MAX_DEPTH || typeof example !== 'object' || example === null) return true
  if (core.shape === 'open') return !hasLists(example)
  return Object.entries(example).every(([name, value]) => {
    const below = core.element ?? (Object.hasOwn(core.children, name) ? core.children[name] : undefined)
    return below === undefined || isTold(below, value, depth + 1)
  })
}

const hasLists = (example: unknown): boolean =>
  Array.isArray(example) ||
  (typeof example === 'object' && example !== null && Object.values(example).some((one) => hasLists(one)))

const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

function dump(
  { core }: Attribute,
  example: unknown,
): { readonly dumped: unknown; readonly holds: boolean; readonly first: string | undefined } {
  const dumping = new Dumping(true)
  const dumped = core.dumper(example, dumping)
  const first = dumping.issues?.[0]?.pointer.split('/')[1]
  return { dumped, holds: dumped !== INVALID && dumping.issues === null, first }
}

function completed(attribute: Attribute, example: unknown, seed: ExampleSeed, depth: number): unknown {
  const { core } = attribute
  if (core.target !== undefined) return completed(core.target, example, seed, depth)
  if (depth > MAX_DEPTH || typeof example !== 'object' || example === null) return example
  if (core.element !== undefined) return completedItems(core.element, example, seed, depth)
  if (core.shape !== 'object') return example
  const made: Record<string, unknown> = { ...example }
  for (const [name, one] of Object.entries(core.children)) {
    const value = made[name] ?? missing(one, seed.at(name))
    const full = value === undefined ? undefined : completed(one, value, seed.at(name), depth + 1)
    if (full === undefined && one.options.required === true && one.options.default === undefined) return undefined
    if (full !== undefined) made[name] = full
  }
  return made
}

function missing(attribute: Attribute, seed: ExampleSeed): unknown {
  if (attribute.options.required !== true) return undefined
  const example = attribute.core.example(seed)
  if (example === undefined || example === null) return example
  const { dumped, holds } = dump(attribute, example)
  return holds ? dumped : undefined
}

function completedItems(of: Attribute | undefined, example: object, seed: ExampleSeed, depth: number): unknown {
  if (of === undefined) return example
  const entries = Object.entries(example).map(
    ([key, value]) => [key, completed(of, value, seed.at(key), depth + 1)] as const,
  )
  if (entries.some(([, value]) => value === undefined)) return undefined
  return Array.isArray(example) ? entries.map(([, value]) => value) : Object.fromEntries(entries)
}
