// Collects the constraints of an attribute and its descendants that JSON Schema cannot express, by path.
import { attributeRules } from '../design/attribute-rules.ts'
import type { AnyOptions, Attribute, Shape } from '../schema/attribute.ts'
import type { Direction } from '../schema/json-schema.ts'
import { isJsonText } from '../schema/structures/json.ts'
import { compareAscending } from '../util/compare.ts'
import type { ExtraConstraints } from './contract.ts'

/** Returns the constraints by path, or undefined if there are none. `texts` is false where values are JSON only. */
export function collectExtraConstraints(
  attribute: Attribute,
  direction: Direction,
  texts: boolean = direction === 'input',
): Readonly<Record<string, ExtraConstraints>> | undefined {
  const found: Record<string, ExtraConstraints> = {}
  walkAttribute(attribute, '', { direction, texts, found, ancestors: new Set() })
  return Object.keys(found).length === 0 ? undefined : found
}

interface ConstraintWalk {
  readonly direction: Direction
  /** Whether values may be strings, as in a query or a form. */
  readonly texts: boolean
  readonly found: Record<string, ExtraConstraints>
  /** The ancestors of the current attribute. */
  readonly ancestors: Set<Attribute>
}

/** The depth up to which nested resources are followed; they may refer to each other, and every path is listed. */
const MAX_CONSTRAINT_DEPTH = 6

function walkAttribute(attribute: Attribute, path: string, walk: ConstraintWalk): void {
  const { direction, found, ancestors } = walk
  const constraints = getOwnConstraints(attribute, path, walk)
  if (constraints !== undefined) found[path] = constraints
  const container = attribute.core.target ?? attribute
  if (ancestors.has(container) || ancestors.size === MAX_CONSTRAINT_DEPTH) return
  ancestors.add(container)
  const children = direction === 'input' ? container.core.children : container.core.shown
  const inner = isJsonText(attribute) ? { ...walk, texts: false } : walk
  for (const [name, one] of Object.entries(children).sort(([a], [b]) => compareAscending(a, b)))
    walkAttribute(one, appendStep(path, name, container.core.shape), inner)
  ancestors.delete(container)
}

/** Appends a step to a path, in the notation of differences. */
export function appendStep(path: string, name: string, shape: Shape): string {
  if (shape === 'list') return `${path}[]`
  if (shape === 'union') return `${path}<${name}>`
  return path === '' ? name : `${path}.${name}`
}

function getOwnConstraints(attribute: Attribute, path: string, walk: ConstraintWalk): ExtraConstraints | undefined {
  const { direction, texts } = walk
  const { options, core } = attribute
  const json = isJsonText(attribute)
  const inner = json && core.target ? getOwnConstraints(core.target, path, { ...walk, texts: false }) : undefined
  const { delimiter, ...constraints } = attributeRules.getExtraConstraints({ core })
  const allConstraints: ExtraConstraints = {
    ...inner,
    ...constraints,
    ...(texts && delimiter !== undefined && { delimiter }),
    // The contract of a param or header names its kind anyway.
    ...(json && texts && path !== '' && { json: true as const }),
    ...getComputedDefault(options, direction),
  }
  return Object.keys(allConstraints).length === 0 ? undefined : allConstraints
}

const getComputedDefault = (options: AnyOptions, direction: Direction): Pick<ExtraConstraints, 'computed'> =>
  direction === 'input' && typeof options.default === 'function' ? { computed: true } : {}
