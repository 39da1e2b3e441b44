// Changes between two contracts: what one of them is, and how a comparison collects them.
import type { Direction, JsonSchema } from '../../schema/json-schema.ts'
import { byText } from '../canonical.ts'

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
export type Effect = 'narrowed' | 'widened' | 'changed'

/** Adds a change of the values at one place. */
export type Judge = (effect: Effect, rule: string, what: string) => void

/** A text for readers on both sides of a comparison, and the words for it. */
interface ComparedText {
  readonly what: string
  readonly old: unknown
  readonly now: unknown
}

/** A change of something that differs between the two sides. */
export function verbFor(old: unknown, now: unknown): 'added' | 'removed' | 'changed' {
  if (old === undefined) return 'added'
  return now === undefined ? 'removed' : 'changed'
}

/** Collects the changes of one comparison. */
export class Changes {
  readonly #found: Change[] = []

  /** Adds a change, unless there is an equal one. */
  add(kind: ChangeKind, place: string, rule: string, what: string): void {
    const known = this.#found.some((one) => one.place === place && one.rule === rule && one.what === what)
    if (!known) this.#found.push({ kind, place, what, rule })
  }

  /** Returns a function that adds what became of the values at a place: clients may send no fewer, and receive no more. */
  judge(direction: Direction, place: string): Judge {
    const harmless: Effect = direction === 'input' ? 'widened' : 'narrowed'
    return (effect, rule, what) => this.add(effect === harmless ? 'compatible' : 'breaking', place, rule, what)
  }

  /** Adds a change of a text for readers. */
  text(place: string, rule: string, { what, old, now }: ComparedText): void {
    if (old !== now) this.add('documentation', place, rule, `${what} was ${verbFor(old, now)}`)
  }

  get size(): number {
    return this.#found.length
  }

  /** Everything found, the gravest first, in an order that does not depend on that of declarations. */
  sorted(): readonly Change[] {
    return this.#found.sort(
      (a, b) =>
        KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) ||
        byText(a.place, b.place) ||
        byText(a.rule, b.rule) ||
        byText(a.what, b.what),
    )
  }
}

const KINDS: readonly ChangeKind[] = ['breaking', 'compatible', 'documentation']

/** Both sides of a comparison, with the named schemas of each. */
export interface Sides {
  readonly changes: Changes
  readonly old: Readonly<Record<string, JsonSchema>>
  readonly now: Readonly<Record<string, JsonSchema>>
}

/** The names of both sides, each once and in order. */
export const namesOf = (old: object, now: object): string[] =>
  [...new Set([...Object.keys(old), ...Object.keys(now)])].sort(byText)

/** A record's own value of a name: names come from anywhere, and every object inherits some. */
export const at = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

/** The elements of one list that are not in another. */
export const without = (all: readonly string[], others: readonly string[]): string[] =>
  all.filter((one) => !others.includes(one))

/** Texts as a sentence names them. */
export const quoted = (texts: readonly string[]): string => texts.map((text) => `'${text}'`).join(', ')
