// The law of parents: an element is found under its own parent only.
import type { ResolvedAction } from '../../../design/resolve/resolved.ts'
import { type CheckedResource, withElement } from '../../check/checked-resource.ts'
import { drawCall, drawChange } from '../../check/draw-call.ts'
import { defineLaw, type Law } from '../../check/law.ts'
import { shrinkCall } from '../../check/shrink.ts'
import type { Subject } from '../../check/subject.ts'
import type { JsonElement } from '../../lists/list-reader.ts'
import { assertLaw, SkipCase } from '../../session/law-errors.ts'
import type { TestCall } from '../../session/test-call.ts'
import type { TestSession } from '../../session/test-session.ts'
import type { Draw } from '../../values/draw.ts'
import { readAllElements, toJsonText } from '../read-list.ts'

interface ParentsCase {
  readonly resource: CheckedResource
  /** The list calls of two parents. */
  readonly own: TestCall
  readonly other: TestCall
  /** A call for an element, sent with the other parent. */
  readonly reach: TestCall
}

/** Elements are found under their parents only. */
export const parentsLaw: Law = defineLaw<ParentsCase>({
  name: 'parents',
  description: 'An element that is in the list of one parent and not in that of another is not found below the other.',
  drawCase: drawParentsCase,
  async run({ resource, own, other, reach }, session) {
    const [ours, theirs] = [
      await readElementsByKey(resource, own, session),
      await readElementsByKey(resource, other, session),
    ]
    const [key, element] = [...ours].find(([one]) => !theirs.has(one)) ?? []
    if (key === undefined || element === undefined) throw new SkipCase('both have the same')
    const response = await session.send(
      withElement(reach, resource, { ...element, ...getInheritedParams(resource, other) }),
    )
    assertLaw(response.status >= 300 || !isElementShown(element, response.body), 'wrong-parent', () => {
      return 'the element is in the list of another parent only, but is shown below this one'
    })
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

// An element with the same key may exist that its list does not show.
const isElementShown = (element: JsonElement, body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  Object.entries(element).every(
    ([name, value]) => toJsonText((body as JsonElement)[name] ?? null) === toJsonText(value),
  )

const getInheritedParams = ({ inherited }: CheckedResource, { params }: TestCall): JsonElement =>
  Object.fromEntries(inherited.map((name) => [name, params[name]]))

function drawParentsCase(subject: Subject, action: ResolvedAction, draw: Draw): ParentsCase | undefined {
  const resource = subject.getResource(action)
  const isElements = resource && [resource.show, resource.update, resource.remove].includes(action)
  if (resource?.list === undefined || !isElements || resource.inherited.length === 0) return undefined
  const drawListCall = (principal?: { readonly principal: string | undefined }): TestCall | undefined =>
    drawCall(subject, (resource.list as NonNullable<CheckedResource['list']>).action, draw, {
      ...principal,
      bare: true,
    })
  const own = drawListCall()
  const other = own && drawListCall({ principal: own.principal })
  const bare = own && drawCall(subject, action, draw, { principal: own.principal, bare: true })
  // Only an effective change can go wrong.
  const reach = bare?.payload === undefined ? bare : (drawChange(bare, subject, draw) ?? bare)
  if (own === undefined || other === undefined || reach === undefined) return undefined
  return toJsonText(getInheritedParams(resource, own)) === toJsonText(getInheritedParams(resource, other))
    ? undefined
    : { resource, own, other, reach }
}

/** Reads the elements of a list, keyed by their keys. */
async function readElementsByKey(
  { list, key }: CheckedResource,
  call: TestCall,
  session: TestSession,
): Promise<Map<string, JsonElement>> {
  const all = await readAllElements(list as NonNullable<CheckedResource['list']>, call, session)
  if (!all.every((element) => key.every((name) => element[name] !== undefined))) throw new SkipCase('no key is shown')
  return new Map(all.map((element) => [toJsonText(key.map((name) => element[name])), element]))
}
