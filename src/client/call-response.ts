// The results of a client's calls: one of the declared responses, or a failure.
import type { Received } from '../design/infer/received-body.ts'

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

/** A failure that the action does not declare: the framework's own, or one on the way. */
export interface FailedCallResponse<out P = Problem> {
  readonly name: 'failure'
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
  /** The problem document, or what the application's encoder writes, where the answer is one. */
  readonly problem: P | undefined
}

// Two names: editors print all arguments, and one that is the same for most clients would be in the way.
/**
 * The result of a call: one of the declared responses, told apart by its name, or a failure. B are the bodies by the names of
 * the responses, N further names: those of responses that declare nothing about their bodies.
 */
export type CallResponse<B, N = never> = DeclaredResult<B, keyof B> | UndescribedResult<N> | FailedCallResponse

/** The same from a server that writes failures in the form P. */
export type EncodedCallResponse<B, N, P> = DeclaredResult<B, keyof B> | UndescribedResult<N> | FailedCallResponse<P>

// Written out and no interface: editors name the interface of a member, with all its arguments.
type DeclaredResult<B, K extends keyof B> = K extends unknown
  ? {
      /** The name of the declared response. */
      readonly name: K
      readonly status: number
      readonly headers: Headers
      readonly body: B[K]
    }
  : never

type UndescribedResult<N> = N extends unknown
  ? {
      /** The name of the declared response. */
      readonly name: N
      readonly status: number
      readonly headers: Headers
      readonly body: unknown
    }
  : never

/** The answers of an action with the responses D; of those named U, nothing is known about the bodies. */
export type CallResponseOf<P, D, U, M> = [P] extends [never]
  ? CallResponse<{ -readonly [N in Exclude<keyof D, U>]: Received<D[N], N, M> }, U>
  : EncodedCallResponse<{ -readonly [N in Exclude<keyof D, U>]: Received<D[N], N, M> }, U, P>
