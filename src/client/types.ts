// What a client's calls take and give, from the same declarations that the server is held to.

import type { EndpointSpec } from '../design/declare/endpoint.ts'
import type { DefinitionOf } from '../design/definition.ts'
import type { BodiesOf, HeadersSent, ParamsSent, PayloadSent } from '../design/infer/inference.ts'
import type { Attribute } from '../schema/attribute.ts'

/** Params as a caller gives them: where one is a structure, its text will do as well. */
type ParamsInput<P> = { readonly [N in keyof P]: Given<P[N]> }

type Given<V> = V extends string | number | bigint | boolean | Date | null | undefined ? V : V | string

/** What a call takes beside its params. */
export interface CallOptions<S extends EndpointSpec, N extends keyof S['actions']> {
  /** The body, as the action declares it; files as `Blob`. */
  readonly payload?: PayloadSent<S, N>
  /** Declared headers, and any others; headers of the client need not be repeated. */
  readonly headers?: Partial<HeadersSent<S, N>> & Readonly<Record<string, unknown>>
  /** Ends the request. */
  readonly signal?: AbortSignal
}

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

interface AnswerOf<N, B> {
  /** The name of the declared response. */
  readonly name: N
  readonly status: number
  readonly headers: Headers
  readonly body: B
}

/** A failure that the action does not declare: the framework's own, or one on the way. */
export interface FailureAnswer<out P = Problem> extends AnswerOf<'failure', unknown> {
  /** The problem document, or what the application's encoder writes, where the answer is one. */
  readonly problem: P | undefined
}

/** What a call ends in: one of the declared responses, told apart by its name, or a failure. */
export type Answer<B, P = Problem> = Answered<B, keyof B> | FailureAnswer<P>

type Answered<B, N extends keyof B> = N extends keyof B ? AnswerOf<N, B[N]> : never

/** The elements of a list that an action answers with. */
type ElementOf<B> = B extends { readonly ok: readonly (infer E)[] } ? E : never

/** Calls one action. */
export interface Call<S extends EndpointSpec, N extends keyof S['actions'], P = Problem> {
  (params: ParamsInput<ParamsSent<S, N>>, options?: CallOptions<S, N>): Promise<Answer<BodiesOf<S, N>, P>>
  /** Every element of a list, page after page, as its links lead on. */
  all(
    params: ParamsInput<ParamsSent<S, N>>,
    options?: CallOptions<S, N>,
  ): AsyncIterableIterator<ElementOf<BodiesOf<S, N>>>
}

/** Definitions by the names that calls go by; of a module with more than those, the definitions are taken. */
export type Definitions = object

/** One function for each action of each definition. */
export type Client<E, P = Problem> = { readonly [K in keyof E]: Calls<E[K], P> }

type Calls<D, P> = D extends DefinitionOf<infer S> ? { readonly [N in keyof S['actions']]: Call<S, N, P> } : never

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
