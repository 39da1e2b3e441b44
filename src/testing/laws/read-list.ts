// Reads lists for laws: all elements, single pages, and the values of a field.
import type { FilterField } from '../../plugins/mapper/extend.ts'
import type { Attribute } from '../../schema/attribute.ts'
import { isAccessDenied } from '../check/law.ts'
import type { CheckedList, CheckedPages } from '../lists/checked-list.ts'
import { type ListPart, withPart } from '../lists/draw-list-params.ts'
import type { JsonElement } from '../lists/list-reader.ts'
import { getProblemCode, type TestResponse } from '../session/check-response.ts'
import { LawViolation, SkipCase } from '../session/law-errors.ts'
import type { TestCall } from '../session/test-call.ts'
import type { TestSession } from '../session/test-session.ts'

/** The maximum number of pages read; longer lists are skipped. */
const MAX_PAGES = 60

/** Returns the elements of one response. */
export function readPageElements({ reader: reading }: CheckedList, response: TestResponse): JsonElement[] {
  const elements = response.status === 200 ? reading.readElements(response.body) : undefined
  if (elements !== undefined) return elements
  // Refusals for access or absence prove nothing; any other refusal of a valid list request is a violation.
  if (isAccessDenied(response.status) || response.status === 404) throw new SkipCase('there is no list')
  throw new LawViolation(
    'list-refused',
    `the list is refused with ${response.status} ${String(getProblemCode(response))}`,
  )
}

/** Reads a list page by page and returns the elements of each page. */
export async function readPages(listed: CheckedList, call: TestCall, session: TestSession): Promise<JsonElement[][]> {
  const pages: JsonElement[][] = []
  let response = await session.sendValid(call)
  for (;;) {
    pages.push(readPageElements(listed, response))
    const next = listed.reader.findLink('next', response, call)
    if (next === undefined) return pages
    if (pages.length >= MAX_PAGES) throw new SkipCase('the list is too long')
    response = await session.send({ ...call, link: next })
  }
}

/** Reads all elements of a list with the largest page size. */
export async function readAllElements(
  listed: CheckedList,
  call: TestCall,
  session: TestSession,
): Promise<JsonElement[]> {
  const { pages } = listed
  if (pages === undefined) return readPageElements(listed, await session.sendValid(call))
  return (
    await readPages(listed, { ...call, params: withPart(call.params, pages, chooseFirstPart(pages)) }, session)
  ).flat()
}

/** Returns the first part of a list, of a number of elements or as large as possible. */
export function chooseFirstPart(
  { maxItems, isSingleParam, modes, by }: CheckedPages,
  size: number = maxItems,
): ListPart {
  const items = Math.min(size, maxItems)
  if (!isSingleParam) return { items }
  return modes.includes('page') ? { page: 1, items } : { by: by[0] as string, items }
}

/** Returns a text that is equal for equal elements. */
export const toJsonText = (element: unknown): string => JSON.stringify(element)

/** Returns the elements of one list that the other lacks, each as often as it is missing. */
export function subtractElements(one: readonly JsonElement[], other: readonly JsonElement[]): JsonElement[] {
  const counts = new Map<string, number>()
  for (const element of other) counts.set(toJsonText(element), (counts.get(toJsonText(element)) ?? 0) + 1)
  return one.filter((element) => {
    const count = counts.get(toJsonText(element)) ?? 0
    counts.set(toJsonText(element), count - 1)
    return count <= 0
  })
}

/** Checks that two lists have the same elements, in any order. */
export function assertSameElements(
  one: readonly JsonElement[],
  other: readonly JsonElement[],
  kind: string,
  message: string,
): void {
  const [missing, extra] = [subtractElements(other, one), subtractElements(one, other)]
  if (missing.length === 0 && extra.length === 0) return
  const difference =
    missing.length > 0
      ? `lacks ${toJsonText(missing[0]).slice(0, 120)}`
      : `also has ${toJsonText(extra[0]).slice(0, 120)}`
  throw new LawViolation(kind, `${message}: it ${difference}`)
}

/** Returns whether the path of a filter leads to one value without passing a list. */
export const isSingleValued = (path: string, { attribute }: FilterField, of: Attribute): boolean =>
  findUnlistedAttribute(path, of) === attribute

/** Returns the attribute at the end of a path, which may be a list; undefined if the path passes through a list. */
export function findUnlistedAttribute(path: string, root: Attribute): Attribute | undefined {
  let attribute: Attribute | undefined = root
  for (const step of path.split('.'))
    attribute = attribute?.core.children[step] ?? attribute?.core.target?.core.children[step]
  return attribute
}

/** Returns whether elements show the field of a path. */
export const isFieldShown = (path: string, shown: ReadonlySet<string>): boolean =>
  shown.has(path.split('.', 1)[0] as string)
