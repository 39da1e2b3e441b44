// The law of pages: together they are the list, and every link leads to elements of it.
import type { OrderTerm } from '../../plugins/query/order-terms.ts'
import { assertLaw, SkipCase } from '../session/law-errors.ts'
import type { TestCall } from '../session/test-call.ts'
import type { TestSession } from '../session/test-session.ts'
import { shrinkCall } from '../check/shrink.ts'
import { drawCondition, drawOrder, drawPart, createFieldValueSource, type ListPart, withPart } from '../lists/draw-list-params.ts'
import type { CheckedFilters, CheckedList, CheckedOrder, CheckedPages } from '../lists/checked-list.ts'
import type { JsonElement, LinkRelation } from '../lists/list-reader.ts'
import { getElementValue } from '../lists/element-values.ts'
import { readPageElements, assertSameElements, isFieldShown, readPages, toJsonText, readAllElements } from './read-list.ts'
import { Draw } from '../values/draw.ts'
import { type Law, defineLaw } from '../check/law.ts'
import { drawListCase, type ListCase, withParam } from './list-laws.ts'

interface PagesCase extends ListCase {
  readonly part: ListPart
  readonly order?: readonly OrderTerm[] | undefined
  /** Where links are followed from: any part, or one that begins after a value of an element. */
  readonly start: ListPart
  readonly after?: number | undefined
  /** How a filter is chosen among the values that elements have; undefined for none. */
  readonly filter?: number | undefined
  /** Whether the list is also read without any params. */
  readonly plain: boolean
}

/** Pages divide a list. */
export const pagesLaw: Law = defineLaw<PagesCase>({
  name: 'pages',
  description: 'The pages of a list together are the list: no element is lost or shown twice, and every link leads to elements.',
  drawCase(subject, action, draw) {
    const base = drawListCase(subject, action, draw)
    const divided = base?.listed.pages
    const part = divided && drawPart(divided, draw, { first: true })
    if (base === undefined || divided === undefined || part === undefined) return undefined
    const { order } = base.listed
    const isOrdered = order !== undefined && part.by === undefined && draw.chance(50)
    return {
      ...base,
      part,
      order: isOrdered ? drawOrder(order, draw) : undefined,
      start: drawPart(divided, draw, { ordered: isOrdered }) ?? part,
      after: draw.chance(50) ? draw.integerBelow(100) : undefined,
      filter: base.listed.filters && draw.chance(40) ? draw.integerBelow(2 ** 31) : undefined,
      plain: draw.chance(30),
    }
  },
  async run({ listed, call: bare, part, order, start, after, filter, plain }, session) {
    const divided = listed.pages as CheckedPages
    const found = filter === undefined ? bare : await withDrawnFilter(listed, bare, filter, session)
    const call = order === undefined ? found : withParam(found, (listed.order as CheckedOrder).path, order)
    const whole = await readAllElements(listed, call, session)
    const asking = (one: ListPart): TestCall => ({ ...call, params: withPart(call.params, divided, { ...one, count: true }) })
    const parts = await readPages(listed, asking(part), session)
    if (!listed.reading.hasLinks && parts.length > 1 && parts.at(-1)?.length === 0) parts.pop()
    checkPageSizes(parts, part.items)
    assertSameElements(parts.flat(), whole, 'partition', `the pages of ${part.items} together are not the list`)
    if (part.by === undefined)
      assertLaw(toJsonText(parts.flat()) === toJsonText(whole), 'page-order', () => 'the pages have another order than the list')
    await checkFirstPage(listed, asking(part), { parts, whole }, session)
    await followLinks(listed, asking(startAfterValue(start, after, whole, listed)), whole, session)
    if (plain) await checkDefaultPages(listed, call, whole, session)
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

/** The same list with a condition that some of its elements meet. */
async function withDrawnFilter(listed: CheckedList, call: TestCall, seed: number, session: TestSession): Promise<TestCall> {
  const filters = listed.filters as CheckedFilters
  const draw = new Draw(seed)
  const condition = drawCondition(filters, draw, createFieldValueSource(await readAllElements(listed, call, session), draw))
  const value = condition && filters.toParamValue(condition)
  if (value === undefined) throw new SkipCase('no condition is known')
  return withParam(call, filters.path, value)
}

// Without a size, pages have the one that the list gives them.
async function checkDefaultPages(listed: CheckedList, call: TestCall, whole: readonly JsonElement[], session: TestSession): Promise<void> {
  const all = listed.reading.hasLinks
    ? (await readPages(listed, call, session)).flat()
    : readPageElements(listed, await session.sendValid(call))
  const expected = listed.reading.hasLinks ? whole : whole.slice(0, all.length)
  assertSameElements(all, expected, 'plain-pages', 'the pages without a size together are not the list')
  const { isSingleParam: own, modes } = listed.pages as CheckedPages
  // A list without page numbers was read in an order of its own.
  if (own && !modes.includes('page')) return
  assertLaw(toJsonText(all) === toJsonText(expected), 'plain-order', () => 'the pages without a size have another order')
}

interface WalkedPages {
  readonly parts: readonly (readonly JsonElement[])[]
  readonly whole: readonly JsonElement[]
}

async function checkFirstPage(listed: CheckedList, call: TestCall, { parts, whole }: WalkedPages, session: TestSession): Promise<void> {
  const { reading } = listed
  const first = await session.sendValid(call)
  const total = reading.readTotal(first)
  if (total !== undefined)
    assertLaw(total === whole.length, 'total', () => `the total is ${total}, but the list has ${whole.length} elements`)
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

/** A part that begins after a value that some element has. */
function startAfterValue(start: ListPart, after: number | undefined, whole: readonly JsonElement[], { shown }: CheckedList): ListPart {
  if (after === undefined || start.by === undefined || whole.length === 0 || !isFieldShown(start.by, shown)) return start
  const value = getElementValue(whole[after % whole.length], start.by)
  return value === null || value === undefined ? start : { ...start, from: String(value) }
}

const LINK_RELATIONS: readonly LinkRelation[] = ['first', 'prev', 'next', 'last']

/** The most addresses that are followed from one part. */
const MAX_LINKS = 12

async function followLinks(listed: CheckedList, call: TestCall, whole: readonly JsonElement[], session: TestSession): Promise<void> {
  const { reading } = listed
  if (!reading.hasLinks) return
  const found = new Map<string, LinkRelation>()
  let answer = await session.sendValid(call)
  readPageElements(listed, answer)
  const learn = (): void => {
    for (const relation of LINK_RELATIONS) {
      const address = reading.findLink(relation, answer, call)
      if (address !== undefined && found.size < MAX_LINKS && !found.has(address)) found.set(address, relation)
    }
  }
  learn()
  for (const [address, relation] of found) {
    answer = await session.send({ ...call, link: address })
    const isEmpty = readPageElements(listed, answer).length === 0
    assertLaw(!isEmpty || whole.length === 0, 'link-empty', () => {
      return `the link ${relation} leads to a page without elements, though the list has ${whole.length}`
    })
    learn()
  }
}
