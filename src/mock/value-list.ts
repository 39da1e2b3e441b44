// Lists of plain values without a media type, such as all tags: they are the distinct values of the attribute with their name.
import type { ResolvedAction, ResolvedResponse } from '../design/resolve/resolved.ts'
import type { Attribute } from '../schema/attribute.ts'
import { isInline } from '../schema/children.ts'
import { type Entity, getScalarKind } from './entity.ts'
import type { EntityRegistry } from './entity-registry.ts'
import { isListOf } from './names.ts'

/** A list of values that a response shows, and the table that they are from. */
export interface ShownValues {
  /** The names of the members that lead to the list. */
  readonly path: readonly string[]
  /** The entity of the plain values. */
  readonly from: Entity
}

/** Finds the values that an action lists; undefined if no attribute has their name, or several do. */
export function findShownValues(
  { endpoint, routes }: ResolvedAction,
  { bodies }: ResolvedResponse,
  { entities }: EntityRegistry,
): ShownValues | undefined {
  const isPlainRead = routes.some(({ verb, pattern }) => verb === 'GET' && pattern.names.length === 0)
  const attribute = bodies[0]?.list === true ? undefined : bodies[0]?.attribute
  const found = isPlainRead && attribute ? findValueList(attribute, []) : undefined
  if (found === undefined) return undefined
  const name = found.path.at(-1) ?? endpoint.name
  const tables = entities.filter(({ listAttribute, mediaType }) => {
    const own = mediaType.name.split('.').at(-1) ?? ''
    const element = listAttribute?.core.element
    return element !== undefined && isListOf(own, name) && getScalarKind(element) === found.kind
  })
  const [from] = tables
  return from === undefined || tables.length > 1 ? undefined : { path: found.path, from }
}

interface ValueList {
  readonly path: readonly string[]
  readonly kind: string
}

function findValueList(attribute: Attribute, path: readonly string[]): ValueList | undefined {
  const { element, shape, children } = attribute.core
  const kind = shape === 'list' && element !== undefined ? getScalarKind(element) : undefined
  if (kind !== undefined) return { path, kind }
  if (!isInline(attribute)) return undefined
  const found = Object.entries(children).flatMap(([name, one]) => findValueList(one, [...path, name]) ?? [])
  return found.length === 1 ? found[0] : undefined
}
