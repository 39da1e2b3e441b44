// Finds the values of an element in a payload: the payload itself, or a part of an envelope around it.
import type { MediaType } from '../design/declare/media-type.ts'
import { findShownPart, readShownPart, resolveTarget } from '../design/fields/shown-part.ts'
import type { ResolvedAction } from '../design/resolve/resolved.ts'
import type { Attribute, Attributes } from '../schema/attribute.ts'
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
  const shown = findShownPart(payload.attribute, mediaType)
  if (shown !== undefined && !shown.isList) return { path: shown.path, attributes: getMembers(shown.attribute) }
  const [found, other] = findLikelyParts(payload.attribute, mediaType)
  return other === undefined ? found : undefined
}

/** Returns the path to the structure of a payload that has the most attributes of a media type. */
export const findPayloadPath = (payload: Attribute, mediaType: MediaType): readonly string[] =>
  findLikelyParts(payload, mediaType)[0]?.path ?? []

/** Envelopes within envelopes are searched to this depth. */
const MAX_DEPTH = 8

// The structures with the most attributes of a media type, those of the outermost envelope that has any. Requests often have a
// media type of their own, so these are structures like others.
function findLikelyParts(payload: Attribute, { attributes }: MediaType): readonly PayloadPart[] {
  let best: readonly PayloadPart[] = []
  let most = 0
  let level: readonly PayloadPart[] = [{ path: [], attributes: getMembers(payload) }]
  const seen = new Set<Attribute>()
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    for (const part of level) {
      const count = Object.entries(part.attributes).filter(([name, one]) => isLike(name, one)).length
      if (count > most) best = []
      if (count > 0 && count >= most && (best[0]?.path.length ?? depth) === depth) best = [...best, part]
      most = Math.max(most, count)
    }
    // A structure that is itself an attribute of the element is no envelope.
    const inner = level.flatMap(({ path, attributes: members }) =>
      Object.entries(members)
        .filter(([name, one]) => isStructure(one) && !isLike(name, one) && !seen.has(resolveTarget(one)))
        .map(([name, one]) => ({ path: [...path, name], of: resolveTarget(one), attributes: getMembers(one) })),
    )
    for (const { of } of inner) seen.add(of)
    level = inner
  }
  return best

  function isLike(name: string, sent: Attribute): boolean {
    const own = Object.hasOwn(attributes, name) ? attributes[name] : undefined
    return own !== undefined && own.core.scalar === sent.core.scalar && isStructure(own) === isStructure(sent)
  }
}

const isStructure = (attribute: Attribute): boolean => resolveTarget(attribute).core.shape === 'object'

const getMembers = (attribute: Attribute): Attributes => {
  const { core } = resolveTarget(attribute)
  return core.shape === 'object' ? core.children : {}
}

/** Returns the values of a payload's part; empty if it was not sent. */
export function readSentFields(payload: unknown, part: PayloadPart | undefined): Readonly<Record<string, unknown>> {
  const found = part === undefined ? undefined : readShownPart(payload, part.path)
  return typeof found === 'object' && found !== null ? (found as Readonly<Record<string, unknown>>) : {}
}
