// The result of rendering a response.
import type { Failed } from '../../util/failed.ts'
import type { Failure } from '../problem/problem.ts'
import type { StreamBody } from '../transport.ts'
import type { ViolationFinding } from './violation.ts'

/** A body in its written format. */
export interface RenderedBody {
  readonly contentType: string | undefined
  readonly body: string | Uint8Array | StreamBody | null
  /** The code of a problem document. */
  readonly code?: string
}

/**
 * A response that is not sent unchanged: the application violates its declaration, the client accepts no declared media
 * type, or the application's encoder writes the error.
 */
export type RenderFault =
  | { readonly type: 'violation'; readonly text: string; readonly findings: readonly ViolationFinding[] }
  | { readonly type: 'failure'; readonly failure: Failure }
  | { readonly type: 'encode' }

/** Creates the fault of a response that violates its declaration. */
export const createViolation = (text: string, ...findings: readonly ViolationFinding[]): Failed<RenderFault> => ({
  fault: { type: 'violation', text, findings },
})

/** Creates a finding about a body as a whole. */
export const createBodyFinding = (code: string, message: string): ViolationFinding => ({
  part: 'body',
  pointer: '',
  code,
  message,
})
