// The types of a client's calls: arguments and results, derived from the declarations of the API.

import type { EndpointSpec } from '../design/declare/endpoint.ts'
import type { MediaType } from '../design/declare/media-type.ts'
import type { SuccessfulResponse } from '../design/declare/status.ts'
import type { DefinitionOf } from '../design/definition.ts'
import type { FieldPath, IsPartOf, Leaf, Selected, SelectedInside, Selection } from '../design/fields/selection.ts'
import type {
  DeclaredResponses,
  HeadersSent,
  ParamsSent,
  ParamsWithoutFields,
  PayloadSent,
} from '../design/infer/inference.ts'
import type { EventStream, Received, UndescribedFailures } from '../design/infer/received-body.ts'
import type { Attribute } from '../schema/attribute.ts'
import type { ObjectOf } from '../schema/types.ts'
import type { Around, CommonCallOptions } from './around.ts'
import type { StatusError } from './call-errors.ts'
import type { CallResponse, CallResponseOf, EncodedResponse, Problem } from './call-response.ts'

/** The options of a call with the payload B, the headers H and the kinds K of its successful bodies. */
export type CallOptions<B = unknown, H = unknown, K = 'raw'> = PayloadOption<B> &
  HeadersOption<H> &
  StreamOption<K> &
  CommonCallOptions

// Only some bodies can be returned while they arrive.
type StreamOption<K> = [K] extends [ReadBody] ? unknown : OptionalStream

/** The kinds of bodies that a client reads itself. */
type ReadBody = 'single' | 'json' | 'ndjson' | 'jsonl' | 'json-seq' | 'events'

type TextKind<T extends string> = T extends `text/${infer K}`
  ? K extends `csv${string}` | `event-stream${string}`
    ? 'raw'
    : 'single'
  : 'raw'

/** The kind of a declared body; `raw` for texts and bytes, `value` for an attribute of any other kind. */
type BodyKind<D, M> = D extends true
  ? M extends string
    ? TextKind<M>
    : 'single'
  : D extends string
    ? TextKind<D>
    : D extends { readonly '~media': true } | { readonly '~view': true }
      ? 'single'
      : D extends { readonly '~collection': true; readonly as: infer W }
        ? W
        : D extends { readonly mediaType: infer B }
          ? BodyKind<B, M>
          : 'value'

interface OptionalStream {
  /** Returns the body as a stream instead of text or bytes if it is CSV, an event stream, or neither JSON nor text. */
  readonly stream?: boolean | undefined
}

type PayloadOption<B> = undefined extends B
  ? OptionalPayload<B>
  : {} extends B
    ? keyof B extends never
      ? unknown
      : OptionalPayload<B>
    : RequiredPayload<B>

interface RequiredPayload<out B> {
  /** The body, as the action declares it; files are `Blob`. */
  readonly payload: B
}

interface OptionalPayload<out B> {
  /** The body, as the action declares it; files are `Blob`. */
  readonly payload?: B | undefined
}

type HeadersOption<H> = {} extends H ? OptionalHeaders<H> : RequiredHeaders<H>

interface RequiredHeaders<out H> {
  /** Declared and additional headers. Headers that the client sends need not be repeated. */
  readonly headers: H & OtherHeaders
}

interface OptionalHeaders<out H> {
  /** Declared and additional headers. Headers that the client sends need not be repeated. */
  readonly headers?: (H & OtherHeaders) | undefined
}

interface OtherHeaders {
  readonly [name: string]: unknown
}

/** The arguments of a call. Arguments without required members are optional. */
type ArgumentList<P, O, F = unknown> = {} extends O
  ? {} extends P
    ? [params?: P & F, options?: O]
    : [params: P & F, options?: O]
  : {} extends P
    ? [params: (P & F) | undefined, options: O]
    : [params: P & F, options: O]

/** The responses of an endpoint of the media type M with only the fields F of the origin O. */
type SelectedResponseOf<P, D, U, M, O, F> = string extends F
  ? CallResponseOf<P, D, U, M>
  : [P] extends [never]
    ? CallResponse<SelectedBodies<D, Exclude<keyof D, U>, M, O, F>, U>
    : EncodedResponse<SelectedBodies<D, Exclude<keyof D, U>, M, O, F>, U, P>

/** The names of the declared responses D with a 2xx status. */
type SuccessNames<D> = { [N in keyof D]: N extends SuccessfulResponse ? N : SuccessName<D[N], N> }[keyof D]

type SuccessName<D, N> = D extends { readonly spec: infer C }
  ? SuccessName<C, N>
  : D extends { readonly status: infer C extends number }
    ? `${C}` extends `2${string}`
      ? N
      : never
    : never

/**
 * The elements of a list that is the body or a member of it, or the events of a stream. Elements with the attributes A have no
 * such members.
 */
type ListElement<X, A = never> = X extends readonly (infer E)[] | EventStream<infer E>
  ? E
  : [NestedListElement<X, A>] extends [never]
    ? NestedListElement<X[keyof X], A>
    : NestedListElement<X, A>

// The lists of outer envelopes hide those of inner ones.

type NestedListElement<X, A> = [OwnListElement<X>] extends [never]
  ? { [K in keyof X]-?: ListElementBelow<X[K], A> }[keyof X]
  : OwnListElement<X>

// Of several lists, the only one that is always there; that of conventions is, and lists of related elements are not.
type OwnListElement<X> = [ListName<X>] extends [UnionToIntersection<ListName<X>>]
  ? ElementOf<X[ListName<X>]>
  : [RequiredListName<X>] extends [UnionToIntersection<RequiredListName<X>>]
    ? ElementOf<X[RequiredListName<X>]>
    : never

type RequiredListName<X> = { [K in ListName<X>]: {} extends Pick<X, K> ? never : K }[ListName<X>]

type ListName<X> = { [K in keyof X]-?: [ElementOf<X[K]>] extends [never] ? never : K }[keyof X]

type UnionToIntersection<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void ? I : never

type ElementOf<V> = V extends readonly (infer E)[] ? (E extends Leaf ? never : E) : never

type ListElementBelow<V, A> = V extends Leaf | readonly unknown[]
  ? never
  : [A] extends [never]
    ? NestedListElement<V, A>
    : IsPartOf<V, A> extends true
      ? never
      : NestedListElement<V, A>

/** The body of `ok`. */
type OkBodyOf<S extends EndpointSpec, N extends keyof S['actions']> = OkBody<DeclaredResponses<S, N>, S['mediaType']>

type OkBody<D, M> = Received<D['ok' & keyof D], 'ok', M>

/** The object whose fields a client may select: the body of `ok`, or the elements of its list. */
type SelectableBodyOf<S extends EndpointSpec, N extends keyof S['actions']> =
  SelectionOrigin<S, N> extends Origin<infer A> ? ObjectOf<A> : SelectableBody<OkBodyOf<S, N>, S['mediaType']>

/** The origin of an action's selected fields: the media type of its endpoint, also inside an envelope. */
type SelectionOrigin<S extends EndpointSpec, N extends keyof S['actions']> =
  S['mediaType'] extends MediaType<infer A>
    ? IsEnvelope<OkBodyOf<S, N>, A> extends true
      ? Origin<A>
      : S['mediaType']
    : S['mediaType']

/** Whether X is an envelope around elements with the attributes A. */
type IsEnvelope<X, A> = X extends readonly unknown[] | AsyncIterable<unknown> | string
  ? false
  : keyof X extends keyof A
    ? false
    : true extends HasPart<X[keyof X], A>
      ? true
      : false

type HasPart<V, A> = V extends Leaf
  ? false
  : V extends readonly (infer E)[]
    ? IsPartOf<E, A>
    : IsPartOf<V, A> extends true
      ? true
      : HasPart<V[keyof V], A>

/** The attributes that a param selects from. */
interface Origin<out A> {
  readonly from: A
}

type SelectableBody<X, M> = X extends readonly (infer E)[] | AsyncIterable<infer E> ? FullBody<E, M> : FullBody<X, M>

// If the body is a view, selectable fields are all attributes of its media type.
type FullBody<X, M> =
  M extends Origin<infer A>
    ? ObjectOf<A>
    : M extends MediaType<infer A>
      ? keyof X extends keyof A
        ? ObjectOf<A>
        : X
      : X

/** An iterator over the elements of a list, across pages, or over events, across connections. */
export interface ElementIterator<out E> extends AsyncIterableIterator<E> {
  /**
   * The position after the last element, to be saved: pass it as `from` to continue, also in another process. Of events it
   * is the id of the last one.
   */
  readonly cursor: string
}

/** One page of a list. */
export interface Page<out E> {
  readonly elements: readonly E[]
  readonly headers: Headers
  /** The position of the next page, to be saved: pass it as `from` to continue, also in another process. */
  readonly cursor: string
}

// Function types instead of interfaces, so that "go to definition" finds only the action. Conditional types, so that
// editors show the function and not an alias.

/**
 * Calls one action. P is the form of failures if it is not the default; G are the headers that the client sends with
 * every request. The response of an action that takes `fields` can be narrowed to the selected ones.
 */
export type Call<
  S extends EndpointSpec,
  N extends keyof S['actions'],
  P = never,
  G = never,
> = S['actions'][N] extends Selectable
  ? (<const F extends string = string>(
      ...args: SelectingArgumentsOf<S, N, G, F>
    ) => Promise<
      SelectedResponseOf<P, DeclaredResponses<S, N>, UndescribedNames<S, N>, S['mediaType'], SelectionOrigin<S, N>, F>
    >) &
      SelectingCallMethods<S, N, P, G>
  : ((
      ...args: CallArgumentsOf<S, N, G>
    ) => Promise<CallResponseOf<P, DeclaredResponses<S, N>, UndescribedNames<S, N>, S['mediaType']>>) &
      CallMethods<S, N, P, G>

interface Selectable {
  readonly routing: unknown
  readonly params: { readonly fields: Attribute<Selection> }
}

// Type literals: TypeScript evaluates only the members that a file uses, and editors do not prefix each member with the
// name of an interface and its type arguments.
type CommonCallMethods<S extends EndpointSpec, N extends keyof S['actions'], P> = {
  /** The called endpoint and action. */
  readonly '~call': readonly [endpoint: string, action: string]
  /**
   * Returns whether `ok`, `all` or `pages` of this action threw the error. Its `response` is then one of the action's
   * failures.
   */
  threw(error: unknown): error is StatusError<FailureResponseOf<P, DeclaredResponses<S, N>, S['mediaType']>>
}

type CallMethods<S extends EndpointSpec, N extends keyof S['actions'], P, G> = CommonCallMethods<S, N, P> & {
  /**
   * Returns the body of a successful response. Any other response is thrown as a `StatusError`, which `threw` recognizes.
   */
  ok(...args: CallArgumentsOf<S, N, G>): Promise<SuccessBody<DeclaredResponses<S, N>, S['mediaType']>>
} & WalkMethods<S, N, G, OkKind<S, N>>

// Only lists have them, and streams of events the first.
type WalkMethods<S extends EndpointSpec, N extends keyof S['actions'], G, K> = 'json' extends K
  ? ListMethods<S, N, G>
  : K extends 'events'
    ? {
        /** Iterates over events, reconnecting behind the last one after every break. */
        all(...args: CallArgumentsOf<S, N, G>): ElementIterator<WalkedElement<S, N>>
      }
    : K extends 'value'
      ? [WalkedElement<S, N>] extends [never]
        ? unknown
        : ListMethods<S, N, G>
      : unknown

type ListMethods<S extends EndpointSpec, N extends keyof S['actions'], G> = {
  /** Iterates over the elements of a list, following the links of its pages. */
  all(...args: CallArgumentsOf<S, N, G>): ElementIterator<WalkedElement<S, N>>
  /** Iterates over the pages of a list, following their links. */
  pages(...args: CallArgumentsOf<S, N, G>): AsyncIterableIterator<Page<WalkedElement<S, N>>>
}

/** The kind of the body of `ok`, which decides whether it is walked or streamed; `none` without one. */
type OkKind<S extends EndpointSpec, N extends keyof S['actions']> =
  DeclaredResponses<S, N> extends { readonly ok: infer D } ? BodyKind<D, S['mediaType']> : 'none'

/** The elements that a call iterates over; never for other responses. */
type WalkedElement<S extends EndpointSpec, N extends keyof S['actions']> = ListElement<
  OkBodyOf<S, N>,
  S['mediaType'] extends MediaType<infer A> ? A : never
>

/** The bodies of successful responses. */
type SuccessBody<D, M, O = M, F = string> = SelectedBodies<D, SuccessNames<D> & keyof D, M, O, F>[SuccessNames<D> &
  keyof D]

/** The names of responses that declare no body. */
type UndescribedNames<S extends EndpointSpec, N extends keyof S['actions']> = UndescribedFailures<
  DeclaredResponses<S, N>
>

/** The unsuccessful responses. */
type FailureResponseOf<P, D, M> = CallResponseOf<P, Omit<D, SuccessNames<D>>, UndescribedFailures<D>, M>

/** The action whose fields a call selects, for functions that pass its arguments on. It exists only as a type. */
interface SelectionSource<S extends EndpointSpec, N extends keyof S['actions']> {
  readonly spec: S
  readonly action: N
}

/** The bodies T of successful responses, narrowed to the fields F of the action X. */
export type SelectedSuccess<X, T, F> = string extends F
  ? T
  : X extends SelectionSource<infer S, infer N>
    ? SuccessBody<DeclaredResponses<S, N>, S['mediaType'], SelectionOrigin<S, N>, F>
    : T

/** The elements E of a list, narrowed to the fields F of the action X. */
export type SelectedElement<X, E, F> = string extends F
  ? E
  : X extends SelectionSource<infer S, infer N>
    ? ListElement<SelectedBody<OkBodyOf<S, N>, SelectionOrigin<S, N>, F>>
    : E

type SelectingCallMethods<S extends EndpointSpec, N extends keyof S['actions'], P, G> = CommonCallMethods<S, N, P> & {
  readonly '~selects'?: SelectionSource<S, N>
  /**
   * Returns the body of a successful response. Any other response is thrown as a `StatusError`, which `threw` recognizes.
   */
  ok<const F extends string = string>(
    ...args: SelectingArgumentsOf<S, N, G, F>
  ): Promise<SuccessBody<DeclaredResponses<S, N>, S['mediaType'], SelectionOrigin<S, N>, F>>
} & SelectingWalkMethods<S, N, G, OkKind<S, N>>

type SelectingWalkMethods<S extends EndpointSpec, N extends keyof S['actions'], G, K> = 'json' extends K
  ? SelectingListMethods<S, N, G>
  : K extends 'value'
    ? [WalkedElement<S, N>] extends [never]
      ? unknown
      : SelectingListMethods<S, N, G>
    : unknown

type SelectingListMethods<S extends EndpointSpec, N extends keyof S['actions'], G> = {
  /** Iterates over the elements of a list, following the links of its pages. */
  all<const F extends string = string>(
    ...args: SelectingArgumentsOf<S, N, G, F>
  ): ElementIterator<ListElement<SelectedBody<OkBodyOf<S, N>, SelectionOrigin<S, N>, F>>>
  /** Iterates over the pages of a list, following their links. */
  pages<const F extends string = string>(
    ...args: SelectingArgumentsOf<S, N, G, F>
  ): AsyncIterableIterator<Page<ListElement<SelectedBody<OkBodyOf<S, N>, SelectionOrigin<S, N>, F>>>>
}

type CallArgumentsOf<S extends EndpointSpec, N extends keyof S['actions'], G> = ArgumentList<
  ParamsSent<S, N>,
  CallOptions<PayloadSent<S, N>, RemainingHeaders<HeadersSent<S, N>, G>, OkKind<S, N>>
>

// `fields` is separate from the other params, which do not depend on the selection and are evaluated once. As a literal
// it is evaluated only in calls that select, and editors show the paths.
type SelectingArgumentsOf<S extends EndpointSpec, N extends keyof S['actions'], G, F> = ArgumentList<
  ParamsWithoutFields<S, N>,
  CallOptions<PayloadSent<S, N>, RemainingHeaders<HeadersSent<S, N>, G>, OkKind<S, N>>,
  {
    /** The selected attributes: names and paths, such as `['id', 'author.name']`, or the same as text. */
    readonly fields?: (readonly F[] & readonly `${FieldPath<SelectableBodyOf<S, N>>}`[]) | string | undefined
  }
>

/** The headers H, of which those named G are optional. */
type RemainingHeaders<H, G> = [G] extends [never] ? H : Omit<H, G & string> & Partial<H>

/** The bodies of the responses R of D; that of `ok` has only the selected fields. */
type SelectedBodies<D, R extends keyof D, M, O, F> = [F] extends [never]
  ? never
  : { -readonly [N in R]: N extends 'ok' ? SelectedBody<Received<D[N], N, M>, O, F> : Received<D[N], N, M> }

type SelectedBody<X, M, F> = string extends F
  ? X
  : X extends readonly (infer E)[]
    ? readonly Selected<FullBody<E, M>, F>[]
    : X extends AsyncIterable<infer E>
      ? AsyncIterable<Selected<FullBody<E, M>, F>>
      : X extends string
        ? X
        : M extends Origin<infer A>
          ? keyof X extends keyof A
            ? Selected<ObjectOf<A>, F>
            : SelectedInside<X, A, F>
          : Selected<FullBody<X, M>, F>

/** The client: one function for each action of each definition. G are the headers that it sends with every request. */
export type Client<E, P = Problem, G = never> = {
  readonly [K in keyof E]: EndpointCalls<E[K], UnlessSame<Problem, P>, G>
}

type UnlessSame<X, P> = [X, P] extends [P, X] ? never : P

type EndpointCalls<D, P, G> =
  D extends DefinitionOf<infer S> ? { readonly [N in keyof S['actions']]: Call<S, N, P, G> } : never

/** The type of failures, from the `problem` option of a client. */
export type ProblemOf<F> = [F] extends [Attribute] ? F['~type'] : Problem

/** Headers with the names G. */
type ClientHeaders<G extends string> = { readonly [N in G]?: string | undefined }

/** The options of a client. G are the names of the headers that it sends with every request. */
export interface ClientOptions<F extends Attribute | undefined = Attribute | undefined, G extends string = string> {
  /** The URL of the API, with its base path. Requests and credentials go only to its origin. */
  readonly baseUrl: string
  /** The headers of every request, or a function that returns them. Undefined headers are not sent. */
  readonly headers?: ClientHeaders<G> | (() => ClientHeaders<G> | Promise<ClientHeaders<G>>) | undefined
  /**
   * The carrier of the API version: `'path'`, `'header'` or `'query'`.
   * @default `'path'`
   */
  readonly versionWith?: 'path' | 'header' | 'query' | undefined
  /**
   * The form of failures if the application encodes them with `problemEncoder`.
   * @default problem documents
   */
  readonly problem?: F | undefined
  /** The timeout of a call in milliseconds, including retries; for a list, of each page. */
  readonly timeout?: number | undefined
  /**
   * The maximum number of attempts. Only requests whose method or policies make it safe are retried.
   * @default 3, or the number that a policy sets for its requests
   */
  readonly attempts?: number | undefined
  /** Hooks around every request; the first is the outermost. */
  readonly around?: Around | readonly Around[] | undefined
  /**
   * Whether a browser sends cookies; `'include'` for an API of another origin.
   * @default `'same-origin'`
   */
  readonly credentials?: RequestCredentials | undefined
  /**
   * Sends requests.
   * @default the global `fetch`
   */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined
}
