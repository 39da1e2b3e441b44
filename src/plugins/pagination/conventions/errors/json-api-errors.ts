// The errors of JSON:API: error objects that name the param, the header or the pointer in the document.
import { type Attribute, type ProblemEncoder, t } from '../../../../index.ts'
import { createErrorEncoder, type InvalidValue } from './error-form.ts'

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

/** Writes failures as JSON:API has them; each invalid value is an error object with its source. */
export const jsonApiErrors: ProblemEncoder<Attribute<JsonApiFailure, false>> = createErrorEncoder<JsonApiFailure>({
  name: 'JsonApiErrors',
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
  write({ status, title, code, message, errors }) {
    const common = { status: String(status), title }
    if (errors.length === 0) return { errors: [{ ...common, code, detail: message }] }
    return {
      errors: errors.map((one) => ({ ...common, code: one.code, detail: one.message, source: toSource(one) })),
    }
  },
})

function toSource({ in: part, pointer, name }: InvalidValue) {
  if (part === 'payload') return { pointer }
  return part === 'headers' ? { header: name } : { parameter: name }
}
