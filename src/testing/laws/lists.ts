// Laws of lists: pages divide them, orders sort them, fields project their elements, filters obey the laws of sets.
import { selectionOf } from '../../design/fields/selection.ts'
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import { compareDecimalValues, compareValues, type OrderTerm } from '../../plugins/lists/plan/order.ts'
import type { Attribute } from '../../schema/attribute.ts'
import { insist } from '../check/broken.ts'
import type { Call } from '../check/call.ts'
import { drawCall } from '../check/draw-call.ts'
import { drawOrder, type Listed, listedBy } from '../check/listed.ts'
import type { Session } from '../check/session.ts'
import { shorter, smallerCalls } from '../check/smaller.ts'
import type { Subject } from '../check/subject.ts'
import type { Draw } from '../values/draw.ts'
import { type Law, law } from './law.ts'
import {
  type Element,
  elementsIn,
  insistSame,
  linkIn,
  loadedAt,
  pagesFrom,
  textOf,
  valueAt,
  wholeOf,
} from './whole-list.ts'

/** A list, and a call that asks for all of it. */
export interface ListCase {
  readonly listed: Listed
  readonly call: Call
}

/** Draws a list; all that narrows it is left to the laws. */
export function drawList(subject: Subject, action: ResolvedAction, draw: Draw): ListCase | undefined {
  const listed = listedBy(subject, action)
  const call = listed && drawCall(subject, action, draw, { bare: true })
  return listed && call && { listed, call }
}

/** A call with another value of one param. */
export const withParam = (call: Call, name: string, value: unknown): Call => ({
  ...call,
  params: { ...call.params, [name]: value },
})

// --- pages -------------------------------------------------------------------------------

interface PagesCase extends ListCase {
  readonly pagination: { readonly page?: number; readonly by?: string; readonly items: number }
  readonly order?: readonly OrderTerm[] | undefined
}

/** Pages divide a list. */
export const pages: Law = law<PagesCase>({
  name: 'pages',
  says: 'The pages of a list together are the list: no element is lost or shown twice, and links lead on and back.',
  draw(subject, action, draw) {
    const base = drawList(subject, action, draw)
    const divided = base?.listed.pages
    if (base === undefined || divided === undefined) return undefined
    const items = 1 + draw.below(Math.min(divided.most, 4))
    const by = divided.modes.includes('cursor') && draw.percent(40) ? draw.pick(divided.by) : undefined
    if (by !== undefined) return { ...base, pagination: { by, items } }
    if (!divided.modes.includes('page')) return undefined
    const { order } = base.listed
    return {
      ...base,
      pagination: { page: 1, items },
      order: order && draw.percent(50) ? drawOrder(order, draw) : undefined,
    }
  },
  async run({ listed, call: bare, pagination, order }, session) {
    const name = (listed.pages as NonNullable<Listed['pages']>).name
    const call = order === undefined ? bare : withParam(bare, listed.order?.name as string, order)
    const whole = await wholeOf(listed, call, session)
    const parts = await pagesFrom(withParam(call, name, { ...pagination, total_count: true }), session)
    for (const part of parts)
      insist(
        part.length <= pagination.items,
        'page-size',
        () => `a page of ${pagination.items} has ${part.length} elements`,
      )
    insistSame(parts.flat(), whole, 'partition', `the pages of ${pagination.items} together are not the list`)
    if (pagination.by === undefined)
      insist(textOf(parts.flat()) === textOf(whole), 'page-order', () => 'the pages have another order than the list')
    await followLinks(withParam(call, name, { ...pagination, total_count: true }), parts, whole, session)
  },
  smaller: function* (one) {
    for (const call of smallerCalls(one.call)) yield { ...one, call }
    if (one.order !== undefined) yield { ...one, order: undefined }
    if (one.pagination.items > 1) yield { ...one, pagination: { ...one.pagination, items: one.pagination.items - 1 } }
  },
})

async function followLinks(call: Call, parts: Element[][], whole: Element[], session: Session): Promise<void> {
  const first = await session.valid(call)
  const total = first.headers.get('Total-Count')
  if (total !== null)
    insist(
      Number(total) === whole.length,
      'total',
      () => `Total-Count is ${total}, but the list has ${whole.length} elements`,
    )
  const next = linkIn(first, 'next')
  insist((next !== undefined) === parts.length > 1, 'next', () => 'the link next does not lead to the next page')
  if (next === undefined) return
  const second = await session.send({ ...call, link: next })
  const back = linkIn(second, 'prev')
  if (back === undefined) return
  const before = elementsIn(await session.send({ ...call, link: back }))
  insist(
    textOf(before) === textOf(parts[0]),
    'prev',
    () => 'the link prev of the second page does not lead to the first one',
  )
}

// --- orders ------------------------------------------------------------------------------

interface OrderCase extends ListCase {
  readonly order: readonly OrderTerm[]
}

/** Orders sort a list. */
export const orders: Law = law<OrderCase>({
  name: 'orders',
  says: 'A list is sorted as its order says, and has the same elements in every order.',
  draw(subject, action, draw) {
    const base = drawList(subject, action, draw)
    const order = base?.listed.order && drawOrder(base.listed.order, draw)
    return base && order && { ...base, order }
  },
  async run({ listed, call, order }, session) {
    const shown = showing(
      listed,
      call,
      order.map(({ field }) => field),
    )
    const plain = await wholeOf(listed, shown, session)
    const sorted = await wholeOf(listed, withParam(shown, listed.order?.name as string, order), session)
    insistSame(sorted, plain, 'order-elements', 'a list in another order has other elements')
    const visible = takeWhile(order, ({ field }) => sorted.every((one) => valueAt(one, field) !== undefined))
    for (let i = 1; i < sorted.length; i++) {
      const [one, other] = [sorted[i - 1] as Element, sorted[i] as Element]
      insist(compareBy(visible, one, other, listed) <= 0, 'unsorted', () => {
        const fields = visible.map(({ field }) => field)
        const values = (element: Element): string => textOf(fields.map((field) => valueAt(element, field)))
        return `the list is not sorted: ${values(one)} comes before ${values(other)}`
      })
    }
  },
  smaller: function* (one) {
    for (const call of smallerCalls(one.call)) yield { ...one, call }
    for (const order of shorter(one.order)) if (order.length > 0) yield { ...one, order }
  },
})

// Fields that the list does not show by itself are asked for, where they can be.
function showing({ fields, shown }: Listed, call: Call, wanted: readonly string[]): Call {
  const hidden = wanted.some((path) => !shown.has(path.split('.', 1)[0] as string))
  if (fields === undefined || !hidden || !wanted.every((path) => fields.paths.includes(path))) return call
  return withParam(call, fields.name, selectionOf([...new Set(wanted)]))
}

function takeWhile<T>(all: readonly T[], holds: (one: T) => boolean): T[] {
  const end = all.findIndex((one) => !holds(one))
  return end < 0 ? [...all] : all.slice(0, end)
}

function compareBy(order: readonly OrderTerm[], one: Element, other: Element, { mediaType }: Listed): number {
  for (const { field, descending } of order) {
    const attribute = attributeAt(mediaType, field)
    if (attribute === undefined) return 0
    const compare = attribute.core.scalar === 'decimal' ? compareDecimalValues : compareValues
    const compared = compare(loadedAt(one, field, attribute), loadedAt(other, field, attribute))
    if (compared !== 0) return descending ? -compared : compared
  }
  return 0
}

function attributeAt(of: Attribute, path: string): Attribute | undefined {
  let one: Attribute | undefined = of
  for (const step of path.split('.')) one = (one?.core.target ?? one)?.core.children[step]
  return one
}

// --- fields ------------------------------------------------------------------------------

interface FieldsCase extends ListCase {
  readonly paths: readonly string[]
}

/** Fields project elements. */
export const fields: Law = law<FieldsCase>({
  name: 'fields',
  says: 'A selection of fields shows exactly these, with the values that they have without it.',
  draw(subject, action, draw) {
    const base = drawList(subject, action, draw)
    const paths = base?.listed.fields && draw.some(base.listed.fields.paths)
    return base && paths && paths.length > 0 ? { ...base, paths } : undefined
  },
  async run({ listed, call, paths }, session) {
    const name = listed.fields?.name as string
    const whole = await wholeOf(listed, call, session)
    const selected = await wholeOf(listed, withParam(call, name, selectionOf(paths)), session)
    insist(selected.length === whole.length, 'field-elements', () => {
      return `with fields there are ${selected.length} elements, without them ${whole.length}`
    })
    const names = new Set(paths.map((path) => path.split('.', 1)[0]))
    for (const [i, element] of selected.entries()) {
      const stray = Object.keys(element).find((one) => !names.has(one))
      insist(stray === undefined, 'field-stray', () => `'${stray}' is shown, but was not selected`)
      for (const one of paths.filter((path) => listed.shown.has(path)))
        insist(textOf(element[one]) === textOf((whole[i] as Element)[one]), 'field-value', () => {
          return `'${one}' is ${textOf(element[one])} with fields and ${textOf((whole[i] as Element)[one])} without`
        })
    }
  },
  smaller: function* (one) {
    for (const call of smallerCalls(one.call)) yield { ...one, call }
    for (const paths of shorter(one.paths)) if (paths.length > 0) yield { ...one, paths }
  },
})
