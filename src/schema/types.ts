// The type-level half of attributes: what a declaration means in a controller. docs/notes/types.md tells why in this form.
import type { Attribute } from './attribute.ts'

// Conditions are written with named interfaces: a type literal is instantiated at every use within a generic type.
/** An attribute that is always present once loaded. */
export interface IsPresent {
  readonly '~present': true | 'default'
}

/** Whether an attribute that is required as R says, and has the default D, is always present once loaded. */
export type Present<R, D> = D extends undefined ? (R extends true ? true : false) : 'default'

/** A value's type with null added where N says so. */
export type Nullable<T, N> = N extends true ? T | null : T

/** The same for an attribute that takes over another one's value T. */
export type OverrideNull<T, N> = N extends true ? T | null : N extends false ? Exclude<T, null> : T

/** The presence of an attribute that takes over another one's P. */
export type OverridePresence<P, R, D> = [R, D] extends [undefined, undefined] ? P : Present<R, D>

/** Writes an intersection out as one object type. */
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
// Params and headers as a rule may all be left out, which is asked once.
export type SentKeys<A> = A[keyof A] extends MaybeSent
  ? never
  : { [K in keyof A]: A[K] extends IsSent ? K : never }[keyof A]

/** The structure that a client sends for a set of attributes: those that have a default may be left out. */
export type SentObject<A> = SentObjectValues<SentObjectNames<A, SentKeys<A>>, A>

/** Which of the names of A may be left out, and are then undefined: all but P. */
export type SentObjectNames<A, P extends keyof A> = { readonly [N in keyof A]?: undefined } & { readonly [N in P]: never }

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

/** The same, with the names C present whatever their attributes say. */
export type ObjectWith<A, C> = ObjectWithPresent<A, PresentKeys<A> | (C & keyof A)>

/** The structure of the attributes A in which the names P are always present. */
// Two types without values decide which names are optional; each value is then computed once.
type ObjectWithPresent<A, P extends keyof A> = ObjectValues<{ [N in keyof A]?: unknown } & { [N in P]: unknown }, A>

// Mapping over the parameter N, and the intersection, have editors show the structure itself and not these aliases.
type ObjectValues<N, A extends { readonly [K in keyof N]: unknown }> = { -readonly [K in keyof N]: Value<A[K]> } & {}
