// Bodies that break their declaration: how much of one is looked at, and what is said of it.
import type { Issue } from '../../schema/issue.ts'
import type { Failed } from '../../util/failed.ts'
import type { Exchange } from '../request/exchange.ts'
import { type RenderedBody, type RenderFault, createViolation, createBodyFinding } from '../response/render-result.ts'
import type { ViolationFinding } from '../response/violation.ts'

// A sample must not take long: the first elements of a list stand for the others.
const SAMPLED_ELEMENTS = 1000

/** How many elements of a list are checked in full, if the list is checked. */
export const getCheckLimit = ({ services }: Exchange): number =>
  services.validateResponses === 'always' ? Number.POSITIVE_INFINITY : SAMPLED_ELEMENTS

/** The rendering of a response that has no body. */
export const NO_BODY: RenderedBody = { contentType: undefined, body: null }

/** A response without its declared body: there is nothing to send in its place, whether bodies are checked or not. */
export const failMissingBody = (exchange: Exchange): Failed<RenderFault> =>
  createViolation(describeViolation(exchange, 'the body is required'), createBodyFinding('missing', 'is required'))

/** Says what is wrong with the body of the current response. */
export const describeViolation = ({ response }: Exchange, what: string): string =>
  `the body of '${response.name}' does not fit its declaration: ${what}`

/** Describes the issues of a body, for the log and for plugins. */
export function describeIssues(
  exchange: Exchange,
  issues: readonly Issue[],
): { readonly broken: string; readonly findings: readonly ViolationFinding[] } {
  const findings = issues.map(({ pointer, code, message }) => ({ part: 'body', pointer, code, message }) as const)
  return { broken: describeFindings(exchange, findings), findings }
}

/** Says what is wrong with the body of the current response, as far as the first findings go. */
export function describeFindings(exchange: Exchange, findings: readonly ViolationFinding[]): string {
  const first = findings
    .slice(0, 5)
    .map(({ pointer, message }) => `${pointer === '' ? 'the body' : pointer} ${message}`)
  return describeViolation(exchange, first.join('; '))
}
