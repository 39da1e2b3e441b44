// Elements below others: those of a parent that was deleted are gone with it.
import { endpointOf } from '../../../design/declare/endpoint.ts'
import type { AnyDefinition } from '../../../design/definition.ts'
import type { ResolvedEndpoint } from '../../../design/resolve/resolved.ts'
import { insist } from '../../check/broken.ts'
import type { Call } from '../../check/call.ts'
import { drawCall } from '../../check/draw-call.ts'
import type { Place } from '../../check/places.ts'
import { about, createdBy, type Resource } from '../../check/resource.ts'
import type { Session } from '../../check/session.ts'
import type { Subject } from '../../check/subject.ts'
import { elementsIn } from '../../lists/whole-list.ts'
import type { Draw } from '../../values/draw.ts'

/** A child of an element, and how it is looked for. */
export interface Child {
  readonly resource: Resource
  /** The params that name its parent. */
  readonly names: readonly (readonly [child: string, parent: string])[]
  readonly create: Call
  readonly show: Call | undefined
  readonly list: Call | undefined
}

/** Draws a child of an element that does not exist yet; undefined where elements have none. */
export function drawChild(
  subject: Subject,
  parent: Resource,
  draw: Draw,
  common: { readonly principal: string | undefined; readonly params: Place },
): Child | undefined {
  const found = draw.pick(childrenOf(subject, parent))
  if (found === undefined) return undefined
  const names = namesBelow(found, parent)
  // Which parent is meant is known only when there is one.
  const params = Object.fromEntries(names.map(([name, own]) => [name, common.params[own] ?? 1]))
  const call = (action: Call['action'] | undefined): Call | undefined =>
    action && drawCall(subject, action, draw, { principal: common.principal, bare: true, params })
  const create = call(found.create)
  return create && { resource: found, names, create, show: call(found.show), list: call(found.list?.action) }
}

function childrenOf(subject: Subject, { endpoint }: Resource): Resource[] {
  const all = new Set(subject.actions.map((action) => subject.resourceOf(action)))
  return [...all].filter((one) => one !== undefined).filter((one) => above(one) === endpoint)
}

function above({ endpoint }: Resource): ResolvedEndpoint | undefined {
  const { parent } = endpoint.definition.spec
  return parent && (endpointOf(parent) as AnyDefinition).resolve()
}

/** The resource that elements are below; undefined for those that have no parent. */
export function parentOf(subject: Subject, child: Resource): Resource | undefined {
  const endpoint = above(child)
  const action = subject.actions.find((one) => one.endpoint === endpoint)
  return action && subject.resourceOf(action)
}

/** The params that name a parent: as its children call them, and as it calls them itself. */
export function namesBelow(child: Resource, parent: Resource): Child['names'] {
  const theirs = parent.endpoint.canonical?.route.pattern.names ?? []
  return child.inherited.map((name, i) => [name, theirs[i] as string] as const)
}

/** Creates a child of an element; the function that comes back insists that it is gone with its parent. */
export async function childOf(
  { resource, names, create, show, list }: Child,
  parent: Place,
  session: Session,
  subject: Subject,
): Promise<(() => Promise<void>) | undefined> {
  const inherited = Object.fromEntries(names.map(([name, theirs]) => [name, parent[theirs]]))
  const below = (call: Call): Call => ({ ...call, params: { ...call.params, ...inherited } })
  const answer = await session.valid(below(create))
  const place = answer.status < 300 ? createdBy(subject.places, resource, below(create), answer) : undefined
  if (place === undefined) return undefined
  return async () => {
    if (show !== undefined) {
      const { status } = await session.valid(about(show, resource, { ...place, ...inherited }))
      insist(status >= 300, 'orphan', () => 'an element is still there though its parent was just deleted')
    }
    const listed = list && resource.list && (await session.valid(below(list)))
    if (listed === undefined || listed.status !== 200) return
    const count = elementsIn(resource.list as NonNullable<Resource['list']>, listed).length
    insist(count === 0, 'orphan-listed', () => `${count} elements are listed though their parent was just deleted`)
  }
}
