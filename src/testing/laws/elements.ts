// The law of elements: a model beside the application knows what was created, changed and deleted, and looks for it.
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import { plainForm } from '../../mock/values.ts'
import type { Attribute } from '../../schema/attribute.ts'
import { INVALID } from '../../schema/issue.ts'
import { Loading } from '../../schema/loading.ts'
import { Broken, insist, Void } from '../check/broken.ts'
import type { Call } from '../check/call.ts'
import { drawCall } from '../check/draw-call.ts'
import type { Answer } from '../check/judge.ts'
import type { Place } from '../check/places.ts'
import { about, createdBy, isAt, type Resource } from '../check/resource.ts'
import type { Session } from '../check/session.ts'
import { shorter, smallerCalls } from '../check/smaller.ts'
import type { Subject } from '../check/subject.ts'
import type { Element } from '../lists/reading.ts'
import { textOf, wholeOf } from '../lists/whole-list.ts'
import type { Draw } from '../values/draw.ts'
import { missesOf } from '../values/near-misses.ts'
import { type Child, childOf, drawChild } from './children.ts'
import { hasVerb, isElsewhere, type Law, law } from './law.ts'
import { neighbourOf } from './neighbour.ts'

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
  /** Whether it is created a second time, with the same key. */
  readonly twice: boolean
}

/** An element is read as it was written. */
export const elements: Law = law<ElementCase>({
  name: 'elements',
  says: 'A created element has the values that were sent; a change alters these and nothing else; a deleted element is gone.',
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
    const drawn = drawCall(subject, call.action, draw, { ...common, bare: false })
    return drawn?.payload === undefined ? undefined : { does, call: { ...call, payload: drawn.payload } }
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
    if (isThere === 'gone') insist(count === 0, 'deleted-listed', () => 'what was just deleted is still in the list')
    else if (isThere) insist(count === 1, 'created-unlisted', () => 'what was just created is not in the list')
  }
}

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

async function removed(sent: Call, model: Model, subject: Subject): Promise<boolean> {
  const { session } = model
  const { resource, child, steps } = model.of
  const orphaned = child && (await childOf(child, model.place, session, subject))
  const { status } = await session.valid(sent)
  if (status >= 300) return false
  await model.look('gone')
  await model.listed('gone')
  await orphaned?.()
  const change = steps.find(({ does }) => does === 'update')?.call
  if (change === undefined || !hasVerb(change.action, 'PATCH')) return false
  const late = await session.valid(about(change, resource, model.place))
  insist(late.status >= 300, 'deleted-changed', () => `what was just deleted can still be changed: ${late.status}`)
  return false
}

/** Insists that what was sent is what is shown. */
function stored({ mediaType }: Resource, { action, params, payload }: Call, shown: Element, verb: string): void {
  if (typeof payload !== 'object' || payload === null || action.payload?.form !== 'structure') return
  for (const [name, value] of Object.entries(payload as Element)) {
    // The path may have the last word about what the payload names, too.
    if (Object.hasOwn(params, name)) continue
    const attribute = mediaType.attributes[name]
    const own = action.payload.attribute.core.children[name]
    if (attribute === undefined || own === undefined || !isKept(attribute) || !Object.hasOwn(shown, name)) continue
    const expected = value === null ? null : plainForm(attribute, value)
    if (expected === undefined) continue
    insist(isSame(attribute, expected, shown[name] ?? null), `${verb}-value`, () => {
      return `'${name}' was ${verb} as ${textOf(expected)}, but is ${textOf(shown[name])}`
    })
  }
}

// A time may be shown with its seconds though it was sent without them.
const isSame = (attribute: Attribute, sent: unknown, shown: unknown): boolean =>
  isKeptAs(sent, shown) || isKeptAs(canonical(attribute, sent), canonical(attribute, shown))

function canonical(attribute: Attribute, value: unknown): unknown {
  const loading = new Loading(false)
  const loaded = attribute.core.loader(value, loading)
  return loaded === INVALID || loading.issues !== null ? value : plainForm(attribute, loaded)
}

// Names of a structure come in the order of its declaration, and lists of single values may be kept as sets.
function isKeptAs(sent: unknown, shown: unknown): boolean {
  if (Array.isArray(sent) && Array.isArray(shown)) {
    if (![...sent, ...shown].some((one) => typeof one === 'object')) return setOf(sent) === setOf(shown)
    return sent.length === shown.length && sent.every((one, i) => isKeptAs(one, shown[i]))
  }
  if (typeof sent !== 'object' || sent === null || typeof shown !== 'object' || shown === null)
    return textOf(sent) === textOf(shown) || (shown === null && isEmpty(sent))
  return Object.keys(sent).every((name) => isKeptAs((sent as Element)[name], (shown as Element)[name] ?? null))
}

// A structure whose values stand in columns is none where all of them are empty.
const isEmpty = (sent: unknown): boolean =>
  typeof sent === 'object' && !Array.isArray(sent) && Object.values(sent ?? {}).every((one) => (one ?? null) === null)

const setOf = (list: readonly unknown[]): string => textOf([...new Set(list.map(textOf))].sort())

// Foreign schemas, files and related elements are the application's own to keep.
const isKept = ({ core }: Attribute): boolean =>
  core.shape !== 'open' && core.shape !== 'file' && core.shape !== 'reference' && !core.related

/** Insists that an answer shows an element as the next look at it does. */
function agrees({ body, status }: Answer, shown: Element, verb: string): void {
  if (status >= 300 || typeof body !== 'object' || body === null || Array.isArray(body)) return
  for (const [name, value] of Object.entries(body))
    if (Object.hasOwn(shown, name) && textOf(shown[name]) !== textOf(value))
      throw new Broken(
        `${verb}-answer`,
        `the answer shows '${name}' as ${textOf(value)}, but it is ${textOf(shown[name])}`,
      )
}

/** Insists that what could have been sent and was not is as it was. */
function untouched({ action, payload }: Call, before: Element, after: Element): void {
  for (const name of Object.keys(action.payload?.attribute.core.children ?? {}))
    if (
      !Object.hasOwn(payload as object, name) &&
      action.payload?.attribute.core.children[name]?.options.default === undefined
    )
      insist(textOf(before[name]) === textOf(after[name]), 'changed-other', () => {
        return `'${name}' was not sent, but has changed from ${textOf(before[name])} to ${textOf(after[name])}`
      })
}
