// The request as controllers see it: loaded values, and values that are read from the transport on demand.

import { createTree } from '../query/value-tree.ts'
import type { ActionIdentity } from '../response/action-identity.ts'
import type { Services } from '../services.ts'
import type { RawHeaders, Transport } from '../transport.ts'
import { toSameHost } from './request-target.ts'

/** The members of a served action that its request uses. */
interface ServedAction {
  readonly identity: ActionIdentity
  readonly services: Pick<Services, 'requestId'>
  readonly responses: ReadonlyMap<string, { accepts(accept: RawHeaders[string]): string | undefined }>
}

/** The request of a context; its members are computed on demand. */
export class RequestView {
  params: unknown = EMPTY_VALUES
  payload: unknown = undefined
  headers: unknown = EMPTY_VALUES
  action: ActionIdentity
  /** The list that the params ask for, if a plugin has read it from them: resources read it. */
  list: object | undefined = undefined
  /** The condition that a policy has set on the element of this request: resources add it to their statements. */
  guard: object | undefined = undefined
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

  /** Continues with the variant of the action for this client. */
  switchVariant(served: ServedAction): void {
    this.action = served.identity
    this.#served = served
  }

  /** A bound function, so that a controller can destructure the request. */
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
    const getUrl = this.#readLinkUrl?.()
    return getUrl === undefined ? this.url : toSameHost(getUrl)
  }

  /** Sets the function that returns the URL of the equivalent GET request. */
  setLinkUrl(readLinkUrl: () => string | undefined): void {
    this.#readLinkUrl = readLinkUrl
  }

  get env(): { readonly headers: RawHeaders; readonly raw: unknown } {
    return this.#transport
  }

  get id(): string {
    this.#id ??= this.#served.services.requestId(this.#transport.headers)
    return this.#id
  }

  /** Sets the id that the request got before it was routed. */
  setId(id: string): void {
    this.#id = id
  }

  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      this.#abort = new AbortController()
      const disconnect = this.#transport.signal
      if (disconnect.aborted) this.#abort.abort(disconnect.reason)
      else disconnect.addEventListener('abort', () => this.#abort?.abort(disconnect.reason), { once: true })
    }
    return this.#abort.signal
  }

  /** Aborts the signal: the response is no longer needed. */
  abort(reason: unknown): void {
    // Creates the signal, so that code which reads it later sees the abort too.
    if (!this.signal.aborted) this.#abort?.abort(reason)
  }
}

const EMPTY_VALUES: object = Object.freeze(createTree())
