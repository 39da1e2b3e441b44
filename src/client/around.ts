// Functions around the requests of a client, as users write them, and the options that every call has.
import type { Verb } from '../design/declare/route.ts'

/** A request that is about to be sent, and the call that it belongs to. */
export interface SentRequest {
  readonly endpoint: string
  readonly action: string
  readonly request: Request
  /** How often the request was sent, this time included. */
  readonly attempt: number
  /** Whether the call takes the body of the answer as it comes: reading all of it first may take any amount of memory. */
  readonly stream?: boolean
}

/**
 * A function around every request: it may change the request, send it once, often or not at all, and look at the answer.
 * `send` goes to the next function, and from the last one to the server.
 */
export type Around = (sent: SentRequest, send: (request: Request) => Promise<Response>) => Promise<Response>

/** Options of every call. */
export interface CommonCallOptions {
  /** Aborts the call: the request, the wait before a retry, and the reading of the response. */
  readonly signal?: AbortSignal | undefined
  /**
   * The timeout of the call in milliseconds, its retries included; for a list, of each page. `Infinity` for none.
   * @default that of the client
   */
  readonly timeout?: number | undefined
  /**
   * The most attempts of the request.
   * @default that of the client
   */
  readonly attempts?: number | undefined
  /**
   * The verb, where an action has several.
   * @default that of its first route; where its query is long, one that takes the params in the body
   * @see docs/guide/query.md
   */
  readonly method?: Exclude<Verb, 'ANY'> | undefined
  /** Functions around each request of the call, inside those of the client. */
  readonly around?: Around | readonly Around[] | undefined
  /** Returns a body that is CSV, a stream of events, or neither JSON nor text, as a stream instead of text or bytes. */
  readonly stream?: boolean | undefined
  /** The saved `place` of an earlier iteration, after which `all` and `pages` continue. */
  readonly from?: string | undefined
}
