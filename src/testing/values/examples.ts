// Draws valid examples of any attribute: varied, including its limits, and the same for the same seed.

import { attributeRules } from '../../design/attribute-rules.ts'
import { createValue, toJsonValue } from '../../mock/example-values.ts'
import type { AnyOptions, Attribute, Attributes } from '../../schema/attribute.ts'
import { hasAttributeWhere } from '../../schema/children.ts'
import { INVALID } from '../../schema/issue.ts'
import { Loading } from '../../schema/loading.ts'
import { findMandatoryNames, findSatisfyingNames, type Requirement } from '../../schema/requirements.ts'
import { Draw } from './draw.ts'
import { drawEdgeValue } from './edge-values.ts'
import { ExampleFile } from './example-file.ts'

/** The options of `examples`. */
export interface ExampleOptions {
  /**
   * The seed of the random choices: the same seed returns the same examples.
   * @default 1
   */
  readonly seed?: number
  /**
   * The number of examples.
   * @default 10
   */
  readonly count?: number
}

/**
 * Returns valid values of an attribute, as controllers receive them and the client accepts them. The list is empty for an
 * attribute with a foreign schema, unless its declaration has an `example`.
 */
export function examples<A extends Attribute>(attribute: A, options: ExampleOptions = {}): A['~type'][] {
  const { seed = 1, count = 10 } = options
  const draw = Draw.forPurpose(seed, 'examples')
  const values = Array.from({ length: count }, () => drawExample(attribute, draw))
  return values.filter((one) => one !== undefined)
}

/** The options of `drawExample`. */
export interface DrawExampleOptions {
  /** The name of the attribute; it suggests the content of a text. */
  readonly name?: string
  /** Whether all optional parts are present. */
  readonly full?: boolean
  /** Whether only required parts are present. */
  readonly minimal?: boolean
  readonly depth?: number
}

/** The depth at which examples of recursive types omit optional parts. */
const MAX_DEPTH = 4

/** Draws one valid value; returns undefined when none is known. */
export function drawExample(attribute: Attribute, draw: Draw, settings: DrawExampleOptions = {}): unknown {
  const { options } = attribute
  if (options.nullable === true && settings.full !== true && draw.chance(15)) return null
  if (options.example !== undefined && options.example !== null && draw.chance(10)) return options.example
  const candidate = drawCandidate(attribute, draw, settings)
  if (candidate !== undefined && isValidValue(attribute, candidate)) return candidate
  const fallback = attributeRules.makeExample(attribute, draw.createSeed(settings.name ?? ''))
  return fallback !== undefined && isValidValue(attribute, fallback) ? fallback : undefined
}

/** Returns whether an attribute accepts a value after encoding and loading it, apart from deferred checks. */
export function isValidValue(attribute: Attribute, value: unknown): boolean {
  if (hasAttributeWhere(attribute, ({ core }) => core.shape === 'file')) return true
  const plain = toJsonValue(attribute, value)
  if (plain === undefined) return false
  const loading = new Loading('json')
  // Params of lists load from strings only.
  return attributeRules.getLoader(attribute)(plain, loading) !== INVALID || loading.issues === null
}

function drawCandidate(attribute: Attribute, draw: Draw, settings: DrawExampleOptions): unknown {
  const { core, options } = attribute
  const { depth = 0 } = settings
  const below = { ...settings, depth: depth + 1 }
  switch (core.shape) {
    case 'object':
      return drawStructure(core.children, (options as { requires?: readonly Requirement[] }).requires, draw, below)
    case 'list':
      return drawIndexes(options, draw, settings).map(() => drawExample(core.element as Attribute, draw, below))
    case 'record':
      return Object.fromEntries(
        drawIndexes(options, draw, settings).map((i) => [
          `key${i}`,
          drawExample(core.element as Attribute, draw, below),
        ]),
      )
    case 'union':
      return drawExample(draw.pick(Object.values(core.children)) as Attribute, draw, below)
    case 'file':
      return new ExampleFile(getFileType(options))
    case 'open':
      return attributeRules.makeExample({ core }, draw.createSeed(settings.name ?? ''))
    default:
      if (core.target !== undefined) return depth > MAX_DEPTH * 3 ? undefined : drawExample(core.target, draw, below)
      return drawScalar(attribute, draw, settings)
  }
}

const getFileType = (options: AnyOptions): string => {
  const [type = 'application/octet-stream'] = (options as { types?: readonly string[] }).types ?? []
  return type.replace('*/*', 'application/octet-stream').replace('/*', '/example')
}

/** Draws an object of some attributes; returns undefined when a mandatory one has no example. */
export function drawStructure(
  children: Attributes,
  requires: readonly Requirement[] = [],
  draw: Draw,
  settings: DrawExampleOptions & { readonly depth: number },
): Record<string, unknown> | undefined {
  const mandatory = findMandatoryNames(children)
  const isWide = settings.depth <= MAX_DEPTH && settings.minimal !== true
  const satisfying = findSatisfyingNames(requires, mandatory, isWide && draw.chance(50))
  const ruleNames = new Set(requires.flatMap((one) => one.names))
  const values: Record<string, unknown> = {}
  for (const [name, one] of Object.entries(children)) {
    const isChosen = isWide && (settings.full === true || draw.chance(60))
    if (ruleNames.has(name) ? satisfying?.has(name) !== true : !(mandatory.has(name) || isChosen)) continue
    const value = drawExample(one, draw, { ...settings, name })
    if (value !== undefined) values[name] = value
    else if (mandatory.has(name)) return undefined
  }
  return values
}

function drawIndexes(
  options: AnyOptions,
  draw: Draw,
  { depth = 0, full = false, minimal = false }: DrawExampleOptions,
): number[] {
  const { min = 0, max = Number.POSITIVE_INFINITY } = options as { readonly min?: number; readonly max?: number }
  const extra = depth > MAX_DEPTH || minimal ? 0 : draw.integerBelow(4)
  const length = Math.max(min, Math.min(max, full ? Math.max(1, extra) : min + extra))
  return Array.from({ length }, (_, i) => i)
}

// --- single values -----------------------------------------------------------------------

interface ScalarLimits {
  readonly min?: number
  readonly max?: number
  readonly values?: readonly unknown[]
}

function drawScalar(attribute: Attribute, draw: Draw, { name = '' }: DrawExampleOptions): unknown {
  const { core, options } = attribute
  const { min, max, values } = options as ScalarLimits
  if (values !== undefined && values.length > 0) return draw.pick(values)
  if (core.scalar === 'boolean') return draw.chance(50)
  const limits = [min, max].filter((one) => one !== undefined)
  if (limits.length > 0 && core.scalar !== 'string' && draw.chance(20)) return draw.pick(limits)
  const edge = draw.chance(35) ? drawEdgeValue(attribute, draw) : undefined
  return edge ?? createValue(attribute, draw.createSeed(name))
}
