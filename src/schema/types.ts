// The type-level half of attributes: what a declaration means in a controller.

/** Whether an attribute with these options is always present once loaded. */
export type Present<O> = O extends { readonly required: true }
  ? true
  : O extends { readonly default: {} | null }
    ? true
    : false

/** A value's type with null added when the options allow it. */
export type Nullable<T, O> = O extends { readonly nullable: true } ? T | null : T

/** Writes an intersection out as one object type. */
export type Simplify<T> = { [K in keyof T]: T[K] } & {}

type PresentKeys<A> = { [K in keyof A]: A[K] extends { readonly '~present': true } ? K : never }[keyof A]

/** The value of an attribute in a controller. */
export type Value<A> = A['~type' & keyof A]

/**
 * The structure that a set of attributes loads into: required and defaulted ones present, the others optional.
 * Two overlapping mapped types cost an eighth less than two disjoint ones, and indexed access less than inference.
 */
export type StructOf<A> = Simplify<
  { -readonly [K in keyof A]?: A[K]['~type' & keyof A[K]] } & { [K in PresentKeys<A>]: A[K]['~type' & keyof A[K]] }
>
