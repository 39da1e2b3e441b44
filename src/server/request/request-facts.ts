// The facts about a response that logs, events and metrics share; they contain no secrets.
import type { SendOutcome } from '../transport.ts'
import type { IncomingRequest, RequestEnd } from './incoming-request.ts'

/** The facts of one response; members without a value are omitted. */
export interface RequestFacts {
  /** The time when the response ended, in RFC 3339 format. */
  readonly time: string
  readonly requestId: string
  /** The method; absent if the request could not be parsed. */
  readonly method?: string
  /** The path and query without secrets; absent if the request could not be parsed. */
  readonly url?: string
  /** The pattern of the route. */
  readonly route?: string
  /** The endpoint and the action, such as `Books.show`. */
  readonly action?: string
  /** The version that the request specifies. */
  readonly version?: string
  /** The address of the client. */
  readonly address?: string
  readonly status: number
  /** The code of the failure. */
  readonly code?: string
  readonly outcome: SendOutcome
  /** Milliseconds from the arrival to the last byte, with two decimals. */
  readonly duration: number
  /** Bytes of the request's body that were read. */
  readonly received: number
  /** Bytes of the response body that were sent. */
  readonly sent: number
}

/** Returns the facts about the response to a request. */
export function requestFacts(request: IncomingRequest, ended: RequestEnd): RequestFacts {
  const { id, method, route, action, version, address } = request
  const { status, code, outcome, duration, received, sent } = ended
  // Set one by one for speed: this runs for each request.
  const facts: Record<string, unknown> = { time: new Date().toISOString(), requestId: id }
  if (method !== '') {
    facts['method'] = method
    facts['url'] = request.redactedUrl
  }
  if (route !== undefined) facts['route'] = route
  if (action !== undefined) facts['action'] = action
  if (version !== undefined) facts['version'] = version
  if (address !== undefined) facts['address'] = address
  facts['status'] = status
  if (code !== undefined) facts['code'] = code
  facts['outcome'] = outcome
  facts['duration'] = Math.round(duration * 100) / 100
  facts['received'] = received
  facts['sent'] = sent
  return facts as unknown as RequestFacts
}
