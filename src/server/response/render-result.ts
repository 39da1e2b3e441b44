// The result of rendering a response.
import type { Failed } from '../../util/failed.ts'
import type { Failure } from '../problem/problem.ts'
import type { StreamBody } from '../transport.ts'
import type { ViolationFinding } from './violation.ts'

/** The form in which a body is written. */
export interface RenderedBody {
  readonly contentType: string | undefined
  readonly body: string | Uint8Array | StreamBody | null
  /** The code of a problem document. */
  readonly code?: string
}

/**
 * A response that is not sent as it is: a broken promise of the application, a client that accepts nothing on offer, or an error
 * that the application's encoder writes.
 */
export type RenderFault =
  | { readonly type: 'violation'; readonly text: string; readonly findings: readonly ViolationFinding[] }
  | { readonly type: 'failure'; readonly failure: Failure }
  | { readonly type: 'encode' }

/** A response that cannot be sent as it is because the application broke its declaration. */
export const createViolation = (text: string, ...findings: readonly ViolationFinding[]): Failed<RenderFault> => ({
  fault: { type: 'violation', text, findings },
})

/** Something that is wrong with a body as a whole. */
export const createBodyFinding = (code: string, message: string): ViolationFinding => ({
  part: 'body',
  pointer: '',
  code,
  message,
})
