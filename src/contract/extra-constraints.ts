// Rules of an attribute, and of those below it, that JSON Schema cannot express, by place.
import type { AnyOptions, Attribute, Shape } from '../schema/attribute.ts'
import type { Direction } from '../schema/json-schema.ts'
import { isJsonText } from '../schema/structures/json.ts'
import { compareCodeUnits } from './canonical.ts'
import type { ExtraConstraints } from './contract.ts'

/** Collects what schemas do not say; undefined when they say everything. `texts` is false where values come as JSON only. */
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
  /** Values may come as text, as in a query or a form. */
  readonly texts: boolean
  readonly found: Record<string, ExtraConstraints>
  /** The ancestors of the current attribute. */
  readonly ancestors: Set<Attribute>
}

/** How deep nested resources are followed: every place is listed, and they may refer to each other in many ways. */
const MAX_CONSTRAINT_DEPTH = 6

function walkAttribute(attribute: Attribute, place: string, site: ConstraintWalk): void {
  const { direction, found, ancestors: trail } = site
  const own = getOwnConstraints(attribute, place, site)
  if (own !== undefined) found[place] = own
  const container = attribute.core.target ?? attribute
  if (trail.has(container) || trail.size === MAX_CONSTRAINT_DEPTH) return
  trail.add(container)
  const below = direction === 'input' ? container.core.children : container.core.shown
  const inner = isJsonText(attribute) ? { ...site, texts: false } : site
  for (const [name, one] of Object.entries(below).sort(([a], [b]) => compareCodeUnits(a, b)))
    walkAttribute(one, appendStep(place, name, container.core.shape), inner)
  trail.delete(container)
}

/** The place of something below another, as differences name it. */
export function appendStep(place: string, name: string, shape: Shape): string {
  if (shape === 'list') return `${place}[]`
  if (shape === 'union') return `${place}<${name}>`
  return place === '' ? name : `${place}.${name}`
}

function getOwnConstraints(attribute: Attribute, place: string, site: ConstraintWalk): ExtraConstraints | undefined {
  const { direction, texts } = site
  const { options, core } = attribute
  const json = isJsonText(attribute)
  const below = json && core.target ? getOwnConstraints(core.target, place, { ...site, texts: false }) : undefined
  const { delimiter, ...said } = core.extraConstraints()
  const own: ExtraConstraints = {
    ...below,
    ...said,
    ...(texts && delimiter !== undefined && { delimiter }),
    // The contract of a param or header names its kind anyway.
    ...(json && texts && place !== '' && { json: true as const }),
    ...getComputedDefault(options, direction),
  }
  return Object.keys(own).length === 0 ? undefined : own
}

const getComputedDefault = (options: AnyOptions, direction: Direction): Pick<ExtraConstraints, 'computed'> =>
  direction === 'input' && typeof options.default === 'function' ? { computed: true } : {}
