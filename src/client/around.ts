// Functions around the requests of a client, as users write them.

/** A request that is about to be sent, and the call that it belongs to. */
export interface SentRequest {
  readonly endpoint: string
  readonly action: string
  readonly request: Request
  /** How often the request was sent, this time included. */
  readonly attempt: number
}

/**
 * A function around every request: it may change the request, send it once, often or not at all, and look at the answer.
 * `send` goes to the next function, and from the last one to the server.
 */
export type Around = (sent: SentRequest, send: (request: Request) => Promise<Response>) => Promise<Response>
