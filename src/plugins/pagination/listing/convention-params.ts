// The params of a convention as attributes: each has the type of its role, and a reference to its list.
import {
  getConfig,
  type KindOutline,
  type KindRules,
  type Late,
  type Listing,
  outlinedAttribute,
  type Shape,
} from '../../../extend.ts'
import type { Attribute, Attributes } from '../../../index.ts'
import type { DeclaredList, ListConvention } from './declared-list.ts'
import { createElementsReader, createNextPageFinder } from './next-page.ts'
import type { ParamRole } from './param-slots.ts'

/** The declaration of a convention's param. */
export interface ConventionParamConfig {
  readonly list: DeclaredList
  readonly name: string
  /** The type of the param's values. */
  readonly base: Attribute
  readonly role: ParamRole | 'structure'
  /** Set for the one param that reports on the complete list. */
  readonly reporter: ListReporter | undefined
}

/** The facts about a complete list, for the param that reports them. */
export interface ListReporter {
  /** Returns the mistakes in the declaration. */
  mistakes(): readonly string[]
  /** Writes the body of a page. */
  readonly body: Listing['body']
}

/** Creates a param of a list. */
export const createConventionParam = (config: ConventionParamConfig): Attribute =>
  outlinedAttribute(config.base.core.shape === 'object' ? STRUCTURE_KIND : VALUE_KIND, config, {})

/** Returns the list that a param belongs to; undefined for params without a convention. */
export const findListOfParam = (param: Attribute): DeclaredList | undefined =>
  (getConfig(param, VALUE_KIND) ?? getConfig(param, STRUCTURE_KIND))?.list

/** The rules of these params, which the plugin provides. */
export const lateParamRules: Late<KindRules<ConventionParamConfig>> = {}

const createParamKind = (shape: Shape): KindOutline<ConventionParamConfig> => ({
  name: 'list-param',
  shape,
  needs: 'pagination',
  write: (value, { config }, fail) => (config as ConventionParamConfig).base.core.convert('write', value, fail),
  children: ({ base }) => base.core.children as Attributes,
  selectsFrom: ({ base }) => base.core.selectsFrom,
  listing: ({ list, reporter }) =>
    reporter === undefined ? undefined : getListing(list, list.convention as ListConvention, reporter),
  rules: lateParamRules,
})

const VALUE_KIND = createParamKind('value')
const STRUCTURE_KIND = createParamKind('object')

const listings = new WeakMap<DeclaredList, Listing>()

function getListing(list: DeclaredList, convention: ListConvention, { body }: ListReporter): Listing {
  const cached = listings.get(list)
  if (cached !== undefined) return cached
  const listing = {
    of: convention.of,
    elements: createElementsReader(convention),
    next: createNextPageFinder(list, convention),
    parts: list.layout.pagePaths,
    body,
  }
  listings.set(list, listing)
  return listing
}
