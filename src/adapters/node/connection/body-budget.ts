// Limits the buffered bytes of arriving bodies, of all requests together: above the limit, the body that has been
// arriving longest is evicted, so that slow clients do not block fast ones.

/** A body that is arriving. */
export interface BudgetedBody {
  /** Bytes of it that are buffered. */
  bufferedBytes: number
  /** Stops reading it, because the budget is exhausted. */
  evict(): void
}

/** The budget that arriving bodies share. */
export class BodyBudget {
  readonly #maxBytes: number
  readonly #bodies = new Set<BudgetedBody>()
  #bufferedBytes = 0

  /** Sets the limit in bytes; 0 for no limit. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes || Number.POSITIVE_INFINITY
  }

  /** Counts buffered bytes of a body; a single body may use everything that its own limit allows. */
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

  /** Counts bytes that are no longer buffered. */
  release(body: BudgetedBody, bytes: number): void {
    const released = Math.min(bytes, body.bufferedBytes)
    body.bufferedBytes -= released
    this.#bufferedBytes -= released
    if (body.bufferedBytes === 0) this.#bodies.delete(body)
  }

  /** Stops counting a body: it is complete, or no longer needed. */
  releaseAll(body: BudgetedBody): void {
    this.release(body, body.bufferedBytes)
  }
}
