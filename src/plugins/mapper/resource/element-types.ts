// The types of elements as resources read and write them.
import type { Value } from '../../../extend.ts'
import type { Attributes, FieldPath, MediaType, ObjectOf, Selected, View } from '../../../index.ts'
import type { Where } from '../filters/where.ts'
import type { ListRequest } from '../read/list-request.ts'

/** The identity of an element: the value of its key, or conditions on fields. */
export type Key<A extends Attributes, K extends keyof A = keyof A> = KeyValue<A, K> | Where<A>

// A key without known attributes may have any type; a key of several attributes has no single value.
type KeyValue<A extends Attributes, K extends keyof A> = [K] extends [never]
  ? AnyKeyValue
  : string extends K
    ? AnyKeyValue
    : IsUnion<K> extends true
      ? never
      : WholeNumber<Exclude<Value<A[K]>, null>>

type AnyKeyValue = string | number | bigint

type IsUnion<K, All = K> = K extends unknown ? ([All] extends [K] ? false : true) : never

type WholeNumber<V> = V extends number | bigint ? number | bigint : V

/** The attributes of a key. */
// The intersection makes editors show the attributes instead of this name.
export type KeyOf<A extends Attributes, K extends keyof A> = { readonly [N in K]: Exclude<Value<A[N]>, null> } & {}

/**
 * The attributes to write; structures may be partial, and a related element is given by its key. A related list is replaced
 * by a list, or changed by what is added and removed.
 */
export type Changes<A extends Attributes> = PartialElement<ObjectOf<A>>

/** The members to add to a related list, and those to remove from it. */
export interface ListChanges<E> {
  /** Members that are added at the end, unless they are in the list. */
  readonly add?: readonly E[] | undefined
  /** Members that are removed, if they are in the list. */
  readonly remove?: readonly E[] | undefined
}

/** The attributes of a new element, of which R are required. */
export type NewElement<A extends Attributes, R extends keyof A = never> = Changes<A> & {
  readonly [N in R]: PartialValue<Value<A[N]>>
}

type PartialElement<S> = { readonly [N in keyof S]?: PartialValue<Exclude<S[N], undefined>> | null | undefined }

type PartialValue<V> = V extends readonly (infer E)[]
  ? readonly PartialValue<E>[] | ListChanges<PartialValue<E>>
  : PartialObject<V>

type PartialObject<V> = V extends Date | string | number | bigint | boolean | null
  ? V
  : V extends object
    ? { readonly [N in keyof V]?: V[N] | undefined }
    : V

/**
 * The attributes that a new element requires: those that are always present, except the ones in F, those that may be
 * null, those whose source is no column, those whose column has a default, as far as the type D of the table says so, and
 * a key that is a number.
 */
export type RequiredNames<A extends Attributes, K, S, F, D> = Exclude<
  SentNames<A>,
  F | ReadOnlyNames<S> | DefaultNames<A, S, D> | (IsUnion<K> extends false ? NumericName<A, K> : never)
>

type SentNames<A> = { [N in keyof A]: A[N] extends IsSent ? (null extends A[N]['~type'] ? never : N) : never }[keyof A]

interface IsSent {
  readonly '~present': true
  readonly '~type': unknown
}

type NumericName<A, K> = K extends keyof A ? (Value<A[K]> extends number | bigint ? K : never) : never

// A relation to one element is written by the key of that element.
type ReadOnlyNames<S> = {
  [N in keyof S]: S[N] extends { readonly '~maps': infer M }
    ? M extends 'one'
      ? never
      : N
    : S[N] extends false
      ? N
      : never
}[keyof S]

// Types of Drizzle's tables say which columns have a default.
type DefaultNames<A, S, D> = D extends { readonly _: { readonly columns: infer C } }
  ? { [N in keyof A]: ColumnOf<S, N> extends ColumnsWithDefault<C> ? N : never }[keyof A]
  : never

type ColumnOf<S, N> = N extends keyof S ? (S[N] extends string ? S[N] : never) : N

type ColumnsWithDefault<C> = {
  [N in keyof C]: C[N] extends { readonly _: { readonly hasDefault: true } } ? N : never
}[keyof C]

/** The names in the conditions of a scope, which fill the attributes of new elements; none for alternatives. */
export type ScopeNames<R> = R extends readonly unknown[] ? never : keyof R

/** Selected fields, in place of a view. */
export interface ShownFields<F = string> {
  /** The paths of the fields that are read. */
  readonly fields: readonly F[]
}

/** The form in which an element is returned: the response of a request, a view, a media type, or selected fields. */
export type Shown<A extends Attributes> = ListRequest | View | MediaType | ShownFields<FieldPath<ObjectOf<A>>>

/** An element in the form S; the response of a request may show any of its attributes. */
export type ShownElement<A extends Attributes, S> =
  S extends ShownFields<infer F> ? Selected<ObjectOf<A>, F> : S extends View | MediaType ? S['~type'] : ObjectOf<A>

/** The context that the resources behind the sources S require; unknown if they require none. */
export type SourceContext<S> = ContextOfTakers<{ [N in keyof S]: TakerOf<S[N]> }[keyof S]>

// A structure has sources, too. The context `never` is that of a source whose type does not say which it requires.
type TakerOf<X> = X extends { readonly '~maps': unknown; readonly '~context'?: (context: infer C) => void }
  ? [C] extends [never]
    ? never
    : (context: C) => void
  : X extends object
    ? { [N in keyof X]: TakerOf<X[N]> }[keyof X]
    : never

// Of several functions, the compiler infers the intersection of their parameters.
type ContextOfTakers<T> = [T] extends [never] ? unknown : [T] extends [(context: infer C) => void] ? C : unknown

/** The context that a resource requires, which has a scope itself where C is one, and sources with the context X. */
export type RequiredContext<C, R, X> = [R] extends [never] ? X : [C] extends [never] ? object & X : C & X
