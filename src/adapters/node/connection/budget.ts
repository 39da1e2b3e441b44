// The bytes that are kept of bodies while they arrive, of all requests together: beyond the bound the body that has been
// arriving longest gives way, so that clients that take their time do not keep out those that do not.

/** A body that is arriving. */
export interface Receiving {
  /** Bytes that are kept of it. */
  kept: number
  /** Ends the reading of it, because there is no room for the rest. */
  giveWay(): void
}

/** The room that bodies share while they arrive. */
export class Budget {
  readonly #most: number
  readonly #receiving = new Set<Receiving>()
  #kept = 0

  /** Makes room for this many bytes; 0 for any number. */
  constructor(most: number) {
    this.#most = most || Number.POSITIVE_INFINITY
  }

  /** Counts bytes that are kept of a body; one that is alone may have all that its own limit allows. */
  keep(body: Receiving, bytes: number): void {
    body.kept += bytes
    this.#kept += bytes
    this.#receiving.add(body)
    while (this.#kept > this.#most && this.#receiving.size > 1) {
      const [oldest] = this.#receiving as Iterable<Receiving> as [Receiving]
      this.free(oldest)
      oldest.giveWay()
    }
  }

  /** Counts bytes that are kept no more. */
  drop(body: Receiving, bytes: number): void {
    const dropped = Math.min(bytes, body.kept)
    body.kept -= dropped
    this.#kept -= dropped
    if (body.kept === 0) this.#receiving.delete(body)
  }

  /** Stops counting a body: it is complete, or no longer wanted. */
  free(body: Receiving): void {
    this.drop(body, body.kept)
  }
}
