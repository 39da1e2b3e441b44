// Finds all lists of the same elements: the list of an endpoint, and its exports and searches.
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import { findBodyElements } from '../../mock/body-elements.ts'
import type { CheckedResource } from '../check/checked-resource.ts'
import type { Subject } from '../check/subject.ts'
import { findCheckedList } from '../lists/checked-list.ts'
import type { JsonElement } from '../lists/list-reader.ts'
import { parseCsvRows } from '../session/csv.ts'
import type { TestCall } from '../session/test-call.ts'
import type { TestSession } from '../session/test-session.ts'
import { readAllElements } from './read-list.ts'

/** Returns the other actions of an endpoint that list elements of the same parent. */
export function findSiblingLists(subject: Subject, resource: CheckedResource): ResolvedAction[] {
  const { endpoint, inherited, list } = resource
  return [...endpoint.actions.values()].filter((action) => {
    const names = action.routes[0]?.pattern.names ?? []
    const hasSameParent = names.length === inherited.length && names.every((name) => inherited.includes(name))
    return hasSameParent && action !== list?.action && isListOfResource(subject, action, resource)
  })
}

function isListOfResource(subject: Subject, action: ResolvedAction, { mediaType }: CheckedResource): boolean {
  const listed = findCheckedList(subject, action)
  if (listed !== undefined) return listed.mediaType === mediaType
  const body = findCsvBody(action)
  const elements = body && findBodyElements(body)
  return elements?.isList === true && elements.mediaType === mediaType
}

// The check requests the first declared media type only.
function findCsvBody({ responses }: ResolvedAction) {
  const [body] = [...responses.values()].filter(({ status }) => status === 200).flatMap(({ bodies }) => bodies)
  return body?.stream?.as === 'csv' ? body : undefined
}

/** Reads all elements of such a list; the values of CSV are strings. */
export async function readListRows(
  call: TestCall,
  session: TestSession,
  subject: Subject,
): Promise<readonly JsonElement[]> {
  const listed = findCheckedList(subject, call.action)
  if (listed !== undefined) return readAllElements(listed, call, session)
  const { status, text } = await session.sendValid(call)
  return status === 200 ? parseCsvRows(text) : []
}
