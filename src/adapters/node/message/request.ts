// The request object of our own servers: a node:http request that stays out of the stream machinery, which costs more
// than routing does, until code treats it as a stream. From then on it is one like any other.
import { IncomingMessage } from 'node:http'

/** Takes a body directly from the parser. */
export interface BodySink {
  /** False if no more is wanted for now; the caller that paused the socket resumes it. */
  data(chunk: Uint8Array): boolean
  end(): void
  /** The client went before the end. */
  gone(): void
}

/** A request whose end is not announced to an unread stream. */
export class LeanMessage extends IncomingMessage {
  #sink: BodySink | undefined
  /** Code listens or reads, or part of the body is in the stream. */
  #streaming = false
  /** The end has come, and the stream has not been told. */
  #withheld = false

  static {
    // Node asks whether it still has to wait for the end; its types say that this is not an accessor.
    Object.defineProperty(LeanMessage.prototype, 'readableEnded', {
      get(this: LeanMessage): boolean {
        return this.#withheld || Reflect.get(IncomingMessage.prototype, 'readableEnded', this)
      },
    })
  }

  /** Gives the body to a sink instead of the stream; false if the stream has it already. */
  divert(sink: BodySink): boolean {
    if (this.#streaming || this.#withheld || this.destroyed) return false
    this.#sink = sink
    return true
  }

  /** Lets the rest of the body go to the stream after all. */
  restore(): void {
    this.#sink = undefined
    this.#streaming = true
  }

  override push(chunk: Uint8Array | null, encoding?: BufferEncoding): boolean {
    const sink = this.#sink
    if (chunk !== null) {
      if (sink === undefined) {
        this.#streaming = true
        return super.push(chunk, encoding)
      }
      return sink.data(chunk)
    }
    this.#sink = undefined
    if (this.#streaming) super.push(null)
    else this.#withheld = true
    sink?.end()
    return false
  }

  override on(...[event, listener]: Parameters<IncomingMessage['on']>): this {
    this.#join()
    return super.on(event, listener)
  }

  override addListener(...[event, listener]: Parameters<IncomingMessage['on']>): this {
    return this.on(event, listener)
  }

  override read(size?: number): Uint8Array | null {
    this.#join()
    return super.read(size)
  }

  override resume(): this {
    // Node drops unread bytes in this way once the response is sent; there is nothing left to drop.
    if (this.#withheld && this.listenerCount('end') === 0) return this
    return super.resume()
  }

  override destroy(error?: Error): this {
    const sink = this.#sink
    this.#sink = undefined
    sink?.gone()
    return super.destroy(error)
  }

  #join(): void {
    this.#streaming = true
    if (!this.#withheld) return
    this.#withheld = false
    super.push(null)
  }
}
