// What declarations mean to the compiler: the types of params, payloads, headers, responses and hrefs of each action.
import type { Attribute } from '../schema/attribute.ts'
import type { Nullable, Present, Simplify, StructOf } from '../schema/types.ts'
import type { Singular, Snake } from '../util/naming.ts'
import type { Inherit, PayloadReference } from './action.ts'
import type { CaptureList, CertainParams, FirstPath, PathParams, RoutingParams } from './captures.ts'
import type { AnyEndpoint, ChildOf, EndpointSpec } from './endpoint.ts'
import type { Collection, MediaType } from './media-type.ts'
import type { ResponseClass } from './response.ts'
import type { Route } from './route.ts'

/** The names of an endpoint's actions. */
export type ActionName<S extends EndpointSpec> = keyof S['actions'] & string

type Get<T, K extends string> = T extends { readonly [k in K]: infer V } ? V : {}

/** The defaults' stanza with the action's own put over it, name by name. */
type Merge<D, A> = keyof D extends never
  ? A
  : { [K in keyof D | keyof A]: K extends keyof A ? A[K] : K extends keyof D ? D[K] : never }

type Stanza<S extends EndpointSpec, N extends keyof S['actions'], K extends string> = Merge<
  Get<S['actionDefaults'], K>,
  Get<S['actions'][N], K>
>

// --- parents -----------------------------------------------------------------

type Canonical<S extends EndpointSpec> = S extends { readonly canonicalPath: infer C extends string } ? C : 'show'

type CanonicalPath<S extends EndpointSpec> =
  Canonical<S> extends infer C extends keyof S['actions'] ? FirstPath<S['actions'][C]['routing']> : never

type Last<L extends readonly string[]> = L extends readonly [...string[], infer X] ? X : never

/** The attributes captured by an endpoint's canonical path, those of its own parents included. */
type PathAttributes<S extends EndpointSpec> =
  Canonical<S> extends infer C extends keyof S['actions']
    ? Simplify<
        ParentAttributes<S> & Pick<Stanza<S, C, 'params'>, PathParams<CanonicalPath<S>> & keyof Stanza<S, C, 'params'>>
      >
    : {}

type LastParam<S extends EndpointSpec> =
  CaptureList<CanonicalPath<S>> extends infer L extends readonly string[]
    ? L extends readonly []
      ? LastInherited<S>
      : Last<L>
    : never

type LastInherited<S extends EndpointSpec> = S extends { readonly parent: infer P } ? ParentId<P> : never

type SingularOf<E extends AnyEndpoint> = E['spec'] extends { readonly singular: infer X extends string }
  ? X
  : Singular<Snake<E['name']>>

type ParentId<P> =
  P extends ChildOf<infer E, infer M>
    ? LastParam<E['spec']> extends infer L extends keyof M
      ? M[L]
      : `${SingularOf<E>}_id`
    : P extends AnyEndpoint
      ? `${SingularOf<P>}_id`
      : never

type Renamed<E extends AnyEndpoint, M> = {
  [K in keyof PathAttributes<E['spec']> as K extends keyof M
    ? M[K] & string
    : K extends LastParam<E['spec']>
      ? `${SingularOf<E>}_id`
      : K]: PathAttributes<E['spec']>[K]
}

/** The attributes that an endpoint gets from its parent's canonical path. */
export type ParentAttributes<S extends EndpointSpec> = S extends { readonly parent: infer P }
  ? P extends ChildOf<infer E, infer M>
    ? Renamed<E, M>
    : P extends AnyEndpoint
      ? Renamed<P, {}>
      : {}
  : {}

// --- inputs ------------------------------------------------------------------

type Loaded<A, C> = [C] extends [never] ? StructOf<A> : LoadedWith<A, C>

type Surely<A, C> = {
  [K in keyof A]: K extends C ? K : A[K] extends { readonly '~present': true } ? K : never
}[keyof A]

type LoadedWith<A, C> = Simplify<
  { [K in Surely<A, C>]: A[K] extends { readonly '~type': infer T } ? T : never } & {
    [K in Exclude<keyof A, Surely<A, C>>]?: A[K] extends { readonly '~type': infer T } ? T : never
  }
>

type ParamAttributes<S extends EndpointSpec, N extends keyof S['actions']> = Merge<
  ParentAttributes<S>,
  Stanza<S, N, 'params'>
>

/** The params of an action as its controller gets them. */
export type ParamsOf<S extends EndpointSpec, N extends keyof S['actions']> = Loaded<
  ParamAttributes<S, N>,
  CertainParams<S['actions'][N]['routing']> | keyof ParentAttributes<S>
>

type MediaAttributes<S> = S extends { readonly mediaType: MediaType<infer A> } ? A : {}

type Resolved<X, M> = {
  [K in keyof X]: X[K] extends Attribute
    ? X[K]
    : X[K] extends Inherit<infer O>
      ? K extends keyof M
        ? M[K] extends Attribute<infer T, infer P>
          ? Attribute<
              Nullable<T, O>,
              O extends { readonly required: boolean } | { readonly default: {} } ? Present<O> : P
            >
          : never
        : never
      : never
}

type ResolvedPayload<X, M> =
  X extends Attribute<infer T, infer P>
    ? P extends true
      ? T
      : T | undefined
    : X extends PayloadReference<infer R, infer Y>
      ? StructOf<Resolved<Y, R['attributes']>>
      : StructOf<Resolved<X, M>>

type PayloadStanza<S extends EndpointSpec, N extends keyof S['actions']> =
  Get<S['actions'][N], 'payload'> extends infer A
    ? A extends Attribute | PayloadReference
      ? A
      : Merge<Get<S['actionDefaults'], 'payload'>, A>
    : never

/** The payload of an action as its controller gets it. */
export type PayloadOf<S extends EndpointSpec, N extends keyof S['actions']> = ResolvedPayload<
  PayloadStanza<S, N>,
  MediaAttributes<S>
>

/** The declared headers of an action as its controller gets them. */
export type HeadersOf<S extends EndpointSpec, N extends keyof S['actions']> = StructOf<Stanza<S, N, 'headers'>>

// --- responses ---------------------------------------------------------------

/** The responses that an action may return, as declared. */
export type DeclaredOf<S extends EndpointSpec, N extends keyof S['actions']> = Stanza<S, N, 'responses'>

/** The body that a declared response takes. */
export type BodyOf<D> =
  D extends Attribute<infer T>
    ? T
    : D extends Collection<infer M>
      ? readonly M['~type'][]
      : D extends ResponseClass
        ? BodyOf<D['spec']>
        : D extends { readonly mediaType: infer M }
          ? BodyOf<M extends readonly (infer E)[] ? E : M>
          : unknown

// --- hrefs -------------------------------------------------------------------

/** The arguments of an endpoint's canonical path. */
export type HrefArgs<S extends EndpointSpec> =
  Canonical<S> extends keyof S['actions'] ? LoadedWith<PathAttributes<S>, keyof PathAttributes<S>> : never

type RoutesIn<R> = R extends Route ? R : R extends readonly (infer E)[] ? Extract<E, Route> : never

type NamedIn<S extends EndpointSpec> = {
  [N in keyof S['actions']]: RoutesIn<S['actions'][N]['routing']> extends infer R
    ? R extends Route<infer P, infer Name>
      ? [Name] extends [never]
        ? never
        : { readonly action: N; readonly path: P; readonly name: Name }
      : never
    : never
}[keyof S['actions']]

type RouteArgs<S extends EndpointSpec, X extends { action: keyof S['actions']; path: string }> = LoadedWith<
  Pick<
    ParamAttributes<S, X['action']>,
    (PathParams<X['path']> | keyof ParentAttributes<S>) & keyof ParamAttributes<S, X['action']>
  >,
  CertainParams<Route<X['path']>> | keyof ParentAttributes<S>
>

/** A named route: expands arguments to a path, and parses a path to coerced arguments. */
export interface NamedRoute<out A> {
  readonly path: string
  /** Writes the path for the given arguments. */
  expand(args: A): string
  /** Reads the arguments back from a path; throws when the path is not one of this route. */
  parse(path: string): A
}

/** The named routes of an endpoint. */
export type NamedRoutes<S extends EndpointSpec> = {
  readonly [X in NamedIn<S> as X['name']]: NamedRoute<RouteArgs<S, X>>
}

// --- definition mistakes the compiler can see ----------------------------------

type Undeclared<S extends EndpointSpec, N extends keyof S['actions']> = Exclude<
  RoutingParams<S['actions'][N]['routing']>,
  keyof Get<S['actions'][N], 'params'> | keyof Get<S['actionDefaults'], 'params'>
>

type CheckPayload<X, M> = X extends Attribute | PayloadReference
  ? unknown
  : {
      readonly [K in keyof X]: K extends keyof M
        ? unknown
        : X[K] extends Attribute
          ? unknown
          : Mistake<'not an attribute of the media type: give it a type'>
    }

/** A definition mistake, told where the compiler underlines it. */
export interface Mistake<out Text> {
  readonly '~mistake': Text
}

/** Refuses captures that params do not declare and inherited attributes that the media type does not have. */
export type CheckedActions<S extends EndpointSpec> = {
  readonly actions: {
    readonly [N in keyof S['actions']]: ([Undeclared<S, N>] extends [never]
      ? unknown
      : { readonly routing: Mistake<`declare in params: ${Undeclared<S, N> & string}`> }) &
      (S['actions'][N] extends { readonly payload: infer X }
        ? { readonly payload: CheckPayload<X, MediaAttributes<S>> }
        : unknown)
  }
}
