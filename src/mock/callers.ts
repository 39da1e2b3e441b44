// Derives from declarations how clients identify themselves: an action that compares what was sent with an element, declares a
// 401 and needs no credentials is a login, and the text that only it gives is the credentials of the caller.
import { findShownPart, getMediaType } from '../design/fields/shown-part.ts'
import type { ResolvedAction } from '../design/resolve/resolved.ts'
import type { Entity, ToOnePart } from './entity.ts'
import { isAlwaysPresent } from './entity.ts'
import type { EntityRegistry } from './entity-registry.ts'
import { findPayloadPart } from './payload-part.ts'

/** The elements that clients of a mock are. */
export interface CallerModel {
  readonly entity: Entity
  /** The column with the credentials of a caller. */
  readonly credential: string
  /** The columns by which a login finds the caller; responses show them. */
  readonly identifying: readonly string[]
  readonly logins: ReadonlySet<ResolvedAction>
}

interface Login {
  readonly action: ResolvedAction
  readonly entity: Entity
  readonly sent: readonly string[]
  /** The names of the attributes that its response shows. */
  readonly shown: readonly string[]
}

/** Returns how clients identify themselves; undefined without a login. */
export function findCallerModel(actions: readonly ResolvedAction[], registry: EntityRegistry): CallerModel | undefined {
  const [login, ...others] = actions.flatMap((action) => findLogin(action, registry) ?? [])
  if (login === undefined || others.some(({ entity }) => entity !== login.entity)) return undefined
  const { entity } = login
  const sent = new Set(actions.flatMap((action) => Object.keys(findPayloadPart(action, entity)?.attributes ?? {})))
  const credentials = login.shown.filter((name) => {
    const part = entity.findScalarPart(name)
    return part?.kind === 'text' && isAlwaysPresent(part.attribute) && !sent.has(name) && !entity.unique.has(name)
  })
  const shown = new Set(actions.flatMap((action) => listShownNames(action, entity)))
  const identifying = login.sent.filter((name) => shown.has(name))
  const [credential] = credentials
  if (credential === undefined || credentials.length > 1) return undefined
  if (identifying.length === 0 || identifying.length === login.sent.length) return undefined
  return { entity, credential, identifying, logins: new Set([login, ...others].map(({ action }) => action)) }
}

function findLogin(action: ResolvedAction, registry: EntityRegistry): Login | undefined {
  const responses = [...action.responses.values()]
  const isPublic = !action.policies.has('security') && action.routes.some(({ verb }) => verb === 'POST')
  if (!isPublic || !responses.some(({ status }) => status === 401)) return undefined
  for (const { status, bodies } of responses)
    for (const { attribute } of status < 300 && status !== 201 ? bodies : []) {
      const part = attribute && findShownPart(attribute)
      const entity = part && !part.isList ? registry.getEntity(getMediaType(part.resource)) : undefined
      const sent = entity && Object.keys(findPayloadPart(action, entity)?.attributes ?? {})
      if (part === undefined || entity === undefined || sent === undefined || sent.length < 2) continue
      if (sent.every((name) => entity.findScalarPart(name) !== undefined))
        return { action, entity, sent, shown: Object.keys(part.resource.core.shown) }
    }
  return undefined
}

const listShownNames = ({ responses }: ResolvedAction, { mediaType }: Entity): readonly string[] =>
  [...responses.values()].flatMap(({ bodies }) =>
    bodies.flatMap(({ attribute }) => {
      const part = attribute && findShownPart(attribute, mediaType)
      return part === undefined ? [] : Object.keys(part.resource.core.shown)
    }),
  )

/** Returns the reference of an entity's elements to the caller who made them: its only one, if no payload has it. */
export function findOwner(
  entity: Entity,
  callers: CallerModel | undefined,
  actions: readonly ResolvedAction[],
): ToOnePart | undefined {
  const references = [...entity.parts].flatMap(([name, part]) =>
    part.type === 'one' && part.target === callers?.entity ? [[name, part] as const] : [],
  )
  const sent = new Set(actions.flatMap((action) => Object.keys(findPayloadPart(action, entity)?.attributes ?? {})))
  const [owner, ...others] = references.filter(([name]) => !sent.has(name))
  return others.length === 0 ? owner?.[1] : undefined
}
