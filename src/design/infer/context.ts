// What an action and a callback see of one request; types only, the run time makes them.

import type { EndpointSpec } from '../declare/endpoint.ts'
import type { ActionResponse, ResponseInit } from '../declare/response.ts'
import type { Definition } from '../definition.ts'
import type { AddedTo } from './added.ts'
import type { ActionName, BodiesOf, HeadersOf, HrefArgs, KnownTo, ParamsOf, PayloadOf } from './inference.ts'

/** A request that was loaded and validated against its action's declaration. */
export interface ActionRequest<
  out N extends string = string,
  out P = { readonly [name: string]: unknown },
  out B = unknown,
  out H = { readonly [name: string]: unknown },
  R extends string = string,
> {
  /** The declared params, loaded. */
  readonly params: P
  /** The declared payload, loaded; `has(request.payload, 'title')` tells whether an attribute was sent. */
  readonly payload: B
  /** The declared headers, loaded, by their declared names. */
  readonly headers: H
  /** The action that is being served, with its `name`. */
  readonly action: { readonly name: N }
  /**
   * The media type that the client's `Accept` chooses for a declared response, spelled as it is declared; undefined when it
   * admits none, which is answered with a 406.
   * @see docs/guide/responses.md
   */
  accepts(response: R): string | undefined
  /** The verb. */
  readonly method: string
  /** The path and the query as the client sent them, never a host; a path that begins with two slashes begins with `/.//` here. */
  readonly url: string
  /**
   * The version that the request carries.
   * @see docs/guide/versions.md
   */
  readonly version: string | undefined
  /**
   * The id of the request.
   * @see docs/guide/serving.md#log-and-request-ids
   */
  readonly id: string
  /** What the transport received: `env.headers` are all headers as they came, `env.raw` is its own request object. */
  readonly env: RawRequest
  /** Aborted when the client has gone or the deadline has passed. */
  readonly signal: AbortSignal
}

/** A request as its transport has it. */
export interface RawRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The transport's own request object. */
  readonly raw: unknown
}

/** Settings of a response made through `reply`. */
type ReplyInit = Omit<ResponseInit, 'body'>

/** Makes one declared response; a declared body cannot be left out, and where none is declared, none can be given. */
type ReplyFunction<N extends string, B> = undefined extends B
  ? (body?: B, init?: ReplyInit) => ActionResponse<N, B>
  : (body: B, init?: ReplyInit) => ActionResponse<N, B>

/** One function for each declared response, and no other; B is their bodies. */
export type Reply<B> = { readonly [N in keyof B]: ReplyFunction<N & string, B[N]> }

/** The response object that stands ready: a 200 to be changed and returned, replaced, or ignored. */
export interface CurrentResponse extends ActionResponse {
  readonly '~current': true
}

/** What an action may return: a declared response, the current response, or a string for its body. */
export type Returns<B> = string | CurrentResponse | Made<B, keyof B & string>

type Made<B, N extends keyof B & string> = N extends never ? never : ActionResponse<N, B[N]>

/** Everything that belongs to one request of an action, or of some: `Context<typeof Books.spec, 'show'>`. */
export interface Context<S extends EndpointSpec = EndpointSpec, N extends keyof S['actions'] = keyof S['actions']> {
  /** The loaded request. */
  readonly request: RequestOf<S, N>
  /** The response that stands ready, a 200: it is sent unless another is returned, and can be changed or replaced. */
  get response(): CurrentResponse
  set response(response: ActionResponse)
  /**
   * Whom the security of the action found the client to be; undefined for anonymous clients.
   * @see docs/guide/security.md
   */
  readonly principal: KnownTo<S, N>
  /** One function for each declared response: `reply.ok(body, { headers, location, mediaType })`. */
  readonly reply: Reply<BodiesOf<S, N>>
  /** The endpoint that is being served. */
  readonly definition: Definition<string, S>
  /** Writes the path of another endpoint as this application serves it, base path and version included. */
  href<T extends EndpointSpec>(endpoint: Definition<string, T>, args: HrefArgs<T>): string
  /** An empty object, for callbacks to leave things for actions. */
  readonly state: Record<string, unknown>
}

/** The loaded request of an action, or of each of some. */
export type RequestOf<S extends EndpointSpec, N extends keyof S['actions']> = N extends string
  ? string extends N
    ? ActionRequest
    : ActionRequest<N, ParamsOf<S, N>, PayloadOf<S, N>, HeadersOf<S, N>, keyof BodiesOf<S, N> & string>
  : never

/** The functions that implement an endpoint's actions. */
export type Implementation<S extends EndpointSpec> = S extends WithoutAdditions
  ? { readonly [N in keyof S['actions']]: ActionFunction<ParamsOf<S, N>, Context<S, N>, BodiesOf<S, N>> }
  : {
      readonly [N in keyof S['actions']]: ActionFunction<ParamsOf<S, N>, Context<S, N> & AddedTo<S, N>, BodiesOf<S, N>>
    }

/** Endpoints of which no action has policies or needs: the compiler looks at this once for all actions. */
interface WithoutAdditions {
  readonly actionDefaults?: {
    readonly policies?: undefined
    readonly needs?: undefined
    readonly [more: string]: unknown
  }
  readonly actions: {
    readonly [name: string]: { readonly routing: unknown; readonly policies?: undefined; readonly needs?: undefined }
  }
}

/** Implements one action: P is its params, C its context, B the bodies of its responses. */
type ActionFunction<P, C, B> = (params: P, context: C) => Returns<B> | Promise<Returns<B>>

/** A class whose instances implement an endpoint's actions, one instance for each request. */
export type ImplementationClass<S extends EndpointSpec> = new (context: Context<S, ActionName<S>>) => Implementation<S>
