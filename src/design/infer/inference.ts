// Inference: the types of params, payloads, headers, responses and hrefs of each action. Every action of a user's API
// passes through here: docs/notes/types.md documents the costs and benefits of the forms below.
import type { Attribute } from '../../schema/attribute.ts'
import type { InheritingStructure } from '../../schema/inherit.ts'
import type {
  ObjectOf,
  ObjectWith,
  PresentKeys,
  SentKeys,
  SentObject,
  SentObjectNames,
  SentValue,
  Value,
} from '../../schema/types.ts'
import type { SingularName } from '../../util/naming.ts'
import type { ActionSettings, PayloadReference } from '../declare/action.ts'
import type { PlainBody } from '../declare/action-response.ts'
import type { Collection } from '../declare/collection.ts'
import type { AnyEndpoint, ChildOf, EndpointSpec } from '../declare/endpoint.ts'
import type { FilledAttributes, ResolvedHeir, TracedAttributes } from '../declare/inherited-attributes.ts'
import type { MediaType } from '../declare/media-type.ts'
import type { PrincipalOf } from '../declare/policy.ts'
import type { Route } from '../declare/route.ts'
import type { BodilessResponse } from '../declare/status.ts'
import type { Selection } from '../fields/selection.ts'
import type {
  FirstPath,
  LastCapture,
  PathBelow,
  PathParams,
  PrefixCaptures,
  RequiredBelow,
  RequiredCaptures,
  RequiredParams,
} from './captures.ts'

/** The names of an endpoint's actions. */
export type ActionName<S extends EndpointSpec> = keyof S['actions'] & string

/** The members of D, overridden by those of A; usually no name is in both, which avoids the Omit. */
type Override<D, A> = keyof D & keyof A extends never ? D & A : Omit<D, keyof A> & A

/** A setting of an endpoint's defaults; an undeclared one is unknown, which has no names. */
export type Default<S extends EndpointSpec, K extends keyof ActionSettings> = (S['actionDefaults'] & {})[K]

// The compiler caches conditional types by their type arguments, and only those. The conditions below that are always
// true or false exist for this: the common part of an endpoint's actions is resolved once, not for each of them.
type CommonParams<S extends EndpointSpec> = S extends never
  ? never
  : Override<ParentAttributes<S>, InheritIfAny<Default<S, 'params'>, S>>

type CommonResponses<S extends EndpointSpec> = S extends never ? never : Default<S, 'responses'>

type RequiredParentParams<S extends EndpointSpec> = S extends never ? never : PresentKeys<ParentAttributes<S>>

/** The params that the path of an action always captures, of an endpoint whose prefix captures some. */
type RequiredBelowPrefix<S extends EndpointSpec & PrefixCaptures, N extends keyof S['actions']> =
  | RequiredBelow<S['actions'][N]['routing'], RequiredCaptures<S['prefix']>>
  | RequiredParentParams<S>

// Params usually inherit nothing, and are then left unchanged.
type InheritIfAny<X, S> = X[keyof X] extends Attribute ? X : FilledAttributes<X, MediaAttributes<S>>

/** The attributes of an endpoint's media type. */
export type MediaAttributes<S> = S extends { readonly mediaType: MediaType<infer A> } ? A : {}

// --- parents -----------------------------------------------------------------

type CanonicalAction<S extends EndpointSpec> = S extends { readonly canonicalPath: infer C extends string } ? C : 'show'

type CanonicalPath<S extends EndpointSpec> =
  CanonicalAction<S> extends infer C extends keyof S['actions']
    ? S extends PrefixCaptures
      ? PathBelow<FirstPath<S['actions'][C]['routing']>, S['prefix']>
      : FirstPath<S['actions'][C]['routing']>
    : never

/** The attributes captured by an endpoint's canonical path, including those of its parents. */
export type PathAttributes<S extends EndpointSpec> =
  CanonicalAction<S> extends infer C extends keyof S['actions']
    ? ParentAttributes<S> & CapturedAttributes<ParamAttributes<S, C>, CanonicalPath<S>>
    : {}

type CapturedAttributes<A, P extends string> = {
  readonly [K in PathParams<P> & keyof A]: K extends RequiredCaptures<P> ? RequiredAttribute<A[K]> : A[K]
}

type RequiredAttribute<A> =
  A extends Attribute<unknown, true> ? A : A extends Attribute ? Attribute<A['~type'], true> : never

type LastParam<S extends EndpointSpec> = S extends never ? never : LastCapture<CanonicalPath<S>, LastInherited<S>>

type LastInherited<S extends EndpointSpec> = S extends { readonly parent: infer P } ? ParentId<P> : never

type SingularOf<E extends AnyEndpoint> = E['spec'] extends { readonly singular: infer X extends string }
  ? X
  : SingularName<E['name']>

type ParentId<P> =
  P extends ChildOf<infer E, infer M>
    ? LastParam<E['spec']> extends infer L extends keyof M
      ? M[L]
      : `${SingularOf<E>}_id`
    : P extends AnyEndpoint
      ? `${SingularOf<P>}_id`
      : never

/** The attributes that an endpoint inherits from its parent's canonical path. */
type ParentAttributes<S extends EndpointSpec> = S extends { readonly parent: infer P }
  ? P extends ChildOf<infer E, infer M>
    ? ByName<RenamedEntries<PathAttributes<E['spec']>, E, M>>
    : P extends AnyEndpoint
      ? ByName<RenamedEntries<PathAttributes<P['spec']>, P, {}>>
      : {}
  : {}

type RenamedEntries<A, E extends AnyEndpoint, M> = {
  [K in keyof A]: readonly [K extends keyof M ? M[K] : K extends LastParam<E['spec']> ? `${SingularOf<E>}_id` : K, A[K]]
}[keyof A]

// Mapping with `as` is shorter, but the compiler computes such names again at every use.
type ByName<R extends readonly [unknown, unknown]> = {
  readonly [K in R[0] & string]: Extract<R, readonly [K, unknown]>[1]
}

// --- inputs ------------------------------------------------------------------

type ParamAttributes<S extends EndpointSpec, N extends keyof S['actions']> = Override<
  CommonParams<S>,
  InheritIfAny<S['actions'][N]['params'], S>
>

/** The params of an action in its controller. */
export type ParamsOf<S extends EndpointSpec, N extends keyof S['actions']> = string extends N
  ? { readonly [name: string]: unknown }
  : S extends PrefixCaptures
    ? ObjectWith<ParamAttributes<S, N>, RequiredBelowPrefix<S, N>>
    : ObjectWith<ParamAttributes<S, N>, RequiredParams<S['actions'][N]['routing']> | RequiredParentParams<S>>

/** The payload of an action in its controller. */
export type PayloadOf<S extends EndpointSpec, N extends keyof S['actions']> = string extends N
  ? unknown
  : PayloadValue<S['actions'][N]['payload'], Default<S, 'payload'>, MediaAttributes<S>>

/** The declared headers of an action in its controller. */
export type HeadersOf<S extends EndpointSpec, N extends keyof S['actions']> = string extends N
  ? { readonly [name: string]: unknown }
  : ObjectOf<Override<Default<S, 'headers'>, S['actions'][N]['headers']>>

// --- client requests -----------------------------------------------------------

/** The params of an action as a client passes them. */
export type ParamsSent<S extends EndpointSpec, N extends keyof S['actions']> = string extends N
  ? { readonly [name: string]: unknown }
  : S extends PrefixCaptures
    ? ParamsWith<ParamAttributes<S, N>, RequiredBelowPrefix<S, N>>
    : ParamsWith<ParamAttributes<S, N>, RequiredParams<S['actions'][N]['routing']> | RequiredParentParams<S>>

type ParamsWith<A, C> = ParamInputs<SentObjectNames<A, SentKeys<A> | (C & keyof A)>, A>

/**
 * The same without `fields`: with another type for it in an intersection, the compiler would compute both for every
 * call.
 */
export type ParamsWithoutFields<S extends EndpointSpec, N extends keyof S['actions']> = S extends PrefixCaptures
  ? ParamsWith<Omit<ParamAttributes<S, N>, 'fields'>, RequiredBelowPrefix<S, N>>
  : ParamsWith<
      Omit<ParamAttributes<S, N>, 'fields'>,
      RequiredParams<S['actions'][N]['routing']> | RequiredParentParams<S>
    >

type ParamInputs<N, A extends { readonly [K in keyof N]: unknown }> = {
  readonly [K in keyof N]: ParamInput<A[K]> | N[K]
} & {}

// A structured param may also be passed as text. The condition is on the complete value, so that editors show its name.
type ParamInput<A> =
  Value<A> extends string | number | bigint | boolean | Date | null | undefined
    ? Value<A>
    : Value<A> extends Selection | null
      ? unknown
      : Value<A> | string

/** The payload of an action as a client sends it. */
export type PayloadSent<S extends EndpointSpec, N extends keyof S['actions']> = string extends N
  ? unknown
  : SentPayload<S['actions'][N]['payload'], Default<S, 'payload'>, MediaAttributes<S>>

type SentPayload<X, D, M> = unknown extends X & D
  ? {}
  : X extends Attribute | InheritingStructure
    ? SentBody<ResolvedHeir<X, M>>
    : keyof D extends never
      ? SentObject<PayloadAttributes<X, M>>
      : D extends Attribute | InheritingStructure
        ? keyof X extends never
          ? SentBody<ResolvedHeir<D, M>>
          : SentObject<PayloadAttributes<X, M>>
        : SentObject<Override<PayloadAttributes<D, M>, PayloadAttributes<X, M>>>

// A file as the complete body may be a stream; a form cannot contain one among other values.
type SentBody<A extends Attribute> =
  | (Blob extends SentValue<A> ? ReadableStream<Uint8Array> : never)
  | SentValue<A>
  | (A['~present'] extends true ? never : undefined)

/** The declared headers of an action as a client sends them. */
export type HeadersSent<S extends EndpointSpec, N extends keyof S['actions']> = string extends N
  ? { readonly [name: string]: unknown }
  : unknown extends S['actions'][N]['headers']
    ? CommonHeadersSent<S>
    : SentObject<Override<Default<S, 'headers'>, S['actions'][N]['headers']>>

type CommonHeadersSent<S extends EndpointSpec> = S extends never ? never : SentObject<Default<S, 'headers'>>

// --- controller values -----------------------------------------------------------

type PayloadValue<X, D, M> = X extends Attribute | InheritingStructure
  ? BodyValue<ResolvedHeir<X, M>>
  : keyof D extends never
    ? ObjectOf<PayloadAttributes<X, M>>
    : D extends Attribute | InheritingStructure
      ? keyof X extends never
        ? BodyValue<ResolvedHeir<D, M>>
        : ObjectOf<PayloadAttributes<X, M>>
      : ObjectOf<Override<PayloadAttributes<D, M>, PayloadAttributes<X, M>>>

type BodyValue<A extends Attribute> = A['~present'] extends true | 'default' ? A['~type'] : A['~type'] | undefined

type PayloadAttributes<X, M> = X extends PayloadReference
  ? TracedAttributes<X['attributes'], X['~reference']['attributes']>
  : TracedAttributes<X, M>

// --- security ----------------------------------------------------------------

/** The principal of an action: that of its security, or of the default security. */
export type PrincipalFor<S extends EndpointSpec, N extends keyof S['actions']> = string extends N
  ? unknown
  : PrincipalOf<S['actions'][N] extends { readonly security: infer X } ? X : Default<S, 'security'>>

// --- responses ---------------------------------------------------------------

/** The responses that an action may return, as declared. */
export type DeclaredResponses<S extends EndpointSpec, N extends keyof S['actions']> = string extends N
  ? {}
  : Override<CommonResponses<S>, S['actions'][N]['responses']>

/** The body of a declared response with the name N, undefined for none; `ok` falls back to the media type M. */
export type BodyOf<D, N, M> = N extends 'ok' ? OkBody<D, M> : OtherBody<D, N>

/** The body of `ok`. */
export type OkBody<D, M> = D extends NamesBody
  ? NamedBody<D>
  : M extends NamesBody
    ? NamedBody<M>
    : PlainBody | undefined

/** The body of any other response. */
export type OtherBody<D, N> = D extends NamesBody
  ? NamedBody<D>
  : N extends BodilessResponse
    ? undefined
    : CustomBody<D>

/** Declarations that name a body. */
type NamesBody = Attribute | Collection | string | HasMediaType | { readonly spec: HasMediaType }

interface HasMediaType {
  readonly mediaType: unknown
}

/** The body that a declaration names. */
export type NamedBody<D> = D extends Attribute
  ? D['~type']
  : D extends Collection
    ? ListBody<D['of']['~type'], D['as']>
    : D extends { readonly mediaType: infer B }
      ? NamedBody<B extends readonly (infer E)[] ? E : B>
      : D extends string
        ? IdentifiedBody<D>
        : D extends { readonly spec: infer C }
          ? NamedBody<C>
          : unknown

type ListBody<E, F> = 'json' extends F ? readonly E[] : Iterable<E> | AsyncIterable<E>

// A known status determines whether it is a failure, whose body becomes a problem document.
type CustomBody<D> = D extends { readonly spec: infer C }
  ? CustomBody<C>
  : D extends { readonly status: infer C extends number }
    ? `${C}` extends `${2 | 3}${string}`
      ? undefined
      : unknown
    : unknown

// Any value can be serialized as JSON; for other identifiers, the body must already be text or bytes.
type IdentifiedBody<D extends string> = string extends D
  ? unknown
  : Lowercase<D> extends `${string}json${string}`
    ? unknown
    : PlainBody

// --- hrefs -------------------------------------------------------------------

/** The arguments of an endpoint's canonical path. */
export type HrefArgs<S extends EndpointSpec> =
  CanonicalAction<S> extends keyof S['actions'] ? ObjectOf<PathAttributes<S>> : never

type RoutesIn<R> = R extends Route ? R : R extends readonly (infer E)[] ? Extract<E, Route> : never

type NamedRouteEntries<S extends EndpointSpec> = {
  [N in keyof S['actions']]: RoutesIn<S['actions'][N]['routing']> extends infer R
    ? R extends Route<infer P, infer Name>
      ? [Name] extends [never]
        ? never
        : { readonly action: N; readonly path: P; readonly name: Name }
      : never
    : never
}[keyof S['actions']]

type RouteArgs<S extends EndpointSpec, X extends { action: keyof S['actions']; path: string }> = ObjectWith<
  ParentAttributes<S> &
    CapturedAttributes<
      ParamAttributes<S, X['action']>,
      S extends PrefixCaptures ? PathBelow<X['path'], S['prefix']> : X['path']
    >,
  RequiredParentParams<S>
>

/** A named route: expands arguments to a path, and parses a path to typed arguments. */
export interface NamedRoute<out A> {
  readonly path: string
  /** Returns the path for the given arguments. */
  expand(args: A): string
  /** Parses the arguments from a path; throws if the path does not match this route. */
  parse(path: string): A
}

/** The named routes of an endpoint. */
export type NamedRoutes<S extends EndpointSpec> = {
  readonly [X in NamedRouteEntries<S> as X['name']]: NamedRoute<RouteArgs<S, X>>
}
