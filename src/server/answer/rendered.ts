// What rendering a response ends in.
import type { Failure } from '../failure/problem.ts'
import type { StreamBody } from '../transport.ts'

/** What a body is written as. */
export interface Rendered {
  readonly contentType: string | undefined
  readonly body: string | Uint8Array | StreamBody | null
}

/** A refused rendering: a broken promise of the application, or a client that accepts nothing on offer. */
export type RenderProblem = { readonly violation: string } | { readonly failure: Failure }
