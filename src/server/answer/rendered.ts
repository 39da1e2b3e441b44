// What rendering a response ends in.
import type { Failure } from '../failure/problem.ts'
import type { StreamBody } from '../transport.ts'

/** What a body is written as. */
export interface Rendered {
  readonly contentType: string | undefined
  readonly body: string | Uint8Array | StreamBody | null
}

/**
 * A response that is not sent as it is: a broken promise of the application, a client that accepts nothing on offer, or an error
 * that the application's encoder writes.
 */
export type RenderProblem = { readonly violation: string } | { readonly failure: Failure } | { readonly encode: true }
