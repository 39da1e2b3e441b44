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
import type { DeclaredList, ListForm } from './list.ts'
import { elementsOf, nextOf } from './next.ts'
import type { Role } from './slots.ts'

/** The declaration of a param of a convention. */
export interface ParamConfig {
  readonly list: DeclaredList
  readonly name: string
  /** The type of the param's values. */
  readonly base: Attribute
  readonly role: Role | 'structure'
  /** Set for the one param that speaks for the whole list. */
  readonly speaks: Speaker | undefined
}

/** Facts about a whole list, for the param that reports them. */
export interface Speaker {
  /** Mistakes in the declaration. */
  mistakes(): readonly string[]
  /** Makes the body of a part. */
  readonly body: Listing['body']
}

/** Makes a param of a list. */
export const listParamOf = (config: ParamConfig): Attribute =>
  outlinedAttribute(config.base.core.shape === 'object' ? STRUCTURE : VALUE, config, {})

/** The list that a param belongs to; undefined for params that are declared by themselves. */
export const listOfParam = (param: Attribute): DeclaredList | undefined =>
  (configOf(param, VALUE) ?? configOf(param, STRUCTURE))?.list

/** The rules of these params, which the plugin provides. */
export const listParamRules: Late<KindRules<ParamConfig>> = {}

const kindOf = (shape: Shape): KindOutline<ParamConfig> => ({
  name: 'list-param',
  shape,
  needs: 'pagination',
  write: (value, { config }, fail) => (config as ParamConfig).base.core.convert('write', value, fail),
  children: ({ base }) => base.core.children as Attributes,
  projects: ({ base }) => base.core.projects,
  listing: ({ list, speaks }) => (speaks === undefined ? undefined : listingOf(list, list.form as ListForm, speaks)),
  rules: listParamRules,
})

const VALUE = kindOf('value')
const STRUCTURE = kindOf('object')

const listings = new WeakMap<DeclaredList, Listing>()

function listingOf(list: DeclaredList, form: ListForm, { body }: Speaker): Listing {
  const known = listings.get(list)
  if (known !== undefined) return known
  const made = { of: form.of, elements: elementsOf(form), next: nextOf(list, form), parts: list.language.parts, body }
  listings.set(list, made)
  return made
}
