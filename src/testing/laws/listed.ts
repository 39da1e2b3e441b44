// The law of listed elements: an element is the same in every list of its endpoint and by itself.
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import type { Attribute } from '../../schema/attribute.ts'
import { insist, Void } from '../check/broken.ts'
import type { Call } from '../check/call.ts'
import { drawCall } from '../check/draw-call.ts'
import type { Answer } from '../check/judge.ts'
import { about, isAt, type Resource } from '../check/resource.ts'
import { smallerCalls } from '../check/smaller.ts'
import type { Subject } from '../check/subject.ts'
import { otherLists } from '../lists/all-lists.ts'
import { type Listed, listedBy } from '../lists/listed.ts'
import type { Element } from '../lists/reading.ts'
import { textOf, wholeOf } from '../lists/whole-list.ts'
import type { Draw } from '../values/draw.ts'
import { type Law, law } from './law.ts'

interface ListedCase {
  readonly resource: Resource
  readonly listed: Listed
  readonly list: Call
  readonly show: Call
  /** The number of the element that the law looks at. */
  readonly at: number
}

/** Elements are shown as lists show them. */
export const listed: Law = law<ListedCase>({
  name: 'listed',
  says: 'An element of a list is found by itself, and has the same values there.',
  times: 2,
  draw: drawListed,
  async run({ resource, listed: of, list, show, at }, session) {
    const whole = await wholeOf(of, list, session)
    const element = whole[at % Math.max(1, whole.length)]
    if (element === undefined || !resource.key.every((name) => element[name] != null))
      throw new Void('nothing is there')
    const place = { ...element, ...inheritedIn(resource, list) }
    const shows = about(show, resource, place)
    const answer = await session.send(shows)
    const isMissing = answer.status === 404 || answer.status === 410
    if (answer.status !== 200 && !isMissing) throw new Void('it is not for everybody')
    const stray = isMissing ? undefined : differing(resource, element, answer)
    if (!isMissing && stray === undefined) return
    // Elements that change or go by themselves are not the same twice.
    const again = (await wholeOf(of, list, session)).find((one) => isAt(resource, one, place))
    const after = await session.send(shows)
    if (textOf(again) !== textOf(element) || after.text !== answer.text) throw new Void('it has changed')
    // Other lists may be about more than there is now.
    if (isMissing && of.action !== resource.list?.action) throw new Void('it is another list')
    insist(!isMissing, 'listed-missing', () => `the list has an element that is a ${answer.status} by itself`)
    insist(false, 'listed-value', () => {
      const shown = (answer.body as Element)[stray as string]
      return `'${stray}' is ${textOf(element[stray as string])} in the list, but ${textOf(shown)} by itself`
    })
  },
  smaller: function* (one) {
    if (one.at > 0) yield { ...one, at: 0 }
    for (const list of smallerCalls(one.list)) yield { ...one, list }
  },
})

const inheritedIn = ({ inherited }: Resource, { params }: Call): Element =>
  Object.fromEntries(inherited.map((name) => [name, params[name]]))

function drawListed(subject: Subject, action: ResolvedAction, draw: Draw): ListedCase | undefined {
  const resource = subject.resourceOf(action)
  const of = listedBy(subject, action)
  if (resource?.show === undefined || of === undefined || of.mediaType !== resource.mediaType) return undefined
  if (action !== resource.list?.action && !otherLists(subject, resource).includes(action)) return undefined
  const list = drawCall(subject, action, draw, { bare: true })
  const principal = list?.principal
  const show = list && drawCall(subject, resource.show, draw, { principal, bare: true, params: placeholders(resource) })
  return list && show && { resource, listed: of, list, show, at: draw.below(1000) }
}

// The list tells which element it is, so that it is read first.
const placeholders = ({ inherited, key }: Resource): Element =>
  Object.fromEntries([...inherited, ...key].map((name) => [name, 1]))

/** The name of a value that an element has otherwise in a list. */
function differing({ mediaType }: Resource, element: Element, { body }: Answer): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  return Object.keys(element).find((name) => {
    const attribute = mediaType.attributes[name]
    if (attribute === undefined || !isPlain(attribute) || !Object.hasOwn(body, name)) return false
    return textOf((body as Element)[name]) !== textOf(element[name])
  })
}

// Views of other elements may show less of them in a list.
const isPlain = ({ core }: Attribute): boolean =>
  core.shape !== 'reference' && core.target === undefined && !core.related && !(core.element?.core.related ?? false)
