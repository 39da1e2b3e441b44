// The two templates of a convention: its params and its body, with the role of each name, and the types that follow from them.
import type { Selection } from '../../../extend.ts'
import type { Attribute, Collection, MediaType, View } from '../../../index.ts'
import type { FilterExpression, OrderTerm } from '../../lists/extend.ts'

/** The roles that a param of a list may have, each with the type of its values. */
export interface ParamRoles {
  /** The most elements of a part. */
  readonly items: number
  /** How many elements come before the part. */
  readonly offset: number
  /** The number of the part, from 1 on. */
  readonly page: number
  /** A place, or an element, after which the part begins. */
  readonly after: string
  /** A place, or an element, before which the part ends. */
  readonly before: string
  /** A token of an answer: the part that it was given out for. */
  readonly token: string
  /** Whether the elements of the whole list are counted. */
  readonly count: boolean
  /** An order: fields with commas between them, `-` before one for descending. */
  readonly order: readonly OrderTerm[]
  /** An order in words: `title, year desc`. */
  readonly orderWords: readonly OrderTerm[]
  /** A filter as edict writes them: `year>=1900&title=A*`. */
  readonly filters: FilterExpression
  /** A filter in words, as AIP-160 has them: `year >= 1900 AND title = "A*"`. */
  readonly filterWords: FilterExpression
  /** A structure with the values that each field may have: `filter[year]=1871,1914`. */
  readonly filterMembers: { readonly [field: string]: readonly unknown[] }
  /** The fields that are shown: `id,author{name}`. */
  // With undefined in it, clients do not take it for the selection of a whole body.
  readonly fields: Selection | undefined
  /** A structure with the fields that are shown, by the type of the elements: `fields[books]=title`. */
  readonly fieldsOfType: { readonly [type: string]: Selection }
}

/** The params of a convention by their names, with the role of each; those of a structure in an object. */
export interface ParamTemplate {
  readonly [name: string]: keyof ParamRoles | ParamTemplate
}

/** Facts about a part of a list that a body may have, beside its elements. */
export interface BodyRoles {
  /** How many elements the whole list has; it is counted where this stands. */
  readonly total: number
  /** Whether the list goes on, in the direction that the request asks for. */
  readonly more: boolean
  /** The URL of the next part; null at the end. */
  readonly next: string | null
  /** The URL of the part before; null at the beginning. */
  readonly prev: string | null
  /** The URL of the first part. */
  readonly first: string | null
  /** The URL of the last part; null where the elements were not counted. */
  readonly last: string | null
  /** The URL of the request. */
  readonly self: string
  /** The path of the request. */
  readonly path: string
  /** The token, or place, of the next part; null at the end. */
  readonly nextToken: string | null
  /** The token, or place, of the part before; null at the beginning. */
  readonly prevToken: string | null
  /** The most elements of the part. */
  readonly items: number
  /** How many elements come before the part, where parts have numbers. */
  readonly offset: number
  /** The number of the part, where parts have numbers. */
  readonly page: number
  /** How many such parts the list has; it is counted where this stands. */
  readonly pages: number
}

/** A value that a body always has. */
export interface Constant<out T extends string | number | boolean = string | number | boolean> {
  readonly '~constant': T
}

/** Stands in the template of a body for a value that is always the same. */
export const constant = <const T extends string | number | boolean>(value: T): Constant<T> =>
  Object.freeze({ '~constant': value })

/** Returns whether a part of a template is a constant, and not a structure. */
export const isConstant = (value: object): value is Constant => '~constant' in value

/** A body by the names of its members, with what each of them is: facts, constants, structures, and the elements once. */
export type BodyTemplate = 'elements' | BodyMembers

/** The members of a body, or of a structure in it. */
export interface BodyMembers {
  readonly [name: string]: 'elements' | keyof BodyRoles | Constant | BodyMembers
}

/** The body that a template describes, with elements of the type E. */
export type BodyOf<B, E> = B extends 'elements'
  ? readonly E[]
  : B extends keyof BodyRoles
    ? BodyRoles[B]
    : B extends Constant<infer C>
      ? C
      : { readonly [K in keyof B]: BodyOf<B[K], E> }

/** The response that an action declares: a collection, or the structure around the elements E of the media type M. */
export type DeclaredBody<B, M extends MediaType | View, E> = B extends 'elements'
  ? Collection<M>
  : Attribute<BodyOf<B, E>, false>

/** The roles that a list has only where its settings say so. */
interface Optional {
  readonly order: 'orderBy'
  readonly orderWords: 'orderBy'
  readonly filters: 'filterBy'
  readonly filterWords: 'filterBy'
  readonly filterMembers: 'filterBy'
  readonly fields: 'fields'
  readonly fieldsOfType: 'fields'
}

/** The params that a template describes, as far as the settings S want them. */
export type ParamsOf<T, S> = {
  readonly [K in keyof T as T[K] extends keyof Optional ? (Optional[T[K]] extends keyof S ? K : never) : K]: Attribute<
    ParamValue<T[K]>,
    false
  >
}

type ParamValue<L> = L extends keyof ParamRoles ? ParamRoles[L] : { readonly [K in keyof L]?: ParamValue<L[K]> }
