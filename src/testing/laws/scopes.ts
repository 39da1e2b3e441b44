// The law of scopes: an element that a client does not see is shown to it in no other way, and neither is what is below it.
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import type { FilterExpression } from '../../plugins/lists/filters/expression.ts'
import { insist, Void } from '../check/broken.ts'
import type { Call } from '../check/call.ts'
import { drawCall } from '../check/draw-call.ts'
import { about, isAt, type Resource } from '../check/resource.ts'
import type { Session } from '../check/session.ts'
import { smallerCalls } from '../check/smaller.ts'
import type { Subject } from '../check/subject.ts'
import { otherLists, rowsOf } from '../lists/all-lists.ts'
import type { Listed } from '../lists/listed.ts'
import type { Element } from '../lists/reading.ts'
import { loadedAt } from '../lists/values-at.ts'
import { textOf, wholeOf } from '../lists/whole-list.ts'
import type { Draw } from '../values/draw.ts'
import { namesBelow, parentOf } from './elements/children.ts'
import { type Law, law } from './law.ts'
import { withParam } from './lists.ts'

interface ScopeCase {
  readonly resource: Resource
  readonly list: Listed
  readonly does: 'show' | 'update' | 'remove' | 'filter' | 'below' | 'list'
  /** The list of the client that sees the element. */
  readonly call: Call
  readonly other: string | undefined
  /** The call that must not lead to the other's element. */
  readonly reach: Call
  /** The resource whose list is below the element. */
  readonly child?: Resource
}

/** An element that is missing in a client's list is given to it by no other action. */
export const scopes: Law = law<ScopeCase>({
  name: 'scopes',
  says: 'An element that one client finds in its list and another does not is neither shown to the other nor changed by it.',
  draw(subject, action, draw) {
    const resource = subject.resourceOf(action)
    if (resource === undefined || subject.principals.size < 2) return undefined
    const isList = resource.list?.action === action
    const parent = isList && draw.percent(50) ? parentOf(subject, resource) : undefined
    if (parent !== undefined)
      return drawCase(subject, { resource: parent, does: 'below', child: resource }, action, draw)
    if (otherLists(subject, resource).includes(action))
      return drawCase(subject, { resource, does: 'list' }, action, draw)
    const { show, update, remove } = resource
    const does = Object.entries({ show, update, remove }).find(([, one]) => one === action)?.[0] as ScopeCase['does']
    return isList || does !== undefined
      ? drawCase(subject, { resource, does: isList ? 'filter' : does }, action, draw)
      : undefined
  },
  async run(one, session, subject) {
    const { resource, call, other, reach, does } = one
    const hidden = await hiddenFrom(one, session)
    if (does === 'below') return below(one, hidden, session)
    if (does === 'list') return listedElsewhere(one, hidden, session, subject)
    const [element] = hidden as [Element]
    if (does === 'filter') return filtered(one, element, session)
    const place = { ...element, ...paramsIn(resource, call) }
    const mine = await look(resource, call, place, session)
    const answer = await session.send(about(reach, resource, place))
    // A deletion of what is not there may be fine: it tells nothing, and must delete nothing.
    insist(answer.status >= 400 || (does === 'remove' && answer.text === ''), 'leak', () => {
      return `${other} does not find the element of ${call.principal} in its list, but can ${does} it: ${answer.status}`
    })
    if (does === 'show') await unmodified(one, place, session)
    const after = await look(resource, call, place, session)
    insist(
      mine === after,
      'leak-changed',
      () => `the element of ${call.principal} was changed by ${other}, who does not find it in its list`,
    )
  },
  smaller: function* (one) {
    for (const reach of smallerCalls(one.reach)) yield { ...one, reach }
  },
})

function drawCase(
  subject: Subject,
  of: Pick<ScopeCase, 'resource' | 'does' | 'child'>,
  action: ResolvedAction,
  draw: Draw,
): ScopeCase | undefined {
  const { resource } = of
  const { list } = resource
  const call = list && drawCall(subject, list.action, draw, { bare: true })
  if (list === undefined || call === undefined) return undefined
  const other = draw.pick([...subject.principals.keys()].filter((one) => one !== call.principal))
  const params = of.child === undefined ? paramsIn(resource, call) : {}
  const reach = drawCall(subject, action, draw, { principal: other, bare: true, params })
  return reach && { ...of, list, call, other, reach }
}

/** The elements of one client that the other does not see. */
async function hiddenFrom({ resource, list, call, other }: ScopeCase, session: Session): Promise<Element[]> {
  const ours = await wholeOf(list, call, session)
  const theirs = await wholeOf(list, { ...call, principal: other }, session)
  const keyOf = (element: Element): string => textOf(resource.key.map((name) => element[name]))
  if (!ours.every((element) => resource.key.every((name) => element[name] !== undefined)))
    throw new Void('no key is shown')
  const known = new Set(theirs.map(keyOf))
  const hidden = ours.filter((element) => !known.has(keyOf(element)))
  if (hidden.length === 0) throw new Void('both see the same')
  return hidden
}

const paramsIn = ({ inherited }: Resource, { params }: Call): Element =>
  Object.fromEntries(inherited.map((name) => [name, params[name]]))

async function look(resource: Resource, call: Call, place: Element, session: Session): Promise<string> {
  if (resource.show === undefined) return textOf(await wholeOf(resource.list as Listed, call, session))
  const { text } = await session.valid(about({ ...call, action: resource.show, headers: {} }, resource, place))
  return text
}

/** Insists that a tag which the one client has leads the other no further. */
async function unmodified(
  { resource, call, reach, other }: ScopeCase,
  place: Element,
  session: Session,
): Promise<void> {
  const mine = about({ ...reach, principal: call.principal }, resource, place)
  const tag = (await session.valid(mine)).headers.get('ETag')
  if (tag === null) return
  const raw = { 'If-None-Match': tag }
  await session.valid({ ...mine, raw })
  const { status } = await session.send({ ...mine, principal: other, raw })
  insist(status >= 400, 'leak-tag', () => {
    return `${other} does not find the element of ${call.principal} in its list, but is told about its version: ${status}`
  })
}

/** Insists that what a client neither lists nor is shown is in no other list of it. */
async function listedElsewhere(
  { resource, call, reach, other }: ScopeCase,
  hidden: readonly Element[],
  session: Session,
  subject: Subject,
): Promise<void> {
  const rows = await rowsOf(reach, session, subject)
  const found = hidden.find((element) => rows.some((row) => isAt(resource, row, element) === true))
  if (found === undefined || resource.show === undefined) return
  const shows = { ...call, action: resource.show, principal: other, headers: {} }
  const { status } = await session.send(about(shows, resource, { ...found, ...paramsIn(resource, call) }))
  if (status < 400) throw new Void('it is shown to both')
  insist(false, 'leak-list', () => {
    return `${reach.action.name} shows ${other} an element of ${call.principal} that it is not shown otherwise: ${textOf(found)}`
  })
}

async function filtered({ resource, list, call, other }: ScopeCase, hidden: Element, session: Session): Promise<void> {
  const { filters } = list
  const conditions = resource.key.map((field): FilterExpression => {
    const { operators, attribute } = filters?.fields.get(field) ?? {}
    if (attribute === undefined || operators?.includes('=') !== true) throw new Void('nothing tells it apart')
    return { op: '=', field, any: [{ value: loadedAt(hidden, field, attribute) }] }
  })
  const value = filters?.value({ op: 'and', of: conditions })
  if (filters === undefined || value === undefined) return
  const asked = withParam({ ...call, principal: other }, filters.path, value)
  const found = await wholeOf(list, asked, session)
  insist(found.length === 0, 'leak-filter', () => 'a filter finds an element that the list of the client does not have')
}

/** How many hidden elements are looked below until one has something. */
const MOST_HIDDEN = 4

async function below(one: ScopeCase, hidden: readonly Element[], session: Session): Promise<void> {
  const child = one.child as Resource
  for (const element of hidden.slice(0, MOST_HIDDEN)) {
    const place: Element = { ...element, ...paramsIn(one.resource, one.call) }
    const names = namesBelow(child, one.resource).map(([name, theirs]) => [name, place[theirs]])
    const call = { ...one.reach, params: { ...one.reach.params, ...Object.fromEntries(names) } }
    const list = child.list as Listed
    const ours = list.reading.elements((await session.valid({ ...call, principal: one.call.principal })).body) ?? []
    if (ours.length === 0) continue
    const answer = await session.send(call)
    const theirs = answer.status < 300 ? (list.reading.elements(answer.body) ?? []) : []
    insist(!theirs.some((shown) => ours.some((own) => textOf(own) === textOf(shown))), 'leak-below', () => {
      return `${one.other} does not find the element of ${one.call.principal} in its list, but sees what is below it`
    })
    return
  }
  throw new Void('nothing is below')
}
