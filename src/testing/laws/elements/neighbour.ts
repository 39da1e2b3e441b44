// Checks that changes to one element leave its neighbours unchanged.

import type { KnownElement } from '../../check/checked-resource.ts'
import { type CheckedResource, withElement } from '../../check/checked-resource.ts'
import { findDifferingName, readElement } from '../../check/shown-elements.ts'
import type { Subject } from '../../check/subject.ts'
import type { JsonElement } from '../../lists/list-reader.ts'
import type { TestResponse } from '../../session/check-response.ts'
import { assertLaw } from '../../session/law-errors.ts'
import type { TestCall } from '../../session/test-call.ts'
import type { TestSession } from '../../session/test-session.ts'

/** The resource and the parent in which a neighbour is searched. */
interface NeighbourSource {
  readonly resource: CheckedResource
  readonly show: TestCall
  /** The path params of the parent. */
  readonly parent: KnownElement
}

/** Reads another element; the returned function checks that it is unchanged. */
export async function trackNeighbour(
  { resource, show, parent }: NeighbourSource,
  session: TestSession,
  subject: Subject,
): Promise<(() => Promise<void>) | undefined> {
  const elements = subject.knownElements.list(resource)
  const neighbours = elements.filter((element) =>
    resource.inherited.every((name) => String(element[name]) === String(parent[name])),
  )
  const found = await findFirstShown(
    neighbours.slice(0, MAX_NEIGHBOURS).map((element) => withElement(show, resource, element)),
    session,
  )
  if (found === undefined) return undefined
  const { call, before } = found
  return async () => {
    const after = await session.sendValid(call)
    const [old, now] = [before, after].map(({ body }) => readElement(call.action, body) ?? {}) as [
      JsonElement,
      JsonElement,
    ]
    const name = findDifferingName(resource.mediaType, old, now)
    assertLaw(before.status === after.status && name === undefined, 'other-changed', () => {
      const what = name === undefined ? `its response is ${after.status}` : `'${name}' is ${JSON.stringify(now[name])}`
      return `another element has changed with the one that was changed: ${what}`
    })
  }
}

/** The maximum number of elements tried until the client can see one. */
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
