// Checks the problem encoder when an application boots.
import { isMediaType } from '../../design/declare/media-type.ts'
import type { Report } from '../../design/mistakes.ts'
import { checkAttribute, checkMediaTypeForm } from '../../design/resolve/check-attributes.ts'
import { checkIdentifier } from '../../design/resolve/settings.ts'
import { isAttribute } from '../../schema/attribute.ts'
import { describeValue } from '../../util/describe-value.ts'
import type { ProblemEncoder } from '../response/problem-encoder.ts'

const SETTING = 'encodeProblem'

/** Reports mistakes in the arguments of `problemEncoder`. */
export function checkEncoder(encoder: ProblemEncoder | undefined, report: Report): void {
  if (encoder === undefined) return
  const form: unknown = encoder.form
  const encode: unknown = encoder.encode
  if (isMediaType(form)) checkMediaTypeForm(SETTING, form, report)
  if (isAttribute(form)) checkAttribute(SETTING, 'form', form, report)
  else if (typeof form === 'string') checkIdentifier(SETTING, form, report)
  else report(SETTING, `its form is ${describeValue(form)}`, 'give a media type, an attribute, or an identifier')
  if (typeof encode !== 'function')
    report(SETTING, `encode is ${describeValue(encode)}`, 'give a function: problemEncoder(form, (problem) => …)')
}
