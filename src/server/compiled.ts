// The record of one action, made once at boot with every field set; the pipeline reads it and nothing else.
import type { AnyDefinition } from '../design/definition.ts'
import type { Response } from '../design/response.ts'
import type { ResolvedAction } from '../design/resolved.ts'
import type { Loader } from '../schema/loading.ts'
import type { PayloadCodec } from './codecs.ts'
import type { Exchange } from './exchange.ts'
import type { CompiledResponse } from './render.ts'

/** What a stage ends in: a response that ends the request, or nothing. */
export type Outcome = Response | undefined

/** One stage, or a part of one; a promise only when something in it is asynchronous. */
export type Step = (exchange: Exchange) => Outcome | Promise<Outcome>

/** How an action's params are read and loaded. */
export interface CompiledParams {
  readonly names: ReadonlySet<string>
  readonly load: Loader
  readonly defers: boolean
  readonly ignores: (name: string) => boolean
}

/** How an action's headers are read and loaded: pairs of declared and lower-case names. */
export interface CompiledHeaders {
  readonly names: readonly (readonly [declared: string, lower: string])[]
  readonly load: Loader
  readonly defers: boolean
}

/** How an action's body is read and loaded. */
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
  readonly resolved: ResolvedAction
  readonly definition: AnyDefinition
  readonly identity: { readonly name: string }
  /** `endpoint.action`, for logs and failures. */
  readonly place: string
  readonly params: CompiledParams | null
  readonly headers: CompiledHeaders | null
  readonly payload: CompiledPayload | null
  readonly reply: object
  readonly responses: ReadonlyMap<string, CompiledResponse>
  /** Header names and values of every answer. */
  readonly baseHeaders: readonly string[]
  /** Null when the load stage has no callbacks: the body is then read without a promise. */
  readonly load: Step | null
  readonly validate: Step
  readonly act: Step
  /** Null when the response stage has no callbacks. */
  readonly respond: Step | null
}
