// The errors of JSON:API: error objects that name the param, the header or the place in the document.
import { type Attribute, mediaType, type ProblemEncoder, problemEncoder, t } from '../../../index.ts'

/** A document of JSON:API with error objects. */
export interface JsonApiFailure {
  readonly errors: readonly {
    readonly status: string
    readonly code?: string | undefined
    readonly title: string
    readonly detail?: string | undefined
    readonly source?:
      | {
          readonly parameter?: string | undefined
          readonly header?: string | undefined
          readonly pointer?: string | undefined
        }
      | undefined
  }[]
}

const required = true

const Failure = mediaType('JsonApiErrors', {
  identifier: 'application/vnd.api+json',
  attributes: {
    errors: t.array(
      t.object({
        status: t.string({ required }),
        code: t.string(),
        title: t.string({ required }),
        detail: t.string(),
        source: t.object({ parameter: t.string(), header: t.string(), pointer: t.string() }),
      }),
      { required },
    ),
  },
}) as unknown as Attribute<JsonApiFailure, false>

/** Writes failures as JSON:API has them; each invalid value is an error object with its source. */
export const jsonApiErrors: ProblemEncoder<Attribute<JsonApiFailure, false>> = problemEncoder(
  Failure,
  ({ status, title, code, detail, errors = [] }) => {
    const common = { status: String(status), title }
    if (errors.length === 0) return { body: { errors: [{ ...common, code, detail }] } }
    return {
      body: {
        errors: errors.map((one) => ({ ...common, code: one.code, detail: one.message, source: toSource(one) })),
      },
    }
  },
)

function toSource({ in: part, pointer }: { readonly in: string; readonly pointer: string }) {
  if (part === 'payload') return { pointer }
  const [first = '', ...below] = pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  return part === 'headers' ? { header: first } : { parameter: first + below.map((step) => `[${step}]`).join('') }
}
