// Laws of lists: orders sort them, and fields project their elements.
import { selectionOf } from '../../design/fields/selection.ts'
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import { compareDecimalValues, compareValues, type OrderTerm } from '../../plugins/lists/plan/order.ts'
import type { Attribute } from '../../schema/attribute.ts'
import { insist } from '../check/broken.ts'
import type { Call } from '../check/call.ts'
import { drawCall } from '../check/draw-call.ts'
import { shorter, smallerCalls } from '../check/smaller.ts'
import type { Subject } from '../check/subject.ts'
import { drawOrder, withValue } from '../lists/draw-list.ts'
import { type Fields, type Listed, listedBy, type Order, type Path } from '../lists/listed.ts'
import type { Element } from '../lists/reading.ts'
import { loadedAt, valueAt } from '../lists/values-at.ts'
import { insistSame, textOf, wholeOf } from '../lists/whole-list.ts'
import type { Draw } from '../values/draw.ts'
import { type Law, law } from './law.ts'

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
export const withParam = (call: Call, path: Path, value: unknown): Call => ({
  ...call,
  params: withValue(call.params, path, value),
})

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
    const sorted = await wholeOf(listed, withParam(shown, (listed.order as Order).path, order), session)
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
  return withParam(call, fields.path, fields.value(selectionOf([...new Set(wanted)])))
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
    const { path, value } = listed.fields as Fields
    const whole = await wholeOf(listed, call, session)
    const selected = await wholeOf(listed, withParam(call, path, value(selectionOf(paths))), session)
    insist(selected.length === whole.length, 'field-elements', () => {
      return `with fields there are ${selected.length} elements, without them ${whole.length}`
    })
    const names = new Set([...listed.reading.always, ...paths.map((one) => one.split('.', 1)[0])])
    for (const [i, element] of selected.entries()) {
      const stray = Object.keys(element).find((one) => !names.has(one))
      insist(stray === undefined, 'field-stray', () => `'${stray}' is shown, but was not selected`)
      for (const one of paths.filter((name) => listed.shown.has(name)))
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
