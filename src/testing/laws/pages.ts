// The law of pages: together they are the list, and every link leads to elements of it.
import type { OrderTerm } from '../../plugins/lists/plan/order.ts'
import { insist, Void } from '../check/broken.ts'
import type { Call } from '../check/call.ts'
import type { Session } from '../check/session.ts'
import { smallerCalls } from '../check/smaller.ts'
import { drawCondition, drawOrder, drawPart, knownIn, type Part, withPart } from '../lists/draw-list.ts'
import type { Filters, Listed, Order, Pages } from '../lists/listed.ts'
import type { Element, Relation } from '../lists/reading.ts'
import { valueAt } from '../lists/values-at.ts'
import { elementsIn, insistSame, isShown, pagesFrom, textOf, wholeOf } from '../lists/whole-list.ts'
import { Draw } from '../values/draw.ts'
import { type Law, law } from './law.ts'
import { drawList, type ListCase, withParam } from './lists.ts'

interface PagesCase extends ListCase {
  readonly part: Part
  readonly order?: readonly OrderTerm[] | undefined
  /** Where links are followed from: any part, or one that begins after a value of an element. */
  readonly start: Part
  readonly after?: number | undefined
  /** How a filter is chosen among the values that elements have; undefined for none. */
  readonly filter?: number | undefined
  /** Whether the list is also read without any params. */
  readonly plain: boolean
}

/** Pages divide a list. */
export const pages: Law = law<PagesCase>({
  name: 'pages',
  says: 'The pages of a list together are the list: no element is lost or shown twice, and every link leads to elements.',
  draw(subject, action, draw) {
    const base = drawList(subject, action, draw)
    const divided = base?.listed.pages
    const part = divided && drawPart(divided, draw, { first: true })
    if (base === undefined || divided === undefined || part === undefined) return undefined
    const { order } = base.listed
    const isOrdered = order !== undefined && part.by === undefined && draw.percent(50)
    return {
      ...base,
      part,
      order: isOrdered ? drawOrder(order, draw) : undefined,
      start: drawPart(divided, draw, { ordered: isOrdered }) ?? part,
      after: draw.percent(50) ? draw.below(100) : undefined,
      filter: base.listed.filters && draw.percent(40) ? draw.below(2 ** 31) : undefined,
      plain: draw.percent(30),
    }
  },
  async run({ listed, call: bare, part, order, start, after, filter, plain }, session) {
    const divided = listed.pages as Pages
    const found = filter === undefined ? bare : await filtered(listed, bare, filter, session)
    const call = order === undefined ? found : withParam(found, (listed.order as Order).path, order)
    const whole = await wholeOf(listed, call, session)
    const asking = (one: Part): Call => ({ ...call, params: withPart(call.params, divided, { ...one, count: true }) })
    const parts = await pagesFrom(listed, asking(part), session)
    if (!listed.reading.linked && parts.length > 1 && parts.at(-1)?.length === 0) parts.pop()
    checkSizes(parts, part.items)
    insistSame(parts.flat(), whole, 'partition', `the pages of ${part.items} together are not the list`)
    if (part.by === undefined)
      insist(textOf(parts.flat()) === textOf(whole), 'page-order', () => 'the pages have another order than the list')
    await checkFirst(listed, asking(part), { parts, whole }, session)
    await followLinks(listed, asking(begun(start, after, whole, listed)), whole, session)
    if (plain) await checkPlain(listed, call, whole, session)
  },
  smaller: function* (one) {
    for (const call of smallerCalls(one.call)) yield { ...one, call }
    if (one.plain) yield { ...one, plain: false }
    if (one.filter !== undefined) yield { ...one, filter: undefined }
    if (one.order !== undefined) yield { ...one, order: undefined }
    if (one.after !== undefined) yield { ...one, after: undefined }
    if (one.start !== one.part) yield { ...one, start: one.part, after: undefined }
    if (one.part.items > 1) yield { ...one, part: { ...one.part, items: one.part.items - 1 } }
  },
})

function checkSizes(parts: readonly (readonly Element[])[], items: number): void {
  for (const [i, part] of parts.entries()) {
    insist(part.length <= items, 'page-size', () => `a page of ${items} has ${part.length} elements`)
    const isLast = i === parts.length - 1
    insist(isLast || part.length === items, 'page-short', () => {
      return `page ${i + 1} has ${part.length} of ${items} elements, though others follow`
    })
  }
}

/** The same list with a condition that some of its elements meet. */
async function filtered(listed: Listed, call: Call, seed: number, session: Session): Promise<Call> {
  const filters = listed.filters as Filters
  const draw = new Draw(seed)
  const condition = drawCondition(filters, draw, knownIn(await wholeOf(listed, call, session), draw))
  const value = condition && filters.value(condition)
  if (value === undefined) throw new Void('no condition is known')
  return withParam(call, filters.path, value)
}

// Without a size, pages have the one that the list gives them.
async function checkPlain(listed: Listed, call: Call, whole: readonly Element[], session: Session): Promise<void> {
  const all = listed.reading.linked
    ? (await pagesFrom(listed, call, session)).flat()
    : elementsIn(listed, await session.valid(call))
  const expected = listed.reading.linked ? whole : whole.slice(0, all.length)
  insistSame(all, expected, 'plain-pages', 'the pages without a size together are not the list')
  const { own, modes } = listed.pages as Pages
  // A list without page numbers was read in an order of its own.
  if (own && !modes.includes('page')) return
  insist(textOf(all) === textOf(expected), 'plain-order', () => 'the pages without a size have another order')
}

interface Walked {
  readonly parts: readonly (readonly Element[])[]
  readonly whole: readonly Element[]
}

async function checkFirst(listed: Listed, call: Call, { parts, whole }: Walked, session: Session): Promise<void> {
  const { reading } = listed
  const first = await session.valid(call)
  const total = reading.total(first)
  if (total !== undefined)
    insist(total === whole.length, 'total', () => `the total is ${total}, but the list has ${whole.length} elements`)
  const next = reading.link('next', first, call)
  if (reading.linked)
    insist((next !== undefined) === parts.length > 1, 'next', () => 'the link next does not lead to the next page')
  if (next === undefined) return
  const second = await session.send({ ...call, link: next })
  const back = reading.link('prev', second, call)
  if (back === undefined) return
  const before = elementsIn(listed, await session.send({ ...call, link: back }))
  insist(
    textOf(before) === textOf(parts[0]),
    'prev',
    () => 'the link prev of the second page does not lead to the first one',
  )
}

/** A part that begins after a value that some element has. */
function begun(start: Part, after: number | undefined, whole: readonly Element[], { shown }: Listed): Part {
  if (after === undefined || start.by === undefined || whole.length === 0 || !isShown(start.by, shown)) return start
  const value = valueAt(whole[after % whole.length], start.by)
  return value === null || value === undefined ? start : { ...start, from: String(value) }
}

const RELATIONS: readonly Relation[] = ['first', 'prev', 'next', 'last']

/** The most addresses that are followed from one part. */
const MOST_LINKS = 12

async function followLinks(listed: Listed, call: Call, whole: readonly Element[], session: Session): Promise<void> {
  const { reading } = listed
  if (!reading.linked) return
  const found = new Map<string, Relation>()
  let answer = await session.valid(call)
  elementsIn(listed, answer)
  const learn = (): void => {
    for (const relation of RELATIONS) {
      const address = reading.link(relation, answer, call)
      if (address !== undefined && found.size < MOST_LINKS && !found.has(address)) found.set(address, relation)
    }
  }
  learn()
  for (const [address, relation] of found) {
    answer = await session.send({ ...call, link: address })
    const isEmpty = elementsIn(listed, answer).length === 0
    insist(!isEmpty || whole.length === 0, 'link-empty', () => {
      return `the link ${relation} leads to a page without elements, though the list has ${whole.length}`
    })
    learn()
  }
}
