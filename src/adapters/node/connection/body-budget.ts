// The bytes that are kept of bodies while they arrive, of all requests together: beyond the bound the body that has been
// arriving longest gives way, so that clients that take their time do not keep out those that do not.

/** A body that is arriving. */
export interface BudgetedBody {
  /** Bytes that are kept of it. */
  bufferedBytes: number
  /** Ends the reading of it, because there is no room for the rest. */
  evict(): void
}

/** The room that bodies share while they arrive. */
export class BodyBudget {
  readonly #maxBytes: number
  readonly #bodies = new Set<BudgetedBody>()
  #bufferedBytes = 0

  /** Makes room for this many bytes; 0 for any number. */
  constructor(most: number) {
    this.#maxBytes = most || Number.POSITIVE_INFINITY
  }

  /** Counts bytes that are kept of a body; one that is alone may have all that its own limit allows. */
  reserve(body: BudgetedBody, bytes: number): void {
    body.bufferedBytes += bytes
    this.#bufferedBytes += bytes
    this.#bodies.add(body)
    while (this.#bufferedBytes > this.#maxBytes && this.#bodies.size > 1) {
      const [oldest] = this.#bodies as Iterable<BudgetedBody> as [BudgetedBody]
      this.releaseAll(oldest)
      oldest.evict()
    }
  }

  /** Counts bytes that are kept no more. */
  release(body: BudgetedBody, bytes: number): void {
    const dropped = Math.min(bytes, body.bufferedBytes)
    body.bufferedBytes -= dropped
    this.#bufferedBytes -= dropped
    if (body.bufferedBytes === 0) this.#bodies.delete(body)
  }

  /** Stops counting a body: it is complete, or no longer wanted. */
  releaseAll(body: BudgetedBody): void {
    this.release(body, body.bufferedBytes)
  }
}
