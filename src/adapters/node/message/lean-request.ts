// The request object of our own servers: a node:http request that stays out of the stream machinery, which costs more
// than routing does, until code treats it as a stream. From then on it is one like any other.
import { IncomingMessage } from 'node:http'

/** Takes a body directly from the parser. */
export interface BodyConsumer {
  /** False if no more is wanted for now; the caller that paused the socket resumes it. */
  onData(chunk: Uint8Array): boolean
  onEnd(): void
  /** The client went before the end. */
  onAbort(): void
}

/** A request whose end is not announced to an unread stream. */
export class LeanRequest extends IncomingMessage {
  #consumer: BodyConsumer | undefined
  /** Code listens or reads, or part of the body is in the stream. */
  #isStreaming = false
  /** The end has come, and the stream has not been told. */
  #isEndWithheld = false

  static {
    // Node asks whether it still has to wait for the end; its types say that this is not an accessor.
    Object.defineProperty(LeanRequest.prototype, 'readableEnded', {
      get(this: LeanRequest): boolean {
        return this.#isEndWithheld || Reflect.get(IncomingMessage.prototype, 'readableEnded', this)
      },
    })
  }

  /** Gives the body to a sink instead of the stream; false if the stream has it already. */
  divertTo(sink: BodyConsumer): boolean {
    if (this.#isStreaming || this.#isEndWithheld || this.destroyed) return false
    this.#consumer = sink
    return true
  }

  /** Lets the rest of the body go to the stream after all. */
  restoreStream(): void {
    this.#consumer = undefined
    this.#isStreaming = true
  }

  override push(chunk: Uint8Array | null, encoding?: BufferEncoding): boolean {
    const sink = this.#consumer
    if (chunk !== null) {
      if (sink === undefined) {
        this.#isStreaming = true
        return super.push(chunk, encoding)
      }
      return sink.onData(chunk)
    }
    this.#consumer = undefined
    if (this.#isStreaming) super.push(null)
    else this.#isEndWithheld = true
    sink?.onEnd()
    return false
  }

  override on(...[event, listener]: Parameters<IncomingMessage['on']>): this {
    this.#switchToStream()
    return super.on(event, listener)
  }

  override addListener(...[event, listener]: Parameters<IncomingMessage['on']>): this {
    return this.on(event, listener)
  }

  override read(size?: number): Uint8Array | null {
    this.#switchToStream()
    return super.read(size)
  }

  override resume(): this {
    // Node drops unread bytes in this way once the response is sent; there is nothing left to drop.
    if (this.#isEndWithheld && this.listenerCount('end') === 0) return this
    return super.resume()
  }

  override destroy(error?: Error): this {
    const sink = this.#consumer
    this.#consumer = undefined
    sink?.onAbort()
    return super.destroy(error)
  }

  #switchToStream(): void {
    this.#isStreaming = true
    if (!this.#isEndWithheld) return
    this.#isEndWithheld = false
    super.push(null)
  }
}
