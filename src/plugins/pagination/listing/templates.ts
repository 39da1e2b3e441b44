// The two templates of a convention: its params and its body, with the role of each name, and the types derived from them.
import type { Selection } from '../../../extend.ts'
import type { Attribute, Collection, MediaType, View } from '../../../index.ts'
import type { FilterExpression, OrderTerm } from '../../mapper/extend.ts'

/** The roles that a param of a list may have, each with the type of its values. */
export interface ParamRoles {
  /** The maximum number of elements of a page. */
  readonly items: number
  /** The number of elements before the page. */
  readonly offset: number
  /** The number of the page, from 1. */
  readonly page: number
  /** A cursor, or the key of an element, after which the page begins. */
  readonly after: string
  /** A cursor, or the key of an element, before which the page ends. */
  readonly before: string
  /** A token from a response, for the page that it names. */
  readonly token: string
  /** Whether all elements of the list are counted. */
  readonly count: boolean
  /** An order: comma-separated fields, `-` before one for descending. */
  readonly order: readonly OrderTerm[]
  /** An order in words: `title, year desc`. */
  readonly orderWords: readonly OrderTerm[]
  /** A filter in edict's syntax: `year>=1900&title=A*`. */
  readonly filters: FilterExpression
  /** A filter in the words of AIP-160: `year >= 1900 AND title = "A*"`. */
  readonly filterWords: FilterExpression
  /** A structure with the accepted values of each field: `filter[year]=1871,1914`. */
  readonly filterMembers: { readonly [field: string]: readonly unknown[] }
  /** The selected fields: `id,author{name}`. */
  // With undefined, client types do not take it for the selection of a complete body.
  readonly fields: Selection | undefined
  /** A structure with the selected fields, by the type of the elements: `fields[books]=title`. */
  readonly fieldsOfType: { readonly [type: string]: Selection }
}

/** The params of a convention by name, with the role of each; those of a structure in an object. */
export interface ParamTemplate {
  readonly [name: string]: keyof ParamRoles | ParamTemplate
}

/** The facts about a page that a body may contain, in addition to its elements. */
export interface BodyRoles {
  /** The total number of elements in the list, which is then counted. */
  readonly total: number
  /** Whether there are more elements, in the direction of the request. */
  readonly more: boolean
  /** The URL of the next page; null at the end. */
  readonly next: string | null
  /** The URL of the previous page; null at the beginning. */
  readonly prev: string | null
  /** The URL of the first page. */
  readonly first: string | null
  /** The URL of the last page; null if the elements are not counted. */
  readonly last: string | null
  /** The URL of the request. */
  readonly self: string
  /** The path of the request. */
  readonly path: string
  /** The token or cursor of the next page; null at the end. */
  readonly nextToken: string | null
  /** The token or cursor of the previous page; null at the beginning. */
  readonly prevToken: string | null
  /** The maximum number of elements of the page. */
  readonly items: number
  /** The number of elements before the page, for numbered pages. */
  readonly offset: number
  /** The number of the page, for numbered pages. */
  readonly page: number
  /** The number of pages of the list, which is then counted. */
  readonly pages: number
}

/** A fixed value in a body. */
export interface Constant<out T extends string | number | boolean = string | number | boolean> {
  readonly '~constant': T
}

/** Creates a fixed value in the template of a body. */
export const constant = <const T extends string | number | boolean>(value: T): Constant<T> =>
  Object.freeze({ '~constant': value })

/** Returns whether a part of a template is a constant, not a structure. */
export const isConstant = (value: object): value is Constant => '~constant' in value

/** A body by member names, with the role of each: facts, constants, structures, and the elements once. */
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

/** The roles that a list has only if its settings enable them. */
interface OptionalRoles {
  readonly order: 'orderBy'
  readonly orderWords: 'orderBy'
  readonly filters: 'filterBy'
  readonly filterWords: 'filterBy'
  readonly filterMembers: 'filterBy'
  readonly fields: 'fields'
  readonly fieldsOfType: 'fields'
}

/** The params that a template describes, as far as the settings S enable them. */
export type ParamsOf<T, S> = {
  readonly [K in keyof T as T[K] extends keyof OptionalRoles
    ? OptionalRoles[T[K]] extends keyof S
      ? K
      : never
    : K]: Attribute<ParamValue<T[K]>, false>
}

type ParamValue<L> = L extends keyof ParamRoles ? ParamRoles[L] : { readonly [K in keyof L]?: ParamValue<L[K]> }
