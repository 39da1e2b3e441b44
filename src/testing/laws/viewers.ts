// The law of viewers: what a client is shown does not depend on who looked before. A cache that forgets the client fills again
// after a change, so changes come between the looks; a change that is repeated tells which values differ by client, not by time.
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import { getPath } from '../../mock/resource-index.ts'
import {
  type CheckedResource,
  formatKey,
  getKeyParams,
  hasKey,
  type KnownElement,
  withElement,
} from '../check/checked-resource.ts'
import { findCreatedElement } from '../check/created-element.ts'
import { drawCall } from '../check/draw-call.ts'
import { defineLaw, type Law } from '../check/law.ts'
import { readElement } from '../check/shown-elements.ts'
import { shrinkCall } from '../check/shrink.ts'
import type { Subject } from '../check/subject.ts'
import { findCheckedList } from '../lists/checked-list.ts'
import type { TestResponse } from '../session/check-response.ts'
import { assertLaw, SkipCase } from '../session/law-errors.ts'
import { hasVerb, type TestCall } from '../session/test-call.ts'
import type { TestSession } from '../session/test-session.ts'
import type { Draw } from '../values/draw.ts'
import { toJsonText } from './read-list.ts'

interface ViewersCase {
  readonly resource: CheckedResource
  readonly read: TestCall
  readonly other: string | undefined
  /** The call that creates the element; undefined for one that exists. */
  readonly create: TestCall | undefined
  /** The call of one client that makes it see the element differently from others. */
  readonly first: TestCall | undefined
  /** The change that is repeated. */
  readonly change: TestCall
}

/** Everybody sees what is theirs. */
export const viewersLaw: Law = defineLaw<ViewersCase>({
  name: 'viewers',
  description: 'A client is shown the same after others have looked as before.',
  needs: 'two clients, and a GET next to actions that change what it shows',
  remedy: 'set `principals` to the credentials of at least two clients',
  drawCase: drawViewersCase,
  async run(one, session, subject) {
    const { read, other, first } = one
    const viewer = new Viewer(one, await findElement(one, session, subject), session, subject)
    if (first !== undefined) await viewer.change(first)
    const alone: Facts[] = []
    for (let i = 0; i < 2; i++) {
      await viewer.change(one.change)
      alone.push(await viewer.look(read))
    }
    await viewer.change(one.change)
    const theirs = await viewer.look({ ...read, principal: other })
    const after = await viewer.look(read)
    await viewer.change(one.change)
    const again = await viewer.look(read)
    const [before, stable] = alone as [Facts, Facts]
    if (before.size === 0) throw new SkipCase('nothing is shown')
    for (const [name, value] of before) {
      const isCertain = stable.get(name) === value && again.get(name) === value
      assertLaw(!isCertain || after.get(name) === value || after.get(name) !== theirs.get(name), 'viewed', () => {
        return `${name} is ${value} to ${read.principal}, but as soon as ${other} has looked, it is ${after.get(name)}`
      })
    }
  },
  shrink: function* (one) {
    if (one.first !== undefined) yield { ...one, first: undefined }
    for (const change of shrinkCall(one.change)) yield { ...one, change }
    for (const create of one.create === undefined ? [] : shrinkCall(one.create)) yield { ...one, create }
  },
})

/** The values that a response shows, as texts by name. */
type Facts = ReadonlyMap<string, string>

/** Sends the calls of a case for one element, and follows its key. */
class Viewer {
  readonly #case: ViewersCase
  #element: KnownElement
  readonly #session: TestSession
  readonly #subject: Subject

  constructor(one: ViewersCase, element: KnownElement, session: TestSession, subject: Subject) {
    this.#case = one
    this.#element = element
    this.#session = session
    this.#subject = subject
  }

  async change(call: TestCall): Promise<void> {
    const { resource } = this.#case
    const { status, body } = await this.#session.sendValid(withElement(call, resource, this.#element))
    if (status >= 300) throw new SkipCase('the change is refused')
    const shown = readElement(call.action, body)
    if (shown !== undefined && hasKey(resource, shown))
      this.#element = { ...this.#element, ...getKeyParams(resource, shown) }
  }

  async look(call: TestCall): Promise<Facts> {
    const { resource } = this.#case
    const own = call.action === resource.show ? withElement(call, resource, this.#element) : call
    const response = await this.#session.sendValid(own)
    return response.status === 200 ? this.#readFacts(call.action, response) : new Map()
  }

  // Elements of a list are identified by their keys; the rest of a response is compared as a whole.
  #readFacts(action: ResolvedAction, { body, text }: TestResponse): Facts {
    const { resource } = this.#case
    const facts = new Map<string, string>()
    const add = (prefix: string, element: object): void => {
      for (const [name, value] of Object.entries(element)) facts.set(`${prefix}'${name}'`, toJsonText(value))
    }
    const element = readElement(action, body)
    const rows = findCheckedList(this.#subject, action)?.reader.readElements(body)
    if (element !== undefined) add('', element)
    else if (rows?.every((row) => hasKey(resource, row)) === true)
      for (const row of rows) add(this.#isOwn(row) ? '' : `${formatKey(resource, row)} `, row)
    else facts.set('the response', text)
    return facts
  }

  #isOwn(row: KnownElement): boolean {
    return formatKey(this.#case.resource, row) === formatKey(this.#case.resource, this.#element)
  }
}

/** Returns the element that the calls of a case are about, created by the client if it can be. */
async function findElement(
  { resource, create, read }: ViewersCase,
  session: TestSession,
  subject: Subject,
): Promise<KnownElement> {
  if (create === undefined) return read.params
  const response = await session.sendValid(create)
  const element =
    response.status < 300 ? findCreatedElement(subject.knownElements, resource, create, response) : undefined
  if (element === undefined) throw new SkipCase('nothing was created')
  return element
}

function drawViewersCase(subject: Subject, action: ResolvedAction, draw: Draw): ViewersCase | undefined {
  const resource = subject.getResource(action)
  if (resource === undefined || subject.principals.size < 2 || !hasVerb(action, 'GET')) return undefined
  const changes = [...resource.updates, ...listActionsBelow(subject, resource)]
  const read = changes.length === 0 ? undefined : drawCall(subject, action, draw, { bare: true })
  if (read === undefined) return undefined
  const isShow = resource.show === action
  const { inherited, key } = resource
  const draftCall = (one: ResolvedAction | undefined): TestCall | undefined => {
    const names = (one === resource.create ? inherited : [...inherited, ...key]).filter((name) => name in read.params)
    const params = Object.fromEntries(names.map((name) => [name, read.params[name]]))
    return one && drawCall(subject, one, draw, { principal: read.principal, bare: true, params })
  }
  const change = draftCall(draw.pick(changes))
  const create = draftCall(resource.create)
  if (change === undefined || (create === undefined && !isShow)) return undefined
  const first = draw.chance(70) ? draftCall(draw.pick(changes)) : undefined
  const other = draw.pick([...subject.principals.keys()].filter((one) => one !== read.principal))
  return { resource, read, other, create, first, change }
}

/** Returns the actions that do something with an element, at paths below its own. */
function listActionsBelow(subject: Subject, { path, inherited, key, endpoint }: CheckedResource): ResolvedAction[] {
  const names = [...inherited, ...key]
  if (key.length === 0) return []
  return subject.actions.filter((action) => {
    const captures = action.routes[0]?.pattern.names ?? []
    return (
      action.endpoint.version === endpoint.version &&
      getPath(action).startsWith(`${path}/`) &&
      hasVerb(action, 'POST', 'PUT', 'PATCH') &&
      captures.length === names.length &&
      names.every((name) => captures.includes(name))
    )
  })
}
