// Makes deterministic, valid examples. A value that the checks of an attribute reject is omitted.
import { attributeRules } from '../design/attribute-rules.ts'
import type { Attribute } from '../schema/attribute.ts'
import { Dumping } from '../schema/dumping.ts'
import { ExampleSeed } from '../schema/example.ts'
import { INVALID } from '../schema/issue.ts'

/** The depth to which an example of a request is completed. */
const MAX_EXAMPLE_COMPLETION = 16

/** Makes the example of an output as JSON; undefined if there is no valid one. */
export function makeOutputExample(attribute: Attribute, path: string): unknown {
  const example = attributeRules.makeExample(attribute, new ExampleSeed(path, getLastSegment(path)))
  if (example === undefined) return undefined
  if (example === null) return attribute.options.nullable === true ? null : undefined
  const { dumped, isValid, firstInvalid } = dumpExample(attribute, example)
  if (isValid) return dumped
  // If one optional attribute has no valid example, the others keep theirs.
  const { children } = attribute.core
  const child =
    firstInvalid === undefined || !Object.hasOwn(children, firstInvalid) ? undefined : children[firstInvalid]
  if (child === undefined || child.options.required === true || !((firstInvalid as string) in (example as object)))
    return undefined
  const { [firstInvalid as string]: _, ...rest } = example as Record<string, unknown>
  const retried = dumpExample(attribute, rest)
  return retried.isValid ? retried.dumped : undefined
}

/** Makes the example of an input: the output example, completed with the attributes that a request requires. */
export function makeInputExample(attribute: Attribute, path: string): unknown {
  const example = makeOutputExample(attribute, path)
  const seed = new ExampleSeed(path, getLastSegment(path))
  return example === undefined ? undefined : completeExample(attribute, example, seed, 0)
}

/**
 * Returns whether a query or a form can carry an example. There, only the declaration distinguishes a list from an
 * object, and an empty list from a missing one.
 */
export function canEncodeInForm({ core }: Attribute, example: unknown, depth = 0): boolean {
  if (core.target !== undefined) return canEncodeInForm(core.target, example, depth)
  if (depth > MAX_EXAMPLE_COMPLETION || typeof example !== 'object' || example === null) return true
  if (core.shape === 'open') return !hasLists(example)
  return Object.entries(example).every(([name, value]) => {
    const child = core.element ?? (Object.hasOwn(core.children, name) ? core.children[name] : undefined)
    return child === undefined || canEncodeInForm(child, value, depth + 1)
  })
}

const hasLists = (example: unknown): boolean =>
  Array.isArray(example) ||
  (typeof example === 'object' && example !== null && Object.values(example).some((one) => hasLists(one)))

const getLastSegment = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

function dumpExample(
  { core }: Attribute,
  example: unknown,
): { readonly dumped: unknown; readonly isValid: boolean; readonly firstInvalid: string | undefined } {
  const dumping = new Dumping('checked')
  const dumped = attributeRules.getDumper({ core })(example, dumping)
  const firstInvalid = dumping.issues?.[0]?.pointer.split('/')[1]
  return { dumped, isValid: dumped !== INVALID && dumping.issues === null, firstInvalid }
}

function completeExample(attribute: Attribute, example: unknown, seed: ExampleSeed, depth: number): unknown {
  const { core } = attribute
  if (core.target !== undefined) return completeExample(core.target, example, seed, depth)
  if (depth > MAX_EXAMPLE_COMPLETION || typeof example !== 'object' || example === null) return example
  if (core.element !== undefined) return completeItems(core.element, example, seed, depth)
  if (core.shape !== 'object') return example
  const completed: Record<string, unknown> = { ...example }
  for (const [name, one] of Object.entries(core.children)) {
    const value = completed[name] ?? makeMissingExample(one, seed.at(name))
    const full = value === undefined ? undefined : completeExample(one, value, seed.at(name), depth + 1)
    if (full === undefined && one.options.required === true && one.options.default === undefined) return undefined
    if (full !== undefined) completed[name] = full
  }
  return completed
}

function makeMissingExample(attribute: Attribute, seed: ExampleSeed): unknown {
  if (attribute.options.required !== true) return undefined
  const example = attributeRules.makeExample(attribute, seed)
  if (example === undefined || example === null) return example
  const { dumped, isValid } = dumpExample(attribute, example)
  return isValid ? dumped : undefined
}

function completeItems(element: Attribute | undefined, example: object, seed: ExampleSeed, depth: number): unknown {
  if (element === undefined) return example
  const entries = Object.entries(example).map(
    ([key, value]) => [key, completeExample(element, value, seed.at(key), depth + 1)] as const,
  )
  if (entries.some(([, value]) => value === undefined)) return undefined
  return Array.isArray(example) ? entries.map(([, value]) => value) : Object.fromEntries(entries)
}
