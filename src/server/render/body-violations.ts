// Describes bodies that violate their declaration, and limits how much of them is checked.
import type { Issue } from '../../schema/issue.ts'
import type { Failed } from '../../util/failed.ts'
import type { Exchange } from '../request/exchange.ts'
import { createBodyFinding, createViolation, type RenderedBody, type RenderFault } from '../response/render-result.ts'
import type { ViolationFinding } from '../response/violation.ts'

// A sample must be fast: only the first elements of a list are checked.
const SAMPLED_ELEMENTS = 1000

/** Returns the number of elements of a list that are checked in full, if the list is checked. */
export const getCheckLimit = ({ services }: Exchange): number =>
  services.validateResponses === 'always' ? Number.POSITIVE_INFINITY : SAMPLED_ELEMENTS

/** The rendering of a response that has no body. */
export const NO_BODY: RenderedBody = { contentType: undefined, body: null }

/** Fails a response without its declared body, which nothing can replace, even if bodies are not checked. */
export const failMissingBody = (exchange: Exchange): Failed<RenderFault> =>
  createViolation(describeViolation(exchange, 'the body is required'), createBodyFinding('missing', 'is required'))

/** Describes a mistake in the body of the current response. */
export const describeViolation = ({ response }: Exchange, problem: string): string =>
  `the body of '${response.name}' does not fit its declaration: ${problem}`

/** Describes the issues of a body, for the log and for plugins. */
export function describeIssues(
  exchange: Exchange,
  issues: readonly Issue[],
): { readonly broken: string; readonly findings: readonly ViolationFinding[] } {
  const findings = issues.map(({ pointer, code, message }) => ({ part: 'body', pointer, code, message }) as const)
  return { broken: describeFindings(exchange, findings), findings }
}

/** Describes the first few mistakes in the body of the current response. */
export function describeFindings(exchange: Exchange, findings: readonly ViolationFinding[]): string {
  const first = findings
    .slice(0, 5)
    .map(({ pointer, message }) => `${pointer === '' ? 'the body' : pointer} ${message}`)
  return describeViolation(exchange, first.join('; '))
}
