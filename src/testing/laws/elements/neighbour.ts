// Neighbours: changes of one element are no changes of others.
import { assertLaw } from '../../session/law-errors.ts'
import type { TestCall } from '../../session/test-call.ts'
import type { TestResponse } from '../../session/check-response.ts'
import type { KnownElement } from '../../check/known-elements.ts'
import { withElement, type CheckedResource } from '../../check/checked-resource.ts'
import type { TestSession } from '../../session/test-session.ts'
import type { Subject } from '../../check/subject.ts'

/** The resource and the parent to look for a neighbour in. */
interface NeighbourSource {
  readonly resource: CheckedResource
  readonly show: TestCall
  /** The params that lead to the parent. */
  readonly place: KnownElement
}

/** Looks at another element before and after: changes of one are no changes of others. */
export async function trackNeighbour(
  { resource, show, place: own }: NeighbourSource,
  session: TestSession,
  subject: Subject,
): Promise<(() => Promise<void>) | undefined> {
  const places = subject.knownElements.list(resource.endpoint, [...resource.inherited, ...resource.key])
  const near = places.filter((place) => resource.inherited.every((name) => String(place[name]) === String(own[name])))
  const found = await findFirstShown(
    near.slice(0, MAX_NEIGHBOURS).map((place) => withElement(show, resource, place)),
    session,
  )
  if (found === undefined) return undefined
  const { call, before } = found
  return async () => {
    const after = await session.sendValid(call)
    assertLaw(before.status === after.status && before.text === after.text, 'other-changed', () => {
      return 'another element has changed with the one that was changed'
    })
  }
}

/** How many elements are tried until one is found that the client sees. */
const MAX_NEIGHBOURS = 4

async function findFirstShown(
  calls: readonly TestCall[],
  session: TestSession,
): Promise<{ call: TestCall; before: TestResponse } | undefined> {
  for (const call of calls) {
    const before = await session.sendValid(call)
    if (before.status === 200) return { call, before }
  }
  return undefined
}
