// What JSON Schema cannot say of an attribute and of those below it, by their places.
import type { Attribute } from '../schema/attribute.ts'
import type { Direction } from '../schema/json-schema.ts'
import { byText } from './canonical.ts'
import type { Unsaid } from './contract.ts'

interface Silent {
  readonly min?: unknown
  readonly max?: unknown
  readonly types?: readonly string[]
  readonly allowNul?: boolean
}

/** Collects what schemas do not say; undefined when they say everything. */
export function unsaidOf(attribute: Attribute, direction: Direction): Readonly<Record<string, Unsaid>> | undefined {
  const found: Record<string, Unsaid> = {}
  walk(attribute, '', { direction, found, seen: new Set(), trail: new Set() })
  return Object.keys(found).length === 0 ? undefined : found
}

interface Walk {
  readonly direction: Direction
  readonly found: Record<string, Unsaid>
  /** Resources that were visited: a change of one is told where it is first reached. */
  readonly seen: Set<Attribute>
  readonly trail: Set<Attribute>
}

function walk(attribute: Attribute, place: string, site: Walk): void {
  const own = ownOf(attribute, site.direction)
  if (own !== undefined) site.found[place] = own
  const { kind, core } = attribute
  const container = core.target ?? attribute
  const guard = kind === 'media' || kind === 'ref' ? site.seen : site.trail
  if (guard.has(container)) return
  guard.add(container)
  const below = site.direction === 'input' ? container.core.children : container.core.shown
  for (const [name, one] of Object.entries(below).sort(([a], [b]) => byText(a, b)))
    walk(one, stepped(place, name, container.kind), site)
  site.trail.delete(container)
}

/** The place of something below another, as differences name it. */
export function stepped(place: string, name: string, kind: string): string {
  if (kind === 'collection') return `${place}[]`
  if (kind === 'union') return `${place}<${name}>`
  return place === '' ? name : `${place}.${name}`
}

function ownOf({ kind, options }: Attribute, direction: Direction): Unsaid | undefined {
  const { min, max, types, allowNul } = options as Silent
  const limited = kind === 'bigint' || kind === 'file'
  const own: Unsaid = {
    ...(kind === 'schema' && { kind }),
    ...(limited && min !== undefined && { min: String(min) }),
    ...(limited && max !== undefined && { max: String(max) }),
    ...(kind === 'file' && types !== undefined && { types: types.map((type) => type.toLowerCase()).sort(byText) }),
    ...(kind === 'string' && allowNul === true && { nul: true }),
    ...(direction === 'input' && typeof options.default === 'function' && { computed: true }),
  }
  return Object.keys(own).length === 0 ? undefined : own
}
