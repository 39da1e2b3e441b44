// The list of what a declaration cannot say: each with its place in the document, the reason, and what was done instead.
import type { SourceDocument } from './read/document.ts'
import type { LocatedValue } from './read/located.ts'

/** One part of the document that was not carried over as it is. */
export interface Unsupported {
  /** The place in the document, as a JSON pointer behind `#`. */
  readonly pointer: string
  /** The part, and why it is not carried over. */
  readonly what: string
  /** The declaration that stands in its place. */
  readonly instead: string
}

/** Collects what could not be said. */
export class UnsupportedList {
  readonly #document: SourceDocument
  readonly #found = new Map<string, Unsupported>()

  constructor(document: SourceDocument) {
    this.#document = document
  }

  /** Notes a part of the document; noting it twice makes no difference. */
  add(at: LocatedValue, what: string, instead: string): void {
    const place = this.#document.formatLocation(at)
    this.#found.set(JSON.stringify([place, what]), { pointer: place, what, instead })
  }

  /** All of them, in the order in which they were found. */
  list(): readonly Unsupported[] {
    return [...this.#found.values()]
  }
}
