// The law of listed elements: an element is the same in every list of its endpoint and on its own.
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import {
  type CheckedResource,
  getInheritedParams,
  hasKey,
  isSameElement,
  withElement,
} from '../check/checked-resource.ts'
import { drawCall } from '../check/draw-call.ts'
import { defineLaw, type Law } from '../check/law.ts'
import { findDifferingName, readElement } from '../check/shown-elements.ts'
import { shrinkCall } from '../check/shrink.ts'
import type { Subject } from '../check/subject.ts'
import { type CheckedList, findCheckedList } from '../lists/checked-list.ts'
import type { JsonElement } from '../lists/list-reader.ts'
import { assertLaw, SkipCase } from '../session/law-errors.ts'
import type { TestCall } from '../session/test-call.ts'
import type { Draw } from '../values/draw.ts'
import { readAllElements, toJsonText } from './read-list.ts'
import { findSiblingLists } from './sibling-lists.ts'

interface ListedElementCase {
  readonly resource: CheckedResource
  readonly listed: CheckedList
  readonly list: TestCall
  readonly show: TestCall
  /** The index of the checked element, modulo the length of the list. */
  readonly at: number
}

/** Elements are shown as in lists. */
export const listedLaw: Law = defineLaw<ListedElementCase>({
  name: 'listed',
  description: 'An element of a list is found by itself, and has the same values there.',
  needs: 'a list, and an action that shows its elements by their key',
  remedy: 'fill the list; a media type has to have the attribute that the path names',
  casesPerRound: 2,
  drawCase: drawListedCase,
  async run({ resource, listed, list, show, at }, session) {
    const elements = await readAllElements(listed, list, session)
    const element = elements[at % Math.max(1, elements.length)]
    if (element === undefined || !hasKey(resource, element)) throw new SkipCase('nothing is there')
    const known = { ...element, ...getInheritedParams(resource, list) }
    const showCall = withElement(show, resource, known)
    const response = await session.send(showCall)
    const isMissing = response.status === 404 || response.status === 410
    if (response.status !== 200 && !isMissing) throw new SkipCase('it is not for everybody')
    const stray = isMissing
      ? undefined
      : findDifferingName(resource.mediaType, element, readElement(showCall.action, response.body) ?? {})
    if (!isMissing && stray === undefined) return
    // Elements may change or disappear between two reads.
    const again = (await readAllElements(listed, list, session)).find((one) => isSameElement(resource, one, known))
    const after = await session.send(showCall)
    if (toJsonText(again) !== toJsonText(element) || after.text !== response.text) throw new SkipCase('it has changed')
    // Other lists may include deleted elements.
    if (isMissing && listed.action !== resource.list?.action) throw new SkipCase('it is another list')
    assertLaw(!isMissing, 'listed-missing', () => `the list has an element that is a ${response.status} by itself`)
    assertLaw(false, 'listed-value', () => {
      const shown = readElement(showCall.action, response.body)?.[stray as string]
      return `'${stray}' is ${toJsonText(element[stray as string])} in the list, but ${toJsonText(shown)} by itself`
    })
  },
  shrink: function* (one) {
    if (one.at > 0) yield { ...one, at: 0 }
    for (const list of shrinkCall(one.list)) yield { ...one, list }
  },
})

function drawListedCase(subject: Subject, action: ResolvedAction, draw: Draw): ListedElementCase | undefined {
  const resource = subject.getResource(action)
  const listed = findCheckedList(subject, action)
  if (resource?.show === undefined || listed === undefined || listed.mediaType !== resource.mediaType) return undefined
  if (action !== resource.list?.action && !findSiblingLists(subject, resource).includes(action)) return undefined
  const list = drawCall(subject, action, draw, { bare: true })
  const principal = list?.principal
  const show =
    list && drawCall(subject, resource.show, draw, { principal, bare: true, params: createPlaceholders(resource) })
  return list && show && { resource, listed, list, show, at: draw.integerBelow(1000) }
}

// The list determines the element; until it is read, placeholders are used.
const createPlaceholders = ({ inherited, key }: CheckedResource): JsonElement =>
  Object.fromEntries([...inherited, ...key].map((name) => [name, 1]))
