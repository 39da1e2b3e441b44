// The params of a convention as attributes: each has the type of its role, and knows its list.
import {
  configOf,
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

/** The declaration of a param of a convention. */
export interface ConventionParamConfig {
  readonly list: DeclaredList
  readonly name: string
  /** The type of the param's values. */
  readonly base: Attribute
  readonly role: ParamRole | 'structure'
  /** Set for the one param that speaks for the whole list. */
  readonly reporter: ListReporter | undefined
}

/** Facts about a whole list, for the param that reports them. */
export interface ListReporter {
  /** Mistakes in the declaration. */
  mistakes(): readonly string[]
  /** Makes the body of a part. */
  readonly body: Listing['body']
}

/** Makes a param of a list. */
export const createConventionParam = (config: ConventionParamConfig): Attribute =>
  outlinedAttribute(config.base.core.shape === 'object' ? STRUCTURE_KIND : VALUE_KIND, config, {})

/** The list that a param belongs to; undefined for params that are declared by themselves. */
export const findListOfParam = (param: Attribute): DeclaredList | undefined =>
  (configOf(param, VALUE_KIND) ?? configOf(param, STRUCTURE_KIND))?.list

/** The rules of these params, which the plugin provides. */
export const lateParamRules: Late<KindRules<ConventionParamConfig>> = {}

const createParamKind = (shape: Shape): KindOutline<ConventionParamConfig> => ({
  name: 'list-param',
  shape,
  needs: 'pagination',
  write: (value, { config }, fail) => (config as ConventionParamConfig).base.core.convert('write', value, fail),
  children: ({ base }) => base.core.children as Attributes,
  projects: ({ base }) => base.core.projects,
  listing: ({ list, reporter: speaks }) => (speaks === undefined ? undefined : getListing(list, list.convention as ListConvention, speaks)),
  rules: lateParamRules,
})

const VALUE_KIND = createParamKind('value')
const STRUCTURE_KIND = createParamKind('object')

const listings = new WeakMap<DeclaredList, Listing>()

function getListing(list: DeclaredList, form: ListConvention, { body }: ListReporter): Listing {
  const known = listings.get(list)
  if (known !== undefined) return known
  const made = { of: form.of, elements: createElementsReader(form), next: createNextPageFinder(list, form), parts: list.layout.pagePaths, body }
  listings.set(list, made)
  return made
}
