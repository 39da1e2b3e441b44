// The errors of Google's API improvement proposals (AIP-193): a canonical status, and details of two types.
import { type Attribute, type ProblemEncoder, t } from '../../../../index.ts'
import { createErrorEncoder, type PublishedFailure, toSnakeCode } from './error-form.ts'

/** A failure of AIP-193. */
export interface AipFailure {
  readonly error: {
    /** The HTTP status. */
    readonly code: number
    readonly message: string
    /** The canonical code, such as INVALID_ARGUMENT. */
    readonly status: string
    readonly details: readonly AipDetail[]
  }
}

/** A detail of a failure: its reason within a domain, or the invalid values. */
type AipDetail =
  | {
      readonly '@type': 'type.googleapis.com/google.rpc.ErrorInfo'
      readonly reason: string
      readonly domain: string
      readonly metadata: Readonly<Record<string, string>>
    }
  | { readonly '@type': 'type.googleapis.com/google.rpc.BadRequest'; readonly fieldViolations: readonly Violation[] }

interface Violation {
  readonly field: string
  readonly description: string
  readonly reason: string
}

const required = true

/** Creates the encoder of failures as AIP-193 has them; the domain names the service, such as library.example.com. */
export const aipErrors = (domain: string): ProblemEncoder<Attribute<AipFailure, false>> =>
  createErrorEncoder<AipFailure>({
    name: 'AipError',
    identifier: 'application/json',
    attributes: {
      error: t.object(
        {
          code: t.integer({ required }),
          message: t.string({ required }),
          status: t.string({ required }),
          details: t.array(
            t.union('@type', {
              'type.googleapis.com/google.rpc.ErrorInfo': {
                reason: t.string({ required }),
                domain: t.string({ required }),
                metadata: t.record(t.string(), { required }),
              },
              'type.googleapis.com/google.rpc.BadRequest': {
                fieldViolations: t.array(
                  t.object({
                    field: t.string({ required }),
                    description: t.string({ required }),
                    reason: t.string({ required }),
                  }),
                  { required },
                ),
              },
            }),
            { required },
          ),
        },
        { required },
      ),
    },
    write: ({ status, code, message, errors }) => ({
      error: {
        code: status,
        message,
        status: toCanonicalStatus(status),
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
            reason: toReason(code),
            domain,
            metadata: {},
          },
          ...describeViolations(errors),
        ],
      },
    }),
  })

function describeViolations(errors: PublishedFailure['errors']): readonly AipDetail[] {
  if (errors.length === 0) return []
  const fieldViolations = errors.map(({ name, message, code }) => {
    return { field: name, description: message, reason: toReason(code) }
  })
  return [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations }]
}

const toReason = (code: string): string => toSnakeCode(code).toUpperCase()

/** The canonical codes of HTTP statuses; those of other statuses follow from their class. */
const CANONICAL_STATUSES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  405: 'UNIMPLEMENTED',
  409: 'ABORTED',
  410: 'NOT_FOUND',
  412: 'FAILED_PRECONDITION',
  428: 'FAILED_PRECONDITION',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  501: 'UNIMPLEMENTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}

const toCanonicalStatus = (status: number): string =>
  CANONICAL_STATUSES[status] ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL')
