// The law of parents: an element is found below its own parent, and below no other.
import type { ResolvedAction } from '../../../design/resolve/resolved.ts'
import { insist, Void } from '../../check/broken.ts'
import type { Call } from '../../check/call.ts'
import { drawCall, drawChange } from '../../check/draw-call.ts'
import { about, type Resource } from '../../check/resource.ts'
import type { Session } from '../../check/session.ts'
import { smallerCalls } from '../../check/smaller.ts'
import type { Subject } from '../../check/subject.ts'
import type { Element } from '../../lists/reading.ts'
import { textOf, wholeOf } from '../../lists/whole-list.ts'
import type { Draw } from '../../values/draw.ts'
import { type Law, law } from '../law.ts'

interface ParentsCase {
  readonly resource: Resource
  /** The lists of two parents. */
  readonly own: Call
  readonly other: Call
  /** A request for an element, which is to be sent below the other parent. */
  readonly reach: Call
}

/** Elements are found below their parents only. */
export const parents: Law = law<ParentsCase>({
  name: 'parents',
  says: 'An element that is in the list of one parent and not in that of another is not found below the other.',
  draw: drawParents,
  async run({ resource, own, other, reach }, session) {
    const [ours, theirs] = [await keyed(resource, own, session), await keyed(resource, other, session)]
    const [key, element] = [...ours].find(([one]) => !theirs.has(one)) ?? []
    if (key === undefined || element === undefined) throw new Void('both have the same')
    const answer = await session.send(about(reach, resource, { ...element, ...inheritedIn(resource, other) }))
    insist(answer.status >= 300 || !isShown(element, answer.body), 'wrong-parent', () => {
      return 'the element is in the list of another parent only, but is shown below this one'
    })
    const after = await keyed(resource, own, session)
    insist(after.get(key) !== undefined && textOf(after.get(key)) === textOf(element), 'wrong-parent-changed', () => {
      return 'an element was changed below a parent that is not its own'
    })
  },
  smaller: function* (one) {
    for (const reach of smallerCalls(one.reach)) yield { ...one, reach }
  },
})

// Another element of the same key may be there, and not in its list.
const isShown = (element: Element, body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  Object.entries(element).every(([name, value]) => textOf((body as Element)[name] ?? null) === textOf(value))

const inheritedIn = ({ inherited }: Resource, { params }: Call): Element =>
  Object.fromEntries(inherited.map((name) => [name, params[name]]))

function drawParents(subject: Subject, action: ResolvedAction, draw: Draw): ParentsCase | undefined {
  const resource = subject.resourceOf(action)
  const isElements = resource && [resource.show, resource.update, resource.remove].includes(action)
  if (resource?.list === undefined || !isElements || resource.inherited.length === 0) return undefined
  const list = (principal?: { readonly principal: string | undefined }): Call | undefined =>
    drawCall(subject, (resource.list as NonNullable<Resource['list']>).action, draw, { ...principal, bare: true })
  const own = list()
  const other = own && list({ principal: own.principal })
  const bare = own && drawCall(subject, action, draw, { principal: own.principal, bare: true })
  // A change that changes something is the one that can go wrong.
  const reach = bare?.payload === undefined ? bare : (drawChange(bare, subject, draw) ?? bare)
  if (own === undefined || other === undefined || reach === undefined) return undefined
  return textOf(inheritedIn(resource, own)) === textOf(inheritedIn(resource, other))
    ? undefined
    : { resource, own, other, reach }
}

/** The elements of a list by their keys. */
async function keyed({ list, key }: Resource, call: Call, session: Session): Promise<Map<string, Element>> {
  const all = await wholeOf(list as NonNullable<Resource['list']>, call, session)
  if (!all.every((element) => key.every((name) => element[name] !== undefined))) throw new Void('no key is shown')
  return new Map(all.map((element) => [textOf(key.map((name) => element[name])), element]))
}
