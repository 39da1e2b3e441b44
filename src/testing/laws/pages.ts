// The law of pages: together they are the list, and every link leads to its elements.
import type { OrderTerm } from '../../plugins/mapper/extend.ts'
import { defineLaw, type Law } from '../check/law.ts'
import { shrinkCall } from '../check/shrink.ts'
import type { CheckedFilters, CheckedList, CheckedOrder, CheckedPages } from '../lists/checked-list.ts'
import {
  createFieldValueSource,
  drawCondition,
  drawOrder,
  drawPart,
  type ListPart,
  withPart,
} from '../lists/draw-list-params.ts'
import { getElementValue } from '../lists/element-values.ts'
import type { JsonElement, LinkRelation } from '../lists/list-reader.ts'
import { assertLaw, SkipCase } from '../session/law-errors.ts'
import type { TestCall } from '../session/test-call.ts'
import type { TestSession } from '../session/test-session.ts'
import { Draw } from '../values/draw.ts'
import { drawListCase, type ListCase, withParam } from './list-laws.ts'
import {
  assertSameElements,
  isFieldShown,
  readAllElements,
  readPageElements,
  readPages,
  toJsonText,
} from './read-list.ts'

interface PagesCase extends ListCase {
  readonly part: ListPart
  readonly order?: readonly OrderTerm[] | undefined
  /** The part from which links are followed: any part, or one that begins after the value of an element. */
  readonly start: ListPart
  readonly after?: number | undefined
  /** The seed for drawing a filter from the values of elements; undefined for no filter. */
  readonly filter?: number | undefined
  /** Whether the list is also read without params. */
  readonly plain: boolean
}

/** Pages partition a list. */
export const pagesLaw: Law = defineLaw<PagesCase>({
  name: 'pages',
  description:
    'The pages of a list together are the list: no element is lost or shown twice, and every link leads to elements.',
  needs: 'a list with pages',
  remedy: 'declare the pages of lists',
  drawCase(subject, action, draw) {
    const base = drawListCase(subject, action, draw)
    const pages = base?.listed.pages
    const part = pages && drawPart(pages, draw, { first: true })
    if (base === undefined || pages === undefined || part === undefined) return undefined
    const { order } = base.listed
    const isOrdered = order !== undefined && part.by === undefined && draw.chance(50)
    return {
      ...base,
      part,
      order: isOrdered ? drawOrder(order, draw) : undefined,
      start: drawPart(pages, draw, { ordered: isOrdered }) ?? part,
      after: draw.chance(50) ? draw.integerBelow(100) : undefined,
      filter: base.listed.filters && draw.chance(40) ? draw.integerBelow(2 ** 31) : undefined,
      plain: draw.chance(30),
    }
  },
  async run({ listed, call: bareCall, part, order, start, after, filter, plain }, session) {
    const pages = listed.pages as CheckedPages
    const filtered = filter === undefined ? bareCall : await withDrawnFilter(listed, bareCall, filter, session)
    const call = order === undefined ? filtered : withParam(filtered, (listed.order as CheckedOrder).path, order)
    const allElements = await readAllElements(listed, call, session)
    const withListPart = (one: ListPart): TestCall => ({
      ...call,
      params: withPart(call.params, pages, { ...one, count: true }),
    })
    const parts = await readPages(listed, withListPart(part), session)
    if (!listed.reader.hasLinks && parts.length > 1 && parts.at(-1)?.length === 0) parts.pop()
    if (pages.hasSize) checkPageSizes(parts, part.items)
    assertSameElements(parts.flat(), allElements, 'partition', `the pages of ${part.items} together are not the list`)
    if (part.by === undefined)
      assertLaw(
        toJsonText(parts.flat()) === toJsonText(allElements),
        'page-order',
        () => 'the pages have another order than the list',
      )
    await checkFirstPage(listed, withListPart(part), { parts, allElements }, session)
    await followLinks(listed, withListPart(startAfterValue(start, after, allElements, listed)), allElements, session)
    if (plain) await checkDefaultPages(listed, call, allElements, session)
  },
  shrink: function* (one) {
    for (const call of shrinkCall(one.call)) yield { ...one, call }
    if (one.plain) yield { ...one, plain: false }
    if (one.filter !== undefined) yield { ...one, filter: undefined }
    if (one.order !== undefined) yield { ...one, order: undefined }
    if (one.after !== undefined) yield { ...one, after: undefined }
    if (one.start !== one.part) yield { ...one, start: one.part, after: undefined }
    if (one.part.items > 1) yield { ...one, part: { ...one.part, items: one.part.items - 1 } }
  },
})

function checkPageSizes(parts: readonly (readonly JsonElement[])[], items: number): void {
  for (const [i, part] of parts.entries()) {
    assertLaw(part.length <= items, 'page-size', () => `a page of ${items} has ${part.length} elements`)
    const isLast = i === parts.length - 1
    assertLaw(isLast || part.length === items, 'page-short', () => {
      return `page ${i + 1} has ${part.length} of ${items} elements, though others follow`
    })
  }
}

/** Returns the list call with a condition that some of its elements meet. */
async function withDrawnFilter(
  listed: CheckedList,
  call: TestCall,
  seed: number,
  session: TestSession,
): Promise<TestCall> {
  const filters = listed.filters as CheckedFilters
  const draw = new Draw(seed)
  const condition = drawCondition(
    filters,
    draw,
    createFieldValueSource(await readAllElements(listed, call, session), draw),
  )
  const value = condition && filters.toParamValue(condition)
  if (value === undefined) throw new SkipCase('no condition is known')
  return withParam(call, filters.path, value)
}

// Without a size param, pages have the default size of the list.
async function checkDefaultPages(
  listed: CheckedList,
  call: TestCall,
  allElements: readonly JsonElement[],
  session: TestSession,
): Promise<void> {
  const elements = listed.reader.hasLinks
    ? (await readPages(listed, call, session)).flat()
    : readPageElements(listed, await session.sendValid(call))
  const expected = listed.reader.hasLinks ? allElements : allElements.slice(0, elements.length)
  assertSameElements(elements, expected, 'plain-pages', 'the pages without a size together are not the list')
  const { isSingleParam, modes } = listed.pages as CheckedPages
  // A list without page numbers was read in its cursor order.
  if (isSingleParam && !modes.includes('page')) return
  assertLaw(
    toJsonText(elements) === toJsonText(expected),
    'plain-order',
    () => 'the pages without a size have another order',
  )
}

interface WalkedPages {
  readonly parts: readonly (readonly JsonElement[])[]
  readonly allElements: readonly JsonElement[]
}

async function checkFirstPage(
  listed: CheckedList,
  call: TestCall,
  { parts, allElements }: WalkedPages,
  session: TestSession,
): Promise<void> {
  const { reader: reading } = listed
  const first = await session.sendValid(call)
  const total = reading.readTotal(first)
  if (total !== undefined)
    assertLaw(
      total === allElements.length,
      'total',
      () => `the total is ${total}, but the list has ${allElements.length} elements`,
    )
  const next = reading.findLink('next', first, call)
  if (reading.hasLinks)
    assertLaw((next !== undefined) === parts.length > 1, 'next', () => 'the link next does not lead to the next page')
  if (next === undefined) return
  const second = await session.send({ ...call, link: next })
  const back = reading.findLink('prev', second, call)
  if (back === undefined) return
  const before = readPageElements(listed, await session.send({ ...call, link: back }))
  assertLaw(
    toJsonText(before) === toJsonText(parts[0]),
    'prev',
    () => 'the link prev of the second page does not lead to the first one',
  )
}

/** Returns a part that begins after the value of an element. */
function startAfterValue(
  start: ListPart,
  after: number | undefined,
  allElements: readonly JsonElement[],
  { shown }: CheckedList,
): ListPart {
  if (after === undefined || start.by === undefined || allElements.length === 0 || !isFieldShown(start.by, shown))
    return start
  const value = getElementValue(allElements[after % allElements.length], start.by)
  return value === null || value === undefined ? start : { ...start, from: String(value) }
}

const LINK_RELATIONS: readonly LinkRelation[] = ['first', 'prev', 'next', 'last']

/** The maximum number of links followed from one part. */
const MAX_LINKS = 12

async function followLinks(
  listed: CheckedList,
  call: TestCall,
  allElements: readonly JsonElement[],
  session: TestSession,
): Promise<void> {
  const { reader: reading } = listed
  if (!reading.hasLinks) return
  const found = new Map<string, LinkRelation>()
  let response = await session.sendValid(call)
  readPageElements(listed, response)
  const addLinks = (): void => {
    for (const relation of LINK_RELATIONS) {
      const address = reading.findLink(relation, response, call)
      if (address !== undefined && found.size < MAX_LINKS && !found.has(address)) found.set(address, relation)
    }
  }
  addLinks()
  for (const [address, relation] of found) {
    response = await session.send({ ...call, link: address })
    const isEmpty = readPageElements(listed, response).length === 0
    assertLaw(!isEmpty || allElements.length === 0, 'link-empty', () => {
      return `the link ${relation} leads to a page without elements, though the list has ${allElements.length}`
    })
    addLinks()
  }
}
