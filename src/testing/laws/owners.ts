// The law of owners: an element cannot be deleted or changed by every client if the API says that some are not allowed to. No
// declaration says who owns an element, so two clients try what belongs to each other.
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import {
  type CheckedResource,
  getInheritedParams,
  isSameElement,
  type KnownElement,
  withElement,
} from '../check/checked-resource.ts'
import { findCreatedElement } from '../check/created-element.ts'
import { drawCall, drawChange } from '../check/draw-call.ts'
import { defineLaw, type Law } from '../check/law.ts'
import { readElement } from '../check/shown-elements.ts'
import { shrinkCall } from '../check/shrink.ts'
import type { Subject } from '../check/subject.ts'
import { assertLaw, SkipCase } from '../session/law-errors.ts'
import type { TestCall } from '../session/test-call.ts'
import type { TestSession } from '../session/test-session.ts'
import type { Draw } from '../values/draw.ts'
import { readAllElements, toJsonText } from './read-list.ts'

interface OwnersCase {
  readonly resource: CheckedResource
  readonly create: TestCall
  /** The call that another client sends for the element. */
  readonly reach: TestCall
  /** Another change of the element, which shows whether the client may change it. */
  readonly change: TestCall | undefined
  readonly read: TestCall
}

/** No client deletes what another one created. */
export const ownersLaw: Law = defineLaw<OwnersCase>({
  name: 'owners',
  description:
    'An element is not deleted by a client that may not change it; an action that declares 403 refuses one of two clients.',
  needs: 'two clients, and elements that clients with credentials create and delete or change',
  remedy: 'set `principals` to clients that may create elements; declare 403 where an action is not for everybody',
  drawCase: drawOwnersCase,
  async run(one, session, subject) {
    const { resource, create, reach, change } = one
    const element = await createFor(one, create, session, subject)
    const isDenied =
      change !== undefined && (await session.sendValid(withElement(change, resource, element))).status === 403
    if (!(await isReached(one, { create, reach, element }, session))) return
    if (!isDenied && !isSelective(resource, reach.action))
      throw new SkipCase('the API does not say that anybody is refused')
    // One of the clients may be allowed to, such as one that cleans up.
    const [owner, other] = [create.principal, reach.principal]
    const theirs = { ...create, principal: other }
    const attempt = {
      create: theirs,
      reach: { ...reach, principal: owner },
      element: await createFor(one, theirs, session, subject),
    }
    assertLaw(!(await isReached(one, attempt, session)), 'anybody', () => {
      const what = reach.action === resource.remove ? 'delete' : 'change'
      const reason = isDenied ? `${other} may not change what ${owner} created` : 'the action declares 403'
      return `${reason}, but both can ${what} what the other one created`
    })
  },
  shrink: function* (one) {
    for (const create of shrinkCall(one.create)) yield { ...one, create }
    for (const reach of shrinkCall(one.reach)) yield { ...one, reach }
    if (one.change !== undefined) yield { ...one, change: undefined }
  },
})

function drawOwnersCase(subject: Subject, action: ResolvedAction, draw: Draw): OwnersCase | undefined {
  const resource = subject.getResource(action)
  if (resource?.create === undefined || subject.principals.size < 2) return undefined
  if (resource.remove !== action && !resource.updates.includes(action)) return undefined
  const reader = resource.show ?? resource.list?.action
  const create = drawCall(subject, resource.create, draw, { bare: true })
  if (reader === undefined || create === undefined) return undefined
  const other = draw.pick([...subject.principals.keys()].filter((one) => one !== create.principal))
  const common = { bare: true, params: getInheritedParams(resource, create) }
  const reach = drawCall(subject, action, draw, { ...common, principal: other })
  const read = drawCall(subject, reader, draw, { ...common, principal: create.principal })
  const update = action === resource.remove ? draw.pick(resource.updates) : undefined
  if (reach === undefined || read === undefined) return undefined
  const change = update && drawCall(subject, update, draw, { ...common, principal: other })
  const effective = reach.payload === undefined ? reach : (drawChange(reach, subject, draw) ?? reach)
  return { resource, create, reach: effective, change, read }
}

async function createFor(
  { resource }: OwnersCase,
  create: TestCall,
  session: TestSession,
  subject: Subject,
): Promise<KnownElement> {
  const response = await session.sendValid(create)
  if (response.status >= 300) throw new SkipCase('nothing was created')
  const element = findCreatedElement(subject.knownElements, resource, create, response)
  if (element === undefined) throw new SkipCase('the response does not say where it is')
  return element
}

interface Attempt {
  readonly create: TestCall
  readonly reach: TestCall
  readonly element: KnownElement
}

/** Returns whether a call of one client changes or deletes the element of another. */
async function isReached(one: OwnersCase, { create, reach, element }: Attempt, session: TestSession): Promise<boolean> {
  const { resource } = one
  const read = { ...one.read, principal: create.principal }
  const before = await readText(resource, read, element, session)
  const { status } = await session.sendValid(withElement(reach, resource, element))
  if (before === undefined || status >= 300) return false
  const after = await readText(resource, read, element, session)
  return after !== before
}

/** Returns what a client sees of an element; undefined if that is nothing. */
async function readText(
  resource: CheckedResource,
  read: TestCall,
  element: KnownElement,
  session: TestSession,
): Promise<string | undefined> {
  if (read.action === resource.show) {
    const { status, body } = await session.sendValid(withElement(read, resource, element))
    return status < 300 ? toJsonText(readElement(read.action, body)) : undefined
  }
  const all = await readAllElements(resource.list as NonNullable<CheckedResource['list']>, read, session)
  const found = all.find((row) => isSameElement(resource, row, element) === true)
  return found && toJsonText(found)
}

// If creating declares 403, too, the status is about the client and not about the element.
const isSelective = ({ create, list }: CheckedResource, action: ResolvedAction): boolean =>
  declaresForbidden(action) && ![create, list?.action].some((one) => one !== undefined && declaresForbidden(one))

const declaresForbidden = ({ responses }: ResolvedAction): boolean =>
  [...responses.values()].some(({ status }) => status === 403)
