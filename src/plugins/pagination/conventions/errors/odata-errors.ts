// The errors of OData 4 and Microsoft Graph: an error with its code, its target, and details of invalid values.
import { type Attribute, type ProblemEncoder, t } from '../../../../index.ts'
import { createErrorEncoder, toSnakeCode } from './error-form.ts'

/** A failure of OData, and of Microsoft Graph. */
export interface ODataFailure {
  readonly error: {
    readonly code: string
    readonly message: string
    /** The query option, header or property that the error is about. */
    readonly target?: string | undefined
    /** One entry for each invalid value, if there are several. */
    readonly details?:
      | readonly { readonly code: string; readonly message: string; readonly target: string }[]
      | undefined
  }
}

const required = true

/** Writes failures as OData and Microsoft Graph have them; the first invalid value is the target. */
export const odataErrors: ProblemEncoder<Attribute<ODataFailure, false>> = createErrorEncoder<ODataFailure>({
  name: 'ODataError',
  identifier: 'application/json',
  attributes: {
    error: t.object(
      {
        code: t.string({ required }),
        message: t.string({ required }),
        target: t.string(),
        details: t.array(
          t.object({ code: t.string({ required }), message: t.string({ required }), target: t.string({ required }) }),
        ),
      },
      { required },
    ),
  },
  write({ code, message, errors }) {
    const [first] = errors
    const details = errors.map((one) => ({ code: toODataCode(one.code), message: one.message, target: one.name }))
    const common = { code: toODataCode(code), message }
    if (first === undefined) return { error: common }
    return { error: { ...common, target: first.name, ...(details.length > 1 && { details }) } }
  },
})

// Codes of Microsoft are in camel case, such as `itemNotFound`.
const toODataCode = (code: string): string =>
  toSnakeCode(code).replace(/_+(\w)/g, (_, next: string) => next.toUpperCase())
