// Why a body could not be decoded: values, ready to be answered with, because a refused body is no exception.
import type { FailureCode } from '../../errors.ts'
import type { Failed } from '../../util/failed.ts'
import { type BodyFault, BodyFaultError, bodyFaultOf } from '../transport.ts'

/** A body that was refused. */
export type DecodeFault = Failed<BodyProblem>

/** Why a body was refused: the failure to answer with, in the shape of `Failure`. */
interface BodyProblem {
  readonly code: Extract<
    FailureCode,
    | 'malformed-body'
    | 'unsupported-media-type'
    | 'unsupported-coding'
    | 'payload-too-large'
    | 'timeout'
    | 'unavailable'
    | 'internal'
  >
  readonly detail: string
  /** Names and values of headers to answer with, alternating. */
  readonly headers?: readonly string[]
}

/** Refuses a body that cannot be read for what it claims to be. */
export function malformed(detail: string): DecodeFault {
  return { fault: { code: 'malformed-body', detail } }
}

/** Refuses a body, or a part of one, that is larger than allowed. */
export function tooLarge(limit: number, what = 'The body'): DecodeFault {
  return { fault: { code: 'payload-too-large', detail: `${what} is larger than ${limit} bytes.` } }
}

const CODINGS = 'gzip, deflate'

/** Refuses a content coding, and names those that are supported (RFC 9110, 15.5.16). */
export function unsupportedCoding(detail: string): DecodeFault {
  return { fault: { code: 'unsupported-coding', detail, headers: ['Accept-Encoding', CODINGS] } }
}

/** Refuses a media type, and names those that are accepted (RFC 9110, 15.5.16). */
export function unsupportedType(detail: string, accepted: readonly string[]): DecodeFault {
  const list = accepted.join(', ')
  const headers = ['Accept', list]
  return { fault: { code: 'unsupported-media-type', detail: `${detail} Accepted here: ${list}.`, headers } }
}

/** The remedy where a framework in front of the application has read the body and kept at most its parsed value. */
export const CONSUMED =
  'The body was read before the application could read it. Mount the application before body parsers such as express.json(), or let them keep the bytes as request.rawBody.'

/** The failure that a client gets for a fault of the transport. */
export function transportFault(fault: BodyFault, limit: number): DecodeFault {
  if (fault === 'too-large') return tooLarge(limit)
  if (fault === 'timeout') return { fault: { code: 'timeout', detail: 'The body was not received in time.' } }
  if (fault === 'overload') {
    const detail = 'Too many requests are in progress.'
    return { fault: { code: 'unavailable', detail, headers: ['Retry-After', '1'] } }
  }
  if (fault === 'consumed') return { fault: { code: 'internal', detail: CONSUMED } }
  if (fault === 'coding') return unsupportedCoding('The content coding of the body is not supported.')
  return malformed(fault === 'malformed' ? 'The body is not valid HTTP.' : 'The body ended too early.')
}

/** A fault as an exception, for readers of a body piece by piece, also after the request was loaded. */
export class DecodeError extends BodyFaultError {
  readonly why: DecodeFault

  constructor(why: DecodeFault) {
    super(why.fault.code === 'payload-too-large' ? 'too-large' : 'aborted')
    this.message = why.fault.detail
    this.why = why
  }
}

/** Maps an error thrown while reading a body; unknown errors reveal nothing. */
export function thrownFault(thrown: unknown, limit: number): DecodeFault {
  if (thrown instanceof DecodeError) return thrown.why
  const fault = bodyFaultOf(thrown)
  return fault === undefined ? malformed('The body cannot be read.') : transportFault(fault, limit)
}
