// The request object of edict's own servers: a node:http request that bypasses the stream machinery, which costs more
// than routing, until code uses it as a stream. From then on it is an ordinary stream.
import { IncomingMessage } from 'node:http'

/** Receives a body directly from the parser. */
export interface BodyConsumer {
  /** Receives a chunk; returns false to pause the socket, which the consumer then resumes. */
  onData(chunk: Uint8Array): boolean
  onEnd(): void
  /** Called if the client disconnects before the end. */
  onAbort(): void
}

/** A request whose end is not announced to an unread stream. */
export class LeanRequest extends IncomingMessage {
  #consumer: BodyConsumer | undefined
  /** Whether code listens or reads, or part of the body is in the stream. */
  #isStreaming = false
  /** Whether the end has arrived without being pushed to the stream. */
  #isEndWithheld = false

  static {
    // Node checks this to decide whether to wait for the end; its types do not declare an accessor.
    Object.defineProperty(LeanRequest.prototype, 'readableEnded', {
      get(this: LeanRequest): boolean {
        return this.#isEndWithheld || Reflect.get(IncomingMessage.prototype, 'readableEnded', this)
      },
    })
  }

  /** Passes the body to a consumer instead of the stream; returns false if the stream already has it. */
  divertTo(consumer: BodyConsumer): boolean {
    if (this.#isStreaming || this.#isEndWithheld || this.destroyed) return false
    this.#consumer = consumer
    return true
  }

  /** Passes the rest of the body to the stream again. */
  restoreStream(): void {
    this.#consumer = undefined
    this.#isStreaming = true
  }

  override push(chunk: Uint8Array | null, encoding?: BufferEncoding): boolean {
    const consumer = this.#consumer
    if (chunk !== null) {
      if (consumer === undefined) {
        this.#isStreaming = true
        return super.push(chunk, encoding)
      }
      return consumer.onData(chunk)
    }
    this.#consumer = undefined
    if (this.#isStreaming) super.push(null)
    else this.#isEndWithheld = true
    consumer?.onEnd()
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
    // Node discards unread bytes this way after the response is sent; here nothing remains to be discarded.
    if (this.#isEndWithheld && this.listenerCount('end') === 0) return this
    return super.resume()
  }

  override destroy(error?: Error): this {
    const consumer = this.#consumer
    this.#consumer = undefined
    consumer?.onAbort()
    return super.destroy(error)
  }

  #switchToStream(): void {
    this.#isStreaming = true
    if (!this.#isEndWithheld) return
    this.#isEndWithheld = false
    super.push(null)
  }
}
