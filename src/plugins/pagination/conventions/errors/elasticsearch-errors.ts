// The errors of Elasticsearch: an exception with its root causes, and the status in the body.
import { type Attribute, type ProblemEncoder, t } from '../../../../index.ts'
import { createErrorEncoder } from './error-form.ts'

/** A failure of Elasticsearch. */
export interface ElasticsearchFailure {
  readonly error: Cause & { readonly root_cause: readonly Cause[] }
  readonly status: number
}

interface Cause {
  /** The type of the exception, such as illegal_argument_exception. */
  readonly type: string
  readonly reason: string
}

const required = true
const cause = { type: t.string({ required }), reason: t.string({ required }) }

/** Writes failures as Elasticsearch has them; each invalid value is a root cause. */
export const elasticsearchErrors: ProblemEncoder<Attribute<ElasticsearchFailure, false>> =
  createErrorEncoder<ElasticsearchFailure>({
    name: 'ElasticsearchError',
    identifier: 'application/json',
    attributes: {
      error: t.object({ root_cause: t.array(t.object(cause), { required }), ...cause }, { required }),
      status: t.integer({ required }),
    },
    write({ status, message, errors }) {
      const type = EXCEPTIONS[status] ?? (status < 500 ? 'illegal_argument_exception' : 'exception')
      const causes = errors.map((one) => ({ type, reason: one.message }))
      const main = { type, reason: message }
      return { error: { root_cause: causes.length === 0 ? [main] : causes, ...main }, status }
    },
  })

/** The exceptions of statuses; those of other statuses follow from their class. */
const EXCEPTIONS: Readonly<Record<number, string>> = {
  401: 'security_exception',
  403: 'security_exception',
  404: 'resource_not_found_exception',
  409: 'version_conflict_engine_exception',
  429: 'es_rejected_execution_exception',
  503: 'status_exception',
}
