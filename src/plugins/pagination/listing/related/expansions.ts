// A param of OData's `$expand`, such as `author($select=name),reviews`: the related elements that a response has, each with
// its own selection and expansions.
import { type KindOutline, outlinedAttribute } from '../../../../extend.ts'
import type { Attribute } from '../../../../index.ts'
import { expansionsRules } from './expansions-rules.ts'
import type { ExpansionsConfig } from './relations.ts'

/** Creates the param that expands the relations of a tree. */
export const createExpansions = (config: ExpansionsConfig): Attribute =>
  outlinedAttribute<ExpansionsConfig>(EXPANSIONS_KIND, config, {})

const EXPANSIONS_KIND: KindOutline<ExpansionsConfig> = {
  name: 'expansions',
  selectsFrom: ({ of }) => of,
  ...expansionsRules,
}
