// The arguments and results of a client's calls, from the same declarations that the server is held to.

import type { EndpointSpec } from '../design/declare/endpoint.ts'
import type { MediaType } from '../design/declare/media-type.ts'
import type { SuccessfulResponse } from '../design/declare/status.ts'
import type { DefinitionOf } from '../design/definition.ts'
import type { FieldPath, Selected, Selection } from '../design/fields/selection.ts'
import type { DeclaredResponses, HeadersSent, ParamsWithoutFields, ParamsSent, PayloadSent } from '../design/infer/inference.ts'
import type { Received, UndescribedFailures } from '../design/infer/received-body.ts'
import type { Attribute } from '../schema/attribute.ts'
import type { ObjectOf } from '../schema/types.ts'
import type { Around, CommonCallOptions } from './around.ts'
import type { CallResponse, CallResponseOf, EncodedCallResponse, Problem } from './call-response.ts'
import type { StatusError } from './call-errors.ts'

/** The payload and headers of a call, B and H, as far as the action has them. */
export type CallOptions<B = unknown, H = unknown> = PayloadOption<B> & HeadersOption<H> & CommonCallOptions

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

interface OptionalHeaders<out H> {
  /** Declared headers, and any others; headers of the client need not be repeated. */
  readonly headers?: (H & OtherHeaders) | undefined
}

interface OtherHeaders {
  readonly [name: string]: unknown
}

/** The arguments of a call: those may be left out that hold nothing which the server insists on. */
type ArgumentList<P, O, F = unknown> = {} extends O
  ? {} extends P
    ? [params?: P & F, options?: O]
    : [params: P & F, options?: O]
  : {} extends P
    ? [params: (P & F) | undefined, options: O]
    : [params: P & F, options: O]

/** The same, with what the paths F select of the media type M. */
type SelectedResponseOf<P, D, U, M, F> = string extends F
  ? CallResponseOf<P, D, U, M>
  : [P] extends [never]
    ? CallResponse<SelectedBodies<D, Exclude<keyof D, U>, M, F>, U>
    : EncodedCallResponse<SelectedBodies<D, Exclude<keyof D, U>, M, F>, U, P>

/** The names of declared responses D whose statuses are those of success. */
type SuccessNames<D> = { [N in keyof D]: N extends SuccessfulResponse ? N : SuccessName<D[N], N> }[keyof D]

type SuccessName<D, N> = D extends { readonly spec: infer C }
  ? SuccessName<C, N>
  : D extends { readonly status: infer C extends number }
    ? `${C}` extends `2${string}`
      ? N
      : never
    : never

/** The elements of a list that is a body, or within it. */
type ListElement<X> = X extends readonly (infer E)[] ? E : NestedListElement<X>

type NestedListElement<X> = { [K in keyof X]-?: X[K] extends readonly (infer E)[] ? E : never }[keyof X]

/** The body of `ok`. */
type OkBodyOf<S extends EndpointSpec, N extends keyof S['actions']> = OkBody<DeclaredResponses<S, N>, S['mediaType']>

type OkBody<D, M> = Received<D['ok' & keyof D], 'ok', M>

/** The structure of which a client may select fields: the body of `ok`, or the elements of its list. */
type SelectableBodyOf<S extends EndpointSpec, N extends keyof S['actions']> = SelectableBody<OkBodyOf<S, N>, S['mediaType']>

type SelectableBody<X, M> = X extends readonly (infer E)[] | AsyncIterable<infer E> ? FullBody<E, M> : FullBody<X, M>

// A body that is a view shows the other attributes of its media type too when they are selected.
type FullBody<X, M> = M extends MediaType<infer A> ? (keyof X extends keyof A ? ObjectOf<A> : X) : X

/** The elements of a list, page after page; `place` is where another walk goes on behind those that were given. */
export interface ElementIterator<out E> extends AsyncIterableIterator<E> {
  /** A text to be saved: `from` of another walk, also in another process. */
  readonly cursor: string
}

/** One page of a list. */
export interface Page<out E> {
  readonly elements: readonly E[]
  readonly headers: Headers
  /** Where the next page begins, to be saved: `from` of another walk, also in another process. */
  readonly cursor: string
}

// Function types and not interfaces, so that "go to definition" leads to the action alone; conditions, so that editors show
// the function and no alias.

/**
 * Calls one action; P is the form of failures where it is not the standard one, the headers G are those that the client
 * sends with every request. Answers of an action that takes `fields` can be narrowed to some of them.
 */
export type Call<
  S extends EndpointSpec,
  N extends keyof S['actions'],
  P = never,
  G = never,
> = S['actions'][N] extends Selectable
  ? (<const F extends string = string>(
      ...args: SelectingArgumentsOf<S, N, G, F>
    ) => Promise<SelectedResponseOf<P, DeclaredResponses<S, N>, UndescribedNames<S, N>, S['mediaType'], F>>) &
      SelectingCallMethods<S, N, P, G>
  : ((...args: CallArgumentsOf<S, N, G>) => Promise<CallResponseOf<P, DeclaredResponses<S, N>, UndescribedNames<S, N>, S['mediaType']>>) &
      CallMethods<S, N, P, G>

interface Selectable {
  readonly routing: unknown
  readonly params: { readonly fields: Attribute<Selection> }
}

// Type literals: the compiler works out a member when a file uses it, and editors would name an interface in front of each of
// its members, with the whole declaration.
type CommonCallMethods<S extends EndpointSpec, N extends keyof S['actions'], P> = {
  /** The endpoint and the action that are called. */
  readonly '~call': readonly [endpoint: string, action: string]
  /** Returns whether `ok`, `all` or `pages` of this action threw it: its `answer` is then one of the failures of the action. */
  threw(error: unknown): error is StatusError<FailureResponseOf<P, DeclaredResponses<S, N>, S['mediaType']>>
}

type CallMethods<S extends EndpointSpec, N extends keyof S['actions'], P, G> = CommonCallMethods<S, N, P> & {
  /** The body of a success; any other answer is thrown as a `StatusError`, which `threw` tells apart. */
  ok(...args: CallArgumentsOf<S, N, G>): Promise<SuccessBody<DeclaredResponses<S, N>, S['mediaType']>>
  /** Every element of a list, page after page, as its links lead on. */
  all(...args: CallArgumentsOf<S, N, G>): ElementIterator<ListElement<OkBodyOf<S, N>>>
  /** The pages of a list, as its links lead on. */
  pages(...args: CallArgumentsOf<S, N, G>): AsyncIterableIterator<Page<ListElement<OkBodyOf<S, N>>>>
}

/** The bodies of successes. */
type SuccessBody<D, M, F = string> = SelectedBodies<D, SuccessNames<D> & keyof D, M, F>[SuccessNames<D> & keyof D]

/** The names of responses that declare nothing about their bodies. */
type UndescribedNames<S extends EndpointSpec, N extends keyof S['actions']> = UndescribedFailures<DeclaredResponses<S, N>>

/** The answers that are no successes. */
type FailureResponseOf<P, D, M> = CallResponseOf<P, Omit<D, SuccessNames<D>>, UndescribedFailures<D>, M>

/** The action whose fields a call selects, for functions that pass its arguments on; it exists for the compiler only. */
interface SelectionSource<S extends EndpointSpec, N extends keyof S['actions']> {
  readonly spec: S
  readonly action: N
}

/** The bodies of successes T, with the fields F of what X says where a call selects them. */
export type SelectedSuccess<X, T, F> = string extends F
  ? T
  : X extends SelectionSource<infer S, infer N>
    ? SuccessBody<DeclaredResponses<S, N>, S['mediaType'], F>
    : T

/** The elements E of a list, with the fields F in the same way. */
export type SelectedElement<X, E, F> = string extends F
  ? E
  : X extends SelectionSource<infer S, infer N>
    ? ListElement<SelectedBody<OkBodyOf<S, N>, S['mediaType'], F>>
    : E

type SelectingCallMethods<S extends EndpointSpec, N extends keyof S['actions'], P, G> = CommonCallMethods<S, N, P> & {
  readonly '~selects'?: SelectionSource<S, N>
  /** The body of a success; any other answer is thrown as a `StatusError`, which `threw` tells apart. */
  ok<const F extends string = string>(
    ...args: SelectingArgumentsOf<S, N, G, F>
  ): Promise<SuccessBody<DeclaredResponses<S, N>, S['mediaType'], F>>
  /** Every element of a list, page after page, as its links lead on. */
  all<const F extends string = string>(
    ...args: SelectingArgumentsOf<S, N, G, F>
  ): ElementIterator<ListElement<SelectedBody<OkBodyOf<S, N>, S['mediaType'], F>>>
  /** The pages of a list, as its links lead on. */
  pages<const F extends string = string>(
    ...args: SelectingArgumentsOf<S, N, G, F>
  ): AsyncIterableIterator<Page<ListElement<SelectedBody<OkBodyOf<S, N>, S['mediaType'], F>>>>
}

type CallArgumentsOf<S extends EndpointSpec, N extends keyof S['actions'], G> = ArgumentList<
  ParamsSent<S, N>,
  CallOptions<PayloadSent<S, N>, RemainingHeaders<HeadersSent<S, N>, G>>
>

// `fields` is no part of the other params: they do not depend on what is selected, and are worked out once. Written out, the
// member is worked out where a call selects, and editors show the paths.
type SelectingArgumentsOf<S extends EndpointSpec, N extends keyof S['actions'], G, F> = ArgumentList<
  ParamsWithoutFields<S, N>,
  CallOptions<PayloadSent<S, N>, RemainingHeaders<HeadersSent<S, N>, G>>,
  {
    /** Names of attributes and paths to those below, `['id', 'author.name']`, or the text that says so. */
    readonly fields?: (readonly F[] & readonly `${FieldPath<SelectableBodyOf<S, N>>}`[]) | string | undefined
  }
>

/** The headers H, of which those named G need not be given. */
type RemainingHeaders<H, G> = [G] extends [never] ? H : Omit<H, G & string> & Partial<H>

/** The bodies of the responses D named R, of which `ok` has only what is selected. */
type SelectedBodies<D, R extends keyof D, M, F> = [F] extends [never]
  ? never
  : { -readonly [N in R]: N extends 'ok' ? SelectedBody<Received<D[N], N, M>, M, F> : Received<D[N], N, M> }

type SelectedBody<X, M, F> = string extends F
  ? X
  : X extends readonly (infer E)[]
    ? readonly Selected<FullBody<E, M>, F>[]
    : X extends AsyncIterable<infer E>
      ? AsyncIterable<Selected<FullBody<E, M>, F>>
      : X extends string
        ? X
        : Selected<FullBody<X, M>, F>

/** One function for each action of each definition; G are the headers that the client sends with every request. */
export type Client<E, P = Problem, G = never> = { readonly [K in keyof E]: EndpointCalls<E[K], UnlessSame<Problem, P>, G> }

type UnlessSame<X, P> = [X, P] extends [P, X] ? never : P

type EndpointCalls<D, P, G> = D extends DefinitionOf<infer S> ? { readonly [N in keyof S['actions']]: Call<S, N, P, G> } : never

/** The type of failures, by the form that a client was given. */
export type ProblemOf<F> = [F] extends [Attribute] ? F['~type'] : Problem

/** Headers by their names G. */
type ClientHeaders<G extends string> = { readonly [N in G]?: string | undefined }

/** How a client reaches its server; G are the names of the headers that it sends with every request. */
export interface ClientOptions<F extends Attribute | undefined = Attribute | undefined, G extends string = string> {
  /** The URL of the API, with its base path. Requests and credentials go only to its origin. */
  readonly baseUrl: string
  /** Headers of every request, or a function that returns them; those that are undefined are not sent. */
  readonly headers?: ClientHeaders<G> | (() => ClientHeaders<G> | Promise<ClientHeaders<G>>) | undefined
  /**
   * How versions are sent: `'path'`, `'header'` or `'query'`.
   * @default `'path'`
   */
  readonly versionWith?: 'path' | 'header' | 'query' | undefined
  /**
   * The form of failures if the application encodes them: the form of `problemEncoder`.
   * @default problem documents
   */
  readonly problem?: F | undefined
  /** The timeout of a call in milliseconds, its retries included; for a list, of each page. */
  readonly timeout?: number | undefined
  /**
   * The most attempts of a request. Only requests whose method or policies make it safe are retried.
   * @default 3, or the number that a policy sets for its requests
   */
  readonly attempts?: number | undefined
  /** Functions around every request, the first outermost. */
  readonly around?: Around | readonly Around[] | undefined
  /**
   * Whether a browser sends its cookies along: `'include'` for an API of another origin.
   * @default `'same-origin'`
   */
  readonly credentials?: RequestCredentials | undefined
  /**
   * Sends requests.
   * @default the global `fetch`
   */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined
}
