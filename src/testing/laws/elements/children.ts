// Checks that the children of a deleted element are gone with it.

import type { KnownElement } from '../../check/checked-resource.ts'
import { type CheckedResource, getKeyValue, withElement } from '../../check/checked-resource.ts'
import { findCreatedElement } from '../../check/created-element.ts'
import { drawCall } from '../../check/draw-call.ts'
import type { Subject } from '../../check/subject.ts'
import { assertLaw } from '../../session/law-errors.ts'
import type { TestCall } from '../../session/test-call.ts'
import type { TestSession } from '../../session/test-session.ts'
import type { Draw } from '../../values/draw.ts'
import { readPageElements } from '../read-list.ts'

/** A child of an element and the calls that create and read it. */
export interface ChildCase {
  readonly resource: CheckedResource
  /** The resource of its parent. */
  readonly above: CheckedResource
  /** The params that identify its parent. */
  readonly names: readonly (readonly [child: string, parent: string])[]
  readonly create: TestCall
  readonly show: TestCall | undefined
  readonly list: TestCall | undefined
}

/** Draws a child of an element that does not exist yet; returns undefined when elements have no children. */
export function drawChild(
  subject: Subject,
  parent: CheckedResource,
  draw: Draw,
  common: { readonly principal: string | undefined; readonly params: KnownElement },
): ChildCase | undefined {
  const found = draw.pick(subject.index.listChildren(parent))
  if (found === undefined) return undefined
  const names = mapParentParams(found, parent)
  // The parent is known only once it is created; until then a placeholder is used.
  const params = Object.fromEntries(names.map(([name, own]) => [name, common.params[own] ?? 1]))
  const draftCall = (action: TestCall['action'] | undefined): TestCall | undefined =>
    action && drawCall(subject, action, draw, { principal: common.principal, bare: true, params })
  const create = draftCall(found.create)
  return (
    create && {
      resource: found,
      above: parent,
      names,
      create,
      show: draftCall(found.show),
      list: draftCall(found.list?.action),
    }
  )
}

/** Returns the params that identify a parent, by their names in the child and in the parent. */
export function mapParentParams(child: CheckedResource, parent: CheckedResource): ChildCase['names'] {
  const names = [...parent.inherited, ...parent.key]
  return child.inherited.map((name, i) => [name, names[i] as string] as const)
}

/** Creates a child of an element; the returned function checks that the child is gone with its parent. */
export async function trackChild(
  { resource, above, names, create, show, list }: ChildCase,
  parent: KnownElement,
  session: TestSession,
  subject: Subject,
): Promise<(() => Promise<void>) | undefined> {
  const inherited = Object.fromEntries(names.map(([name, theirs]) => [name, getKeyValue(above, parent, theirs)]))
  const withParent = (call: TestCall): TestCall => ({ ...call, params: { ...call.params, ...inherited } })
  const response = await session.sendValid(withParent(create))
  const element =
    response.status < 300
      ? findCreatedElement(subject.knownElements, resource, withParent(create), response)
      : undefined
  if (element === undefined) return undefined
  return async () => {
    if (show !== undefined) {
      const { status } = await session.sendValid(withElement(show, resource, { ...element, ...inherited }))
      assertLaw(status >= 300, 'orphan', () => 'an element is still there though its parent was just deleted')
    }
    const listed = list && resource.list && (await session.sendValid(withParent(list)))
    if (listed === undefined || listed.status !== 200) return
    const count = readPageElements(resource.list as NonNullable<CheckedResource['list']>, listed).length
    assertLaw(count === 0, 'orphan-listed', () => `${count} elements are listed though their parent was just deleted`)
  }
}
