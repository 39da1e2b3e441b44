// The view of one request that actions and callbacks get; types only, the run time creates the values.

import type { ActionResponse, HeaderBag, ResponseInit } from './declare/action-response.ts'
import type { EndpointSpec } from './declare/endpoint.ts'
import type { Definition } from './definition.ts'
import type { ContextAdditions } from './infer/context-additions.ts'
import type {
  ActionName,
  BodyOf,
  DeclaredResponses,
  HeadersOf,
  HrefArgs,
  OkBody,
  OtherBody,
  ParamsOf,
  PayloadOf,
  PrincipalFor,
} from './infer/inference.ts'

/** A loaded and validated request of any action. */
export interface ActionRequest {
  /** The HTTP method. */
  readonly method: string
  /**
   * The path and query as sent by the client, without a host; a path with two leading slashes begins with `/.//` here.
   */
  readonly url: string
  /**
   * The base URL of links to other pages of a list: `url`, and the params of the body if a GET takes them there.
   * @see docs/guide/query.md
   */
  readonly linkUrl: string
  /**
   * The API version of the request.
   * @see docs/guide/versions.md
   */
  readonly version: string | undefined
  /**
   * The id of the request.
   * @see docs/guide/serving.md#log-and-request-ids
   */
  readonly id: string
  /**
   * The request as the transport received it: `env.headers` has all headers unchanged, `env.raw` is the transport's
   * request object.
   */
  readonly env: RawRequest
  /** Aborts when the client disconnects or the deadline passes. */
  readonly signal: AbortSignal
}

// The aliases end in a condition and list their members, because editors then show the members instead of an alias with
// the complete declaration S. Members are resolved lazily.

/** The loaded request of an action, or of each of several. */
export type RequestOf<S extends EndpointSpec, N extends keyof S['actions']> = N extends never
  ? never
  : ActionRequest & {
      /** The declared params, loaded. */
      readonly params: ParamsOf<S, N>
      /** The declared payload, loaded; `has(request.payload, 'title')` returns whether an attribute was sent. */
      readonly payload: PayloadOf<S, N>
      /** The declared headers, loaded, by their declared names. */
      readonly headers: HeadersOf<S, N>
      /** The action being served, with its `name`. */
      readonly action: { readonly name: N }
      /**
       * The media type that the client's `Accept` header selects for a declared response, spelled as declared;
       * undefined when none is acceptable, which leads to a 406 response.
       * @see docs/guide/responses.md
       */
      accepts(response: keyof DeclaredResponses<S, N> & string): string | undefined
    }

/** A request as its transport received it. */
export interface RawRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The transport's request object. */
  readonly raw: unknown
}

/** The settings of a response created with `reply`. */
export interface ReplyInit extends Omit<ResponseInit, 'body'> {}

/** The functions of `reply` for the responses D; M is the endpoint's media type. */
export type Reply<D, M = undefined> = D extends never ? never : { readonly [N in keyof D]: ReplyTo<D[N], N, M> }

// Most responses are declared with `true`; their parameters depend only on their name and are computed once.
type ReplyTo<D, N, M> = N extends 'ok'
  ? ReplyFunction<'ok', OkBody<D, M>, D>
  : D extends true
    ? SimpleReply<N>
    : ReplyFunction<N & string, OtherBody<D, N>, D>

type SimpleReply<N> = ReplyFunction<N & string, OtherBody<true, N>, true>

/** Creates one declared response. A declared body or header is required; without a declared body, none is accepted. */
type ReplyFunction<N extends string, B, D> = D extends WithRequiredHeaders
  ? (body: B, init: ReplyInit & ReplyHeaders<D>) => ActionReply<N>
  : undefined extends B
    ? (body?: B, init?: ReplyInit) => ActionReply<N>
    : (body: B, init?: ReplyInit) => ActionReply<N>

/** A response created with `reply`; its body is checked there and not part of its type. */
export interface ActionReply<out N extends string = string> extends ActionResponse<N, never> {
  // Type-level only: responses created with `new` lack this member, and their bodies are checked.
  readonly '~replied': true
}

/** Declarations with required headers. */
type WithRequiredHeaders = { readonly location: string | RegExp } | { readonly headers: object }

type ReplyHeaders<D> = (D extends { readonly location: string | RegExp } ? LocationInit : unknown) &
  (D extends { readonly headers: infer H }
    ? { readonly headers: { readonly [K in keyof H]: string | readonly string[] } & HeaderBag }
    : unknown)

type LocationInit = { readonly location: string } | { readonly headers: { readonly Location: string } }

/** The prepared response, a 200: change and return it, replace it, or ignore it. */
export interface CurrentResponse extends ActionResponse {
  readonly '~current': true
}

/** The return values of an action: a declared response, the current response, or a text as the body of `ok`. */
// Responses of `reply` come first: the compiler has already checked their bodies and can skip the others.
export type Returns<D, M = undefined> = D extends never
  ? never
  : CurrentResponse | ActionReply<keyof D & string> | NewResponse<D, M, keyof D & string>

type NewResponse<D, M, N extends keyof D & string> = N extends 'ok'
  ? NewOkResponse<D[N], M>
  : ActionResponse<N, BodyOf<D[N], N, M>>

type NewOkResponse<D, M> = D extends StructuredBody
  ? ActionResponse<'ok', BodyOf<D, 'ok', M>>
  : OkOrText<BodyOf<D, 'ok', M>>

type OkOrText<B> = string extends B ? ActionResponse<'ok', B> | string : ActionResponse<'ok', B>

/** Declarations whose bodies are not strings. */
type StructuredBody = { readonly '~media': true } | { readonly '~view': true } | { readonly '~collection': true }

/** The part of a request's context that does not depend on the action's declaration. */
export interface ActionContext {
  /** The prepared response, a 200. It is sent unless the action returns another; it can be changed or replaced. */
  get response(): CurrentResponse
  set response(response: ActionResponse)
  /** Returns the path of another endpoint in this application, with base path and version. */
  href<T extends EndpointSpec>(endpoint: Definition<string, T>, args: HrefArgs<T>): string
  /** An empty object for data that callbacks pass to actions. */
  readonly state: Record<string, unknown>
}

/** The context of one request of an action, or of several: `Context<typeof Books.spec, 'show'>`. */
export type Context<
  S extends EndpointSpec = EndpointSpec,
  N extends keyof S['actions'] = keyof S['actions'],
> = S extends never
  ? never
  : ActionContext & {
      /** The loaded request. */
      readonly request: RequestOf<S, N>
      /**
       * The principal that the action's security determined; undefined for anonymous clients.
       * @see docs/guide/security.md
       */
      readonly principal: PrincipalFor<S, N>
      /** One function for each declared response: `reply.ok(body, { headers, location, mediaType })`. */
      readonly reply: Reply<DeclaredResponses<S, N>, S['mediaType']>
      /** The endpoint of the action. */
      readonly definition: Definition<string, S>
    }

/** The functions that implement an endpoint's actions. */
// The condition is not on S itself: in a branch of a condition about S, the compiler would check it again at every use.
export type Implementation<S extends EndpointSpec> =
  SpecHolder<S> extends SpecHolder<WithoutAdditions>
    ? {
        readonly [N in keyof S['actions']]: (
          params: ParamsOf<S, N>,
          context: Context<S, N>,
        ) => MaybePromise<Returns<DeclaredResponses<S, N>, S['mediaType']>>
      }
    : {
        readonly [N in keyof S['actions']]: (
          params: ParamsOf<S, N>,
          context: Context<S, N> & ContextAdditions<S, N>,
        ) => MaybePromise<Returns<DeclaredResponses<S, N>, S['mediaType']>>
      }

interface SpecHolder<out S> {
  readonly spec: S
}

type MaybePromise<R> = R | Promise<R>

/** Endpoints whose actions have no policies and needs: the compiler checks this once for all actions. */
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

/** A class whose instances implement an endpoint's actions, one instance for each request. */
export type ImplementationClass<S extends EndpointSpec> = new (context: Context<S, ActionName<S>>) => Implementation<S>
