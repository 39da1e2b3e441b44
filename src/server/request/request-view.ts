// The request as controllers see it: loaded values, and values that are read from the transport on demand.

import type { ActionIdentity } from '../response/action-identity.ts'
import { createTree } from '../query/value-tree.ts'
import type { Services } from '../services.ts'
import { toSameHost } from './request-target.ts'
import type { RawHeaders, Transport } from '../transport.ts'

/** The action that serves a request, as far as the request has to know it. */
interface ServedAction {
  readonly identity: ActionIdentity
  readonly services: Pick<Services, 'requestId'>
  readonly responses: ReadonlyMap<string, { accepts(accept: RawHeaders[string]): string | undefined }>
}

/** The request of a context; its members are made on demand. */
export class RequestView {
  params: unknown = EMPTY_VALUES
  payload: unknown = undefined
  headers: unknown = EMPTY_VALUES
  action: ActionIdentity
  readonly version: string | undefined
  readonly #transport: Transport
  #served: ServedAction
  readonly #url: string
  #id: string | undefined
  #abort: AbortController | undefined
  #readLinkUrl: (() => string | undefined) | undefined

  constructor(
    served: ServedAction,
    transport: Transport,
    { url, version }: { url: string; version: string | undefined },
  ) {
    this.action = served.identity
    this.version = version
    this.#transport = transport
    this.#served = served
    this.#url = url
  }

  /** Goes on with the action as this client may call it. */
  switchVariant(served: ServedAction): void {
    this.action = served.identity
    this.#served = served
  }

  /** An own function, so that a controller can destructure the request. */
  get accepts(): (name: string) => string | undefined {
    return (name) => this.#served.responses.get(name)?.accepts(this.#transport.headers['accept'])
  }

  get method(): string {
    return this.#transport.method
  }

  get url(): string {
    return toSameHost(this.#url)
  }

  get linkUrl(): string {
    const asked = this.#readLinkUrl?.()
    return asked === undefined ? this.url : toSameHost(asked)
  }

  /** Sets what gives the URL with which GET asks for the same. */
  setLinkUrl(asGet: () => string | undefined): void {
    this.#readLinkUrl = asGet
  }

  get env(): { readonly headers: RawHeaders; readonly raw: unknown } {
    return this.#transport
  }

  get id(): string {
    this.#id ??= this.#served.services.requestId(this.#transport.headers)
    return this.#id
  }

  /** Sets the id that the request got before it had an action. */
  setId(id: string): void {
    this.#id = id
  }

  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      this.#abort = new AbortController()
      const gone = this.#transport.signal
      if (gone.aborted) this.#abort.abort(gone.reason)
      else gone.addEventListener('abort', () => this.#abort?.abort(gone.reason), { once: true })
    }
    return this.#abort.signal
  }

  /** Aborts the signal: the response is no longer wanted. */
  abort(reason: unknown): void {
    // This creates the signal, so that code which asks for it later sees the abort too.
    if (!this.signal.aborted) this.#abort?.abort(reason)
  }
}

const EMPTY_VALUES: object = Object.freeze(createTree())
