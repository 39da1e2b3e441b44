// The two templates of a convention: its params and its body, with the role of each name, and the types derived from them.
import type { Selection } from '../../../extend.ts'
import type { Attribute, Collection, MediaType, View } from '../../../index.ts'
import type { FilterExpression, OrderTerm } from '../../mapper/extend.ts'

/** The roles that a param of a list may have, each with the type of its values. */
export interface ParamRoles {
  /** The maximum number of elements of a page. */
  readonly items: number
  /** The maximum number of elements of a page that is read backwards, from its end or from the end of the list. */
  readonly lastItems: number
  /** The maximum number of elements of the whole list, over all its pages. */
  readonly limit: number
  /** The number of elements before the page. */
  readonly offset: number
  /** The number of the page, from 1. */
  readonly page: number
  /** A cursor, or the key of an element, after which the page begins. */
  readonly after: string
  /** A cursor, or the key of an element, before which the page ends. */
  readonly before: string
  /** The values of the element after which the page begins, in the fields of the order. */
  readonly afterValues: readonly unknown[]
  /** A token from a response, for the page that it names. */
  readonly token: string
  /** Whether all elements of the list are counted. */
  readonly count: boolean
  /** An order: comma-separated fields, `-` before one for descending. */
  readonly order: readonly OrderTerm[]
  /** An order in words: `title, year desc`. */
  readonly orderWords: readonly OrderTerm[]
  /** An order with colons: `title,year:desc`. */
  readonly orderColons: readonly OrderTerm[]
  /** The one field of an order. */
  readonly orderField: string
  /** The direction of the order, `asc` or `desc`; without one, that of the list's own order. */
  readonly orderDirection: 'asc' | 'desc'
  /** A filter in edict's syntax: `year>=1900&title=A*`. */
  readonly filters: FilterExpression
  /** A filter in the words of AIP-160: `year >= 1900 AND title = "A*"`. */
  readonly filterWords: FilterExpression
  /** A filter in the language of OData, such as year ge 1900 and startswith(title,'A'). */
  readonly filterOData: FilterExpression
  /** A query string of Elasticsearch: `year:>=1900 AND title:"Emma"`. */
  readonly filterQuery: FilterExpression
  /** A structure with the accepted values of each field: `filter[year]=1871,1914`. */
  readonly filterMembers: { readonly [field: string]: readonly unknown[] }
  /** A structure with a value of each field, or its values by operator: `filter[year][gte]=1900`. */
  readonly filterOperators: { readonly [field: string]: unknown }
  /** Named `*`: a param for each field, with a value, or its values by operator: `year[gte]=1900`. */
  readonly filterFields: unknown
  /** The selected fields: `id,author{name}`. */
  // With undefined, client types do not take it for the selection of a complete body.
  readonly fields: Selection | undefined
  /** A structure with the selected fields, by the type of the elements: `fields[books]=title`. */
  readonly fieldsOfType: { readonly [type: string]: Selection }
  /** The paths of the related elements that are included: `author,comments.author`. */
  readonly include: readonly string[]
  /** The related elements that are expanded, in OData's language: `author($select=name),reviews`. */
  readonly expand: string
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
  /** Whether there are elements after the page. */
  readonly hasNext: boolean
  /** Whether there are elements before the page. */
  readonly hasPrev: boolean
  /** The cursor of the first element of the page; null without elements. */
  readonly startCursor: string | null
  /** The cursor of the last element of the page; null without elements. */
  readonly endCursor: string | null
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
  /** The related elements that the request includes, each once; only where it names some. */
  readonly included: readonly IncludedElement[]
}

/** A related element of a compound document. */
export interface IncludedElement {
  readonly type: string
  readonly id: string
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly relationships?: Readonly<Record<string, { readonly data: unknown }>>
}

type ConstantValue = string | number | boolean | null

/** A fixed value in a body. */
export interface Constant<out T extends ConstantValue = ConstantValue> {
  readonly '~constant': T
}

/** Creates a fixed value in the template of a body. */
export const constant = <const T extends ConstantValue>(value: T): Constant<T> => Object.freeze({ '~constant': value })

/** Returns whether a part of a template is a constant, not a structure. */
export const isConstant = (value: object): value is Constant => '~constant' in value

/** The facts that some pages do not have: the neighbours of an end, and a count that the request did not ask for. */
export type MissableFact =
  | 'total'
  | 'next'
  | 'prev'
  | 'first'
  | 'last'
  | 'nextToken'
  | 'prevToken'
  | 'pages'
  | 'startCursor'
  | 'endCursor'
  | 'included'

/** A member of a body that a page without the fact does not have. */
export interface Optional<out R extends MissableFact = MissableFact> {
  readonly '~optional': R
}

/** A member of a body that is an empty text for a page without the fact. */
export interface OrEmpty<out R extends TextFact = TextFact> {
  readonly '~orEmpty': R
}

/** The missable facts that are texts. */
export type TextFact = Exclude<MissableFact, 'total' | 'pages' | 'included'>

/** Creates a member that is left out of the body of a page without the fact, instead of null. */
export const optional = <const R extends MissableFact>(fact: R): Optional<R> => Object.freeze({ '~optional': fact })

/** Creates a member that is an empty text for a page without the fact; an empty token then requests the first page. */
export const orEmpty = <const R extends TextFact>(fact: R): OrEmpty<R> => Object.freeze({ '~orEmpty': fact })

/** The facts about an element that a structure around it may contain. */
export interface ElementRoles {
  /** The element itself. */
  readonly element: unknown
  /** The cursor of the element. */
  readonly cursor: string
  /** The key of the element as a text. */
  readonly key: string
  /** The name of the elements' type. */
  readonly type: string
  /** The values of the element in the fields of the order. */
  readonly values: readonly unknown[]
}

/** The members of the structure around each element. */
export interface ElementMembers {
  readonly [name: string]: keyof ElementRoles | Constant
}

/** The elements of a body, each in a structure. */
export interface Each<out M extends ElementMembers = ElementMembers> {
  readonly '~each': M
}

/** Creates the list of elements, each in a structure with facts about it; its template has `'element'` once. */
export const each = <const M extends ElementMembers>(members: M): Each<M> => Object.freeze({ '~each': members })

/** A body by member names, with the role of each: facts, constants, structures, and the elements once. */
export type BodyTemplate = 'elements' | BodyMembers

/** The body of one element by member names. */
export interface ElementTemplate {
  readonly [name: string]: 'element' | Constant | Optional<'included'> | ElementTemplate
}

/** The members of a body, or of a structure in it. */
export interface BodyMembers {
  readonly [name: string]: 'elements' | keyof BodyRoles | Constant | Optional | OrEmpty | Each | BodyMembers
}

/** The body that a template describes, with elements of the type E. */
export type BodyOf<B, E> = B extends 'elements'
  ? readonly E[]
  : B extends 'element'
    ? E
    : B extends keyof BodyRoles
      ? BodyRoles[B]
      : B extends Constant<infer C>
        ? C
        : B extends Each<infer M>
          ? readonly { readonly [K in keyof M]: ElementMember<M[K], E> }[]
          : MembersOf<B, E>

type ElementMember<R, E> = R extends 'element'
  ? E
  : R extends keyof ElementRoles
    ? ElementRoles[R]
    : R extends Constant<infer C>
      ? C
      : never

type MembersOf<B, E> = B extends OrEmpty
  ? string
  : { readonly [K in keyof B as B[K] extends Optional ? never : K]: BodyOf<B[K], E> } & {
      readonly [K in keyof B as B[K] extends Optional ? K : never]?: B[K] extends Optional<infer R>
        ? NonNullable<BodyRoles[R]>
        : never
    }

/** The response that an action declares: a collection, or the structure around the elements E of the media type M. */
export type DeclaredBody<B, M extends MediaType | View, E> = B extends 'elements'
  ? Collection<M>
  : Attribute<BodyOf<B, E>, false>

/** The roles that a list has only if its settings enable them. */
interface OptionalRoles {
  readonly order: 'orderBy'
  readonly orderWords: 'orderBy'
  readonly orderColons: 'orderBy'
  readonly orderField: 'orderBy'
  readonly orderDirection: 'orderBy'
  readonly filters: 'filterBy'
  readonly filterWords: 'filterBy'
  readonly filterOData: 'filterBy'
  readonly filterQuery: 'filterBy'
  readonly filterMembers: 'filterBy'
  readonly filterOperators: 'filterBy'
  readonly fields: 'fields'
  readonly fieldsOfType: 'fields'
  readonly include: 'include'
  readonly expand: 'include'
}

/** The params of one element that a template describes, as far as the settings S enable them. */
export type ElementParamsOf<T, S> = {
  readonly [K in keyof T as T[K] extends 'fields' | 'fieldsOfType' | 'include'
    ? OptionalRoles[T[K]] extends keyof S
      ? K
      : never
    : never]: Attribute<ParamValue<T[K]>, false>
}

/** The params that a template describes, as far as the settings S enable them. */
export type ParamsOf<T, S> = NamedParamsOf<T, S> & FieldParamsOf<T, S>

/** The params of the fields that a list can be filtered by. */
type FieldParamsOf<T, S> = T extends { readonly '*': 'filterFields' }
  ? S extends { readonly filterBy: infer F }
    ? { readonly [N in keyof F]: Attribute<FieldCondition, false> }
    : unknown
  : unknown

/** A condition on one field: a value that it has, or the values that it is compared with. */
export type FieldCondition =
  | FieldValue
  | { readonly gt?: FieldValue; readonly gte?: FieldValue; readonly lt?: FieldValue; readonly lte?: FieldValue }

type FieldValue = string | number | bigint | boolean | Date

type NamedParamsOf<T, S> = {
  readonly [K in keyof T as K extends '*'
    ? never
    : T[K] extends keyof OptionalRoles
      ? OptionalRoles[T[K]] extends keyof S
        ? K
        : never
      : K]: Attribute<ParamValue<T[K]>, false>
}

type ParamValue<L> = L extends keyof ParamRoles ? ParamRoles[L] : { readonly [K in keyof L]?: ParamValue<L[K]> }
