// Finds elements in bodies and payloads, whatever envelope is around them: by the media types that are declared, never by names.
import type { MediaType } from '../../design/declare/media-type.ts'
import { getMediaType, listShownParts } from '../../design/fields/shown-part.ts'
import type { ResolvedBody } from '../../design/resolve/resolved.ts'
import type { Attribute } from '../../schema/attribute.ts'

/** The names of the members that lead into a body; none for the body itself. */
export type MemberPath = readonly string[]

/** The elements of a body, and where they are in it. */
export interface BodyElements {
  readonly mediaType: MediaType
  readonly isList: boolean
  readonly path: MemberPath
  /** The media type or the view of one element. */
  readonly attribute: Attribute
}

/** The number of envelopes that may be around each other. */
const MAX_DEPTH = 4

/**
 * Returns the elements of a body, those of the outermost envelope. Where several are side by side, those of the media type
 * of the endpoint are meant, or else the only list, or the only single one.
 */
export function findBodyElements({ attribute, list }: ResolvedBody, own?: unknown): BodyElements | undefined {
  const parts = attribute === undefined ? [] : listShownParts(attribute)
  const depth = Math.min(...parts.map(({ path }) => path.length))
  const outer = parts.filter(({ path }) => path.length === depth)
  const found = outer.map(({ path, resource, isList }) => {
    return { mediaType: getMediaType(resource), isList: isList || (list && depth === 0), path, attribute: resource }
  })
  return chooseElements(found, own)
}

interface Member {
  readonly path: MemberPath
  readonly attribute: Attribute
}

function chooseElements(found: readonly BodyElements[], own: unknown): BodyElements | undefined {
  const choices = [
    found.filter(({ mediaType }) => mediaType === own),
    found.filter(({ isList }) => isList),
    found.filter(({ isList }) => !isList),
  ]
  return choices.find((some) => some.length === 1)?.[0]
}

function listMembers({ path, attribute }: Member): Member[] {
  const { core } = resolveTarget(attribute)
  if (core.shape !== 'object' || core.related) return []
  return Object.entries(core.children).map(([name, one]) => ({ path: [...path, name], attribute: one }))
}

/** Returns the attribute that a reference leads to. */
function resolveTarget(attribute: Attribute): Attribute {
  let found = attribute
  while (found.core.target !== undefined) found = found.core.target
  return found
}

/** Returns the path to the structure of a payload that has the most attributes of a media type. */
export function findPayloadPath(payload: Attribute, { attributes }: MediaType): MemberPath {
  let best: { readonly path: MemberPath; readonly count: number } = { path: [], count: 0 }
  let level: readonly Member[] = [{ path: [], attribute: payload }]
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
    for (const { path, attribute } of level) {
      const names = Object.keys(resolveTarget(attribute).core.children)
      const count = names.filter((name) => Object.hasOwn(attributes, name)).length
      if (count > best.count) best = { path, count }
    }
    // A structure that is itself an attribute of the element is no envelope.
    level = level.flatMap(listMembers).filter(({ path, attribute }) => {
      const isOwn = Object.hasOwn(attributes, path.at(-1) as string)
      return !isOwn && resolveTarget(attribute).core.shape === 'object'
    })
  }
  return best.path
}

/** Returns the attribute at a path of a payload. */
export const getMemberAttribute = (attribute: Attribute, path: MemberPath): Attribute =>
  path.reduce((found, name) => resolveTarget(found).core.children[name] as Attribute, resolveTarget(attribute))

/** Returns a copy of a value with another member at a path. */
export function withMember(value: unknown, path: MemberPath, member: unknown): unknown {
  const [name, ...below] = path
  if (name === undefined) return member
  const whole = (value ?? {}) as Readonly<Record<string, unknown>>
  return { ...whole, [name]: withMember(whole[name], below, member) }
}
