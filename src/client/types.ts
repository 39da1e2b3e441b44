// The arguments and results of a client's calls, from the same declarations that the server is held to.

import type { EndpointSpec } from '../design/declare/endpoint.ts'
import type { MediaType } from '../design/declare/media-type.ts'
import type { SuccessfulResponse } from '../design/declare/status.ts'
import type { DefinitionOf } from '../design/definition.ts'
import type { FieldPath, Selected, Selection } from '../design/fields/selection.ts'
import type { DeclaredOf, HeadersSent, ParamsBesideFields, ParamsSent, PayloadSent } from '../design/infer/inference.ts'
import type { Received, Unsaid } from '../design/infer/received.ts'
import type { Attribute } from '../schema/attribute.ts'
import type { ObjectOf } from '../schema/types.ts'
import type { Around, CommonOptions } from './around.ts'
import type { Answer, AnswerOf, EncodedAnswer, Problem } from './outcome.ts'
import type { StatusError } from './thrown.ts'

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

interface OptionalHeaders<out H> {
  /** Declared headers, and any others; headers of the client need not be repeated. */
  readonly headers?: (H & OtherHeaders) | undefined
}

interface OtherHeaders {
  readonly [name: string]: unknown
}

/** The arguments of a call: those may be left out that hold nothing which the server insists on. */
type Arguments<P, O, F = unknown> = {} extends O
  ? {} extends P
    ? [params?: P & F, options?: O]
    : [params: P & F, options?: O]
  : {} extends P
    ? [params: (P & F) | undefined, options: O]
    : [params: P & F, options: O]

/** The same, with what the paths F select of the media type M. */
type SelectedAnswerOf<P, D, U, M, F> = string extends F
  ? AnswerOf<P, D, U, M>
  : [P] extends [never]
    ? Answer<SelectedBodies<D, Exclude<keyof D, U>, M, F>, U>
    : EncodedAnswer<SelectedBodies<D, Exclude<keyof D, U>, M, F>, U, P>

/** The names of declared responses D whose statuses are those of success. */
type SuccessIn<D> = { [N in keyof D]: N extends SuccessfulResponse ? N : IsSuccess<D[N], N> }[keyof D]

type IsSuccess<D, N> = D extends { readonly spec: infer C }
  ? IsSuccess<C, N>
  : D extends { readonly status: infer C extends number }
    ? `${C}` extends `2${string}`
      ? N
      : never
    : never

/** The elements of a list that is a body, or within it. */
type ElementIn<X> = X extends readonly (infer E)[] ? E : ElementWithin<X>

type ElementWithin<X> = { [K in keyof X]-?: X[K] extends readonly (infer E)[] ? E : never }[keyof X]

/** The body of `ok`. */
type OkOf<S extends EndpointSpec, N extends keyof S['actions']> = OkIn<DeclaredOf<S, N>, S['mediaType']>

type OkIn<D, M> = Received<D['ok' & keyof D], 'ok', M>

/** The structure of which a client may select fields: the body of `ok`, or the elements of its list. */
type SelectableOf<S extends EndpointSpec, N extends keyof S['actions']> = SelectableIn<OkOf<S, N>, S['mediaType']>

type SelectableIn<X, M> = X extends readonly (infer E)[] | AsyncIterable<infer E> ? WholeOf<E, M> : WholeOf<X, M>

// A body that is a view shows the other attributes of its media type too when they are selected.
type WholeOf<X, M> = M extends MediaType<infer A> ? (keyof X extends keyof A ? ObjectOf<A> : X) : X

/** The elements of a list, page after page; `place` is where another walk goes on behind those that were given. */
export interface Walk<out E> extends AsyncIterableIterator<E> {
  /** A text to be saved: `from` of another walk, also in another process. */
  readonly place: string
}

/** One page of a list. */
export interface Page<out E> {
  readonly elements: readonly E[]
  readonly headers: Headers
  /** Where the next page begins, to be saved: `from` of another walk, also in another process. */
  readonly place: string
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
      ...args: SelectingArguments<S, N, G, F>
    ) => Promise<SelectedAnswerOf<P, DeclaredOf<S, N>, UnsaidOf<S, N>, S['mediaType'], F>>) &
      SelectingForms<S, N, P, G>
  : ((...args: ArgumentsOf<S, N, G>) => Promise<AnswerOf<P, DeclaredOf<S, N>, UnsaidOf<S, N>, S['mediaType']>>) &
      CallForms<S, N, P, G>

interface Selectable {
  readonly routing: unknown
  readonly params: { readonly fields: Attribute<Selection> }
}

// Type literals: the compiler works out a member when a file uses it, and editors would name an interface in front of each of
// its members, with the whole declaration.
type AnyForms<S extends EndpointSpec, N extends keyof S['actions'], P> = {
  /** The endpoint and the action that are called. */
  readonly '~call': readonly [endpoint: string, action: string]
  /** Returns whether `ok`, `all` or `pages` of this action threw it: its `answer` is then one of the failures of the action. */
  threw(error: unknown): error is StatusError<FailureOf<P, DeclaredOf<S, N>, S['mediaType']>>
}

type CallForms<S extends EndpointSpec, N extends keyof S['actions'], P, G> = AnyForms<S, N, P> & {
  /** The body of a success; any other answer is thrown as a `StatusError`, which `threw` tells apart. */
  ok(...args: ArgumentsOf<S, N, G>): Promise<SuccessOf<DeclaredOf<S, N>, S['mediaType']>>
  /** Every element of a list, page after page, as its links lead on. */
  all(...args: ArgumentsOf<S, N, G>): Walk<ElementIn<OkOf<S, N>>>
  /** The pages of a list, as its links lead on. */
  pages(...args: ArgumentsOf<S, N, G>): AsyncIterableIterator<Page<ElementIn<OkOf<S, N>>>>
}

/** The bodies of successes. */
type SuccessOf<D, M, F = string> = SelectedBodies<D, SuccessIn<D> & keyof D, M, F>[SuccessIn<D> & keyof D]

/** The names of responses that declare nothing about their bodies. */
type UnsaidOf<S extends EndpointSpec, N extends keyof S['actions']> = Unsaid<DeclaredOf<S, N>>

/** The answers that are no successes. */
type FailureOf<P, D, M> = AnswerOf<P, Omit<D, SuccessIn<D>>, Unsaid<D>, M>

/** The action whose fields a call selects, for functions that pass its arguments on; it exists for the compiler only. */
interface Selects<S extends EndpointSpec, N extends keyof S['actions']> {
  readonly spec: S
  readonly action: N
}

/** The bodies of successes T, with the fields F of what X says where a call selects them. */
export type SelectedOf<X, T, F> = string extends F
  ? T
  : X extends Selects<infer S, infer N>
    ? SuccessOf<DeclaredOf<S, N>, S['mediaType'], F>
    : T

/** The elements E of a list, with the fields F in the same way. */
export type ElementOf<X, E, F> = string extends F
  ? E
  : X extends Selects<infer S, infer N>
    ? ElementIn<SelectedBody<OkOf<S, N>, S['mediaType'], F>>
    : E

type SelectingForms<S extends EndpointSpec, N extends keyof S['actions'], P, G> = AnyForms<S, N, P> & {
  readonly '~selects'?: Selects<S, N>
  /** The body of a success; any other answer is thrown as a `StatusError`, which `threw` tells apart. */
  ok<const F extends string = string>(
    ...args: SelectingArguments<S, N, G, F>
  ): Promise<SuccessOf<DeclaredOf<S, N>, S['mediaType'], F>>
  /** Every element of a list, page after page, as its links lead on. */
  all<const F extends string = string>(
    ...args: SelectingArguments<S, N, G, F>
  ): Walk<ElementIn<SelectedBody<OkOf<S, N>, S['mediaType'], F>>>
  /** The pages of a list, as its links lead on. */
  pages<const F extends string = string>(
    ...args: SelectingArguments<S, N, G, F>
  ): AsyncIterableIterator<Page<ElementIn<SelectedBody<OkOf<S, N>, S['mediaType'], F>>>>
}

type ArgumentsOf<S extends EndpointSpec, N extends keyof S['actions'], G> = Arguments<
  ParamsSent<S, N>,
  CallOptions<PayloadSent<S, N>, Unsent<HeadersSent<S, N>, G>>
>

// `fields` is no part of the other params: they do not depend on what is selected, and are worked out once. Written out, the
// member is worked out where a call selects, and editors show the paths.
type SelectingArguments<S extends EndpointSpec, N extends keyof S['actions'], G, F> = Arguments<
  ParamsBesideFields<S, N>,
  CallOptions<PayloadSent<S, N>, Unsent<HeadersSent<S, N>, G>>,
  {
    /** Names of attributes and paths to those below, `['id', 'author.name']`, or the text that says so. */
    readonly fields?: (readonly F[] & readonly `${FieldPath<SelectableOf<S, N>>}`[]) | string | undefined
  }
>

/** The headers H, of which those named G need not be given. */
type Unsent<H, G> = [G] extends [never] ? H : Omit<H, G & string> & Partial<H>

/** The bodies of the responses D named R, of which `ok` has only what is selected. */
type SelectedBodies<D, R extends keyof D, M, F> = [F] extends [never]
  ? never
  : { -readonly [N in R]: N extends 'ok' ? SelectedBody<Received<D[N], N, M>, M, F> : Received<D[N], N, M> }

type SelectedBody<X, M, F> = string extends F
  ? X
  : X extends readonly (infer E)[]
    ? readonly Selected<WholeOf<E, M>, F>[]
    : X extends AsyncIterable<infer E>
      ? AsyncIterable<Selected<WholeOf<E, M>, F>>
      : X extends string
        ? X
        : Selected<WholeOf<X, M>, F>

/** One function for each action of each definition; G are the headers that the client sends with every request. */
export type Client<E, P = Problem, G = never> = { readonly [K in keyof E]: Calls<E[K], OtherThan<Problem, P>, G> }

type OtherThan<X, P> = [X, P] extends [P, X] ? never : P

type Calls<D, P, G> = D extends DefinitionOf<infer S> ? { readonly [N in keyof S['actions']]: Call<S, N, P, G> } : never

/** The type of failures, by the form that a client was given. */
export type ProblemOf<F> = [F] extends [Attribute] ? F['~type'] : Problem

/** Headers by their names G. */
type OwnHeaders<G extends string> = { readonly [N in G]?: string | undefined }

/** How a client reaches its server; G are the names of the headers that it sends with every request. */
export interface ClientOptions<F extends Attribute | undefined = Attribute | undefined, G extends string = string> {
  /** The URL of the API, with its base path. Requests and credentials go only to its origin. */
  readonly baseUrl: string
  /** Headers of every request, or a function that returns them; those that are undefined are not sent. */
  readonly headers?: OwnHeaders<G> | (() => OwnHeaders<G> | Promise<OwnHeaders<G>>) | undefined
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
