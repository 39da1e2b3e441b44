// Collects the parts of the document that declarations cannot express: location, reason, and replacement.
import type { SourceDocument } from './read/document.ts'
import type { LocatedValue } from './read/located.ts'

/** One part of the document that was not carried over unchanged. */
export interface Unsupported {
  /** The location in the document, as a JSON Pointer after `#`. */
  readonly pointer: string
  /** The part, and why it is not carried over. */
  readonly what: string
  /** The replacement. */
  readonly instead: string
}

/** Collects unsupported parts. */
export class UnsupportedList {
  readonly #document: SourceDocument
  readonly #found = new Map<string, Unsupported>()

  constructor(document: SourceDocument) {
    this.#document = document
  }

  /** Adds a part of the document; adding it twice has no effect. */
  add(at: LocatedValue, what: string, instead: string): void {
    const pointer = this.#document.formatLocation(at)
    this.#found.set(JSON.stringify([pointer, what]), { pointer, what, instead })
  }

  /** Returns all parts in the order of their discovery. */
  list(): readonly Unsupported[] {
    return [...this.#found.values()]
  }
}
