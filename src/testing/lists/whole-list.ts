// Lists as laws see them: the whole of one, its parts, and what its elements have in a field.
import type { FilterField } from '../../plugins/lists/filters/field.ts'
import type { Attribute } from '../../schema/attribute.ts'
import { Broken, Void } from '../check/broken.ts'
import type { Call } from '../check/call.ts'
import { type Answer, codeOf } from '../check/judge.ts'
import type { Session } from '../check/session.ts'
import { isElsewhere } from '../laws/law.ts'
import { type Part, withPart } from './draw-list.ts'
import type { Listed, Pages } from './listed.ts'
import type { Element } from './reading.ts'

/** The most pages of a walk; longer lists are not looked at as a whole. */
const MOST_PAGES = 60

/** Reads the elements of one answer. */
export function elementsIn({ reading }: Listed, answer: Answer): Element[] {
  const elements = answer.status === 200 ? reading.elements(answer.body) : undefined
  if (elements !== undefined) return elements
  // A list that is refused for its grammar is told by the answer itself.
  if (isElsewhere(answer.status) || answer.status === 404) throw new Void('there is no list')
  throw new Broken('list-refused', `the list is refused with ${answer.status} ${String(codeOf(answer))}`)
}

/** A walk through a list: the elements of each page, in their order. */
export async function pagesFrom(listed: Listed, call: Call, session: Session): Promise<Element[][]> {
  const pages: Element[][] = []
  let answer = await session.valid(call)
  for (;;) {
    pages.push(elementsIn(listed, answer))
    const next = listed.reading.link('next', answer, call)
    if (next === undefined) return pages
    if (pages.length >= MOST_PAGES) throw new Void('the list is too long')
    answer = await session.send({ ...call, link: next })
  }
}

/** All elements of a list, in pages as large as they may be. */
export async function wholeOf(listed: Listed, call: Call, session: Session): Promise<Element[]> {
  const { pages } = listed
  if (pages === undefined) return elementsIn(listed, await session.valid(call))
  return (await pagesFrom(listed, { ...call, params: withPart(call.params, pages, largest(pages)) }, session)).flat()
}

function largest({ most, own, modes, by }: Pages): Part {
  if (!own) return { items: most }
  return modes.includes('page') ? { page: 1, items: most } : { by: by[0] as string, items: most }
}

/** A text that equal elements share. */
export const textOf = (element: unknown): string => JSON.stringify(element)

/** The elements that one list has and the other does not, each as often as it is missing. */
export function difference(one: readonly Element[], other: readonly Element[]): Element[] {
  const left = new Map<string, number>()
  for (const element of other) left.set(textOf(element), (left.get(textOf(element)) ?? 0) + 1)
  return one.filter((element) => {
    const count = left.get(textOf(element)) ?? 0
    left.set(textOf(element), count - 1)
    return count <= 0
  })
}

/** Insists that two lists have the same elements, in any order. */
export function insistSame(one: readonly Element[], other: readonly Element[], kind: string, words: string): void {
  const [missing, extra] = [difference(other, one), difference(one, other)]
  if (missing.length === 0 && extra.length === 0) return
  const told =
    missing.length > 0 ? `lacks ${textOf(missing[0]).slice(0, 120)}` : `also has ${textOf(extra[0]).slice(0, 120)}`
  throw new Broken(kind, `${words}: it ${told}`)
}

/** Returns whether a path of a filter leads to one value, and through no list. */
export const isSingle = (path: string, { attribute }: FilterField, of: Attribute): boolean =>
  throughNoList(path, of) === attribute

/** The attribute at the end of a path, which may be a list; undefined if the path leads through one. */
export function throughNoList(path: string, of: Attribute): Attribute | undefined {
  let one: Attribute | undefined = of
  for (const step of path.split('.')) one = one?.core.children[step] ?? one?.core.target?.core.children[step]
  return one
}

/** Returns whether elements show the field of a path. */
export const isShown = (path: string, shown: ReadonlySet<string>): boolean => shown.has(path.split('.', 1)[0] as string)
