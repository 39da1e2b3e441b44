// The results of calls: one of the declared responses, or a failure.
import type { Received } from '../design/infer/received-body.ts'

/** A problem document, the default body of failures. */
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

/** A failure that the action does not declare: from the framework, a proxy or a gateway. */
export interface CallFailure<out P = Problem> {
  readonly name: 'failure'
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
  /** The problem document, or the body of the application's problem encoder, if the response is one. */
  readonly problem: P | undefined
}

// Two types, because editors print all type arguments, and P is the same for most clients.
/**
 * The result of a call: one of the declared responses, distinguished by `name`, or a failure. B maps the names of
 * responses to their bodies; N are the names of responses that declare no body.
 */
export type CallResponse<B, N = never> = DeclaredResult<B, keyof B> | UndescribedResult<N> | CallFailure

/** The result of a call to a server that encodes failures in the form P. */
export type EncodedResponse<B, N, P> = DeclaredResult<B, keyof B> | UndescribedResult<N> | CallFailure<P>

// A type literal, because editors would print the name of an interface with all its type arguments.
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

/** The responses of an action, from its declared responses D. The responses named U declare no body. */
export type CallResponseOf<P, D, U, M> = [P] extends [never]
  ? CallResponse<{ -readonly [N in Exclude<keyof D, U>]: Received<D[N], N, M> }, U>
  : EncodedResponse<{ -readonly [N in Exclude<keyof D, U>]: Received<D[N], N, M> }, U, P>
