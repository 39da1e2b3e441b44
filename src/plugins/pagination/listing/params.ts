// The params of a convention as attributes: each has the type of its role, and knows its list.
import {
  type AnswerHeader,
  attribute,
  configOf,
  type ExampleSeed,
  type FieldsUse,
  type Kind,
  type Listing,
  type See,
  type Shape,
} from '../../../extend.ts'
import type { Attribute, Attributes, MediaType, View } from '../../../index.ts'
import { byOrder } from '../../lists/extend.ts'
import { narrowed } from '../ordering-params.ts'
import type { Role } from './language.ts'
import type { DeclaredList, ListForm } from './list.ts'
import { elementsOf, nextOf } from './next.ts'

/** The declaration of a param of a convention. */
interface ParamConfig {
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
  readonly mistakes: readonly string[]
  /** Makes the body of a part. */
  readonly body: Listing['body']
}

/** Makes a param of a list. */
export const listParamOf = (config: ParamConfig): Attribute =>
  attribute(config.base.core.shape === 'object' ? STRUCTURE : VALUE, config, {})

/** The list that a param belongs to; undefined for params that are declared by themselves. */
export const listOfParam = (param: Attribute): DeclaredList | undefined =>
  (configOf(param, VALUE) ?? configOf(param, STRUCTURE))?.list

const kindOf = (shape: Shape): Kind<ParamConfig> => ({
  name: 'list-param',
  shape,
  options: {},
  needs: 'pagination',
  loader: ({ base }) => base.core.loader,
  dumper: ({ base }) => base.core.dumper,
  children: ({ base }) => base.core.children as Attributes,
  jsonSchema: ({ base }, _, schemas) => base.core.jsonSchema(schemas),
  example: ({ base, role }, _, seed) => exampleOf(base, role, seed),
  mistakes: ({ base, speaks }) => [...base.core.mistakes(), ...(speaks?.mistakes ?? [])],
  projects: ({ base }) => base.core.projects,
  usesFields,
  answerHeaders: ({ list, speaks }) => (speaks === undefined ? {} : headersOf(list.form as ListForm)),
  listing: ({ list, speaks }) => (speaks === undefined ? undefined : listingOf(list, list.form as ListForm, speaks)),
  narrow: (config, see) => ({
    ...config,
    base: config.base.core.narrow(see),
    list: seenList(config.list, config.list.form as ListForm, see),
  }),
})

const VALUE = kindOf('value')
const STRUCTURE = kindOf('object')

const PLACES: ReadonlySet<string> = new Set(['after', 'before', 'token'])

// Clients cannot make up a cursor: it comes from a response.
function exampleOf(base: Attribute, role: ParamConfig['role'], seed: ExampleSeed): unknown {
  if (PLACES.has(role)) return undefined
  if (role !== 'structure') return base.core.example(seed)
  const sizes = Object.entries(base.core.children).filter(([, one]) => one.core.scalar === 'integer')
  return Object.fromEntries(sizes.map(([name, one]) => [name, one.core.example(seed.at(name))]))
}

function usesFields({ base, name, role, list, speaks }: ParamConfig): FieldsUse | undefined {
  const of = list.config.mediaType
  if (role === 'filterMembers')
    return { param: name, of, fields: Object.keys(base.core.children).map((field) => ({ name: field, by: 'value' })) }
  const own = base.core.usesFields
  if (speaks === undefined) return own && { ...own, param: name }
  const initial = (list.order?.default ?? []).map((term) => term.replace(/^-/, ''))
  return { param: name, of, fields: byOrder([...new Set([...initial, ...(list.config.key ?? [])])]), key: true }
}

const TEXT = { type: 'string' } as const

function headersOf({ headers, counts }: ListForm): Readonly<Record<string, AnswerHeader>> {
  const { link = false, total } = headers
  return {
    ...(link && {
      Link: {
        description: 'The parts around this one (RFC 8288): `first`, `prev`, `next` and, where it is known, `last`.',
        schema: TEXT,
      },
    }),
    ...(total !== undefined && {
      [total]: {
        description: `The number of elements in the whole list${counts ? '' : ', where the request asks for it'}.`,
        schema: { type: 'integer', minimum: 0 },
      },
    }),
  }
}

const listings = new WeakMap<DeclaredList, Listing>()

function listingOf(list: DeclaredList, form: ListForm, { body }: Speaker): Listing {
  const known = listings.get(list)
  if (known !== undefined) return known
  const made = { of: form.of, elements: elementsOf(form), next: nextOf(list, form), parts: list.language.parts, body }
  listings.set(list, made)
  return made
}

// Fields that a client does not see are fields that there are not.
function seenList(list: DeclaredList, form: ListForm, see: See): DeclaredList {
  const of = see(form.of as Attribute) as MediaType | View
  return {
    ...list,
    config: narrowed(list.config, see),
    order: list.order && narrowed(list.order, see),
    form: { ...form, of },
  }
}
