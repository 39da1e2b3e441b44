// The rules of a condition on one field: loading, writing and documentation. Front ends have
// `field-condition-rules.browser.ts` in its place.
import { attributeRules, type KindRules } from '../../../extend.ts'
import type { Attribute } from '../../../index.ts'
import { t } from '../../../index.ts'
import type { FieldConditionConfig } from './declared-list.ts'
import { isBounds } from './field-bounds.ts'

/** The rules of a condition on one field. */
export const fieldConditionRules: KindRules<FieldConditionConfig> = {
  options: {},
  loader({ exact, bounds }) {
    const loadBounds = attributeRules.getLoader(t.object(bounds) as Attribute)
    const loadExact = exact && attributeRules.getLoader(exact)
    return (value, loading) => {
      const isStructure = typeof value === 'object' && value !== null && !Array.isArray(value)
      return isStructure || loadExact === undefined ? loadBounds(value, loading) : loadExact(value, loading)
    }
  },
  dumper({ exact, bounds }) {
    const dumpBounds = attributeRules.getDumper(t.object(bounds) as Attribute)
    const dumpExact = exact && attributeRules.getDumper(exact)
    return (value, dumping) =>
      isBounds(value) || dumpExact === undefined ? dumpBounds(value, dumping) : dumpExact(value, dumping)
  },
  jsonSchema({ exact, bounds }, _, schemas) {
    const range = attributeRules.buildSchema(t.object(bounds) as Attribute, schemas)
    return exact === undefined ? range : { anyOf: [attributeRules.buildSchema(exact, schemas), range] }
  },
  example: ({ exact, bounds }, _, seed) =>
    attributeRules.makeExample(exact ?? (Object.values(bounds)[0] as Attribute), seed),
  mistakes: ({ exact, bounds }) =>
    [exact, ...Object.values(bounds)].flatMap((one) => (one ? attributeRules.findMistakes(one) : [])),
}
