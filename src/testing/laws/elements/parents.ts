// The law of parents: an element is found under its own parent only.
import type { ResolvedAction } from '../../../design/resolve/resolved.ts'
import {
  type CheckedResource,
  formatKey,
  getInheritedParams,
  getKeyValue,
  hasKey,
  type KnownElement,
  withElement,
} from '../../check/checked-resource.ts'
import { findCreatedElement } from '../../check/created-element.ts'
import { drawCall, drawChange } from '../../check/draw-call.ts'
import { defineLaw, type Law } from '../../check/law.ts'
import { readElement } from '../../check/shown-elements.ts'
import { shrinkCall } from '../../check/shrink.ts'
import type { Subject } from '../../check/subject.ts'
import type { JsonElement } from '../../lists/list-reader.ts'
import { assertLaw, SkipCase } from '../../session/law-errors.ts'
import type { TestCall } from '../../session/test-call.ts'
import type { TestSession } from '../../session/test-session.ts'
import type { Draw } from '../../values/draw.ts'
import { readAllElements, toJsonText } from '../read-list.ts'
import { mapParentParams } from './children.ts'

interface ParentsCase {
  readonly resource: CheckedResource
  /** The list calls of two parents. */
  readonly own: TestCall
  readonly other: TestCall
  /** A call for an element, sent with the other parent, or one that creates an element below its own. */
  readonly reach: TestCall
}

/** Elements are found under their parents only. */
export const parentsLaw: Law = defineLaw<ParentsCase>({
  name: 'parents',
  description: 'An element that is in the list of one parent and not in that of another is not found below the other.',
  needs: 'two parents, and a list below them',
  remedy: 'fill the lists with two parents, one of which has children',
  drawCase: drawParentsCase,
  async run(one, session, subject) {
    const { resource, own, other, reach } = one
    if (reach.action === resource.create) return checkCreated(one, session, subject)
    const [ours, theirs] = [
      await readElementsByKey(resource, own, session),
      await readElementsByKey(resource, other, session),
    ]
    const [key, element] = [...ours].find(([one]) => !theirs.has(one)) ?? []
    if (key === undefined || element === undefined) throw new SkipCase('both have the same')
    const response = await session.send(
      withElement(reach, resource, { ...element, ...getInheritedParams(resource, other) }),
    )
    assertLaw(
      response.status >= 300 || !isElementShown(element, readElement(reach.action, response.body)),
      'wrong-parent',
      () => {
        return 'the element is in the list of another parent only, but is shown below this one'
      },
    )
    const after = await readElementsByKey(resource, own, session)
    assertLaw(
      after.get(key) !== undefined && toJsonText(after.get(key)) === toJsonText(element),
      'wrong-parent-changed',
      () => {
        return 'an element was changed below a parent that is not its own'
      },
    )
  },
  shrink: function* (one) {
    for (const reach of shrinkCall(one.reach)) yield { ...one, reach }
  },
})

/** Checks that a new element is in the list of its own parent only. */
async function checkCreated(
  { resource, own, other, reach }: ParentsCase,
  session: TestSession,
  subject: Subject,
): Promise<void> {
  const readTexts = async (call: TestCall): Promise<string[]> =>
    [...(await readElementsByKey(resource, call, session))].map(([key, element]) => `${key} ${toJsonText(element)}`)
  const before = new Set(await readTexts(other))
  const response = await session.sendValid(reach)
  if (response.status >= 300) throw new SkipCase('nothing was created')
  const element = findCreatedElement(subject.knownElements, resource, reach, response)
  const ours = await readElementsByKey(resource, own, session)
  const created = element && ours.get(formatKey(resource, element))
  const added = (await readTexts(other)).filter((text) => !before.has(text))
  if (element === undefined || created === undefined) throw new SkipCase('it is not in the list')
  assertLaw(!added.includes(`${formatKey(resource, element)} ${toJsonText(created)}`), 'other-parent', () => {
    return 'an element that was created below one parent is in the list of another, too'
  })
}

// An element with the same key may exist that its list does not show.
const isElementShown = (element: JsonElement, body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  Object.entries(element).every(
    ([name, value]) => toJsonText((body as JsonElement)[name] ?? null) === toJsonText(value),
  )

function drawParentsCase(subject: Subject, action: ResolvedAction, draw: Draw): ParentsCase | undefined {
  const resource = subject.getResource(action)
  if (resource?.list === undefined || resource.inherited.length === 0) return undefined
  const parents = resource.create === action ? drawParents(subject, resource, draw) : undefined
  const isCreation = parents !== undefined
  if (!isCreation && ![resource.show, ...resource.updates, resource.remove].includes(action)) return undefined
  const drawListCall = (
    parent: KnownElement | undefined,
    principal?: { readonly principal: string | undefined },
  ): TestCall | undefined =>
    drawCall(subject, (resource.list as NonNullable<CheckedResource['list']>).action, draw, {
      ...principal,
      ...(parent && { params: parent }),
      bare: true,
    })
  const own = drawListCall(parents?.[0])
  const other = own && drawListCall(parents?.[1], { principal: own.principal })
  const params = own && isCreation ? getInheritedParams(resource, own) : {}
  const bare = own && drawCall(subject, action, draw, { principal: own.principal, bare: true, params })
  // Only an effective change can go wrong.
  const reach = isCreation || bare?.payload === undefined ? bare : (drawChange(bare, subject, draw) ?? bare)
  if (own === undefined || other === undefined || reach === undefined) return undefined
  // A param from a URL is a text, and one from a list may be a number.
  const [ours, theirs] = [own, other].map((call) =>
    Object.values(getInheritedParams(resource, call)).map((value) => String(value)),
  )
  return toJsonText(ours) === toJsonText(theirs) ? undefined : { resource, own, other, reach }
}

/** Draws the params of two parents that exist: a list below anything else may have everything. */
function drawParents(
  subject: Subject,
  child: CheckedResource,
  draw: Draw,
): readonly [KnownElement, KnownElement] | undefined {
  const parent = subject.index.getParent(child)
  if (parent === undefined) return undefined
  const known = subject.knownElements.list(parent)
  const [own, other] = [draw.pick(known), draw.pick(known)]
  if (own === undefined || other === undefined || own === other) return undefined
  const toParams = (element: KnownElement): KnownElement =>
    Object.fromEntries(
      mapParentParams(child, parent).map(([name, theirs]) => [name, getKeyValue(parent, element, theirs)]),
    )
  return [toParams(own), toParams(other)]
}

/** Reads the elements of a list, keyed by their keys. */
async function readElementsByKey(
  resource: CheckedResource,
  call: TestCall,
  session: TestSession,
): Promise<Map<string, JsonElement>> {
  const all = await readAllElements(resource.list as NonNullable<CheckedResource['list']>, call, session)
  if (!all.every((element) => hasKey(resource, element))) throw new SkipCase('no key is shown')
  return new Map(all.map((element) => [formatKey(resource, element), element]))
}
