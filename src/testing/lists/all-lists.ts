// All lists of the same elements: the list of an endpoint, and its exports and searches beside it.
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import { elementsOf } from '../../mock/roles.ts'
import type { Call } from '../check/call.ts'
import { rowsIn } from '../check/csv.ts'
import type { Resource } from '../check/resource.ts'
import type { Session } from '../check/session.ts'
import type { Subject } from '../check/subject.ts'
import { listedBy } from './listed.ts'
import type { Element } from './reading.ts'
import { wholeOf } from './whole-list.ts'

/** The actions beside the list of a resource that list elements of the same parent. */
export function otherLists(subject: Subject, resource: Resource): ResolvedAction[] {
  const { endpoint, inherited, list } = resource
  return [...endpoint.actions.values()].filter((action) => {
    const names = action.routes[0]?.pattern.names ?? []
    const isBeside = names.length === inherited.length && names.every((name) => inherited.includes(name))
    return isBeside && action !== list?.action && listsElements(subject, action, resource)
  })
}

function listsElements(subject: Subject, action: ResolvedAction, { mediaType }: Resource): boolean {
  const listed = listedBy(subject, action)
  if (listed !== undefined) return listed.mediaType === mediaType
  const form = csvFormOf(action)
  const elements = form && elementsOf(form)
  return elements?.list === true && elements.mediaType === mediaType
}

// The check asks for the first form only.
function csvFormOf({ responses }: ResolvedAction) {
  const [form] = [...responses.values()].filter(({ status }) => status === 200).flatMap(({ bodies }) => bodies)
  return form?.stream?.as === 'csv' ? form : undefined
}

/** All elements of one of these lists; those of CSV have texts for values. */
export async function rowsOf(call: Call, session: Session, subject: Subject): Promise<readonly Element[]> {
  const listed = listedBy(subject, call.action)
  if (listed !== undefined) return wholeOf(listed, call, session)
  const { status, text } = await session.valid(call)
  return status === 200 ? rowsIn(text) : []
}
