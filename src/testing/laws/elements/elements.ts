// The law of elements: a model tracks what was created, changed and deleted, and compares it with the application.
import type { ResolvedAction } from '../../../design/resolve/resolved.ts'
import type { KnownElement } from '../../check/checked-resource.ts'
import {
  type CheckedResource,
  formatKey,
  getInheritedParams,
  getKeyParams,
  hasKey,
  isSameElement,
  withElement,
} from '../../check/checked-resource.ts'
import { findCreatedElement } from '../../check/created-element.ts'
import { drawCall, drawChange } from '../../check/draw-call.ts'
import { defineLaw, isAccessDenied, type Law } from '../../check/law.ts'
import { readElement, readSentValues } from '../../check/shown-elements.ts'
import { shrinkCall, shrinkList } from '../../check/shrink.ts'
import type { Subject } from '../../check/subject.ts'
import type { JsonElement } from '../../lists/list-reader.ts'
import { assertLaw, SkipCase } from '../../session/law-errors.ts'
import type { TestCall } from '../../session/test-call.ts'
import { hasVerb } from '../../session/test-call.ts'
import type { TestSession } from '../../session/test-session.ts'
import type { Draw } from '../../values/draw.ts'
import { replaceTokens } from '../../values/jwt.ts'
import { drawNearMisses } from '../../values/near-misses.ts'
import { readAllElements, toJsonText } from '../read-list.ts'
import { findSiblingLists, readListRows } from '../sibling-lists.ts'
import { type ChildCase, drawChild, trackChild } from './children.ts'
import { trackNeighbour } from './neighbour.ts'
import { checkAgreement, checkStoredValues, checkUntouched } from './stored-values.ts'

interface ElementStep {
  readonly does: 'update' | 'remove' | 'miss'
  readonly call: TestCall
}

interface ElementCase {
  readonly resource: CheckedResource
  /** The call that creates the element; undefined for one that exists already. */
  readonly create: TestCall | undefined
  /** Whether only required inputs were sent, so that no input can make the application hide the element. */
  readonly bare: boolean
  readonly show: TestCall | undefined
  readonly list: TestCall | undefined
  readonly steps: readonly ElementStep[]
  /** The child that is created before the element is deleted. */
  readonly child: ChildCase | undefined
  /** Another list that may contain the element: an export, a search. */
  readonly elsewhere: TestCall | undefined
  /** Whether the element is created a second time with the same key. */
  readonly twice: boolean
}

/** An element is read as it was written. */
export const elementsLaw: Law = defineLaw<ElementCase>({
  name: 'elements',
  description:
    'A created element has the values that were sent; a change alters these and nothing else; a deleted element is gone.',
  needs: 'an action that creates or changes elements, and one that shows or lists them',
  remedy: 'set `principals` to clients that may create elements, or `known` to the keys of elements',
  casesPerRound: 4,
  drawCase: drawElementCase,
  async run(one, session, subject) {
    const { resource, create, show, steps } = one
    const first = create ?? show
    const source =
      create && show && steps.length > 0 ? { resource, show, parent: getInheritedParams(resource, create) } : undefined
    const neighbour = source && (await trackNeighbour(source, session, subject))
    const model =
      create === undefined
        ? new ElementModel(one, (first as TestCall).params, session)
        : await createElement(one, create, session, subject)
    if (create === undefined && (await model.checkShown('perhaps')) === undefined) throw new SkipCase('it is not there')
    for (const step of steps) if (!(await runStep(step, model, subject))) break
    await neighbour?.()
  },
  shrink: function* (one) {
    for (const steps of shrinkList(one.steps, shrinkStep)) yield { ...one, steps }
    for (const create of one.create === undefined ? [] : shrinkCall(one.create)) yield { ...one, create }
    if (one.twice) yield { ...one, twice: false }
    if (one.child !== undefined) yield { ...one, child: undefined }
    if (one.list !== undefined) yield { ...one, list: undefined }
    if (one.elsewhere !== undefined) yield { ...one, elsewhere: undefined }
  },
})

function* shrinkStep(step: ElementStep): Generator<ElementStep> {
  for (const call of shrinkCall(step.call)) yield { ...step, call }
}

/** Creates the element, and checks that it is there as it was sent. */
async function createElement(
  one: ElementCase,
  create: TestCall,
  session: TestSession,
  subject: Subject,
): Promise<ElementModel> {
  const { resource, bare } = one
  const response = await session.sendValid(create)
  if (response.status >= 300) throw new SkipCase('nothing was created')
  const element = findCreatedElement(subject.knownElements, resource, create, response)
  if (element === undefined) throw new SkipCase('the response does not say where it is')
  const model = new ElementModel(one, element, session)
  const shown = await model.checkShown(bare ? 'there' : 'perhaps')
  if (shown === undefined && one.show !== undefined) throw new SkipCase('it is not shown to everybody')
  if (shown !== undefined) {
    checkStoredValues(resource, create, shown, 'created')
    checkAgreement(resource, create.action, response, shown)
  }
  await model.checkListed(bare ? 'there' : 'perhaps')
  if (one.twice) {
    await session.sendValid(create)
    await model.checkListed('perhaps')
  }
  return model
}

function drawElementCase(subject: Subject, action: ResolvedAction, draw: Draw): ElementCase | undefined {
  const resource = subject.getResource(action)
  if (resource === undefined || (resource.show === undefined && resource.list === undefined)) return undefined
  if (resource.create === action) return drawCreationCase(subject, resource, action, draw)
  // An element that cannot be created here is taken as it is.
  const isFirst = (resource.updates[0] ?? resource.remove) === action
  return isFirst && resource.create === undefined && resource.show !== undefined
    ? drawExistingCase(subject, resource, resource.show, draw)
    : undefined
}

function drawExistingCase(
  subject: Subject,
  resource: CheckedResource,
  showAction: ResolvedAction,
  draw: Draw,
): ElementCase | undefined {
  const show = drawCall(subject, showAction, draw, { bare: true })
  if (show === undefined) return undefined
  const names = [...resource.inherited, ...resource.key]
  const params = Object.fromEntries(names.map((name) => [name, show.params[name]]))
  const common = { principal: show.principal, bare: true, params }
  const list =
    resource.list &&
    drawCall(subject, resource.list.action, draw, { ...common, params: getInheritedParams(resource, show) })
  const steps = Array.from({ length: 1 + draw.integerBelow(2) }, () => drawStep(subject, resource, draw, common))
  const kept = steps.filter((one) => one !== undefined)
  if (kept.length === 0) return undefined
  const none = { create: undefined, child: undefined, elsewhere: undefined }
  return { resource, bare: false, show, list, steps: kept, twice: false, ...none }
}

function drawCreationCase(
  subject: Subject,
  resource: CheckedResource,
  action: ResolvedAction,
  draw: Draw,
): ElementCase | undefined {
  const bare = draw.chance(40)
  const create = drawCall(subject, action, draw, { bare: true })
  if (create === undefined) return undefined
  // Params may change the behaviour of an action; only the payload varies.
  const full =
    bare || action.payload === undefined ? undefined : drawCall(subject, action, draw, { principal: create.principal })
  const common = { principal: create.principal, bare: true, params: getInheritedParams(resource, create) }
  const draftCall = (one: ResolvedAction | undefined): TestCall | undefined =>
    one && drawCall(subject, one, draw, common)
  const steps = Array.from({ length: draw.integerBelow(4) }, () => drawStep(subject, resource, draw, common)).filter(
    (one) => one !== undefined,
  )
  return {
    resource,
    create: full?.payload === undefined ? create : { ...create, payload: full.payload },
    bare: full?.payload === undefined,
    show: draftCall(resource.show),
    list: draftCall(resource.list?.action),
    elsewhere: draftCall(draw.pick(findSiblingLists(subject, resource))),
    steps,
    child: draw.chance(50) ? drawChild(subject, resource, draw, common) : undefined,
    twice: draw.chance(30) && isKeySent(resource, create),
  }
}

const isKeySent = (resource: CheckedResource, create: TestCall): boolean =>
  hasKey(resource, readSentValues(create, resource.mediaType)?.values ?? {})

type StepOptions = { readonly principal: string | undefined; readonly bare: boolean; readonly params: KnownElement }

function drawStep(
  subject: Subject,
  resource: CheckedResource,
  draw: Draw,
  common: StepOptions,
): ElementStep | undefined {
  const does = draw.pick(['update', 'update', 'remove', 'miss'] as const) as ElementStep['does']
  const action = does === 'remove' ? resource.remove : draw.pick(resource.updates)
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
    drawNearMisses(payload.attribute, draw).filter(({ rule, pointer }) => rule !== 'unknown' && pointer !== ''),
  )
  return found && { does, call: { ...call, body: { json: found.value } } }
}

/** The last known state of one element. */
class ElementModel {
  readonly testCase: ElementCase
  element: KnownElement
  readonly session: TestSession
  lastShown: JsonElement | undefined
  /** The other elements of the list when it was last read. */
  #otherElements: readonly JsonElement[] = []

  constructor(testCase: ElementCase, element: KnownElement, session: TestSession) {
    this.testCase = testCase
    this.element = element
    this.session = session
  }

  /** Reads the element; returns undefined when it is not shown. */
  async checkShown(expectation: 'there' | 'perhaps' | 'gone'): Promise<JsonElement | undefined> {
    const { show, list, resource } = this.testCase
    if (show === undefined) {
      this.lastShown = list && (await this.#findListed(list))
      return this.lastShown
    }
    const response = await this.session.sendValid(withElement(show, resource, this.element))
    if (isAccessDenied(response.status)) throw new SkipCase('it is shown to others only')
    const isThere = response.status < 300
    if (expectation === 'there')
      assertLaw(isThere, 'created-missing', () => `what was just created is not there: ${response.status}`)
    if (expectation === 'gone') assertLaw(!isThere, 'deleted-there', () => 'what was just deleted is still there')
    this.lastShown = isThere ? readElement(show.action, response.body) : undefined
    return this.lastShown
  }

  async #findListed(call: TestCall): Promise<JsonElement | undefined> {
    const { resource } = this.testCase
    if (resource.list === undefined) return undefined
    const all = await readAllElements(resource.list, call, this.session)
    return all.find((element) => isSameElement(resource, element, this.element))
  }

  /** Follows an element whose key was changed, as a slug is with its title. */
  followKey(shown: JsonElement | undefined): void {
    const { resource } = this.testCase
    if (shown !== undefined && hasKey(resource, shown))
      this.element = { ...this.element, ...getKeyParams(resource, shown) }
  }

  /** Checks that the list contains the element once, or not at all. */
  async checkListed(expectation: 'there' | 'perhaps' | 'gone'): Promise<void> {
    const { list, resource } = this.testCase
    if (list === undefined || resource.list === undefined) return
    const elements = await readAllElements(resource.list, list, this.session)
    const found = elements.map((element) => isSameElement(resource, element, this.element))
    if (found.includes(undefined)) return
    const count = found.filter(Boolean).length
    assertLaw(count < 2, 'listed-twice', () => `the element is ${count} times in the list`)
    const others = elements.filter((_, i) => found[i] === false)
    if (expectation === 'gone') this.#assertOthersKept(others)
    this.#otherElements = others
    if (expectation === 'gone')
      assertLaw(count === 0, 'deleted-listed', () => 'what was just deleted is still in the list')
    else if (expectation === 'there')
      assertLaw(count === 1, 'created-unlisted', () => 'what was just created is not in the list')
  }

  #assertOthersKept(remaining: readonly JsonElement[]): void {
    const { resource } = this.testCase
    const keys = new Set(remaining.map((one) => formatKey(resource, one)))
    const lost = this.#otherElements.find((one) => !keys.has(formatKey(resource, one)))
    assertLaw(
      lost === undefined,
      'other-deleted',
      () => `another element is gone from the list, too: ${toJsonText(lost)}`,
    )
  }
}

async function runStep({ does, call }: ElementStep, model: ElementModel, subject: Subject): Promise<boolean> {
  const { testCase: one, session } = model
  const before = model.lastShown
  const targeted = withElement(call, one.resource, model.element)
  if (does === 'remove') return runRemoval(targeted, model, subject)
  const response = await session.send(targeted, does === 'miss' ? 'unknown' : 'valid')
  if (does === 'update' && response.status < 300) model.followKey(readElement(call.action, response.body))
  const after = await model.checkShown(does === 'miss' && before !== undefined ? 'there' : 'perhaps')
  if (does === 'miss' || response.status >= 400) {
    assertLaw(response.status >= 400 || does !== 'miss', 'accepted', () => 'a change that breaks a rule is accepted')
    assertLaw(
      replaceTokens(toJsonText(after) ?? '') === replaceTokens(toJsonText(before) ?? ''),
      'refused-changed',
      () => 'a change that was refused has changed the element',
    )
    return true
  }
  if (before === undefined || after === undefined || response.status >= 300) return false
  checkStoredValues(one.resource, targeted, after, 'changed')
  checkAgreement(one.resource, call.action, response, after)
  if (hasVerb(call.action, 'PATCH')) checkUntouched(one.resource, targeted, { before, after })
  return true
}

/** Finds the element in another list; the returned function checks that the list no longer shows it in the same state. */
async function trackListedElement(
  call: TestCall,
  { testCase, element, session }: ElementModel,
  subject: Subject,
): Promise<() => Promise<void>> {
  const find = async (): Promise<JsonElement | undefined> =>
    (await readListRows(call, session, subject)).find((one) => isSameElement(testCase.resource, one, element))
  const before = await find()
  return async () => {
    // A list of deleted elements or of changes may show another state of the element.
    const after = before && (await find())
    assertLaw(after === undefined || toJsonText(after) !== toJsonText(before), 'deleted-elsewhere', () => {
      return `what was just deleted is still in ${call.action.name}: ${toJsonText(after)}`
    })
  }
}

async function runRemoval(sent: TestCall, model: ElementModel, subject: Subject): Promise<boolean> {
  const { session } = model
  const { resource, child, steps, elsewhere } = model.testCase
  const checkListed = elsewhere && (await trackListedElement(elsewhere, model, subject))
  const checkOrphan = child && (await trackChild(child, model.element, session, subject))
  const { status } = await session.sendValid(sent)
  if (status >= 300) return false
  await model.checkShown('gone')
  await model.checkListed('gone')
  await checkListed?.()
  await checkOrphan?.()
  const change = steps.find(({ does }) => does === 'update')?.call
  if (change === undefined || !hasVerb(change.action, 'PATCH')) return false
  const late = await session.sendValid(withElement(change, resource, model.element))
  assertLaw(late.status >= 300, 'deleted-changed', () => `what was just deleted can still be changed: ${late.status}`)
  return false
}
