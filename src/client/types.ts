// What a client's calls take and give, from the same declarations that the server is held to.

import type { EndpointSpec } from '../design/declare/endpoint.ts'
import type { DefinitionOf } from '../design/definition.ts'
import type { FieldPath, Selected, Selection } from '../design/fields/selection.ts'
import type { BodiesOf, HeadersSent, ParamsSent, PayloadSent } from '../design/infer/inference.ts'
import type { Attribute } from '../schema/attribute.ts'

/** Fields that a client asks for: names of attributes and paths to those below, `['id', 'author.name']`, or the text that says so. */
type Fields<F, T> = (readonly F[] & readonly FieldPath<T>[]) | string

/** The payload and headers of a call, B and H, as far as the action has them. */
export type CallOptions<B = unknown, H = unknown> = PayloadOption<B> & HeadersOption<H> & CommonOptions

type PayloadOption<B> = undefined extends B
  ? OptionalPayload<B>
  : {} extends B
    ? keyof B extends never
      ? unknown
      : OptionalPayload<B>
    : RequiredPayload<B>

interface RequiredPayload<out B> {
  /** The body, as the action declares it; files as `Blob`. */
  readonly payload: B
}

interface OptionalPayload<out B> {
  /** The body, as the action declares it; files as `Blob`. */
  readonly payload?: B | undefined
}

type HeadersOption<H> = {} extends H ? OptionalHeaders<H> : RequiredHeaders<H>

interface RequiredHeaders<out H> {
  /** Declared headers, and any others; headers of the client need not be repeated. */
  readonly headers: H & OtherHeaders
}

interface OptionalHeaders<out H> extends Partial<RequiredHeaders<H>> {}

interface OtherHeaders {
  readonly [name: string]: unknown
}

interface CommonOptions {
  /** Ends the request. */
  readonly signal?: AbortSignal
}

/** The arguments of a call: those may be left out that hold nothing which the server insists on. */
type Arguments<P, O> = {} extends O
  ? {} extends P
    ? [params?: P, options?: O]
    : [params: P, options?: O]
  : [params: P, options: O]

/** A problem document, as failures come. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly code: string
  readonly detail?: string
  readonly errors?: readonly {
    readonly in: string
    readonly pointer: string
    readonly code: string
    readonly message: string
  }[]
  readonly [extension: string]: unknown
}

/** A failure that the action does not declare: the framework's own, or one on the way. */
export interface FailureAnswer<out P = Problem> {
  readonly name: 'failure'
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
  /** The problem document, or what the application's encoder writes, where the answer is one. */
  readonly problem: P | undefined
}

/** What a call ends in: one of the declared responses, told apart by its name, or a failure. */
export type Answer<B, P = Problem> =
  | {
      [N in keyof B]: {
        /** The name of the declared response. */
        readonly name: N
        readonly status: number
        readonly headers: Headers
        readonly body: B[N]
      }
    }[keyof B]
  | FailureAnswer<P>

/** The elements of a list that an action answers with. */
type ElementOf<B> = B extends { readonly ok: readonly (infer E)[] } ? E : never

/** The structure of which a client may select fields: the body of `ok`, or the elements of its list. */
type SelectableOf<B> = B extends { readonly ok: infer X } ? (X extends readonly (infer E)[] ? E : X) : never

// Function types and not interfaces, so that "go to definition" leads to the action alone; conditions, so that editors show
// the function and no alias.

/** Calls one action. */
export type Call<S extends EndpointSpec, N extends keyof S['actions'], P = Problem> = S extends never
  ? never
  : ((...args: ArgumentsOf<S, N>) => Promise<Answer<BodiesOf<S, N>, P>>) & {
      /** Every element of a list, page after page, as its links lead on. */
      all(...args: ArgumentsOf<S, N>): AsyncIterableIterator<ElementOf<BodiesOf<S, N>>>
    }

/** Calls one action whose answers can be narrowed to some fields. */
type SelectingCall<S extends EndpointSpec, N extends keyof S['actions'], P = Problem> = S extends never
  ? never
  : (<const F extends string = never>(
      ...args: ArgumentsOf<S, N, Fields<F, SelectableOf<BodiesOf<S, N>>>>
    ) => Promise<Answer<SelectedBodies<BodiesOf<S, N>, F>, P>>) & {
      /** Every element of a list, page after page, as its links lead on. */
      all<const F extends string = never>(
        ...args: ArgumentsOf<S, N, Fields<F, SelectableOf<BodiesOf<S, N>>>>
      ): AsyncIterableIterator<ElementOf<SelectedBodies<BodiesOf<S, N>, F>>>
    }

type ArgumentsOf<S extends EndpointSpec, N extends keyof S['actions'], F = readonly string[] | string> = Arguments<
  ParamsSent<S, N, F>,
  CallOptions<PayloadSent<S, N>, HeadersSent<S, N>>
>

/** The bodies of which `ok` has only what is selected. */
type SelectedBodies<B, F> = [F] extends [never]
  ? B
  : { readonly [N in keyof B]: N extends 'ok' ? SelectedBody<B[N], F> : B[N] }

type SelectedBody<X, F> = X extends readonly (infer E)[] ? readonly Selected<E, F>[] : Selected<X, F>

/** One function for each action of each definition. */
export type Client<E, P = Problem> = { readonly [K in keyof E]: Calls<E[K], P> }

type Calls<D, P> = D extends DefinitionOf<infer S> ? { readonly [N in keyof S['actions']]: CallOf<S, N, P> } : never

type CallOf<S extends EndpointSpec, N extends keyof S['actions'], P> = S['actions'][N] extends Selectable
  ? SelectingCall<S, N, P>
  : Call<S, N, P>

interface Selectable {
  readonly routing: unknown
  readonly params: { readonly fields: Attribute<Selection> }
}

/** The type of failures, by the form that a client was given. */
export type ProblemOf<F> = [F] extends [Attribute] ? F['~type'] : Problem

/** How a client reaches its server. */
export interface ClientOptions<out F extends Attribute | undefined = Attribute | undefined> {
  /** Where the API is, its base path included. */
  readonly baseUrl: string
  /** Headers of every request, or a function that gives them. */
  readonly headers?:
    | Readonly<Record<string, string>>
    | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>)
  /**
   * How versions are sent: `'path'`, `'header'` or `'query'`.
   * @default `'path'`
   */
  readonly versionWith?: 'path' | 'header' | 'query'
  /**
   * The form of failures, where the application writes them by an encoder: the form of `problemEncoder`.
   * @default problem documents
   */
  readonly problem?: F
  /**
   * Sends requests.
   * @default the global `fetch`
   */
  readonly fetch?: (request: Request) => Promise<Response>
}
