// Payloads and params that inherit from media types, at any depth: in the types and at boot.
import { type AnyOptions, type Attribute, type Attributes, isAttribute } from '../../schema/attribute.ts'
import { isInline } from '../../schema/children.ts'
import {
  type Inherit,
  type InheritingAttributes,
  type InheritingStructure,
  isInherit,
  type Replaced,
} from '../../schema/inherit.ts'
import type { Nullable, ObjectOf, OverrideNull, OverridePresence, Value } from '../../schema/types.ts'
import { isSettings } from '../../util/setting-form.ts'
import type { MistakenType } from '../mistakes.ts'
import type { MediaType } from './media-type.ts'

// --- types ----------------------------------------------------------------------

/** The attributes X, with inherited ones filled in from the attributes A. */
export type FilledAttributes<X, A> = { readonly [K in keyof X]: FilledAttribute<X[K], A[K & keyof A], A> }

/**
 * The same with names that refer to the attributes A as well as to X: editors can rename and document the attributes of
 * payloads.
 */
export type TracedAttributes<X, A> = TracedAttributesOver<X, A, X & A, keyof X>

type TracedAttributesOver<X extends { readonly [K in P]: unknown }, A, N, P extends keyof N> = {
  readonly [K in P]: FilledAttribute<X[K], A[K & keyof A], A>
}

type FilledAttribute<X, M, A> = X extends Attribute
  ? X
  : X extends Inherit
    ? M extends Attribute
      ? InheritedAttribute<M, X['~inherit']>
      : never
    : ResolvedHeir<X, OriginBelow<M, A>>

type NoOptions = {}

type InheritedAttribute<M extends Attribute, O> = NoOptions extends O
  ? M
  : O extends Replaced
    ? Attribute<OverrideNull<M['~type'], O['nullable']>, OverridePresence<M['~present'], O['required'], O['default']>>
    : M

/** The attribute that a structure or a list of structures becomes when it inherits from the attributes A. */
export type ResolvedHeir<X, A> = X extends Attribute
  ? X
  : X extends InheritingStructure<infer E>
    ? Attribute<
        Nullable<
          E extends InheritingStructure ? Value<ResolvedHeir<E, A>>[] : ObjectOf<FilledAttributes<E, A>>,
          X['~nullable']
        >,
        X['~presence']
      >
    : never

/**
 * The attributes that a structure inherits from: those of M, the attribute of its name. Any other structure is an
 * envelope, and inherits from the attributes A as what is around it does.
 */
type OriginBelow<M, A> = [M] extends [never] ? A : keyof AttributesBelow<M> extends never ? A : AttributesBelow<M>

// Only media types have their attributes in their type; those of other structures are derived from their values.
type AttributesBelow<M> =
  M extends MediaType<infer A> ? A : M extends Attribute ? AttributesOfValue<NonNullable<M['~type']>> : {}

type AttributesOfValue<T> = T extends readonly (infer E)[]
  ? AttributesOfValue<NonNullable<E>>
  : T extends OpaqueValue
    ? {}
    : T extends object
      ? AttributesOfObject<T>
      : {}

type OpaqueValue = Date | ((...args: never) => unknown)

type AttributesOfObject<T> = string extends keyof T
  ? {}
  : { readonly [K in keyof T]-?: Attribute<Exclude<T[K], undefined>, {} extends Pick<T, K> ? false : true> }

/** Attributes that inherit only at the top level; for the compiler the common case. */
export interface FlatAttributes {
  readonly [name: string]: Attribute | Inherit
}

/** The paths of the names in X that inherit and are not in A; never if there are none. */
export type MissingSources<X, A> = { [K in keyof X]: MissingSourceAt<X[K], A, K> }[keyof X]

type MissingSourceAt<X, A, K> = X extends Attribute
  ? never
  : X extends InheritingStructure
    ? `${K & string}.${MissingSourcesIn<X, OriginBelow<A[K & keyof A], A>> & string}`
    : K extends keyof A
      ? never
      : K

/** The same for a structure, or a list of structures. */
export type MissingSourcesIn<X, A> =
  X extends InheritingStructure<infer E>
    ? E extends InheritingStructure
      ? MissingSourcesIn<E, A>
      : MissingSources<E, A>
    : never

/** Refuses the attributes of X that inherit, at any depth, from names that are not in A. */
export type HeirMistakes<X, A, Text extends string> = {
  readonly [K in keyof X]: [MissingSourceAt<X[K], A, K>] extends [never]
    ? unknown
    : MistakenType<`${Text}: ${MissingSourceAt<X[K], A, K> & string}`>
}

// --- at boot ---------------------------------------------------------------------

/**
 * Fills in the attributes that these attributes, or structures below, inherit; names that cannot be resolved are left
 * out.
 */
export function fillInherited(attributes: InheritingAttributes, origin: Attributes | undefined): Attributes {
  const entries = Object.entries(attributes).flatMap(([name, one]): readonly [string, Attribute][] => {
    const source = origin && Object.hasOwn(origin, name) ? origin[name] : undefined
    if (!isInherit(one))
      return isAttribute(one) ? [[name, fillAttribute(one, (source && findNestedAttributes(source)) ?? origin)]] : []
    return source === undefined ? [] : [[name, overrideOptions(source, one['~inherit'] as AnyOptions)]]
  })
  return Object.fromEntries(entries)
}

/** Fills in the attributes that structures within an attribute inherit. */
export function fillAttribute(one: Attribute, origin: Attributes | undefined): Attribute {
  if (!hasInherited(one)) return one
  const { children, element } = one.core
  return one.core.rebuild(element ? { '*': fillAttribute(element, origin) } : fillInherited(children, origin)) ?? one
}

/** Returns whether a structure, or a list of structures, contains inheriting attributes. */
// Only inline lists and structures are checked; references and media types are declared elsewhere.
export function hasInherited(attribute: Attribute): boolean {
  const { shape, element, children } = attribute.core
  if (shape === 'list') return element !== undefined && hasInherited(element)
  return isInline(attribute) && Object.values(children).some((one) => isInherit(one) || hasInherited(one))
}

const overrideOptions = (source: Attribute, options: AnyOptions): Attribute =>
  isSettings(options) && Object.keys(options).length === 0 ? source : source.core.derive(options)

/** Returns the attributes of a structure, or of the elements of a list; undefined for what has none. */
export function findNestedAttributes(one: Attribute): Attributes | undefined {
  const { shape, element, children } = (one.core.target ?? one).core
  if (shape === 'object') return Object.keys(children).length > 0 ? children : undefined
  return shape === 'list' && element ? findNestedAttributes(element) : undefined
}
