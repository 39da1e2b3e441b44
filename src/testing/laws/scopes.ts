// The law of scopes: an element outside the scope of a client, and the elements below it, are not accessible to it in any
// other way.
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import type { FilterExpression } from '../../plugins/mapper/index.ts'
import {
  type CheckedResource,
  formatKey,
  getInheritedParams,
  getKeyValue,
  hasKey,
  isSameElement,
  withElement,
} from '../check/checked-resource.ts'
import { drawCall } from '../check/draw-call.ts'
import { defineLaw, type Law } from '../check/law.ts'
import { shrinkCall } from '../check/shrink.ts'
import type { Subject } from '../check/subject.ts'
import type { CheckedList } from '../lists/checked-list.ts'
import { loadElementValue } from '../lists/element-values.ts'
import type { JsonElement } from '../lists/list-reader.ts'
import { assertLaw, SkipCase } from '../session/law-errors.ts'
import type { TestCall } from '../session/test-call.ts'
import type { TestSession } from '../session/test-session.ts'
import type { Draw } from '../values/draw.ts'
import { mapParentParams } from './elements/children.ts'
import { withParam } from './list-laws.ts'
import { readAllElements, toJsonText } from './read-list.ts'
import { findSiblingLists, readListRows } from './sibling-lists.ts'

interface ScopeCase {
  readonly resource: CheckedResource
  readonly list: CheckedList
  readonly does: 'show' | 'update' | 'remove' | 'filter' | 'below' | 'list'
  /** The list call of the client that sees the element. */
  readonly call: TestCall
  readonly other: string | undefined
  /** The call that must not reach the element of the other client. */
  readonly reach: TestCall
  /** The child resource, when the case reads the list below the element. */
  readonly child?: CheckedResource
}

/** No action exposes an element that the client's list does not contain. */
export const scopesLaw: Law = defineLaw<ScopeCase>({
  name: 'scopes',
  description:
    'An element that one client finds in its list and another does not is neither shown to the other nor changed by it.',
  needs: 'two clients, and an element that one lists and the other does not',
  remedy: 'set `principals` to clients that each own elements',
  drawCase(subject, action, draw) {
    const resource = subject.getResource(action)
    if (resource === undefined || subject.principals.size < 2) return undefined
    const isList = resource.list?.action === action
    const parent = isList && draw.chance(50) ? subject.index.getParent(resource) : undefined
    if (parent !== undefined)
      return drawScopeCase(subject, { resource: parent, does: 'below', child: resource }, action, draw)
    if (findSiblingLists(subject, resource).includes(action))
      return drawScopeCase(subject, { resource, does: 'list' }, action, draw)
    const { show, updates, remove } = resource
    const own = { show, update: updates.find((one) => one === action), remove }
    const does = Object.entries(own).find(([, one]) => one === action)?.[0] as ScopeCase['does']
    return isList || does !== undefined
      ? drawScopeCase(subject, { resource, does: isList ? 'filter' : does }, action, draw)
      : undefined
  },
  async run(one, session, subject) {
    const { resource, call, other, reach, does } = one
    const hidden = await findHiddenElements(one, session)
    if (does === 'below') return checkChildLeak(one, hidden, session)
    if (does === 'list') return checkSiblingListLeak(one, hidden, session, subject)
    const [element] = hidden as [JsonElement]
    if (does === 'filter') return checkFilterLeak(one, element, session)
    const target = { ...element, ...getInheritedParams(resource, call) }
    const before = await readElementText(resource, call, target, session)
    const response = await session.send(withElement(reach, resource, target))
    // Deleting an element that does not exist may succeed: it must reveal and delete nothing.
    assertLaw(response.status >= 400 || (does === 'remove' && response.text === ''), 'leak', () => {
      return `${other} does not find the element of ${call.principal} in its list, but can ${does} it: ${response.status}`
    })
    if (does === 'show') await checkTagLeak(one, target, session)
    const after = await readElementText(resource, call, target, session)
    assertLaw(
      before === after,
      'leak-changed',
      () => `the element of ${call.principal} was changed by ${other}, who does not find it in its list`,
    )
  },
  shrink: function* (one) {
    for (const reach of shrinkCall(one.reach)) yield { ...one, reach }
  },
})

function drawScopeCase(
  subject: Subject,
  scope: Pick<ScopeCase, 'resource' | 'does' | 'child'>,
  action: ResolvedAction,
  draw: Draw,
): ScopeCase | undefined {
  const { resource } = scope
  const { list } = resource
  const call = list && drawCall(subject, list.action, draw, { bare: true })
  if (list === undefined || call === undefined) return undefined
  const other = draw.pick([...subject.principals.keys()].filter((one) => one !== call.principal))
  const params = scope.child === undefined ? getInheritedParams(resource, call) : {}
  const reach = drawCall(subject, action, draw, { principal: other, bare: true, params })
  return reach && { ...scope, list, call, other, reach }
}

/** Returns the elements of one client that the other cannot see. */
async function findHiddenElements(
  { resource, list, call, other }: ScopeCase,
  session: TestSession,
): Promise<JsonElement[]> {
  const ours = await readAllElements(list, call, session)
  const theirs = await readAllElements(list, { ...call, principal: other }, session)
  if (!ours.every((element) => hasKey(resource, element))) throw new SkipCase('no key is shown')
  const visibleKeys = new Set(theirs.map((element) => formatKey(resource, element)))
  const hidden = ours.filter((element) => !visibleKeys.has(formatKey(resource, element)))
  if (hidden.length === 0) throw new SkipCase('both see the same')
  return hidden
}

async function readElementText(
  resource: CheckedResource,
  call: TestCall,
  element: JsonElement,
  session: TestSession,
): Promise<string> {
  if (resource.show === undefined) return toJsonText(await readAllElements(resource.list as CheckedList, call, session))
  const { text } = await session.sendValid(
    withElement({ ...call, action: resource.show, headers: {} }, resource, element),
  )
  return text
}

/** Checks that the ETag of one client does not reveal the element to another. */
async function checkTagLeak(
  { resource, call, reach, other }: ScopeCase,
  element: JsonElement,
  session: TestSession,
): Promise<void> {
  const ownCall = withElement({ ...reach, principal: call.principal }, resource, element)
  const tag = (await session.sendValid(ownCall)).headers.get('ETag')
  if (tag === null) return
  const raw = { 'If-None-Match': tag }
  await session.sendValid({ ...ownCall, rawHeaders: raw })
  const { status } = await session.send({ ...ownCall, principal: other, rawHeaders: raw })
  assertLaw(status >= 400, 'leak-tag', () => {
    return `${other} does not find the element of ${call.principal} in its list, but learns its version: ${status}`
  })
}

/** Checks that an element that a client neither lists nor can show is not in its other lists. */
async function checkSiblingListLeak(
  { resource, call, reach, other }: ScopeCase,
  hidden: readonly JsonElement[],
  session: TestSession,
  subject: Subject,
): Promise<void> {
  const rows = await readListRows(reach, session, subject)
  const found = hidden.find((element) => rows.some((row) => isSameElement(resource, row, element) === true))
  if (found === undefined || resource.show === undefined) return
  const showCall = { ...call, action: resource.show, principal: other, headers: {} }
  const { status } = await session.send(
    withElement(showCall, resource, { ...found, ...getInheritedParams(resource, call) }),
  )
  if (status < 400) throw new SkipCase('it is shown to both')
  assertLaw(false, 'leak-list', () => {
    return `${reach.action.name} shows ${other} an element of ${call.principal} that it is not shown otherwise: ${toJsonText(found)}`
  })
}

async function checkFilterLeak(
  { resource, list, call, other }: ScopeCase,
  hidden: JsonElement,
  session: TestSession,
): Promise<void> {
  const { filters } = list
  const conditions = resource.key.map((name): FilterExpression => {
    const field = resource.keyAttributes[name] as string
    const { operators, attribute } = filters?.fields.get(field) ?? {}
    if (attribute === undefined || operators?.includes('=') !== true) throw new SkipCase('nothing identifies it')
    return { op: '=', field, any: [{ value: loadElementValue(hidden, field, attribute) }] }
  })
  const value = filters?.toParamValue({ op: 'and', of: conditions })
  if (filters === undefined || value === undefined) return
  const filtered = withParam({ ...call, principal: other }, filters.path, value)
  const found = await readAllElements(list, filtered, session)
  assertLaw(
    found.length === 0,
    'leak-filter',
    () => 'a filter finds an element that the list of the client does not have',
  )
}

/** The maximum number of hidden elements whose children are read. */
const MAX_HIDDEN = 4

async function checkChildLeak(one: ScopeCase, hidden: readonly JsonElement[], session: TestSession): Promise<void> {
  const child = one.child as CheckedResource
  for (const element of hidden.slice(0, MAX_HIDDEN)) {
    const target: JsonElement = { ...element, ...getInheritedParams(one.resource, one.call) }
    const names = mapParentParams(child, one.resource).map(([name, theirs]) => [
      name,
      getKeyValue(one.resource, target, theirs),
    ])
    const call = { ...one.reach, params: { ...one.reach.params, ...Object.fromEntries(names) } }
    const list = child.list as CheckedList
    const ours =
      list.reader.readElements((await session.sendValid({ ...call, principal: one.call.principal })).body) ?? []
    if (ours.length === 0) continue
    const response = await session.send(call)
    const theirs = response.status < 300 ? (list.reader.readElements(response.body) ?? []) : []
    assertLaw(!theirs.some((shown) => ours.some((own) => toJsonText(own) === toJsonText(shown))), 'leak-below', () => {
      return `${one.other} does not find the element of ${one.call.principal} in its list, but sees what is below it`
    })
    return
  }
  throw new SkipCase('nothing is below')
}
