// Valid examples of any attribute: varied, at its limits too, and the same for the same seed.

import { toJsonValue, createValue } from '../../mock/example-values.ts'
import type { AnyOptions, Attribute, Attributes } from '../../schema/attribute.ts'
import { INVALID } from '../../schema/issue.ts'
import { Loading } from '../../schema/loading.ts'
import { findMandatoryNames, type Requirement, findSatisfyingNames } from '../../schema/requirements.ts'
import { hasAttributeWhere } from '../../schema/children.ts'
import { Draw } from './draw.ts'
import { drawEdgeValue } from './edge-values.ts'
import { ExampleFile } from './example-file.ts'

/** How examples are chosen. */
export interface ExampleOptions {
  /**
   * The choice: the same seed gives the same examples.
   * @default 1
   */
  readonly seed?: number
  /**
   * How many there are.
   * @default 10
   */
  readonly count?: number
}

/**
 * Makes valid values of an attribute, as controllers get them and the client accepts them. There is none for an attribute that
 * only a foreign schema can tell about, unless its declaration has an `example`.
 */
export function examples<A extends Attribute>(attribute: A, options: ExampleOptions = {}): A['~type'][] {
  const { seed = 1, count = 10 } = options
  const draw = Draw.forPurpose(seed, 'examples')
  const made = Array.from({ length: count }, () => drawExample(attribute, draw))
  return made.filter((one) => one !== undefined)
}

/** How a value is made up. */
export interface DrawExampleOptions {
  /** The name that suggests what a text holds. */
  readonly name?: string
  /** Everything that may be there is there. */
  readonly full?: boolean
  /** Only what has to be there is there. */
  readonly minimal?: boolean
  readonly depth?: number
}

/** How deep examples of recursive types go before they leave out what they can. */
const MAX_DEPTH = 4

/** Makes one valid value; undefined when none is known. */
export function drawExample(attribute: Attribute, draw: Draw, making: DrawExampleOptions = {}): unknown {
  const { options } = attribute
  if (options.nullable === true && making.full !== true && draw.chance(15)) return null
  if (options.example !== undefined && options.example !== null && draw.chance(10)) return options.example
  const made = drawCandidate(attribute, draw, making)
  if (made !== undefined && isValidValue(attribute, made)) return made
  const fallback = attribute.core.example(draw.createSeed(making.name ?? ''))
  return fallback !== undefined && isValidValue(attribute, fallback) ? fallback : undefined
}

/** Returns whether an attribute takes a value on both ways, as far as that can be told at once. */
export function isValidValue(attribute: Attribute, value: unknown): boolean {
  if (hasAttributeWhere(attribute, ({ core }) => core.shape === 'file')) return true
  const plain = toJsonValue(attribute, value)
  if (plain === undefined) return false
  const loading = new Loading(false)
  // Params of lists come as texts of their own.
  return attribute.core.loader(plain, loading) !== INVALID || loading.issues === null
}

function drawCandidate(attribute: Attribute, draw: Draw, making: DrawExampleOptions): unknown {
  const { core, options } = attribute
  const { depth = 0 } = making
  const below = { ...making, depth: depth + 1 }
  switch (core.shape) {
    case 'object':
      return drawStructure(core.children, (options as { requires?: readonly Requirement[] }).requires, draw, below)
    case 'list':
      return drawIndexes(options, draw, making).map(() => drawExample(core.element as Attribute, draw, below))
    case 'record':
      return Object.fromEntries(
        drawIndexes(options, draw, making).map((i) => [`key${i}`, drawExample(core.element as Attribute, draw, below)]),
      )
    case 'union':
      return drawExample(draw.pick(Object.values(core.children)) as Attribute, draw, below)
    case 'file':
      return new ExampleFile(getFileType(options))
    case 'open':
      return core.example(draw.createSeed(making.name ?? ''))
    default:
      if (core.target !== undefined) return depth > MAX_DEPTH * 3 ? undefined : drawExample(core.target, draw, below)
      return drawScalar(attribute, draw, making)
  }
}

const getFileType = (options: AnyOptions): string => {
  const [type = 'application/octet-stream'] = (options as { types?: readonly string[] }).types ?? []
  return type.replace('*/*', 'application/octet-stream').replace('/*', '/example')
}

/** Makes a structure of some attributes; undefined when one that has to be there has no example. */
export function drawStructure(
  children: Attributes,
  requires: readonly Requirement[] = [],
  draw: Draw,
  making: DrawExampleOptions & { readonly depth: number },
): Record<string, unknown> | undefined {
  const must = findMandatoryNames(children)
  const isWide = making.depth <= MAX_DEPTH && making.minimal !== true
  const ruled = findSatisfyingNames(requires, must, isWide && draw.chance(50))
  const names = new Set(requires.flatMap((one) => one.names))
  const made: Record<string, unknown> = {}
  for (const [name, one] of Object.entries(children)) {
    const isChosen = isWide && (making.full === true || draw.chance(60))
    if (names.has(name) ? ruled?.has(name) !== true : !(must.has(name) || isChosen)) continue
    const value = drawExample(one, draw, { ...making, name })
    if (value !== undefined) made[name] = value
    else if (must.has(name)) return undefined
  }
  return made
}

function drawIndexes(options: AnyOptions, draw: Draw, { depth = 0, full: wide = false, minimal: bare = false }: DrawExampleOptions): number[] {
  const { min = 0, max = Number.POSITIVE_INFINITY } = options as { readonly min?: number; readonly max?: number }
  const free = depth > MAX_DEPTH || bare ? 0 : draw.integerBelow(4)
  const wanted = Math.max(min, Math.min(max, wide ? Math.max(1, free) : min + free))
  return Array.from({ length: wanted }, (_, i) => i)
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
