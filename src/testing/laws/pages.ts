// The law of pages: together they are the list, and every link leads to elements of it.
import type { OrderTerm } from '../../plugins/lists/plan/order.ts'
import { insist } from '../check/broken.ts'
import type { Call } from '../check/call.ts'
import type { Session } from '../check/session.ts'
import { smallerCalls } from '../check/smaller.ts'
import { drawOrder, drawPart, type Part, withPart } from '../lists/draw-list.ts'
import type { Listed, Order, Pages } from '../lists/listed.ts'
import type { Element, Relation } from '../lists/reading.ts'
import { elementsIn, insistSame, isShown, pagesFrom, textOf, valueAt, wholeOf } from '../lists/whole-list.ts'
import { type Law, law } from './law.ts'
import { drawList, type ListCase, withParam } from './lists.ts'

interface PagesCase extends ListCase {
  readonly part: Part
  readonly order?: readonly OrderTerm[] | undefined
  /** Where links are followed from: any part, or one that begins after a value of an element. */
  readonly start: Part
  readonly after?: number | undefined
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
    }
  },
  async run({ listed, call: bare, part, order, start, after }, session) {
    const divided = listed.pages as Pages
    const call = order === undefined ? bare : withParam(bare, (listed.order as Order).path, order)
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
  },
  smaller: function* (one) {
    for (const call of smallerCalls(one.call)) yield { ...one, call }
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
