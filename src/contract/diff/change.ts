// Changes between two contracts: what one of them is, and how a comparison collects them.
import type { Direction, JsonSchema } from '../../schema/json-schema.ts'
import { compareCodeUnits } from '../canonical.ts'

/** Whether a change breaks clients, is compatible, or only affects documentation. */
export type ChangeKind = 'breaking' | 'compatible' | 'documentation'

/** One difference between two contracts. */
export interface Change {
  readonly kind: ChangeKind
  /** Where it is, such as `Blogs.index › params.order`. */
  readonly place: string
  /** The change in one sentence. */
  readonly what: string
  /** The code of the rule by which it was judged. */
  readonly rule: string
}

/** The effect of a change on a set of values: fewer, more, or others. */
export type ChangeEffect = 'narrowed' | 'widened' | 'changed'

/** Adds a change of the values at one place. */
export type JudgeChange = (effect: ChangeEffect, rule: string, what: string) => void

/** A text for readers on both sides of a comparison, and the words for it. */
interface ComparedText {
  readonly what: string
  readonly old: unknown
  readonly now: unknown
}

/** A change of something that differs between the two sides. */
export function getChangeVerb(old: unknown, now: unknown): 'added' | 'removed' | 'changed' {
  if (old === undefined) return 'added'
  return now === undefined ? 'removed' : 'changed'
}

/** Collects the changes of one comparison. */
export class ChangeCollector {
  readonly #found: Change[] = []

  /** Adds a change, unless there is an equal one. */
  add(kind: ChangeKind, place: string, rule: string, what: string): void {
    const known = this.#found.some((one) => one.place === place && one.rule === rule && one.what === what)
    if (!known) this.#found.push({ kind, place, what, rule })
  }

  /** Returns a function that adds what became of the values at a place: clients may send no fewer, and receive no more. */
  makeJudge(direction: Direction, place: string): JudgeChange {
    const harmless: ChangeEffect = direction === 'input' ? 'widened' : 'narrowed'
    return (effect, rule, what) => this.add(effect === harmless ? 'compatible' : 'breaking', place, rule, what)
  }

  /** Adds a change of a text for readers. */
  addText(place: string, rule: string, { what, old, now }: ComparedText): void {
    if (old !== now) this.add('documentation', place, rule, `${what} was ${getChangeVerb(old, now)}`)
  }

  get size(): number {
    return this.#found.length
  }

  /** Everything found, the gravest first, in an order that does not depend on that of declarations. */
  toSorted(): readonly Change[] {
    return this.#found.sort(
      (a, b) =>
        CHANGE_KINDS.indexOf(a.kind) - CHANGE_KINDS.indexOf(b.kind) ||
        compareCodeUnits(a.place, b.place) ||
        compareCodeUnits(a.rule, b.rule) ||
        compareCodeUnits(a.what, b.what),
    )
  }
}

const CHANGE_KINDS: readonly ChangeKind[] = ['breaking', 'compatible', 'documentation']

/** Both sides of a comparison, with the named schemas of each. */
export interface ComparedContracts {
  readonly changes: ChangeCollector
  readonly old: Readonly<Record<string, JsonSchema>>
  readonly now: Readonly<Record<string, JsonSchema>>
}

/** The names of both sides, each once and in order. */
export const collectNames = (old: object, now: object): string[] =>
  [...new Set([...Object.keys(old), ...Object.keys(now)])].sort(compareCodeUnits)

/** A record's own value of a name: names come from anywhere, and every object inherits some. */
export const getRecordValue = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

/** The elements of one list that are not in another. */
export const subtractNames = (all: readonly string[], others: readonly string[]): string[] =>
  all.filter((one) => !others.includes(one))

/** Texts as a sentence names them. */
export const quoteList = (texts: readonly string[]): string => texts.map((text) => `'${text}'`).join(', ')
