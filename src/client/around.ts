// The hooks around a client's requests, and the options of every call.
import type { Verb } from '../design/declare/route.ts'

/** A request that is about to be sent, and its call. */
export interface SentRequest {
  readonly endpoint: string
  readonly action: string
  readonly request: Request
  /** The number of the attempt, from 1. */
  readonly attempt: number
  /** Whether the call streams the response body. Do not buffer it: it may be of any size. */
  readonly stream?: boolean
}

/**
 * A hook around every request. It may change the request, send it any number of times or not at all, and read the
 * response.
 * `send` calls the next hook; the last one sends the request to the server.
 */
export type Around = (sent: SentRequest, send: (request: Request) => Promise<Response>) => Promise<Response>

/** The options of every call. */
export interface CommonCallOptions {
  /** Aborts the call: the request, the wait before a retry, and the reading of the response. */
  readonly signal?: AbortSignal | undefined
  /**
   * The timeout of the call in milliseconds, including retries; for a list, of each page. `Infinity` disables it.
   * @default that of the client
   */
  readonly timeout?: number | undefined
  /**
   * The maximum number of attempts.
   * @default that of the client
   */
  readonly attempts?: number | undefined
  /**
   * The verb to use if the action has several.
   * @default that of the first route; for a long query, that of a route which takes the params in the body
   * @see docs/guide/query.md
   */
  readonly method?: Exclude<Verb, 'ANY'> | undefined
  /** Hooks around each request of the call, inside those of the client. */
  readonly around?: Around | readonly Around[] | undefined
  /** The saved `cursor` of an earlier iteration, after which `all` and `pages` continue. */
  readonly from?: string | undefined
}
