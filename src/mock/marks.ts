// Marks: what callers set on elements and take away, by a POST or PUT and a DELETE on one path below the element, such as
// `/articles/:slug/favorite`. An attribute that says so and one that counts them are found by the words of their names.
import type { ResolvedAction } from '../design/resolve/resolved.ts'
import type { Entity } from './entity.ts'
import { hasStem } from './names.ts'

/** The caller where the mock cannot identify callers. */
const ANYBODY = 0

/** A mark on the elements of an entity. */
export class Mark {
  readonly entity: Entity
  readonly word: string
  /** The column that is true if the caller has set it. */
  readonly flag: string | undefined
  /** The column that counts the callers who have. */
  readonly count: string | undefined
  readonly #callers = new Map<number, Set<number>>()

  constructor(entity: Entity, word: string, flag: string | undefined, count: string | undefined) {
    this.entity = entity
    this.word = word
    this.flag = flag
    this.count = count
  }

  /** Sets the mark of a caller on a row, or takes it away. */
  set(row: number, caller: number | undefined, isSet: boolean): void {
    const callers = this.#callers.get(row) ?? new Set()
    this.#callers.set(row, callers)
    if (isSet) callers.add(caller ?? ANYBODY)
    else callers.delete(caller ?? ANYBODY)
  }

  has(row: number, caller: number | undefined): boolean {
    return this.#callers.get(row)?.has(caller ?? ANYBODY) ?? false
  }

  countAt(row: number): number {
    return this.#callers.get(row)?.size ?? 0
  }

  /** Returns the rows that one of some callers has marked. */
  listRows(callers: readonly number[]): readonly number[] {
    return [...this.#callers].flatMap(([row, own]) => (callers.some((one) => own.has(one)) ? [row] : []))
  }
}

/** Returns the last segment of the path on which an action sets or removes something; undefined for other actions. */
export function findMarkWord({ endpoint, routes, payload }: ResolvedAction): string | undefined {
  const [route] = routes
  const word = /:\w+\/([a-z][\w-]*)$/i.exec(route?.path ?? '')?.[1]
  if (route === undefined || word === undefined || payload !== undefined) return undefined
  const verbs = [...endpoint.actions.values()].flatMap((one) =>
    one.routes.filter(({ path }) => path === route.path).map(({ verb }) => verb),
  )
  const isPair = verbs.includes('DELETE') && (verbs.includes('POST') || verbs.includes('PUT'))
  return isPair && route.verb !== 'GET' ? word : undefined
}

/** Creates the mark of a word on an entity; undefined if no attribute has the word in its name. */
export function createMark(entity: Entity, word: string): Mark | undefined {
  const named = [...entity.parts.keys()].filter((name) => hasStem(name, word))
  const find = (kinds: RegExp): string | undefined => {
    const name = named.find((one) => kinds.test(entity.findScalarPart(one)?.kind ?? ''))
    return name === undefined ? undefined : entity.findScalarPart(name)?.column
  }
  const [flag, count] = [find(/^boolean$/), find(/^integer$/)]
  return flag === undefined && count === undefined ? undefined : new Mark(entity, word, flag, count)
}
