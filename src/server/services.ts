// The services that all requests of one application share: settings, logger, and functions made from them at boot.
import type { PolicyRequest } from '../design/declare/policy.ts'
import type { AnyDefinition } from '../design/definition.ts'
import type { Environment } from '../util/environment.ts'
import type { ResponseViolation } from './response/violation.ts'
import type { WriteProblem } from './response/problem-encoder.ts'
import type { Logger } from './logger.ts'
import type { Redaction } from './redaction.ts'
import type { RawHeaders } from './transport.ts'

/** How much of a response body is checked against its declaration, beyond what its rendering always ensures; a number is the share of bodies. */
export type ResponseChecks = 'always' | 'sample' | 'off' | number

/** The services that all requests of one application share. */
export interface Services {
  readonly environment: Environment
  readonly logger: Logger
  /** Keeps secrets out of logs. */
  readonly redaction: Redaction
  /** Writes failures in the application's own form; undefined without an encoder. */
  readonly writeProblem: WriteProblem | undefined
  /** The media type of failures. */
  readonly problemType: string
  /** Headers of every answer, names and values in turn. */
  readonly baseHeaders: readonly string[]
  readonly validationStatus: 400 | 422
  readonly validateResponses: ResponseChecks
  /** Reports responses that break their declaration to plugins; undefined if none listens. */
  readonly notifyViolation: ((violation: ResponseViolation, request: PolicyRequest) => void) | undefined
  /** Whether the next body is checked in full. */
  shouldCheckBody(): boolean
  /** Milliseconds after which an unanswered request is answered with 503; 0 for never. */
  readonly deadline: number
  readonly logRequests: boolean
  requestId(headers: RawHeaders): string
  /** The client's own request id with the header it came in, to be sent back; undefined when it sent none. */
  sentId(headers: RawHeaders): readonly [header: string, id: string] | undefined
  /** The canonical path of an endpoint as the application serves it. */
  href(endpoint: AnyDefinition, args: never): string
  /** Reads the arguments of a canonical path that `href` wrote. */
  parseHref(endpoint: AnyDefinition, href: string): object
}

const REQUEST_ID = /^[\w.:/+=@-]{1,128}$/

/** Makes the reader of the client's own request id: undefined when there is none, it is not trusted, or not harmless. */
export function createSentIdReader(header: string, trusted: boolean): Services['sentId'] {
  const lower = header.toLowerCase()
  return (headers) => {
    const sent = trusted ? headers[lower] : undefined
    return typeof sent === 'string' && REQUEST_ID.test(sent) ? [header, sent] : undefined
  }
}

/** Makes the source of request ids: the client's own, else one of the process's. */
export function createIdSource(sentId: Services['sentId']): Services['requestId'] {
  let count = 0
  let prefix: string | undefined
  return (headers) => {
    const sent = sentId(headers)
    if (sent !== undefined) return sent[1]
    prefix ??= Math.random().toString(36).slice(2, 10).padEnd(8, '0')
    count++
    return `${prefix}-${count.toString(36)}`
  }
}

const SAMPLE_SHARE = 0.01
// Sums of shares are never exact.
const NEARLY_ONE = 1 - 1e-9

/** Makes the choice of bodies that are checked in full: all, none, or a share of them, the first one included. */
export function createBodySampler(mode: ResponseChecks): () => boolean {
  if (mode === 'always' || mode === 'off') return () => mode === 'always'
  const share = mode === 'sample' ? SAMPLE_SHARE : mode
  let due = 1
  return () => {
    const checked = due >= NEARLY_ONE && share > 0
    due += checked ? share - 1 : share
    return checked
  }
}
