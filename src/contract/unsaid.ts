// Rules of an attribute, and of those below it, that JSON Schema cannot express, by place.
import type { AnyOptions, Attribute, Shape } from '../schema/attribute.ts'
import type { Direction } from '../schema/json-schema.ts'
import { isJsonText } from '../schema/structures/json.ts'
import { byText } from './canonical.ts'
import type { Unsaid } from './contract.ts'

/** Collects what schemas do not say; undefined when they say everything. `texts` is false where values come as JSON only. */
export function unsaidOf(
  attribute: Attribute,
  direction: Direction,
  texts: boolean = direction === 'input',
): Readonly<Record<string, Unsaid>> | undefined {
  const found: Record<string, Unsaid> = {}
  walk(attribute, '', { direction, texts, found, trail: new Set() })
  return Object.keys(found).length === 0 ? undefined : found
}

interface UnsaidWalk {
  readonly direction: Direction
  /** Values may come as text, as in a query or a form. */
  readonly texts: boolean
  readonly found: Record<string, Unsaid>
  /** The ancestors of the current attribute. */
  readonly trail: Set<Attribute>
}

/** How deep nested resources are followed: every place is listed, and they may refer to each other in many ways. */
const MAX_DEPTH = 6

function walk(attribute: Attribute, place: string, site: UnsaidWalk): void {
  const { direction, found, trail } = site
  const own = ownOf(attribute, place, site)
  if (own !== undefined) found[place] = own
  const container = attribute.core.target ?? attribute
  if (trail.has(container) || trail.size === MAX_DEPTH) return
  trail.add(container)
  const below = direction === 'input' ? container.core.children : container.core.shown
  const inner = isJsonText(attribute) ? { ...site, texts: false } : site
  for (const [name, one] of Object.entries(below).sort(([a], [b]) => byText(a, b)))
    walk(one, stepped(place, name, container.core.shape), inner)
  trail.delete(container)
}

/** The place of something below another, as differences name it. */
export function stepped(place: string, name: string, shape: Shape): string {
  if (shape === 'list') return `${place}[]`
  if (shape === 'union') return `${place}<${name}>`
  return place === '' ? name : `${place}.${name}`
}

function ownOf(attribute: Attribute, place: string, site: UnsaidWalk): Unsaid | undefined {
  const { direction, texts } = site
  const { options, core } = attribute
  const json = isJsonText(attribute)
  const below = json && core.target ? ownOf(core.target, place, { ...site, texts: false }) : undefined
  const { delimiter, ...said } = core.unsaid()
  const own: Unsaid = {
    ...below,
    ...said,
    ...(texts && delimiter !== undefined && { delimiter }),
    // The contract of a param or header names its kind anyway.
    ...(json && texts && place !== '' && { json: true as const }),
    ...computedOf(options, direction),
  }
  return Object.keys(own).length === 0 ? undefined : own
}

const computedOf = (options: AnyOptions, direction: Direction): Pick<Unsaid, 'computed'> =>
  direction === 'input' && typeof options.default === 'function' ? { computed: true } : {}
