// The way of a request through a server of Node and back, as far as HTTP/1.1 and HTTP/2 are alike: it is refused or handed to
// the application, and its answer is written whole, streamed, or replaced by one that can be written.
import { type Logger, guardLogger } from '../../server/logger.ts'
import { isStreamBody, releaseBody, openStream } from '../../server/body-stream.ts'
import { toPathAndQuery } from '../../server/request/request-target.ts'
import type { RawResponse, Handler, Send, StreamBody } from '../../server/transport.ts'
import type { Connections } from './connection/connection.ts'
import { type AdapterRefusal, adapterRefusals } from './connection/adapter-refusals.ts'
import type { BaseTransport } from './message/base-transport.ts'
import { hasBody } from './message/framing.ts'
import { pumpStream } from './message/pump-stream.ts'

/** Drives a handler with the requests of a server and writes its answers. */
export abstract class RequestDriver<T extends BaseTransport> {
  protected readonly connections: Connections
  readonly #handler: Handler
  readonly #logger: Logger

  constructor(handler: Handler, connections: Connections, logger: Logger) {
    this.#handler = handler
    this.connections = connections
    this.#logger = guardLogger(logger)
  }

  /** Writes an answer that is not a stream; `last` says that nothing may follow on the connection. */
  protected abstract writeBuffered(transport: T, answer: RawResponse, last: boolean): void
  /** Writes the head of a streamed answer. */
  protected abstract writeHead(transport: T, answer: RawResponse, last: boolean): void
  /** Takes note of a streamed answer that is out, or whose client has gone. */
  protected abstract onStreamEnd(transport: T, complete: boolean): void
  /** Aborts a response midway, so that no client takes it for complete. */
  protected abstract abortResponse(transport: T): void
  /** Records a response that no client waits for any more. */
  protected abstract onUndelivered(transport: T): void
  /** Decides what an answer means for its connection, then writes it. */
  protected abstract send(transport: T, answer: RawResponse): void

  /** Hands a request to the application; refuses one with a flaw, and one that comes on top of too many. */
  protected admit(transport: T, flaw: AdapterRefusal | undefined, pending: number): void {
    if (flaw !== undefined)
      return this.#refuse(transport, adapterRefusals[flaw], (answer) => this.respond(transport, answer, true))
    const { admission } = this.connections
    if (admission.isFull || pending > admission.maxPipelined)
      return this.#refuse(transport, admission.refuse(), (answer) => this.send(transport, answer))
    transport.setActive(true)
    this.#handler.handle(transport, (answer) => {
      transport.markFinished()
      this.send(transport, answer)
    })
  }

  // Plugins of the application see what it is not asked about, too.
  #refuse(transport: T, answer: RawResponse, send: Send): void {
    if (this.#handler.refuse === undefined) send(answer)
    else this.#handler.refuse(transport, answer, send)
  }

  protected respond(transport: T, answer: RawResponse, last: boolean): void {
    if (!transport.writable) {
      this.onUndelivered(transport)
      releaseBody(answer.body)
      answer.done?.(answer.status, 'aborted', 0)
      return
    }
    transport.status = answer.status
    if (answer.done !== undefined) transport.onResponseEnd(answer.done)
    try {
      if (answer.status < 200) throw new RangeError(`${answer.status} is not the status of an answer`)
      this.writeResponse(transport, answer, last)
    } catch (error) {
      releaseBody(answer.body)
      this.#handleFailure(transport, answer, error)
    }
  }

  protected writeResponse(transport: T, answer: RawResponse, last: boolean): void {
    if (!isStreamBody(answer.body)) this.writeBuffered(transport, answer, last)
    else if (hasBody(transport.method, answer)) this.streamResponse(transport, answer, answer.body, last)
    else {
      releaseBody(answer.body)
      this.writeBuffered(transport, { ...answer, body: null }, last)
    }
  }

  protected streamResponse(transport: T, answer: RawResponse, body: StreamBody, last: boolean): void {
    const sink = {
      response: transport.response,
      // The stream may read the request, whose client has not received 100 Continue yet.
      patient: transport.awaitsContinue,
      begin: () => this.writeHead(transport, answer, last),
      whenGone: (callback: () => void) => transport.onDisconnect(callback),
      ...(answer.done !== undefined && {
        wrote: (piece: string | Uint8Array) => {
          transport.sentBytes += Buffer.byteLength(piece)
        },
      }),
    }
    pumpStream(openStream(body), sink).then(
      (complete) => this.onStreamEnd(transport, complete),
      (error: unknown) => this.#handleFailure(transport, answer, error),
    )
  }

  /** An answer that cannot be written becomes a 500, or the end of the connection if part of it is out. */
  #handleFailure(transport: T, { instead }: RawResponse, error: unknown): void {
    this.#logFailure(transport, error)
    const again = transport.hasFailed
    transport.hasFailed = true
    transport.error = error
    transport.sentBytes = transport.response.headersSent ? transport.sentBytes : 0
    if (transport.response.headersSent) return this.abortResponse(transport)
    // The application may show the failure to its plugins, once: what fails then is not asked again.
    if (!again) {
      if (instead !== undefined) return instead(adapterRefusals.internal, error)
      if (this.#handler.refuse !== undefined)
        return this.#refuse(transport, adapterRefusals.internal, (other) => this.respond(transport, other, true))
    }
    try {
      transport.status = adapterRefusals.internal.status
      this.writeBuffered(transport, adapterRefusals.internal, true)
    } catch (another) {
      this.#logFailure(transport, another)
      this.abortResponse(transport)
    }
  }

  #logFailure({ method, url }: T, err: unknown): void {
    const target = toPathAndQuery(url)
    const shown = this.#handler.redactUrl?.(target) ?? target
    this.#logger.error({ err, method, url: shown }, 'An answer could not be sent')
  }
}
