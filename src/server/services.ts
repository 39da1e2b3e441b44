// Defines the services that all requests of one application share: settings, logger, and functions created from them at
// boot.
import type { PolicyRequest } from '../design/declare/policy.ts'
import type { AnyDefinition } from '../design/definition.ts'
import type { Environment } from '../util/environment.ts'
import type { Logger } from './logger.ts'
import type { OpenStreams } from './open-streams.ts'
import type { Redaction } from './redaction.ts'
import type { WriteProblem } from './response/problem-encoder.ts'
import type { ResponseViolation } from './response/violation.ts'
import type { RawHeaders } from './transport.ts'

/** The response bodies that are checked in full, in addition to the checks of every rendering; a number is a share. */
export type ResponseChecks = 'always' | 'sample' | 'off' | number

/** The services that all requests of one application share. */
export interface Services {
  readonly environment: Environment
  readonly logger: Logger
  /** Keeps secrets out of logs. */
  readonly redaction: Redaction
  /** Writes failures in the application's own format; undefined without an encoder. */
  readonly writeProblem: WriteProblem | undefined
  /** The media type of failures. */
  readonly problemType: string
  /** Headers of every response, names and values in turn. */
  readonly baseHeaders: readonly string[]
  readonly validationStatus: 400 | 422
  readonly validateResponses: ResponseChecks
  /** Reports responses that violate their declaration to plugins; undefined if none has the hook. */
  readonly notifyViolation: ((violation: ResponseViolation, request: PolicyRequest) => void) | undefined
  /** Returns whether the next body is checked in full. */
  shouldCheckBody(): boolean
  /** Milliseconds after which a request without a response gets 503; 0 for never. */
  readonly deadline: number
  readonly logRequests: boolean
  /** The open streams of events. */
  readonly streams: OpenStreams
  requestId(headers: RawHeaders): string
  /** Returns the client's own request id and its header, to be sent back; undefined if it sent none. */
  sentId(headers: RawHeaders): readonly [header: string, id: string] | undefined
  /** Returns the canonical path of an endpoint as the application serves it. */
  href(endpoint: AnyDefinition, args: never): string
  /** Parses the arguments of a canonical path that `href` built. */
  parseHref(endpoint: AnyDefinition, href: string): object
}

const REQUEST_ID = /^[\w.:/+=@-]{1,128}$/

/**
 * Creates the reader of the client's own request id: undefined if there is none, or if it is not trusted or has other
 * characters.
 */
export function createSentIdReader(header: string, trusted: boolean): Services['sentId'] {
  const lower = header.toLowerCase()
  return (headers) => {
    const sent = trusted ? headers[lower] : undefined
    return typeof sent === 'string' && REQUEST_ID.test(sent) ? [header, sent] : undefined
  }
}

/** Creates the source of request ids: the client's own, otherwise a generated one. */
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
// Sums of shares are inexact in floating point.
const NEARLY_ONE = 1 - 1e-9

/**
 * Creates the function that decides which bodies are checked in full: all, none, or a share of them, the first one
 * included.
 */
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
