// The errors of Slack: `ok: false` with a short code, and a message for each invalid argument.
import { type Attribute, type ProblemEncoder, t } from '../../../../index.ts'
import { createErrorEncoder, type PublishedFailure, toSnakeCode } from './error-form.ts'

/** A failure of Slack. */
export interface SlackFailure {
  readonly ok: boolean
  /** The code, such as invalid_arguments. */
  readonly error: string
  /** The messages of invalid arguments. */
  readonly response_metadata?: { readonly messages: readonly string[] } | undefined
}

const required = true

/** Writes failures as Slack has them, with the HTTP status of the problem. */
export const slackErrors: ProblemEncoder<Attribute<SlackFailure, false>> = createErrorEncoder<SlackFailure>({
  name: 'SlackError',
  identifier: 'application/json',
  attributes: {
    ok: t.boolean({ required, example: false }),
    error: t.string({ required }),
    response_metadata: t.object({ messages: t.array(t.string(), { required }) }),
  },
  write(failure) {
    const messages = failure.errors.map(({ message }) => `[ERROR] ${message}`)
    const error = toSlackCode(failure)
    return { ok: false, error, ...(messages.length > 0 && { response_metadata: { messages } }) }
  },
})

/** The codes of Slack for statuses whose failures have no closer code. */
const SLACK_CODES: Readonly<Record<number, string>> = {
  401: 'not_authed',
  403: 'no_permission',
  429: 'ratelimited',
  500: 'internal_error',
  503: 'service_unavailable',
}

function toSlackCode({ status, code, errors }: PublishedFailure): string {
  if (errors.length > 0) return 'invalid_arguments'
  return SLACK_CODES[status] ?? toSnakeCode(code)
}
