// The reasons why a body could not be decoded, as values ready for a response, because a rejected body is not an
// exception.
import type { FailureCode, IssueDetail } from '../../errors.ts'
import { hasBrand } from '../../util/brand.ts'
import type { Failed } from '../../util/failed.ts'
import { createReason, type ProblemReason, type Reason, type ReasonCode } from '../problem/reasons.ts'
import { type BodyFault, BodyFaultError, readBodyFault } from '../transport.ts'

/** The result for a body that was rejected. */
export type DecodeFault = Failed<BodyProblem>

/** The failure that the response to a rejected body reports, in the shape of `Failure`. */
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
  /** Names and values of response headers, alternating. */
  readonly headers?: readonly string[]
}

/** Rejects a body that does not match its declared format. */
export const failMalformed = (why: ProblemReason): DecodeFault => ({ fault: { code: 'malformed-body', ...why } })

/** Rejects a body, or a part of one, that is larger than allowed. */
export const failTooLarge = (why: ProblemReason): DecodeFault => ({ fault: { code: 'payload-too-large', ...why } })

/** Rejects a body that is larger than allowed. */
export const failBodyTooLarge = (limit: number): DecodeFault => failTooLarge(createReason('body-size', { limit }))

const CODINGS = 'gzip, deflate'

/** Rejects a content coding, and lists the supported ones (RFC 9110, 15.5.16). */
export function failUnsupportedCoding(): DecodeFault {
  return { fault: { code: 'unsupported-coding', ...createReason('coding'), headers: ['Accept-Encoding', CODINGS] } }
}

/** Rejects a media type, and lists the accepted ones (RFC 9110, 15.5.16). */
export function failUnsupportedType(reason: ReasonCode, values: IssueDetail & Accepted): DecodeFault {
  const headers = ['Accept', values.accepted.join(', ')]
  return { fault: { code: 'unsupported-media-type', ...createReason(reason, values), headers } }
}

interface Accepted {
  readonly accepted: readonly string[]
}

/** Maps a fault of the transport to the failure that the client receives. */
export function mapTransportFault(fault: BodyFault, limit: number): DecodeFault {
  if (fault === 'too-large') return failBodyTooLarge(limit)
  if (fault === 'timeout') return { fault: { code: 'timeout', ...createReason('body-late') } }
  if (fault === 'overload')
    return { fault: { code: 'unavailable', ...createReason('overload'), headers: ['Retry-After', '1'] } }
  if (fault === 'consumed') return { fault: { code: 'internal', ...createReason('body-consumed') } }
  if (fault === 'coding') return failUnsupportedCoding()
  return failMalformed(createReason(fault === 'malformed' ? 'body-framing' : 'body-short'))
}

/** A fault as an exception, for code that reads a body piece by piece, possibly after the request was loaded. */
export class DecodeError extends BodyFaultError {
  readonly '~decodeFault' = true
  readonly decodeFault: DecodeFault

  constructor(decodeFault: DecodeFault) {
    super(decodeFault.fault.code === 'payload-too-large' ? 'too-large' : 'aborted')
    this.message = decodeFault.fault.detail
    this.decodeFault = decodeFault
  }
}

/** Returns the failure of a thrown fault, with its reason; undefined for other values. */
export const readDecodeFault = (thrown: unknown): DecodeFault | undefined =>
  hasBrand(thrown, '~decodeFault') ? (thrown as DecodeError).decodeFault : undefined

/** Maps an error thrown while reading a body; unknown errors reveal nothing. */
export function mapThrownFault(thrown: unknown, limit: number): DecodeFault {
  const decoded = readDecodeFault(thrown)
  if (decoded !== undefined) return decoded
  const fault = readBodyFault(thrown)
  return fault === undefined ? failMalformed(createReason('body-unreadable')) : mapTransportFault(fault, limit)
}
