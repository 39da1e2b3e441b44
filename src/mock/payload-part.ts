// Finds the values of an element in a payload: the payload itself, or a part of an envelope around it.
import { findShownPart, readShownPart } from '../design/fields/shown-part.ts'
import type { ResolvedAction } from '../design/resolve/resolved.ts'
import type { Attribute, Attributes } from '../schema/attribute.ts'
import { isInline } from '../schema/children.ts'
import type { Entity } from './entity.ts'

/** The values of an element in a payload. */
export interface PayloadPart {
  /** The names of the members that lead to it. */
  readonly path: readonly string[]
  readonly attributes: Attributes
}

/** Finds the part of an action's payload that has values of an entity; undefined if there is none, or several. */
export function findPayloadPart({ payload }: ResolvedAction, { mediaType }: Entity): PayloadPart | undefined {
  if (payload?.form !== 'structure') return undefined
  const part = findShownPart(payload.attribute, mediaType)
  if (part !== undefined && !part.isList) return { path: part.path, attributes: part.attribute.core.children }
  const found = findOuterParts(payload.attribute, mediaType.attributes)
  return found.length === 1 ? found[0] : undefined
}

/** Envelopes within envelopes are searched to this depth. */
const MAX_DEPTH = 8

// An envelope may have the name of an attribute, but its structure tells them apart.
function findOuterParts(payload: Attribute, attributes: Attributes): readonly PayloadPart[] {
  let level: readonly PayloadPart[] = [{ path: [], attributes: payload.core.children }]
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    const found = level.filter((part) => Object.entries(part.attributes).some(([name, one]) => isLike(name, one)))
    if (found.length > 0) return found
    level = level.flatMap(({ path, attributes: children }) =>
      Object.entries(children)
        .filter(([, one]) => isInline(one))
        .map(([name, one]) => ({ path: [...path, name], attributes: one.core.children })),
    )
  }
  return []

  function isLike(name: string, sent: Attribute): boolean {
    const own = Object.hasOwn(attributes, name) ? attributes[name] : undefined
    return own !== undefined && own.core.scalar === sent.core.scalar && isInline(own) === isInline(sent)
  }
}

/** Returns the values of a payload's part; empty if it was not sent. */
export function readSentFields(payload: unknown, part: PayloadPart | undefined): Readonly<Record<string, unknown>> {
  const found = part === undefined ? undefined : readShownPart(payload, part.path)
  return typeof found === 'object' && found !== null ? (found as Readonly<Record<string, unknown>>) : {}
}
