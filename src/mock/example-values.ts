// Creates values for the rows of a mock: varied, deterministic, and valid for their attribute.
import { attributeRules } from '../design/attribute-rules.ts'
import type { AnyOptions, Attribute } from '../schema/attribute.ts'
import { Dumping } from '../schema/dumping.ts'
import type { ExampleSeed } from '../schema/example.ts'
import { INVALID } from '../schema/issue.ts'
import { Loading } from '../schema/loading.ts'

const NO_EXAMPLE = { example: undefined, default: undefined } as unknown as AnyOptions

/** Creates a value of an attribute; undefined if its kind has no examples. */
export function createValue(attribute: Attribute, seed: ExampleSeed): unknown {
  const { options, core } = attribute
  if (options.example !== undefined && seed.numberBelow(4) === 0) return options.example
  const value = attributeRules.makeExample(core.derive(NO_EXAMPLE), seed)
  return value !== undefined && toJsonValue(attribute, value) !== undefined
    ? value
    : attributeRules.makeExample({ core }, seed)
}

/** Converts a value to JSON; undefined if the attribute does not allow it. */
export function toJsonValue(attribute: Attribute, value: unknown): unknown {
  const dumping = new Dumping('checked')
  const dumped = attributeRules.getDumper(attribute)(value, dumping)
  return dumped === INVALID || dumping.issues !== null ? undefined : dumped
}

/** Converts a value from another attribute; undefined if this attribute does not allow it. */
export function reloadValue(attribute: Attribute, value: unknown): unknown {
  const plain = toJsonValue(attribute, value)
  const loaded = plain === undefined ? INVALID : attributeRules.getLoader(attribute)(plain, new Loading('json'))
  return loaded === INVALID ? undefined : loaded
}

/** Parses a value of a path as another attribute; undefined if it is invalid. */
export function parsePathValue(attribute: Attribute, value: unknown): unknown {
  const text = value instanceof Date ? value.toISOString() : String(value)
  const loading = new Loading('text')
  const loaded = attributeRules.getLoader(attribute)(text, loading)
  return loaded === INVALID || loading.issues !== null ? undefined : loaded
}
