// Valid examples of any attribute: varied, at its limits too, and the same for the same seed.

import { plainForm, valueFor } from '../../mock/values.ts'
import type { AnyOptions, Attribute, Attributes } from '../../schema/attribute.ts'
import { INVALID } from '../../schema/issue.ts'
import { Loading } from '../../schema/loading.ts'
import { mustBeSent, type Requirement, satisfying } from '../../schema/requires.ts'
import { someBelow } from '../../schema/structures/children.ts'
import { Draw } from './draw.ts'
import { edgeOf } from './edges.ts'
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
  const draw = Draw.of(seed, 'examples')
  const made = Array.from({ length: count }, () => exampleOf(attribute, draw))
  return made.filter((one) => one !== undefined)
}

/** How a value is made up. */
export interface Making {
  /** The name that suggests what a text holds. */
  readonly name?: string
  /** Everything that may be there is there. */
  readonly wide?: boolean
  /** Only what has to be there is there. */
  readonly bare?: boolean
  readonly depth?: number
}

/** How deep examples of recursive types go before they leave out what they can. */
const MAX_DEPTH = 4

/** Makes one valid value; undefined when none is known. */
export function exampleOf(attribute: Attribute, draw: Draw, making: Making = {}): unknown {
  const { options } = attribute
  if (options.nullable === true && making.wide !== true && draw.percent(15)) return null
  if (options.example !== undefined && options.example !== null && draw.percent(10)) return options.example
  const made = madeBy(attribute, draw, making)
  if (made !== undefined && isValid(attribute, made)) return made
  const fallback = attribute.core.example(draw.seed(making.name ?? ''))
  return fallback !== undefined && isValid(attribute, fallback) ? fallback : undefined
}

/** Returns whether an attribute takes a value on both ways, as far as that can be told at once. */
export function isValid(attribute: Attribute, value: unknown): boolean {
  if (someBelow(attribute, ({ core }) => core.shape === 'file')) return true
  const plain = plainForm(attribute, value)
  if (plain === undefined) return false
  const loading = new Loading(false)
  // Params of lists come as texts of their own.
  return attribute.core.loader(plain, loading) !== INVALID || loading.issues === null
}

function madeBy(attribute: Attribute, draw: Draw, making: Making): unknown {
  const { core, options } = attribute
  const { depth = 0 } = making
  const below = { ...making, depth: depth + 1 }
  switch (core.shape) {
    case 'object':
      return structureOf(core.children, (options as { requires?: readonly Requirement[] }).requires, draw, below)
    case 'list':
      return sizeOf(options, draw, making).map(() => exampleOf(core.element as Attribute, draw, below))
    case 'record':
      return Object.fromEntries(
        sizeOf(options, draw, making).map((i) => [`key${i}`, exampleOf(core.element as Attribute, draw, below)]),
      )
    case 'union':
      return exampleOf(draw.pick(Object.values(core.children)) as Attribute, draw, below)
    case 'file':
      return new ExampleFile(fileType(options))
    case 'open':
      return core.example(draw.seed(making.name ?? ''))
    default:
      if (core.target !== undefined) return depth > MAX_DEPTH * 3 ? undefined : exampleOf(core.target, draw, below)
      return scalarOf(attribute, draw, making)
  }
}

const fileType = (options: AnyOptions): string => {
  const [type = 'application/octet-stream'] = (options as { types?: readonly string[] }).types ?? []
  return type.replace('*/*', 'application/octet-stream').replace('/*', '/example')
}

/** Makes a structure of some attributes; undefined when one that has to be there has no example. */
export function structureOf(
  children: Attributes,
  requires: readonly Requirement[] = [],
  draw: Draw,
  making: Making & { readonly depth: number },
): Record<string, unknown> | undefined {
  const must = mustBeSent(children)
  const isWide = making.depth <= MAX_DEPTH && making.bare !== true
  const ruled = satisfying(requires, must, isWide && draw.percent(50))
  const names = new Set(requires.flatMap((one) => one.names))
  const made: Record<string, unknown> = {}
  for (const [name, one] of Object.entries(children)) {
    const isChosen = isWide && (making.wide === true || draw.percent(60))
    if (names.has(name) ? ruled?.has(name) !== true : !(must.has(name) || isChosen)) continue
    const value = exampleOf(one, draw, { ...making, name })
    if (value !== undefined) made[name] = value
    else if (must.has(name)) return undefined
  }
  return made
}

function sizeOf(options: AnyOptions, draw: Draw, { depth = 0, wide = false, bare = false }: Making): number[] {
  const { min = 0, max = Number.POSITIVE_INFINITY } = options as { readonly min?: number; readonly max?: number }
  const free = depth > MAX_DEPTH || bare ? 0 : draw.below(4)
  const wanted = Math.max(min, Math.min(max, wide ? Math.max(1, free) : min + free))
  return Array.from({ length: wanted }, (_, i) => i)
}

// --- single values -----------------------------------------------------------------------

interface Limits {
  readonly min?: number
  readonly max?: number
  readonly values?: readonly unknown[]
}

function scalarOf(attribute: Attribute, draw: Draw, { name = '' }: Making): unknown {
  const { core, options } = attribute
  const { min, max, values } = options as Limits
  if (values !== undefined && values.length > 0) return draw.pick(values)
  if (core.scalar === 'boolean') return draw.percent(50)
  const limits = [min, max].filter((one) => one !== undefined)
  if (limits.length > 0 && core.scalar !== 'string' && draw.percent(20)) return draw.pick(limits)
  const edge = draw.percent(35) ? edgeOf(attribute, draw) : undefined
  return edge ?? valueFor(attribute, draw.seed(name))
}
