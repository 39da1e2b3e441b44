// The view of one request that actions and callbacks get; types only, the run time makes the values.

import type { EndpointSpec } from './declare/endpoint.ts'
import type { ActionResponse, HeaderBag, ResponseInit } from './declare/action-response.ts'
import type { Definition } from './definition.ts'
import type { ContextAdditions } from './infer/context-additions.ts'
import type {
  ActionName,
  BodyOf,
  DeclaredResponses,
  HeadersOf,
  HrefArgs,
  PrincipalFor,
  OkBody,
  OtherBody,
  ParamsOf,
  PayloadOf,
} from './infer/inference.ts'

/** A loaded and validated request of any action. */
export interface ActionRequest {
  /** The verb. */
  readonly method: string
  /** The path and the query as the client sent them, never a host; a path that begins with two slashes begins with `/.//` here. */
  readonly url: string
  /**
   * The URL that links to other parts of a list begin with: `url`, and the params of the body where a GET takes them.
   * @see docs/guide/query.md
   */
  readonly linkUrl: string
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
  /** The request as the transport received it: `env.headers` holds all headers unchanged, `env.raw` is the transport's own request object. */
  readonly env: RawRequest
  /** Aborts when the client disconnects or the deadline passes. */
  readonly signal: AbortSignal
}

// Aliases end in a condition and have their members written out, because editors then show the members and no alias, which
// they would show with the whole declaration S. Members are resolved lazily.

/** The loaded request of an action, or of each of some. */
export type RequestOf<S extends EndpointSpec, N extends keyof S['actions']> = N extends never
  ? never
  : ActionRequest & {
      /** The declared params, loaded. */
      readonly params: ParamsOf<S, N>
      /** The declared payload, loaded; `has(request.payload, 'title')` tells whether an attribute was sent. */
      readonly payload: PayloadOf<S, N>
      /** The declared headers, loaded, by their declared names. */
      readonly headers: HeadersOf<S, N>
      /** The action that is being served, with its `name`. */
      readonly action: { readonly name: N }
      /**
       * The media type that the client's `Accept` chooses for a declared response, spelled as it is declared; undefined
       * when it admits none, which is answered with a 406.
       * @see docs/guide/responses.md
       */
      accepts(response: keyof DeclaredResponses<S, N> & string): string | undefined
    }

/** A request as its transport received it. */
export interface RawRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The transport's own request object. */
  readonly raw: unknown
}

/** Settings of a response made through `reply`. */
export interface ReplyInit extends Omit<ResponseInit, 'body'> {}

/** The functions of `reply` for the responses D, and no others; M is the endpoint's media type. */
export type Reply<D, M = undefined> = D extends never ? never : { readonly [N in keyof D]: ReplyTo<D[N], N, M> }

// Most responses are declared with `true`; what they take depends on their name alone, and is found out once.
type ReplyTo<D, N, M> = N extends 'ok'
  ? ReplyFunction<'ok', OkBody<D, M>, D>
  : D extends true
    ? SimpleReply<N>
    : ReplyFunction<N & string, OtherBody<D, N>, D>

type SimpleReply<N> = ReplyFunction<N & string, OtherBody<true, N>, true>

/** Makes one declared response; a declared body or header cannot be left out, and where no body is declared, none can be given. */
type ReplyFunction<N extends string, B, D> = D extends WithRequiredHeaders
  ? (body: B, init: ReplyInit & ReplyHeaders<D>) => ActionReply<N>
  : undefined extends B
    ? (body?: B, init?: ReplyInit) => ActionReply<N>
    : (body: B, init?: ReplyInit) => ActionReply<N>

/** A response that `reply` made; its body was held to the declaration there, and is no part of its type. */
export interface ActionReply<out N extends string = string> extends ActionResponse<N, never> {
  // For the compiler only: responses made with `new` are none, and their bodies are looked at.
  readonly '~replied': true
}

/** Declarations that insist on headers. */
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

/** The return values of an action: a declared response, the current response, or a text where that is the body of `ok`. */
// Responses of `reply` come first: the compiler has checked their bodies, and need not look at the others.
export type Returns<D, M = undefined> = D extends never
  ? never
  : CurrentResponse | ActionReply<keyof D & string> | NewResponse<D, M, keyof D & string>

type NewResponse<D, M, N extends keyof D & string> = N extends 'ok' ? NewOkResponse<D[N], M> : ActionResponse<N, BodyOf<D[N], N, M>>

type NewOkResponse<D, M> = D extends StructuredBody ? ActionResponse<'ok', BodyOf<D, 'ok', M>> : OkOrText<BodyOf<D, 'ok', M>>

type OkOrText<B> = string extends B ? ActionResponse<'ok', B> | string : ActionResponse<'ok', B>

/** Declarations whose bodies are no texts. */
type StructuredBody = { readonly '~media': true } | { readonly '~view': true } | { readonly '~collection': true }

/** The context of a request that does not depend on the action's declarations. */
export interface ActionContext {
  /** The prepared response, a 200: it is sent unless the action returns another; it can be changed or replaced. */
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
       * The principal that the action's security found; undefined for anonymous clients.
       * @see docs/guide/security.md
       */
      readonly principal: PrincipalFor<S, N>
      /** One function for each declared response: `reply.ok(body, { headers, location, mediaType })`. */
      readonly reply: Reply<DeclaredResponses<S, N>, S['mediaType']>
      /** The endpoint of the action. */
      readonly definition: Definition<string, S>
    }

/** The functions that implement an endpoint's actions. */
// S itself is not what is asked: in a branch of a condition about S, the compiler would look at it again at every mention.
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

/** A class whose instances implement an endpoint's actions, one instance for each request. */
export type ImplementationClass<S extends EndpointSpec> = new (context: Context<S, ActionName<S>>) => Implementation<S>
