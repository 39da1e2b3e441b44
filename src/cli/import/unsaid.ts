// The list of what a declaration cannot say: each with its place in the document, the reason, and what was done instead.
import type { Document } from './read/document.ts'
import type { Located } from './read/located.ts'

/** One part of the document that was not carried over as it is. */
export interface Unsaid {
  /** The place in the document, as a JSON pointer behind `#`. */
  readonly place: string
  /** The part, and why it is not carried over. */
  readonly what: string
  /** The declaration that stands in its place. */
  readonly instead: string
}

/** Collects what could not be said. */
export class UnsaidList {
  readonly #document: Document
  readonly #found = new Map<string, Unsaid>()

  constructor(document: Document) {
    this.#document = document
  }

  /** Notes a part of the document; noting it twice makes no difference. */
  add(at: Located, what: string, instead: string): void {
    const place = this.#document.place(at)
    this.#found.set(JSON.stringify([place, what]), { place, what, instead })
  }

  /** All of them, in the order in which they were found. */
  all(): readonly Unsaid[] {
    return [...this.#found.values()]
  }
}
