// Replaces `attribute-rules.ts` in front ends, which check and document nothing.
import type { AttributeRules } from '../schema/kind.ts'
import { refuseInFrontEnd } from '../util/front-end.ts'

export const attributeRules: AttributeRules = {
  getLoader: refuseInFrontEnd,
  getDumper: refuseInFrontEnd,
  isAsync: refuseInFrontEnd,
  buildSchema: refuseInFrontEnd,
  makeExample: refuseInFrontEnd,
  findMistakes: refuseInFrontEnd,
  narrow: refuseInFrontEnd,
  getSelectable: refuseInFrontEnd,
  getExtraConstraints: refuseInFrontEnd,
  getFieldsUse: refuseInFrontEnd,
  getResponseHeaders: refuseInFrontEnd,
}
