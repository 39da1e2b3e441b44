// The errors of Stripe: one error with its type, its code, and the param that it is about.
import { type Attribute, type ProblemEncoder, t } from '../../../../index.ts'
import { createErrorEncoder, type PublishedFailure, toSnakeCode } from './error-form.ts'

/** A failure of Stripe. */
export interface StripeFailure {
  readonly error: {
    readonly type: StripeErrorType
    readonly code: string
    readonly message: string
    /** The param that the error is about, such as `created[gte]`. */
    readonly param?: string | undefined
  }
}

type StripeErrorType = 'api_error' | 'idempotency_error' | 'invalid_request_error'

const required = true

/** Writes failures as Stripe has them; of several invalid values, the first. */
export const stripeErrors: ProblemEncoder<Attribute<StripeFailure, false>> = createErrorEncoder<StripeFailure>({
  name: 'StripeError',
  identifier: 'application/json',
  attributes: {
    error: t.object(
      {
        type: t.string({ required, values: ['api_error', 'idempotency_error', 'invalid_request_error'] }),
        code: t.string({ required }),
        message: t.string({ required }),
        param: t.string(),
      },
      { required },
    ),
  },
  write(failure) {
    const [first] = failure.errors
    const { message } = first ?? failure
    const common = { type: toType(failure), code: toStripeCode(failure), message }
    return { error: first === undefined ? common : { ...common, param: first.name } }
  },
})

function toType({ status, code }: PublishedFailure): StripeErrorType {
  if (status >= 500) return 'api_error'
  return code.startsWith('idempotency') ? 'idempotency_error' : 'invalid_request_error'
}

/** The codes of Stripe for invalid values. */
const VALUE_CODES: Readonly<Record<string, string>> = {
  missing: 'parameter_missing',
  unknown: 'parameter_unknown',
}

function toStripeCode({ status, code, errors: [first] }: PublishedFailure): string {
  if (first !== undefined) return VALUE_CODES[first.code] ?? `parameter_invalid_${toSnakeCode(first.code)}`
  if (status === 404) return 'resource_missing'
  return status === 429 ? 'rate_limit' : toSnakeCode(code)
}
