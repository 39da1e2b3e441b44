// Handles a request of a Node server, as far as HTTP/1.1 and HTTP/2 are alike: it is rejected or passed to the
// application, and its response is written at once, streamed, or replaced by one that can be written.

import { isStreamBody, openStream, releaseBody } from '../../server/body-stream.ts'
import { guardLogger, type Logger } from '../../server/logger.ts'
import { toPathAndQuery } from '../../server/request/request-target.ts'
import type { Handler, RawResponse, Send, StreamBody } from '../../server/transport.ts'
import { type AdapterRefusal, adapterRefusals } from './connection/adapter-refusals.ts'
import type { Connections } from './connection/connection.ts'
import type { BaseTransport } from './message/base-transport.ts'
import { hasBody } from './message/framing.ts'
import { pumpStream } from './message/pump-stream.ts'

/** Drives a handler with the requests of a server and writes its responses. */
export abstract class RequestDriver<T extends BaseTransport> {
  protected readonly connections: Connections
  readonly #handler: Handler
  readonly #logger: Logger

  constructor(handler: Handler, connections: Connections, logger: Logger) {
    this.#handler = handler
    this.connections = connections
    this.#logger = guardLogger(logger)
  }

  /** Writes a response that is not a stream; `last` means that nothing may follow on the connection. */
  protected abstract writeBuffered(transport: T, response: RawResponse, last: boolean): void
  /** Writes the head of a streamed response. */
  protected abstract writeHead(transport: T, response: RawResponse, last: boolean): void
  /** Called when a streamed response is sent, or its client has disconnected. */
  protected abstract onStreamEnd(transport: T, isComplete: boolean): void
  /** Aborts a response midway, so that no client takes it for complete. */
  protected abstract abortResponse(transport: T): void
  /** Records a response whose client has disconnected. */
  protected abstract onUndelivered(transport: T): void
  /** Decides whether the response closes its connection, then writes it. */
  protected abstract send(transport: T, response: RawResponse): void

  /** Passes a request to the application; rejects one with a fault, and one above the limits. */
  protected admit(transport: T, fault: AdapterRefusal | undefined, pending: number): void {
    if (fault !== undefined)
      return this.#refuse(transport, adapterRefusals[fault], (response) => this.respond(transport, response, true))
    const { admission } = this.connections
    if (admission.isFull || pending > admission.maxPipelined)
      return this.#refuse(transport, admission.refuse(), (response) => this.send(transport, response))
    transport.setActive(true)
    this.#handler.handle(transport, (response) => {
      transport.markFinished()
      this.send(transport, response)
    })
  }

  // Plugins of the application also see requests that it does not handle.
  #refuse(transport: T, response: RawResponse, send: Send): void {
    if (this.#handler.refuse === undefined) send(response)
    else this.#handler.refuse(transport, response, send)
  }

  protected respond(transport: T, response: RawResponse, last: boolean): void {
    if (!transport.writable) {
      this.onUndelivered(transport)
      releaseBody(response.body)
      response.done?.(response.status, 'aborted', 0)
      return
    }
    transport.status = response.status
    if (response.done !== undefined) transport.onResponseEnd(response.done)
    try {
      if (response.status < 200) throw new RangeError(`${response.status} is not the status of a response`)
      this.writeResponse(transport, response, last)
    } catch (error) {
      releaseBody(response.body)
      this.#handleFailure(transport, response, error)
    }
  }

  protected writeResponse(transport: T, response: RawResponse, last: boolean): void {
    if (!isStreamBody(response.body)) this.writeBuffered(transport, response, last)
    else if (hasBody(transport.method, response)) this.streamResponse(transport, response, response.body, last)
    else {
      releaseBody(response.body)
      this.writeBuffered(transport, { ...response, body: null }, last)
    }
  }

  protected streamResponse(transport: T, response: RawResponse, body: StreamBody, last: boolean): void {
    const target = {
      response: transport.response,
      // The stream may read the request, whose client has not received 100 Continue yet.
      waitsForFirstPiece: transport.awaitsContinue,
      writeHead: () => this.writeHead(transport, response, last),
      onDisconnect: (callback: () => void) => transport.onDisconnect(callback),
      ...(response.done !== undefined && {
        onWrite: (piece: string | Uint8Array) => {
          transport.sentBytes += Buffer.byteLength(piece)
        },
      }),
    }
    pumpStream(openStream(body), target).then(
      (isComplete) => this.onStreamEnd(transport, isComplete),
      (error: unknown) => this.#handleFailure(transport, response, error),
    )
  }

  /** Replaces a response that cannot be written with a 500, or ends the connection if part of it is sent. */
  #handleFailure(transport: T, { replace }: RawResponse, error: unknown): void {
    this.#logFailure(transport, error)
    const isRepeated = transport.hasFailed
    transport.hasFailed = true
    transport.error = error
    transport.sentBytes = transport.response.headersSent ? transport.sentBytes : 0
    if (transport.response.headersSent) return this.abortResponse(transport)
    // The application may pass the failure through its plugins, once: a second failure is not passed on.
    if (!isRepeated) {
      if (replace !== undefined) return replace(adapterRefusals.internal, error)
      if (this.#handler.refuse !== undefined)
        return this.#refuse(transport, adapterRefusals.internal, (replacement) =>
          this.respond(transport, replacement, true),
        )
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
    const redacted = this.#handler.redactUrl?.(target) ?? target
    this.#logger.error({ err, method, url: redacted }, 'A response could not be sent')
  }
}
