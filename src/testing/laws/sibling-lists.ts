// All lists of the same elements: the list of an endpoint, and its exports and searches beside it.
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import { findBodyElements } from '../../mock/roles.ts'
import type { TestCall } from '../session/test-call.ts'
import { parseCsvRows } from '../session/csv.ts'
import type { CheckedResource } from '../check/checked-resource.ts'
import type { TestSession } from '../session/test-session.ts'
import type { Subject } from '../check/subject.ts'
import { findCheckedList } from '../lists/checked-list.ts'
import type { JsonElement } from '../lists/list-reader.ts'
import { readAllElements } from './read-list.ts'

/** The actions beside the list of a resource that list elements of the same parent. */
export function findSiblingLists(subject: Subject, resource: CheckedResource): ResolvedAction[] {
  const { endpoint, inherited, list } = resource
  return [...endpoint.actions.values()].filter((action) => {
    const names = action.routes[0]?.pattern.names ?? []
    const isBeside = names.length === inherited.length && names.every((name) => inherited.includes(name))
    return isBeside && action !== list?.action && isListOfResource(subject, action, resource)
  })
}

function isListOfResource(subject: Subject, action: ResolvedAction, { mediaType }: CheckedResource): boolean {
  const listed = findCheckedList(subject, action)
  if (listed !== undefined) return listed.mediaType === mediaType
  const form = findCsvBody(action)
  const elements = form && findBodyElements(form)
  return elements?.isList === true && elements.mediaType === mediaType
}

// The check asks for the first form only.
function findCsvBody({ responses }: ResolvedAction) {
  const [form] = [...responses.values()].filter(({ status }) => status === 200).flatMap(({ bodies }) => bodies)
  return form?.stream?.as === 'csv' ? form : undefined
}

/** All elements of one of these lists; those of CSV have texts for values. */
export async function readListRows(call: TestCall, session: TestSession, subject: Subject): Promise<readonly JsonElement[]> {
  const listed = findCheckedList(subject, call.action)
  if (listed !== undefined) return readAllElements(listed, call, session)
  const { status, text } = await session.sendValid(call)
  return status === 200 ? parseCsvRows(text) : []
}
