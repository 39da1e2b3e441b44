// Examples that never change and hold: what an attribute's own checks refuse is left out rather than shown.
import type { Attribute } from '../schema/attribute.ts'
import { Dumping } from '../schema/dumping.ts'
import { ExampleSeed } from '../schema/example.ts'
import { INVALID } from '../schema/issue.ts'

/** How deep an example of a request is completed. */
const MAX_EXAMPLE_COMPLETION = 16

/** The example of what clients receive, as JSON; undefined when there is none that holds. */
export function makeOutputExample(attribute: Attribute, path: string): unknown {
  const example = attribute.core.example(new ExampleSeed(path, getLastSegment(path)))
  if (example === undefined) return undefined
  if (example === null) return attribute.options.nullable === true ? null : undefined
  const { dumped, holds, first } = dumpExample(attribute, example)
  if (holds) return dumped
  // If one optional attribute has no example, the others still have theirs.
  const { children } = attribute.core
  const name = first === undefined || !Object.hasOwn(children, first) ? undefined : children[first]
  if (name === undefined || name.options.required === true || !((first as string) in (example as object)))
    return undefined
  const { [first as string]: _, ...rest } = example as Record<string, unknown>
  const again = dumpExample(attribute, rest)
  return again.holds ? again.dumped : undefined
}

/** The example of what clients send: what a media type only shows is completed by what a request must bring. */
export function makeInputExample(attribute: Attribute, path: string): unknown {
  const example = makeOutputExample(attribute, path)
  const seed = new ExampleSeed(path, getLastSegment(path))
  return example === undefined ? undefined : completeExample(attribute, example, seed, 0)
}

/**
 * Returns whether a query or a form can carry an example: only a declaration tells a list there from an object, and an empty
 * one from none.
 */
export function canFormCarry({ core }: Attribute, example: unknown, depth = 0): boolean {
  if (core.target !== undefined) return canFormCarry(core.target, example, depth)
  if (depth > MAX_EXAMPLE_COMPLETION || typeof example !== 'object' || example === null) return true
  if (core.shape === 'open') return !hasLists(example)
  return Object.entries(example).every(([name, value]) => {
    const below = core.element ?? (Object.hasOwn(core.children, name) ? core.children[name] : undefined)
    return below === undefined || canFormCarry(below, value, depth + 1)
  })
}

const hasLists = (example: unknown): boolean =>
  Array.isArray(example) ||
  (typeof example === 'object' && example !== null && Object.values(example).some((one) => hasLists(one)))

const getLastSegment = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

function dumpExample(
  { core }: Attribute,
  example: unknown,
): { readonly dumped: unknown; readonly holds: boolean; readonly first: string | undefined } {
  const dumping = new Dumping(true)
  const dumped = core.dumper(example, dumping)
  const first = dumping.issues?.[0]?.pointer.split('/')[1]
  return { dumped, holds: dumped !== INVALID && dumping.issues === null, first }
}

function completeExample(attribute: Attribute, example: unknown, seed: ExampleSeed, depth: number): unknown {
  const { core } = attribute
  if (core.target !== undefined) return completeExample(core.target, example, seed, depth)
  if (depth > MAX_EXAMPLE_COMPLETION || typeof example !== 'object' || example === null) return example
  if (core.element !== undefined) return completeItems(core.element, example, seed, depth)
  if (core.shape !== 'object') return example
  const made: Record<string, unknown> = { ...example }
  for (const [name, one] of Object.entries(core.children)) {
    const value = made[name] ?? makeMissingExample(one, seed.at(name))
    const full = value === undefined ? undefined : completeExample(one, value, seed.at(name), depth + 1)
    if (full === undefined && one.options.required === true && one.options.default === undefined) return undefined
    if (full !== undefined) made[name] = full
  }
  return made
}

function makeMissingExample(attribute: Attribute, seed: ExampleSeed): unknown {
  if (attribute.options.required !== true) return undefined
  const example = attribute.core.example(seed)
  if (example === undefined || example === null) return example
  const { dumped, holds } = dumpExample(attribute, example)
  return holds ? dumped : undefined
}

function completeItems(of: Attribute | undefined, example: object, seed: ExampleSeed, depth: number): unknown {
  if (of === undefined) return example
  const entries = Object.entries(example).map(
    ([key, value]) => [key, completeExample(of, value, seed.at(key), depth + 1)] as const,
  )
  if (entries.some(([, value]) => value === undefined)) return undefined
  return Array.isArray(example) ? entries.map(([, value]) => value) : Object.fromEntries(entries)
}
