// The record of one action, compiled once: its steps in their order, and all that they need to know of its declaration.
import type { AnyDefinition } from '../design/definition.ts'
import type { ResolvedAction } from '../design/resolved.ts'
import type { Response } from '../design/response.ts'
import type { Loader } from '../schema/loading.ts'
import type { PayloadCodec } from './codecs.ts'
import type { Exchange } from './exchange.ts'
import type { Heads } from './heads.ts'
import type { ParamsCheck } from './options.ts'
import type { TreeForm } from './query-tree.ts'
import type { Rendered, RenderProblem } from './rendered.ts'
import type { Services } from './services.ts'
import type { ActionIdentity } from './shown.ts'
import type { RawHeaders } from './transport.ts'

/** The end of a step: a response that ends the request, or nothing, and the request goes on. */
export type Outcome = Response | undefined

/** Returned by a step that calls `exchange.resume` when it is done: that costs less than a promise. */
export const LATER: unique symbol = Symbol('later')

/** The work of one step; it gives a promise only when something in it is asynchronous. */
export type Run = (exchange: Exchange) => Outcome | Promise<Outcome> | typeof LATER

/** One step of an action. */
export interface Step {
  /** The part of edict, the plugin or the callback that brings it, as `edict explain` prints it. */
  readonly name: string
  readonly run: Run
}

/** Reads and loads the params of an action. */
export interface CompiledParams {
  readonly form: TreeForm
  /** The most pairs of a query. */
  readonly pairs: number
  readonly load: Loader
  readonly defers: boolean
  readonly ignores: (name: string) => boolean
  /** Checks of plugins, which may also complete the params, when they have been loaded. */
  readonly checks: readonly ParamsCheck[]
  /** Whether any route of the action captures something. */
  readonly captures: boolean
}

/** Reads and loads the headers of an action; lists may come as one value with commas, some others once only. */
export interface CompiledHeaders {
  readonly names: readonly {
    readonly name: string
    readonly lower: string
    readonly list: boolean
    readonly once: boolean
  }[]
  readonly load: Loader
  readonly defers: boolean
}

/** Reads and loads the body of an action. */
export interface CompiledPayload {
  readonly codec: PayloadCodec
  readonly load: Loader
  readonly defers: boolean
  readonly nullable: boolean
  readonly required: boolean
  readonly initial: (() => unknown) | undefined
  readonly ignores: (name: string) => boolean
}

/** One action, ready to serve. */
export interface CompiledAction {
  readonly services: Services
  readonly resolved: ResolvedAction
  readonly definition: AnyDefinition
  readonly identity: ActionIdentity
  /** `endpoint.action`, for logs and failures. */
  readonly place: string
  readonly params: CompiledParams
  readonly headers: CompiledHeaders | null
  readonly payload: CompiledPayload | null
  readonly reply: object
  readonly responses: ReadonlyMap<string, CompiledResponse>
  readonly heads: Heads
  /** From the first look at the request to the response of the action. */
  readonly steps: readonly Step[]
  /** For every response of the action, failures too, before it is sent; empty without callbacks of the response stage. */
  readonly answer: readonly Step[]
}

/** A declared response, ready to check and write what actions return under its name. */
export interface CompiledResponse {
  readonly status: number
  /** The media type that an `Accept` header chooses, as it is declared; undefined when there is none for it. */
  accepts(accept: RawHeaders[string]): string | undefined
  render(response: Response, exchange: Exchange): Rendered | RenderProblem
}
