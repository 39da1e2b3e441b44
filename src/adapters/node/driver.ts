// The way of a request through a server of Node and back, as far as HTTP/1.1 and HTTP/2 are alike: it is refused or handed to
// the application, and its answer is written whole, streamed, or replaced by one that can be written.
import { type Logger, safely } from '../../server/logger.ts'
import { isStream, releaseBody, sourceOf } from '../../server/stream.ts'
import { pathAndQuery } from '../../server/target.ts'
import type { Answer, Handler, Send, StreamBody } from '../../server/transport.ts'
import type { Connections } from './connection/connection.ts'
import { type AdapterRefusal, refusals } from './connection/refusals.ts'
import type { ArrivingRequest } from './message/arriving.ts'
import { hasBody } from './message/framing.ts'
import { pump } from './message/stream.ts'

/** Drives a handler with the requests of a server and writes its answers. */
export abstract class Driver<T extends ArrivingRequest> {
  protected readonly connections: Connections
  readonly #handler: Handler
  readonly #logger: Logger

  constructor(handler: Handler, connections: Connections, logger: Logger) {
    this.#handler = handler
    this.connections = connections
    this.#logger = safely(logger)
  }

  /** Writes an answer that is not a stream; `last` says that nothing may follow on the connection. */
  protected abstract writeWhole(transport: T, answer: Answer, last: boolean): void
  /** Writes the head of a streamed answer. */
  protected abstract writeHead(transport: T, answer: Answer, last: boolean): void
  /** Takes note of a streamed answer that is out, or whose client has gone. */
  protected abstract ended(transport: T, complete: boolean): void
  /** Aborts a response midway, so that no client takes it for complete. */
  protected abstract cut(transport: T): void
  /** Records a response that no client waits for any more. */
  protected abstract unheard(transport: T): void
  /** Decides what an answer means for its connection, then writes it. */
  protected abstract send(transport: T, answer: Answer): void

  /** Hands a request to the application; refuses one with a flaw, and one that comes on top of too many. */
  protected admit(transport: T, flaw: AdapterRefusal | undefined, pending: number): void {
    if (flaw !== undefined)
      return this.#refuse(transport, refusals[flaw], (answer) => this.answer(transport, answer, true))
    const { admission } = this.connections
    if (admission.full || pending > admission.pipelined)
      return this.#refuse(transport, admission.refuse(), (answer) => this.send(transport, answer))
    transport.count(true)
    this.#handler.handle(transport, (answer) => {
      transport.leave()
      this.send(transport, answer)
    })
  }

  // Plugins of the application see what it is not asked about, too.
  #refuse(transport: T, answer: Answer, send: Send): void {
    if (this.#handler.refuse === undefined) send(answer)
    else this.#handler.refuse(transport, answer, send)
  }

  protected answer(transport: T, answer: Answer, last: boolean): void {
    if (!transport.writable) {
      this.unheard(transport)
      releaseBody(answer.body)
      answer.done?.(answer.status, 'aborted', 0)
      return
    }
    transport.status = answer.status
    if (answer.done !== undefined) transport.whenOver(answer.done)
    try {
      if (answer.status < 200) throw new RangeError(`${answer.status} is not the status of an answer`)
      this.write(transport, answer, last)
    } catch (error) {
      releaseBody(answer.body)
      this.#fail(transport, answer, error)
    }
  }

  protected write(transport: T, answer: Answer, last: boolean): void {
    if (!isStream(answer.body)) this.writeWhole(transport, answer, last)
    else if (hasBody(transport.method, answer)) this.stream(transport, answer, answer.body, last)
    else {
      releaseBody(answer.body)
      this.writeWhole(transport, { ...answer, body: null }, last)
    }
  }

  protected stream(transport: T, answer: Answer, body: StreamBody, last: boolean): void {
    const sink = {
      response: transport.response,
      // The stream may read the request, whose client has not received 100 Continue yet.
      patient: transport.held,
      begin: () => this.writeHead(transport, answer, last),
      whenGone: (callback: () => void) => transport.whenGone(callback),
      ...(answer.done !== undefined && {
        wrote: (piece: string | Uint8Array) => {
          transport.sent += Buffer.byteLength(piece)
        },
      }),
    }
    pump(sourceOf(body), sink).then(
      (complete) => this.ended(transport, complete),
      (error: unknown) => this.#fail(transport, answer, error),
    )
  }

  /** An answer that cannot be written becomes a 500, or the end of the connection if part of it is out. */
  #fail(transport: T, { instead }: Answer, error: unknown): void {
    this.#log(transport, error)
    const again = transport.failed
    transport.failed = true
    transport.error = error
    transport.sent = transport.response.headersSent ? transport.sent : 0
    if (transport.response.headersSent) return this.cut(transport)
    // The application may show the failure to its plugins, once: what fails then is not asked again.
    if (!again) {
      if (instead !== undefined) return instead(refusals.internal, error)
      if (this.#handler.refuse !== undefined)
        return this.#refuse(transport, refusals.internal, (other) => this.answer(transport, other, true))
    }
    try {
      transport.status = refusals.internal.status
      this.writeWhole(transport, refusals.internal, true)
    } catch (another) {
      this.#log(transport, another)
      this.cut(transport)
    }
  }

  #log({ method, url }: T, err: unknown): void {
    const target = pathAndQuery(url)
    const shown = this.#handler.redactUrl?.(target) ?? target
    this.#logger.error({ err, method, url: shown }, 'An answer could not be sent')
  }
}
