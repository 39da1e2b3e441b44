// The params of a convention as attributes: each has the type of its role, and a reference to its list.
import {
  type AnyOptions,
  getConfig,
  type KindOutline,
  type Listing,
  outlinedAttribute,
  type Shape,
} from '../../../extend.ts'
import type { Attribute, Attributes } from '../../../index.ts'
import { findAudiences } from '../../mapper/extend.ts'
import { conventionParamRules } from './convention-runtime.ts'
import type { ConventionParamConfig, DeclaredList, ListReporter } from './declared-list.ts'
import { createElementsReader, createNextPageFinder } from './next-page.ts'

/** Creates a param of a list. */
export const createConventionParam = (config: ConventionParamConfig): Attribute =>
  outlinedAttribute(config.base.core.shape === 'object' ? STRUCTURE_KIND : VALUE_KIND, config, findVisibility(config))

// A condition on a restricted field is a param for those who see the field.
function findVisibility({ role, name, list }: ConventionParamConfig): AnyOptions {
  const audiences = role === 'filterField' ? findAudiences(list.config.mediaType, name) : undefined
  return audiences === undefined ? {} : { visibleTo: { audiences, required: false } }
}

/** Returns the list that a param belongs to; undefined for params without a convention. */
export const findListOfParam = (param: Attribute): DeclaredList | undefined =>
  (getConfig(param, VALUE_KIND) ?? getConfig(param, STRUCTURE_KIND))?.list

/** Returns the function that writes the body of a param's list or element, if the param reports on it. */
export const findBodyWriter = (param: Attribute): ListReporter['body'] | undefined =>
  (getConfig(param, VALUE_KIND) ?? getConfig(param, STRUCTURE_KIND))?.reporter?.body

const createParamKind = (shape: Shape): KindOutline<ConventionParamConfig> => ({
  name: 'list-param',
  shape,
  needs: 'pagination',
  write: (value, { config }, fail) => (config as ConventionParamConfig).base.core.convert('write', value, fail),
  children: ({ base }) => base.core.children as Attributes,
  selectsFrom: ({ base }) => base.core.selectsFrom,
  listing: ({ list, reporter }) =>
    reporter === undefined || list.convention.isElement ? undefined : getListing(list, reporter),
  ...conventionParamRules,
})

const VALUE_KIND = createParamKind('value')
const STRUCTURE_KIND = createParamKind('object')

const listings = new WeakMap<DeclaredList, Listing>()

function getListing(list: DeclaredList, { body }: ListReporter): Listing {
  const cached = listings.get(list)
  if (cached !== undefined) return cached
  const listing = {
    of: list.convention.of,
    elements: createElementsReader(list.convention),
    next: createNextPageFinder(list),
    parts: list.layout.pagePaths,
    body,
  }
  listings.set(list, listing)
  return listing
}
