// Neighbours: changes of one element are no changes of others.
import { insist } from '../../check/broken.ts'
import type { Call } from '../../check/call.ts'
import type { Answer } from '../../check/judge.ts'
import type { Place } from '../../check/places.ts'
import { about, type Resource } from '../../check/resource.ts'
import type { Session } from '../../check/session.ts'
import type { Subject } from '../../check/subject.ts'

/** The resource and the parent to look for a neighbour in. */
interface Near {
  readonly resource: Resource
  readonly show: Call
  /** The params that lead to the parent. */
  readonly place: Place
}

/** Looks at another element before and after: changes of one are no changes of others. */
export async function neighbourOf(
  { resource, show, place: own }: Near,
  session: Session,
  subject: Subject,
): Promise<(() => Promise<void>) | undefined> {
  const places = subject.places.of(resource.endpoint, [...resource.inherited, ...resource.key])
  const near = places.filter((place) => resource.inherited.every((name) => String(place[name]) === String(own[name])))
  const found = await firstShown(
    near.slice(0, MOST_NEIGHBOURS).map((place) => about(show, resource, place)),
    session,
  )
  if (found === undefined) return undefined
  const { call, before } = found
  return async () => {
    const after = await session.valid(call)
    insist(before.status === after.status && before.text === after.text, 'other-changed', () => {
      return 'another element has changed with the one that was changed'
    })
  }
}

/** How many elements are tried until one is found that the client sees. */
const MOST_NEIGHBOURS = 4

async function firstShown(
  calls: readonly Call[],
  session: Session,
): Promise<{ call: Call; before: Answer } | undefined> {
  for (const call of calls) {
    const before = await session.valid(call)
    if (before.status === 200) return { call, before }
  }
  return undefined
}
