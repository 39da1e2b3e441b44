// Derives from declarations how clients identify themselves: an action that compares what was sent with an element, declares a
// 401 and needs no credentials is a login, and the text that only it gives is the credentials of the caller.
import { findShownPart, getMediaType } from '../design/fields/shown-part.ts'
import type { ResolvedAction } from '../design/resolve/resolved.ts'
import type { Attribute } from '../schema/attribute.ts'
import { findShownType } from './body-elements.ts'
import { type Entity, getScalarKind, isAlwaysPresent, type ToOnePart } from './entity.ts'
import type { EntityRegistry } from './entity-registry.ts'
import { findPayloadPart } from './payload-part.ts'

/** The elements that clients of a mock are. */
export interface CallerModel {
  readonly entity: Entity
  /** The column with the credentials of a caller. */
  readonly credential: string
  /** The columns by which a login finds the caller; responses show them. */
  readonly identifying: readonly string[]
  /** A value that a login compares and no element has, such as a password. */
  readonly secrets: ReadonlyMap<string, Attribute>
  readonly logins: ReadonlySet<ResolvedAction>
}

interface Login {
  readonly action: ResolvedAction
  readonly entity: Entity
  readonly sent: readonly string[]
  /** The names of the attributes that its response shows. */
  readonly shown: readonly string[]
  /** A value that was sent to another action, and is no attribute of the element. */
  readonly secrets: ReadonlyMap<string, Attribute>
}

/** Returns how clients identify themselves; undefined without a login. */
export function findCallerModel(actions: readonly ResolvedAction[], registry: EntityRegistry): CallerModel | undefined {
  const [login, ...others] = actions.flatMap((action) => findLogin(action, actions, registry) ?? [])
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
  const logins = [login, ...others]
  const secrets = new Map(logins.flatMap((one) => [...one.secrets]))
  return { entity, credential, identifying, secrets, logins: new Set(logins.map(({ action }) => action)) }
}

function findLogin(
  action: ResolvedAction,
  actions: readonly ResolvedAction[],
  registry: EntityRegistry,
): Login | undefined {
  const responses = [...action.responses.values()]
  const isPublic = !action.policies.has('security') && action.routes.some(({ verb }) => verb === 'POST')
  if (!isPublic || !responses.some(({ status }) => status === 401)) return undefined
  for (const { status, bodies } of responses)
    for (const { attribute } of status < 300 && status !== 201 ? bodies : []) {
      const part = attribute && findShownPart(attribute)
      const entity = part && !part.isList ? registry.getEntity(getMediaType(part.resource)) : undefined
      if (part === undefined || entity === undefined) continue
      const sent = Object.entries(findPayloadPart(action, entity)?.attributes ?? {})
      const others = sent.filter(([name]) => entity.findScalarPart(name) === undefined)
      const given = listGiven(actions, action, entity)
      if (sent.length < 2 || !others.every(([name, one]) => given.get(name) === getScalarKind(one))) continue
      const names = sent.map(([name]) => name)
      return { action, entity, sent: names, shown: Object.keys(part.resource.core.shown), secrets: new Map(others) }
    }
  return undefined
}

// The single values that other actions take for elements of an entity, with their kinds.
function listGiven(
  actions: readonly ResolvedAction[],
  login: ResolvedAction,
  entity: Entity,
): ReadonlyMap<string, unknown> {
  const own = actions.filter((one) => one !== login && findShownType(one) === entity.mediaType)
  const given = own.flatMap((one) => Object.entries(findPayloadPart(one, entity)?.attributes ?? {}))
  return new Map(given.flatMap(([name, one]) => (getScalarKind(one) === undefined ? [] : [[name, getScalarKind(one)]])))
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
