// The type-level part of attributes: the types of their values in a controller. docs/notes/types.md has the reasons for
// this form.
import type { Attribute } from './attribute.ts'

// Conditions use named interfaces: a type literal is instantiated at every use within a generic type.
/** An attribute that is always present once loaded. */
export interface IsPresent {
  readonly '~present': true | 'default'
}

/** Whether an attribute with `required` R and the default D is always present once loaded. */
export type PresenceOf<R, D> = D extends undefined ? (R extends true ? true : false) : 'default'

/** The type T, with null if N is true. */
export type Nullable<T, N> = N extends true ? T | null : T

/** `Nullable` for an attribute that inherits another's value T. */
export type OverrideNull<T, N> = N extends true ? T | null : N extends false ? Exclude<T, null> : T

/** The presence of an attribute that inherits another's presence P. */
export type OverridePresence<P, R, D> = [R, D] extends [undefined, undefined] ? P : PresenceOf<R, D>

/** Flattens an intersection into one object type. */
export type Simplify<T> = { [K in keyof T]: T[K] } & {}

/** The names of the attributes that are always present once loaded. */
export type PresentKeys<A> = { [K in keyof A]: A[K] extends IsPresent ? K : never }[keyof A]

interface IsSent {
  readonly '~present': true
}

interface MaybeSent {
  readonly '~present': false | 'default'
}

/** The names of the attributes that a client must send. */
// Params and headers are usually all optional, which one check finds out.
export type SentKeys<A> = A[keyof A] extends MaybeSent
  ? never
  : { [K in keyof A]: A[K] extends IsSent ? K : never }[keyof A]

/** The structure that a client sends for a set of attributes: those with a default are optional. */
export type SentObject<A> = SentObjectValues<SentObjectNames<A, SentKeys<A>>, A>

/** The names of A as optional properties without a value, except P. */
export type SentObjectNames<A, P extends keyof A> = { readonly [N in keyof A]?: undefined } & {
  readonly [N in P]: never
}

type SentObjectValues<N, A extends { readonly [K in keyof N]: unknown }> = {
  readonly [K in keyof N]: SentValue<A[K]> | N[K]
} & {}

interface IsFile {
  readonly '~type': { readonly '~file': true } | null
}

/** The value of an attribute as a client sends it: files as `Blob`. */
export type SentValue<A> = A extends Attribute
  ? A extends IsFile
    ? Blob | Extract<A['~type'], null>
    : A['~type']
  : never

/** The value of an attribute in a controller. */
export type Value<A> = A extends Attribute ? A['~type'] : never

/** The structure that a set of attributes loads into: required and defaulted ones present, the others optional. */
export type ObjectOf<A> = ObjectWithPresent<A, PresentKeys<A>>

/** `ObjectOf` with the names C always present. */
export type ObjectWith<A, C> = ObjectWithPresent<A, PresentKeys<A> | (C & keyof A)>

/** The structure of the attributes A in which the names P are always present. */
// Two types without values decide which names are optional; each value is then computed once.
export type ObjectWithPresent<A, P extends keyof A> = ObjectValues<
  { [N in keyof A]?: unknown } & { [N in P]: unknown },
  A
>

// Because of the mapping over N and the intersection, editors show the structure and not these aliases.
type ObjectValues<N, A extends { readonly [K in keyof N]: unknown }> = { -readonly [K in keyof N]: Value<A[K]> } & {}
