// The table of a client's calls: what each action sends and receives, and the functions that its calls need. The functions
// are members, so that a bundle without an action that needs one does not contain it.
import type { Policy } from '../design/declare/policy.ts'
import type { Verb } from '../design/declare/route.ts'
import type { ResolvedBody, StreamForm } from '../design/resolve/resolved.ts'
import type { PathTemplate } from '../path/path-template.ts'
import type { Attribute, Attributes } from '../schema/attribute.ts'
import type { Around } from './around.ts'
import type { ClientOptions, ElementIterator, Page } from './types.ts'

/** The calls of one endpoint, by the names of its actions. */
export type EndpointTable = ReadonlyMap<string, CallTable>

/** One action, as its calls need it. */
export interface CallTable {
  readonly endpoint: { readonly name: string; readonly version: string | undefined }
  readonly name: string
  readonly routes: readonly CallRoute[]
  readonly params: Attributes
  readonly headers: Attributes
  readonly responses: readonly TabledResponse[]
  readonly policies: readonly Pick<Policy, 'client' | 'retry'>[]
  /** The names of the params that select fields; undefined without one. */
  readonly selectors?: readonly string[] | undefined
  /** Writes the body; undefined for actions without a payload. */
  readonly writeBody?: ((payload: unknown, headers: Headers, action: string) => BodyInit | undefined) | undefined
  /** Writes the params that a route takes in the body. */
  readonly writeParams?: ((params: object, headers: Headers) => string) | undefined
  /** Iterates over the list; undefined for actions that have none. */
  readonly walk?: Walk | undefined
  /** Follows a stream of events; undefined for actions that have none. */
  readonly follow?: ((list: PendingListCall) => ElementIterator<unknown>) | undefined
  /** Reads bodies while they arrive; undefined for actions without such bodies. */
  readonly streams?: StreamReader | undefined
  /** Sends requests again; undefined for actions whose requests are sent once. */
  readonly repeat?: Repeat | undefined
  /** Returns the factory of an attribute's default. */
  readonly fill: (attribute: Attribute) => (() => unknown) | undefined
}

/** A route of an action. */
export interface CallRoute {
  readonly verb: Verb
  readonly pattern: PathTemplate
  readonly params: 'query' | 'body'
}

/** A response of an action. */
interface TabledResponse {
  readonly name: string
  readonly status: number
  readonly bodies: readonly TabledBody[]
}

/** A body of a response. */
export type TabledBody = Pick<ResolvedBody, 'identifier' | 'attribute' | 'list'> & {
  readonly stream?: Pick<StreamForm, 'as' | 'open'> | undefined
}

/** The iteration over a list. */
export interface Walk {
  all(list: PendingListCall): ElementIterator<unknown>
  pages(list: PendingListCall): AsyncIterableIterator<Page<unknown>>
  /** Returns the elements of a body; undefined if it has none. */
  find(body: unknown): readonly unknown[] | undefined
  /** Returns the URL of the next page; `sent` are the params sent in the body, `linked` is the target of the Link header. */
  next(body: unknown, url: string, linked: string | undefined, sent: object): string | undefined
}

/** A call of a list. */
export interface PendingListCall extends PendingCall {
  /** The saved cursor of an earlier iteration. */
  readonly from: string | undefined
}

/** The functions that read bodies while they arrive. */
export interface StreamReader {
  /** Returns whether a call may ask for a body of this type as a stream. */
  accepts(type: string): boolean
  body(response: Response, call: ActiveCall): ReadableStream<Uint8Array> | null
  elements(response: Response, call: ActiveCall, parse: (line: string) => unknown): AsyncIterable<unknown>
}

/** Sends a request and reads its response, as often as the rules of the action allow. */
export type Repeat = <T>(
  call: ActiveCall,
  prepared: PreparedRequest,
  send: (attempt: number) => Promise<Response>,
  read: (response: Response) => Promise<T>,
) => Promise<T>

/** The input of a call. */
export interface CallInput {
  readonly params: Readonly<Record<string, unknown>>
  readonly payload: unknown
  readonly headers: Readonly<Record<string, unknown>>
  /** The verb, if not that of the first route. */
  readonly method?: string | undefined
}

/** A call with its settings, and the client that makes it. */
export interface PendingCall {
  readonly action: CallTable
  readonly client: ClientOptions
  readonly input: CallInput
  /** Whether the response body is returned as a stream. */
  readonly stream: boolean
  readonly signal?: AbortSignal | undefined
  readonly timeout?: number | undefined
  readonly attempts?: number | undefined
  readonly around?: Around | readonly Around[] | undefined
}

/** A call that has started, with one signal for its timeout and its own signal. */
export interface ActiveCall extends PendingCall {
  readonly signal: CombinedSignal
  /** The timer of the wait before a retry, cleared when the call ends. */
  retryTimer?: ReturnType<typeof setTimeout>
}

/**
 * The combined signal of a call. It references its sources, because runtimes collect signals that nothing else refers to.
 */
interface CombinedSignal extends AbortSignal {
  readonly sources: readonly AbortSignal[]
}

/** A request that can be sent repeatedly, unless its body is a stream. */
export interface PreparedRequest {
  readonly url: string
  /** The params that are sent in the body. */
  readonly bodyParams: Readonly<Record<string, unknown>>
  readonly init: RequestInit & { readonly method: string; readonly headers: Headers }
}
