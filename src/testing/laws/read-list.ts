// Lists as laws see them: the whole of one, its parts, and what its elements have in a field.
import type { FilterField } from '../../plugins/mapper/filters/filter-fields.ts'
import type { Attribute } from '../../schema/attribute.ts'
import { LawViolation, SkipCase } from '../session/law-errors.ts'
import type { TestCall } from '../session/test-call.ts'
import { type TestResponse, getProblemCode } from '../session/check-response.ts'
import type { TestSession } from '../session/test-session.ts'
import { isAccessDenied } from '../check/law.ts'
import { type ListPart, withPart } from '../lists/draw-list-params.ts'
import type { CheckedList, CheckedPages } from '../lists/checked-list.ts'
import type { JsonElement } from '../lists/list-reader.ts'

/** The most pages of a walk; longer lists are not looked at as a whole. */
const MAX_PAGES = 60

/** Reads the elements of one answer. */
export function readPageElements({ reading }: CheckedList, answer: TestResponse): JsonElement[] {
  const elements = answer.status === 200 ? reading.readElements(answer.body) : undefined
  if (elements !== undefined) return elements
  // A list that is refused for its grammar is told by the answer itself.
  if (isAccessDenied(answer.status) || answer.status === 404) throw new SkipCase('there is no list')
  throw new LawViolation('list-refused', `the list is refused with ${answer.status} ${String(getProblemCode(answer))}`)
}

/** A walk through a list: the elements of each page, in their order. */
export async function readPages(listed: CheckedList, call: TestCall, session: TestSession): Promise<JsonElement[][]> {
  const pages: JsonElement[][] = []
  let answer = await session.sendValid(call)
  for (;;) {
    pages.push(readPageElements(listed, answer))
    const next = listed.reading.findLink('next', answer, call)
    if (next === undefined) return pages
    if (pages.length >= MAX_PAGES) throw new SkipCase('the list is too long')
    answer = await session.send({ ...call, link: next })
  }
}

/** All elements of a list, in pages as large as they may be. */
export async function readAllElements(listed: CheckedList, call: TestCall, session: TestSession): Promise<JsonElement[]> {
  const { pages } = listed
  if (pages === undefined) return readPageElements(listed, await session.sendValid(call))
  return (await readPages(listed, { ...call, params: withPart(call.params, pages, chooseLargestPart(pages)) }, session)).flat()
}

function chooseLargestPart({ maxItems: most, isSingleParam: own, modes, by }: CheckedPages): ListPart {
  if (!own) return { items: most }
  return modes.includes('page') ? { page: 1, items: most } : { by: by[0] as string, items: most }
}

/** A text that equal elements share. */
export const toJsonText = (element: unknown): string => JSON.stringify(element)

/** The elements that one list has and the other does not, each as often as it is missing. */
export function subtractElements(one: readonly JsonElement[], other: readonly JsonElement[]): JsonElement[] {
  const left = new Map<string, number>()
  for (const element of other) left.set(toJsonText(element), (left.get(toJsonText(element)) ?? 0) + 1)
  return one.filter((element) => {
    const count = left.get(toJsonText(element)) ?? 0
    left.set(toJsonText(element), count - 1)
    return count <= 0
  })
}

/** Insists that two lists have the same elements, in any order. */
export function assertSameElements(one: readonly JsonElement[], other: readonly JsonElement[], kind: string, words: string): void {
  const [missing, extra] = [subtractElements(other, one), subtractElements(one, other)]
  if (missing.length === 0 && extra.length === 0) return
  const told =
    missing.length > 0 ? `lacks ${toJsonText(missing[0]).slice(0, 120)}` : `also has ${toJsonText(extra[0]).slice(0, 120)}`
  throw new LawViolation(kind, `${words}: it ${told}`)
}

/** Returns whether a path of a filter leads to one value, and through no list. */
export const isSingleValued = (path: string, { attribute }: FilterField, of: Attribute): boolean =>
  findUnlistedAttribute(path, of) === attribute

/** The attribute at the end of a path, which may be a list; undefined if the path leads through one. */
export function findUnlistedAttribute(path: string, of: Attribute): Attribute | undefined {
  let one: Attribute | undefined = of
  for (const step of path.split('.')) one = one?.core.children[step] ?? one?.core.target?.core.children[step]
  return one
}

/** Returns whether elements show the field of a path. */
export const isFieldShown = (path: string, shown: ReadonlySet<string>): boolean => shown.has(path.split('.', 1)[0] as string)
