// The law of listed elements: an element is the same in every list of its endpoint and by itself.
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import type { Attribute } from '../../schema/attribute.ts'
import { assertLaw, SkipCase } from '../session/law-errors.ts'
import type { TestCall } from '../session/test-call.ts'
import { drawCall } from '../check/draw-call.ts'
import type { TestResponse } from '../session/check-response.ts'
import { withElement, isSameElement, type CheckedResource } from '../check/checked-resource.ts'
import { shrinkCall } from '../check/shrink.ts'
import type { Subject } from '../check/subject.ts'
import { findSiblingLists } from './sibling-lists.ts'
import { type CheckedList, findCheckedList } from '../lists/checked-list.ts'
import type { JsonElement } from '../lists/list-reader.ts'
import { toJsonText, readAllElements } from './read-list.ts'
import type { Draw } from '../values/draw.ts'
import { type Law, defineLaw } from '../check/law.ts'

interface ListedElementCase {
  readonly resource: CheckedResource
  readonly listed: CheckedList
  readonly list: TestCall
  readonly show: TestCall
  /** The number of the element that the law looks at. */
  readonly at: number
}

/** Elements are shown as lists show them. */
export const listedLaw: Law = defineLaw<ListedElementCase>({
  name: 'listed',
  description: 'An element of a list is found by itself, and has the same values there.',
  casesPerRound: 2,
  drawCase: drawListedCase,
  async run({ resource, listed: of, list, show, at }, session) {
    const whole = await readAllElements(of, list, session)
    const element = whole[at % Math.max(1, whole.length)]
    if (element === undefined || !resource.key.every((name) => element[name] != null))
      throw new SkipCase('nothing is there')
    const place = { ...element, ...getInheritedParams(resource, list) }
    const shows = withElement(show, resource, place)
    const answer = await session.send(shows)
    const isMissing = answer.status === 404 || answer.status === 410
    if (answer.status !== 200 && !isMissing) throw new SkipCase('it is not for everybody')
    const stray = isMissing ? undefined : findDifferingName(resource, element, answer)
    if (!isMissing && stray === undefined) return
    // Elements that change or go by themselves are not the same twice.
    const again = (await readAllElements(of, list, session)).find((one) => isSameElement(resource, one, place))
    const after = await session.send(shows)
    if (toJsonText(again) !== toJsonText(element) || after.text !== answer.text) throw new SkipCase('it has changed')
    // Other lists may be about more than there is now.
    if (isMissing && of.action !== resource.list?.action) throw new SkipCase('it is another list')
    assertLaw(!isMissing, 'listed-missing', () => `the list has an element that is a ${answer.status} by itself`)
    assertLaw(false, 'listed-value', () => {
      const shown = (answer.body as JsonElement)[stray as string]
      return `'${stray}' is ${toJsonText(element[stray as string])} in the list, but ${toJsonText(shown)} by itself`
    })
  },
  shrink: function* (one) {
    if (one.at > 0) yield { ...one, at: 0 }
    for (const list of shrinkCall(one.list)) yield { ...one, list }
  },
})

const getInheritedParams = ({ inherited }: CheckedResource, { params }: TestCall): JsonElement =>
  Object.fromEntries(inherited.map((name) => [name, params[name]]))

function drawListedCase(subject: Subject, action: ResolvedAction, draw: Draw): ListedElementCase | undefined {
  const resource = subject.getResource(action)
  const of = findCheckedList(subject, action)
  if (resource?.show === undefined || of === undefined || of.mediaType !== resource.mediaType) return undefined
  if (action !== resource.list?.action && !findSiblingLists(subject, resource).includes(action)) return undefined
  const list = drawCall(subject, action, draw, { bare: true })
  const principal = list?.principal
  const show = list && drawCall(subject, resource.show, draw, { principal, bare: true, params: createPlaceholders(resource) })
  return list && show && { resource, listed: of, list, show, at: draw.integerBelow(1000) }
}

// The list tells which element it is, so that it is read first.
const createPlaceholders = ({ inherited, key }: CheckedResource): JsonElement =>
  Object.fromEntries([...inherited, ...key].map((name) => [name, 1]))

/** The name of a value that an element has otherwise in a list. */
function findDifferingName({ mediaType }: CheckedResource, element: JsonElement, { body }: TestResponse): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  return Object.keys(element).find((name) => {
    const attribute = mediaType.attributes[name]
    if (attribute === undefined || !isUnrelated(attribute) || !Object.hasOwn(body, name)) return false
    return toJsonText((body as JsonElement)[name]) !== toJsonText(element[name])
  })
}

// Views of other elements may show less of them in a list.
const isUnrelated = ({ core }: Attribute): boolean =>
  core.shape !== 'reference' && core.target === undefined && !core.related && !(core.element?.core.related ?? false)
