// Changes between two contracts, and the collector of a comparison.
import type { Direction, JsonSchema } from '../../schema/json-schema.ts'
import { compareAscending } from '../../util/compare.ts'

/** Whether a change breaks clients, is compatible, or only affects documentation. */
export type ChangeKind = 'breaking' | 'compatible' | 'documentation'

/** One difference between two contracts. */
export interface Change {
  readonly kind: ChangeKind
  /** The location, such as `Blogs.index › params.order`. */
  readonly location: string
  /** The change in one sentence. */
  readonly message: string
  /** The code of the rule that classified it. */
  readonly rule: string
}

/** The effect of a change on the set of allowed values: fewer, more, or different ones. */
export type ChangeEffect = 'narrowed' | 'widened' | 'changed'

/** Reports how the values at one location changed. */
export type ReportChange = (effect: ChangeEffect, rule: string, what: string) => void

/** A documentation text on both sides of a comparison, and its label. */
interface ComparedText {
  readonly what: string
  readonly old: unknown
  readonly now: unknown
}

/** Returns the verb for a value that differs between the two sides. */
export function getChangeVerb(old: unknown, now: unknown): 'added' | 'removed' | 'changed' {
  if (old === undefined) return 'added'
  return now === undefined ? 'removed' : 'changed'
}

/** Collects the changes of one comparison. */
export class ChangeCollector {
  readonly #changes: Change[] = []

  /** Adds a change unless an equal one was added before. */
  add(kind: ChangeKind, location: string, rule: string, what: string): void {
    const known = this.#changes.some((one) => one.location === location && one.rule === rule && one.message === what)
    if (!known) this.#changes.push({ kind, location, message: what, rule })
  }

  /** Returns a function that classifies changes of values: inputs may only be widened, outputs only narrowed. */
  createReporter(direction: Direction, location: string): ReportChange {
    const harmless: ChangeEffect = direction === 'input' ? 'widened' : 'narrowed'
    return (effect, rule, what) => this.add(effect === harmless ? 'compatible' : 'breaking', location, rule, what)
  }

  /** Adds a change of a documentation text. */
  addText(location: string, rule: string, { what, old, now }: ComparedText): void {
    if (old !== now) this.add('documentation', location, rule, `${what} was ${getChangeVerb(old, now)}`)
  }

  get size(): number {
    return this.#changes.length
  }

  /** Returns all changes, breaking ones first, in an order that is independent of the declarations. */
  toSorted(): readonly Change[] {
    return this.#changes.sort(
      (a, b) =>
        CHANGE_KINDS.indexOf(a.kind) - CHANGE_KINDS.indexOf(b.kind) ||
        compareAscending(a.location, b.location) ||
        compareAscending(a.rule, b.rule) ||
        compareAscending(a.message, b.message),
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

/** Returns the names of both sides, without duplicates and sorted. */
export const collectNames = (old: object, now: object): string[] =>
  [...new Set([...Object.keys(old), ...Object.keys(now)])].sort(compareAscending)

/** Returns an own property of a record. Names are user-defined and may equal inherited ones, such as `constructor`. */
export const getRecordValue = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

/** Returns the elements of one list that are missing from another. */
export const subtractNames = (all: readonly string[], others: readonly string[]): string[] =>
  all.filter((one) => !others.includes(one))

/** Quotes strings for a message. */
export const quoteList = (texts: readonly string[]): string => texts.map((text) => `'${text}'`).join(', ')
