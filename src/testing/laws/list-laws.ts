// The laws of lists: orders sort the elements, and fields project them.
import { parseSelection } from '../../design/fields/selection.ts'
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import { compareDecimalValues, compareValues, type OrderTerm } from '../../plugins/mapper/extend.ts'
import type { Attribute } from '../../schema/attribute.ts'
import { drawCall } from '../check/draw-call.ts'
import { defineLaw, type Law } from '../check/law.ts'
import { shrinkCall, shrinkList } from '../check/shrink.ts'
import type { Subject } from '../check/subject.ts'
import {
  type CheckedFields,
  type CheckedList,
  type CheckedOrder,
  findCheckedList,
  type ParamPath,
} from '../lists/checked-list.ts'
import { drawOrder, withValue } from '../lists/draw-list-params.ts'
import { getElementValue, loadElementValue } from '../lists/element-values.ts'
import type { JsonElement } from '../lists/list-reader.ts'
import { assertLaw } from '../session/law-errors.ts'
import type { TestCall } from '../session/test-call.ts'
import type { Draw } from '../values/draw.ts'
import { assertSameElements, readAllElements, toJsonText } from './read-list.ts'

/** A list and a call that reads all of it. */
export interface ListCase {
  readonly listed: CheckedList
  readonly call: TestCall
}

/** Draws a list call without filters, orders and pages, which the laws add. */
export function drawListCase(subject: Subject, action: ResolvedAction, draw: Draw): ListCase | undefined {
  const listed = findCheckedList(subject, action)
  const call = listed && drawCall(subject, action, draw, { bare: true })
  return listed && call && { listed, call }
}

/** Returns a call with another value of one param. */
export const withParam = (call: TestCall, path: ParamPath, value: unknown): TestCall => ({
  ...call,
  params: withValue(call.params, path, value),
})

// --- orders ------------------------------------------------------------------------------

interface OrderCase extends ListCase {
  readonly order: readonly OrderTerm[]
}

/** Orders sort a list. */
export const ordersLaw: Law = defineLaw<OrderCase>({
  name: 'orders',
  description: 'A list is sorted as its order says, and has the same elements in every order.',
  needs: 'a list with a param of orders',
  remedy: 'declare the orders of lists',
  drawCase(subject, action, draw) {
    const base = drawListCase(subject, action, draw)
    const order = base?.listed.order && drawOrder(base.listed.order, draw)
    return base && order && { ...base, order }
  },
  async run({ listed, call, order }, session) {
    const shown = withShownFields(
      listed,
      call,
      order.map(({ field }) => field),
    )
    const plain = await readAllElements(listed, shown, session)
    const sorted = await readAllElements(listed, withParam(shown, (listed.order as CheckedOrder).path, order), session)
    assertSameElements(sorted, plain, 'order-elements', 'a list in another order has other elements')
    const visibleTerms = takeWhile(order, ({ field }) =>
      sorted.every((one) => getElementValue(one, field) !== undefined),
    )
    for (let i = 1; i < sorted.length; i++) {
      const [one, other] = [sorted[i - 1] as JsonElement, sorted[i] as JsonElement]
      assertLaw(compareElements(visibleTerms, one, other, listed) <= 0, 'unsorted', () => {
        const fields = visibleTerms.map(({ field }) => field)
        const formatValues = (element: JsonElement): string =>
          toJsonText(fields.map((field) => getElementValue(element, field)))
        return `the list is not sorted: ${formatValues(one)} comes before ${formatValues(other)}`
      })
    }
  },
  shrink: function* (one) {
    for (const call of shrinkCall(one.call)) yield { ...one, call }
    for (const order of shrinkList(one.order)) if (order.length > 0) yield { ...one, order }
  },
})

// Selects the fields that the list does not show by default, where possible.
function withShownFields({ fields, shown }: CheckedList, call: TestCall, wanted: readonly string[]): TestCall {
  const hidden = wanted.some((path) => !shown.has(path.split('.', 1)[0] as string))
  if (fields === undefined || !hidden || !wanted.every((path) => fields.paths.includes(path))) return call
  return withParam(call, fields.path, fields.toParamValue(parseSelection([...new Set(wanted)])))
}

function takeWhile<T>(all: readonly T[], holds: (one: T) => boolean): T[] {
  const end = all.findIndex((one) => !holds(one))
  return end < 0 ? [...all] : all.slice(0, end)
}

function compareElements(
  order: readonly OrderTerm[],
  one: JsonElement,
  other: JsonElement,
  { mediaType }: CheckedList,
): number {
  for (const { field, descending } of order) {
    const attribute = findAttribute(mediaType, field)
    if (attribute === undefined) return 0
    const compare = attribute.core.scalar === 'decimal' ? compareDecimalValues : compareValues
    const comparison = compare(loadElementValue(one, field, attribute), loadElementValue(other, field, attribute))
    if (comparison !== 0) return descending ? -comparison : comparison
  }
  return 0
}

function findAttribute(root: Attribute, path: string): Attribute | undefined {
  let one: Attribute | undefined = root
  for (const step of path.split('.')) one = (one?.core.target ?? one)?.core.children[step]
  return one
}

// --- fields ------------------------------------------------------------------------------

interface FieldsCase extends ListCase {
  readonly paths: readonly string[]
}

/** Fields project elements. */
export const fieldsLaw: Law = defineLaw<FieldsCase>({
  name: 'fields',
  description: 'A selection of fields shows exactly these, with the values that they have without it.',
  needs: 'a list whose fields can be selected',
  remedy: 'declare the param of fields',
  drawCase(subject, action, draw) {
    const base = drawListCase(subject, action, draw)
    const paths = base?.listed.fields && draw.subset(base.listed.fields.paths)
    return base && paths && paths.length > 0 ? { ...base, paths } : undefined
  },
  async run({ listed, call, paths }, session) {
    const { path, toParamValue } = listed.fields as CheckedFields
    const complete = await readAllElements(listed, call, session)
    const selected = await readAllElements(listed, withParam(call, path, toParamValue(parseSelection(paths))), session)
    assertLaw(selected.length === complete.length, 'field-elements', () => {
      return `with fields there are ${selected.length} elements, without them ${complete.length}`
    })
    const names = new Set([...listed.reader.alwaysShown, ...paths.map((one) => one.split('.', 1)[0])])
    for (const [i, element] of selected.entries()) {
      const stray = Object.keys(element).find((one) => !names.has(one))
      assertLaw(stray === undefined, 'field-stray', () => `'${stray}' is shown, but was not selected`)
      for (const one of paths.filter((name) => listed.shown.has(name)))
        assertLaw(toJsonText(element[one]) === toJsonText((complete[i] as JsonElement)[one]), 'field-value', () => {
          return `'${one}' is ${toJsonText(element[one])} with fields and ${toJsonText((complete[i] as JsonElement)[one])} without`
        })
    }
  },
  shrink: function* (one) {
    for (const call of shrinkCall(one.call)) yield { ...one, call }
    for (const paths of shrinkList(one.paths)) if (paths.length > 0) yield { ...one, paths }
  },
})
