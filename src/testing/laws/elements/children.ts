// Elements below others: those of a parent that was deleted are gone with it.
import { getParentEndpoint } from '../../../design/declare/endpoint.ts'
import type { AnyDefinition } from '../../../design/definition.ts'
import type { ResolvedEndpoint } from '../../../design/resolve/resolved.ts'
import { assertLaw } from '../../session/law-errors.ts'
import type { TestCall } from '../../session/test-call.ts'
import { drawCall } from '../../check/draw-call.ts'
import type { KnownElement } from '../../check/known-elements.ts'
import { withElement, findCreatedElement, type CheckedResource } from '../../check/checked-resource.ts'
import type { TestSession } from '../../session/test-session.ts'
import type { Subject } from '../../check/subject.ts'
import { readPageElements } from '../read-list.ts'
import type { Draw } from '../../values/draw.ts'

/** A child of an element, and how it is looked for. */
export interface ChildCase {
  readonly resource: CheckedResource
  /** The params that name its parent. */
  readonly names: readonly (readonly [child: string, parent: string])[]
  readonly create: TestCall
  readonly show: TestCall | undefined
  readonly list: TestCall | undefined
}

/** Draws a child of an element that does not exist yet; undefined where elements have none. */
export function drawChild(
  subject: Subject,
  parent: CheckedResource,
  draw: Draw,
  common: { readonly principal: string | undefined; readonly params: KnownElement },
): ChildCase | undefined {
  const found = draw.pick(listChildResources(subject, parent))
  if (found === undefined) return undefined
  const names = mapParentParams(found, parent)
  // Which parent is meant is known only when there is one.
  const params = Object.fromEntries(names.map(([name, own]) => [name, common.params[own] ?? 1]))
  const call = (action: TestCall['action'] | undefined): TestCall | undefined =>
    action && drawCall(subject, action, draw, { principal: common.principal, bare: true, params })
  const create = call(found.create)
  return create && { resource: found, names, create, show: call(found.show), list: call(found.list?.action) }
}

function listChildResources(subject: Subject, { endpoint }: CheckedResource): CheckedResource[] {
  const all = new Set(subject.actions.map((action) => subject.getResource(action)))
  return [...all].filter((one) => one !== undefined).filter((one) => findParentEndpoint(one) === endpoint)
}

function findParentEndpoint({ endpoint }: CheckedResource): ResolvedEndpoint | undefined {
  const { parent } = endpoint.definition.spec
  return parent && (getParentEndpoint(parent) as AnyDefinition).resolve()
}

/** The resource that elements are below; undefined for those that have no parent. */
export function findParentResource(subject: Subject, child: CheckedResource): CheckedResource | undefined {
  const endpoint = findParentEndpoint(child)
  const action = subject.actions.find((one) => one.endpoint === endpoint)
  return action && subject.getResource(action)
}

/** The params that name a parent: as its children call them, and as it calls them itself. */
export function mapParentParams(child: CheckedResource, parent: CheckedResource): ChildCase['names'] {
  const theirs = parent.endpoint.canonical?.route.pattern.names ?? []
  return child.inherited.map((name, i) => [name, theirs[i] as string] as const)
}

/** Creates a child of an element; the function that comes back insists that it is gone with its parent. */
export async function trackChild(
  { resource, names, create, show, list }: ChildCase,
  parent: KnownElement,
  session: TestSession,
  subject: Subject,
): Promise<(() => Promise<void>) | undefined> {
  const inherited = Object.fromEntries(names.map(([name, theirs]) => [name, parent[theirs]]))
  const below = (call: TestCall): TestCall => ({ ...call, params: { ...call.params, ...inherited } })
  const answer = await session.sendValid(below(create))
  const place = answer.status < 300 ? findCreatedElement(subject.knownElements, resource, below(create), answer) : undefined
  if (place === undefined) return undefined
  return async () => {
    if (show !== undefined) {
      const { status } = await session.sendValid(withElement(show, resource, { ...place, ...inherited }))
      assertLaw(status >= 300, 'orphan', () => 'an element is still there though its parent was just deleted')
    }
    const listed = list && resource.list && (await session.sendValid(below(list)))
    if (listed === undefined || listed.status !== 200) return
    const count = readPageElements(resource.list as NonNullable<CheckedResource['list']>, listed).length
    assertLaw(count === 0, 'orphan-listed', () => `${count} elements are listed though their parent was just deleted`)
  }
}
