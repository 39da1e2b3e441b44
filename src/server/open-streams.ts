// The open streams of events of an application, which end when it stops: they would not end by themselves.

/** The open streams of one application. */
export class OpenStreams {
  readonly #open = new Set<() => void>()
  #isStopping = false

  /** Adds a stream; `stop` is called when the application stops, at once if it already has. Returns a function to remove it. */
  add(stop: () => void): () => void {
    if (this.#isStopping) stop()
    else this.#open.add(stop)
    return () => this.#open.delete(stop)
  }

  /** Ends all streams, and those that are opened later. */
  stop(): void {
    this.#isStopping = true
    for (const stop of this.#open) stop()
    this.#open.clear()
  }
}
