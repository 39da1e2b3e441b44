// Why a body could not be decoded: values, ready to be answered with, because a refused body is no exception.
import type { FailureCode, IssueDetail } from '../../errors.ts'
import type { Failed } from '../../util/failed.ts'
import { type Reason, type ReasonCode, type Reasoned, reasoned } from '../problem/reasons.ts'
import { type BodyFault, BodyFaultError, readBodyFault } from '../transport.ts'

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
  readonly reason: Reason
  /** Names and values of headers to answer with, alternating. */
  readonly headers?: readonly string[]
}

/** Refuses a body that cannot be read for what it claims to be. */
export const failMalformed = (why: Reasoned): DecodeFault => ({ fault: { code: 'malformed-body', ...why } })

/** Refuses a body, or a part of one, that is larger than allowed. */
export const failTooLarge = (why: Reasoned): DecodeFault => ({ fault: { code: 'payload-too-large', ...why } })

/** Refuses a body that is larger than allowed. */
export const bodyTooLarge = (limit: number): DecodeFault => failTooLarge(reasoned('body-size', { limit }))

const CODINGS = 'gzip, deflate'

/** Refuses a content coding, and names those that are supported (RFC 9110, 15.5.16). */
export function failUnsupportedCoding(): DecodeFault {
  return { fault: { code: 'unsupported-coding', ...reasoned('coding'), headers: ['Accept-Encoding', CODINGS] } }
}

/** Refuses a media type, and names those that are accepted (RFC 9110, 15.5.16). */
export function failUnsupportedType(reason: ReasonCode, values: IssueDetail & Accepted): DecodeFault {
  const headers = ['Accept', values.accepted.join(', ')]
  return { fault: { code: 'unsupported-media-type', ...reasoned(reason, values), headers } }
}

interface Accepted {
  readonly accepted: readonly string[]
}

/** The failure that a client gets for a fault of the transport. */
export function mapTransportFault(fault: BodyFault, limit: number): DecodeFault {
  if (fault === 'too-large') return bodyTooLarge(limit)
  if (fault === 'timeout') return { fault: { code: 'timeout', ...reasoned('body-late') } }
  if (fault === 'overload')
    return { fault: { code: 'unavailable', ...reasoned('overload'), headers: ['Retry-After', '1'] } }
  if (fault === 'consumed') return { fault: { code: 'internal', ...reasoned('body-consumed') } }
  if (fault === 'coding') return failUnsupportedCoding()
  return failMalformed(reasoned(fault === 'malformed' ? 'body-framing' : 'body-short'))
}

/** A fault as an exception, for readers of a body piece by piece, also after the request was loaded. */
export class DecodeError extends BodyFaultError {
  readonly decodeFault: DecodeFault

  constructor(why: DecodeFault) {
    super(why.fault.code === 'payload-too-large' ? 'too-large' : 'aborted')
    this.message = why.fault.detail
    this.decodeFault = why
  }
}

/** Maps an error thrown while reading a body; unknown errors reveal nothing. */
export function mapThrownFault(thrown: unknown, limit: number): DecodeFault {
  if (thrown instanceof DecodeError) return thrown.decodeFault
  const fault = readBodyFault(thrown)
  return fault === undefined ? failMalformed(reasoned('body-unreadable')) : mapTransportFault(fault, limit)
}
