// The law of elements: a model beside the application knows what was created, changed and deleted, and looks for it.
import type { ResolvedAction } from '../../../design/resolve/resolved.ts'
import { insist, Void } from '../../check/broken.ts'
import type { Call } from '../../check/call.ts'
import { drawCall, drawChange } from '../../check/draw-call.ts'
import type { Place } from '../../check/places.ts'
import { about, createdBy, isAt, type Resource } from '../../check/resource.ts'
import type { Session } from '../../check/session.ts'
import { shorter, smallerCalls } from '../../check/smaller.ts'
import type { Subject } from '../../check/subject.ts'
import { otherLists, rowsOf } from '../../lists/all-lists.ts'
import type { Element } from '../../lists/reading.ts'
import { textOf, wholeOf } from '../../lists/whole-list.ts'
import type { Draw } from '../../values/draw.ts'
import { missesOf } from '../../values/near-misses.ts'
import { hasVerb, isElsewhere, type Law, law } from '../law.ts'
import { type Child, childOf, drawChild } from './children.ts'
import { neighbourOf } from './neighbour.ts'
import { agrees, stored, untouched } from './stored.ts'

interface Step {
  readonly does: 'update' | 'remove' | 'miss'
  readonly call: Call
}

interface ElementCase {
  readonly resource: Resource
  readonly create: Call
  /** Only what has to be sent was sent: nothing in it can make the application hide the element. */
  readonly bare: boolean
  readonly show: Call | undefined
  readonly list: Call | undefined
  readonly steps: readonly Step[]
  /** Created below the element before that is deleted. */
  readonly child: Child | undefined
  /** Another list that may show it: an export, a search. */
  readonly elsewhere: Call | undefined
  /** Whether it is created a second time, with the same key. */
  readonly twice: boolean
}

/** An element is read as it was written. */
export const elements: Law = law<ElementCase>({
  name: 'elements',
  says: 'A created element has the values that were sent; a change alters these and nothing else; a deleted element is gone.',
  times: 4,
  draw: drawElement,
  async run(one, session, subject) {
    const { resource, create, bare } = one
    const { show, steps } = one
    const near = show && steps.length > 0 ? { resource, show, place: inheritedIn(resource, create) } : undefined
    const neighbour = near && (await neighbourOf(near, session, subject))
    const answer = await session.valid(create)
    if (answer.status >= 300) throw new Void('nothing was created')
    const place = createdBy(subject.places, resource, create, answer)
    if (place === undefined) throw new Void('the answer does not tell where it is')
    const model = new Model(one, place, session)
    const shown = await model.look(bare ? 'there' : 'perhaps')
    if (shown === undefined) throw new Void('it is not shown to everybody')
    stored(resource, create, shown, 'created')
    agrees(answer, shown, 'created')
    await model.listed(bare)
    if (one.twice) {
      await session.valid(create)
      await model.listed(false)
    }
    for (const step of one.steps) if (!(await take(step, model, subject))) break
    await neighbour?.()
  },
  smaller: function* (one) {
    for (const steps of shorter(one.steps, smallerSteps)) yield { ...one, steps }
    for (const create of smallerCalls(one.create)) yield { ...one, create }
    if (one.twice) yield { ...one, twice: false }
    if (one.child !== undefined) yield { ...one, child: undefined }
    if (one.list !== undefined) yield { ...one, list: undefined }
    if (one.elsewhere !== undefined) yield { ...one, elsewhere: undefined }
  },
})

function* smallerSteps(step: Step): Generator<Step> {
  for (const call of smallerCalls(step.call)) yield { ...step, call }
}

function drawElement(subject: Subject, action: ResolvedAction, draw: Draw): ElementCase | undefined {
  const resource = subject.resourceOf(action)
  if (resource === undefined || resource.create !== action || resource.show === undefined) return undefined
  const bare = draw.percent(40)
  const create = drawCall(subject, action, draw, { bare: true })
  if (create === undefined) return undefined
  // Params change what an action does; only the payload varies.
  const full =
    bare || action.payload === undefined ? undefined : drawCall(subject, action, draw, { principal: create.principal })
  const common = { principal: create.principal, bare: true, params: inheritedIn(resource, create) }
  const call = (one: ResolvedAction | undefined): Call | undefined => one && drawCall(subject, one, draw, common)
  const steps = Array.from({ length: draw.below(4) }, () => drawStep(subject, resource, draw, common)).filter(
    (one) => one !== undefined,
  )
  return {
    resource,
    create: full?.payload === undefined ? create : { ...create, payload: full.payload },
    bare: full?.payload === undefined,
    show: call(resource.show),
    list: call(resource.list?.action),
    elsewhere: call(draw.pick(otherLists(subject, resource))),
    steps,
    child: draw.percent(50) ? drawChild(subject, resource, draw, common) : undefined,
    twice: draw.percent(30) && resource.key.every((name) => Object.hasOwn(Object(create.payload), name)),
  }
}

const inheritedIn = ({ inherited }: Resource, { params }: Call): Place =>
  Object.fromEntries(inherited.map((name) => [name, params[name]]))

type Common = { readonly principal: string | undefined; readonly bare: boolean; readonly params: Place }

function drawStep(subject: Subject, resource: Resource, draw: Draw, common: Common): Step | undefined {
  const does = draw.pick(['update', 'update', 'remove', 'miss'] as const) as Step['does']
  const action = does === 'remove' ? resource.remove : resource.update
  const call = action && drawCall(subject, action, draw, common)
  if (call === undefined) return undefined
  if (does === 'remove') return { does, call }
  const { payload } = call.action
  if (payload === undefined || payload.form !== 'structure' || payload.files) return undefined
  if (does === 'update') {
    const changed = drawChange(call, subject, draw)
    return changed && { does, call: changed }
  }
  const found = draw.pick(
    missesOf(payload.attribute, draw, false).filter(({ rule, pointer }) => rule !== 'unknown' && pointer !== ''),
  )
  return found && { does, call: { ...call, body: { json: found.value } } }
}

/** The last known state of one element. */
class Model {
  readonly of: ElementCase
  readonly place: Place
  readonly session: Session
  known: Element | undefined
  /** The elements of the list when it was last looked at. */
  #others: readonly Element[] = []

  constructor(of: ElementCase, place: Place, session: Session) {
    this.of = of
    this.place = place
    this.session = session
  }

  /** Looks at the element; undefined when it is not shown. */
  async look(is: 'there' | 'perhaps' | 'gone'): Promise<Element | undefined> {
    const { show, resource } = this.of
    if (show === undefined) return undefined
    const answer = await this.session.valid(about(show, resource, this.place))
    if (isElsewhere(answer.status)) throw new Void('it is shown to others only')
    const isThere = answer.status < 300
    if (is === 'there') insist(isThere, 'created-missing', () => `what was just created is not there: ${answer.status}`)
    if (is === 'gone') insist(!isThere, 'deleted-there', () => 'what was just deleted is still there')
    this.known = isThere ? (answer.body as Element) : undefined
    return this.known
  }

  /** Looks for the element in the list: it is there once, or not at all. */
  async listed(isThere: boolean | 'gone'): Promise<void> {
    const { list, resource } = this.of
    if (list === undefined || resource.list === undefined) return
    const whole = await wholeOf(resource.list, list, this.session)
    const found = whole.map((element) => isAt(resource, element, this.place))
    if (found.includes(undefined)) return
    const count = found.filter(Boolean).length
    insist(count < 2, 'listed-twice', () => `the element is ${count} times in the list`)
    const others = whole.filter((_, i) => found[i] === false)
    if (isThere === 'gone') this.#insistOthers(others)
    this.#others = others
    if (isThere === 'gone') insist(count === 0, 'deleted-listed', () => 'what was just deleted is still in the list')
    else if (isThere) insist(count === 1, 'created-unlisted', () => 'what was just created is not in the list')
  }

  #insistOthers(left: readonly Element[]): void {
    const { resource } = this.of
    const keys = new Set(left.map((one) => keyOf(resource, one)))
    const lost = this.#others.find((one) => !keys.has(keyOf(resource, one)))
    insist(lost === undefined, 'other-deleted', () => `another element is gone from the list, too: ${textOf(lost)}`)
  }
}

const keyOf = ({ key }: Resource, element: Element): string => textOf(key.map((name) => element[name]))

async function take({ does, call }: Step, model: Model, subject: Subject): Promise<boolean> {
  const { of: one, session } = model
  const before = model.known as Element
  const sent = about(call, one.resource, model.place)
  if (does === 'remove') return removed(sent, model, subject)
  const answer = await session.send(sent, does !== 'miss')
  const after = await model.look(does === 'miss' ? 'there' : 'perhaps')
  if (does === 'miss' || answer.status >= 400) {
    insist(answer.status >= 400 || does !== 'miss', 'accepted', () => 'a change that breaks a rule is accepted')
    insist(
      textOf(after) === textOf(before),
      'refused-changed',
      () => 'a change that was refused has changed the element',
    )
    return true
  }
  if (after === undefined || answer.status >= 300) return false
  stored(one.resource, sent, after, 'changed')
  agrees(answer, after, 'changed')
  if (hasVerb(call.action, 'PATCH')) untouched(sent, before, after)
  return true
}

/** Looks for an element in another list; the function that comes back insists that it is no longer there as it was. */
async function leftIn(call: Call, { of, place, session }: Model, subject: Subject): Promise<() => Promise<void>> {
  const find = async (): Promise<Element | undefined> =>
    (await rowsOf(call, session, subject)).find((one) => isAt(of.resource, one, place))
  const before = await find()
  return async () => {
    // A list of what was deleted, or of all changes, shows another state of it.
    const after = before && (await find())
    insist(after === undefined || textOf(after) !== textOf(before), 'deleted-elsewhere', () => {
      return `what was just deleted is still in ${call.action.name}: ${textOf(after)}`
    })
  }
}

async function removed(sent: Call, model: Model, subject: Subject): Promise<boolean> {
  const { session } = model
  const { resource, child, steps, elsewhere } = model.of
  const left = elsewhere && (await leftIn(elsewhere, model, subject))
  const orphaned = child && (await childOf(child, model.place, session, subject))
  const { status } = await session.valid(sent)
  if (status >= 300) return false
  await model.look('gone')
  await model.listed('gone')
  await left?.()
  await orphaned?.()
  const change = steps.find(({ does }) => does === 'update')?.call
  if (change === undefined || !hasVerb(change.action, 'PATCH')) return false
  const late = await session.valid(about(change, resource, model.place))
  insist(late.status >= 300, 'deleted-changed', () => `what was just deleted can still be changed: ${late.status}`)
  return false
}
