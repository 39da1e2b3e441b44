// What an action and a callback see of one request; types only, the run time makes them.
import type { Definition } from './definition.ts'
import type { EndpointSpec } from './endpoint.ts'
import type { ActionName, BodyOf, DeclaredOf, HeadersOf, HrefArgs, KnownTo, ParamsOf, PayloadOf } from './inference.ts'
import type { Response, ResponseInit } from './response.ts'

/** A request that was loaded and validated against its action's declaration. */
export interface Request<S extends EndpointSpec = EndpointSpec, N extends ActionName<S> = ActionName<S>> {
  readonly params: ParamsOf<S, N>
  readonly payload: PayloadOf<S, N>
  /** The declared headers, by their declared names. */
  readonly headers: HeadersOf<S, N>
  readonly action: { readonly name: N }
  readonly method: string
  /** The path and query as the client sent them. */
  readonly url: string
  /** The version that the request carries. */
  readonly version: string | undefined
  readonly id: string
  /** The raw environment: the transport's own request and all raw headers. */
  readonly env: Environment
  /** Aborted when the client has gone or the deadline has passed. */
  readonly signal: AbortSignal
}

/** The raw environment of a request. */
export interface Environment {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The transport's own request object. */
  readonly raw: unknown
}

/** Settings of a response made through `reply`. */
type ReplyInit = Omit<ResponseInit, 'body'>

/** Makes one declared response; a body that the declaration describes cannot be left out. */
type ReplyFunction<N extends string, B> = unknown extends B
  ? (body?: unknown, init?: ReplyInit) => Response<N, B>
  : (body: B, init?: ReplyInit) => Response<N, B>

/** One function for each declared response, and no other. */
export type Reply<D> = { readonly [N in keyof D & string]: ReplyFunction<N, BodyOf<D[N]>> }

/** The response object that stands ready: a 200 to be changed and returned, replaced, or ignored. */
export interface CurrentResponse extends Response {
  readonly '~current': true
}

/** What an action may return: a declared response, the current response, or a string for its body. */
export type Returns<D> = string | CurrentResponse | Made<D, keyof D & string>

type Made<D, N extends keyof D & string> = N extends never ? never : Response<N, BodyOf<D[N]>>

/** Everything that belongs to one request. */
export interface Context<S extends EndpointSpec = EndpointSpec, N extends ActionName<S> = ActionName<S>> {
  readonly request: N extends never ? never : Request<S, N>
  /** The response that will be sent unless another is returned. */
  get response(): CurrentResponse
  set response(response: Response)
  /** Whom the action's security found the client to be; undefined for strangers. */
  readonly principal: KnownTo<S, N>
  /** Makes the action's declared responses. */
  readonly reply: Reply<DeclaredOf<S, N>>
  /** The endpoint that is being served. */
  readonly definition: Definition<string, S>
  /** Writes the path of another endpoint as this application serves it, base path and version included. */
  href<T extends EndpointSpec>(endpoint: Definition<string, T>, args: HrefArgs<T>): string
  /** A place for callbacks to leave things for actions. */
  readonly state: Record<string, unknown>
}

/** The functions that implement an endpoint's actions. */
export type Implementation<S extends EndpointSpec> = {
  readonly [N in ActionName<S>]: (
    params: ParamsOf<S, N>,
    context: Context<S, N>,
  ) => Returns<DeclaredOf<S, N>> | Promise<Returns<DeclaredOf<S, N>>>
}

/** A class whose instances implement an endpoint's actions, one instance for each request. */
export type ImplementationClass<S extends EndpointSpec> = new (context: Context<S, ActionName<S>>) => Implementation<S>
