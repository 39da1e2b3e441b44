// Renders a response: checks it against its declaration and writes its body with a content type.
import Negotiator from 'negotiator'
import type { ActionResponse } from '../../design/declare/action-response.ts'
import type { SelectionParam } from '../../design/fields/selection.ts'
import type { ResolvedResponse } from '../../design/resolve/resolved.ts'
import { type Failed, isFailed } from '../../util/failed.ts'
import { getEssence } from '../../util/media-type.ts'
import { reportViolation } from '../failure/violations.ts'
import { convertToProblem, type Failure, PROBLEM_JSON } from '../problem/problem.ts'
import { createReason } from '../problem/reasons.ts'
import type { CompiledResponse, Exchange } from '../request/exchange.ts'
import { compileHeaderRules, findHeader } from '../response/header-rules.ts'
import { createBodyFinding, createViolation, type RenderedBody, type RenderFault } from '../response/render-result.ts'
import type { BodyCheck } from '../response/violation.ts'
import type { RawHeaders } from '../transport.ts'
import { type CompiledBody, compileBody, isUnstructured } from './bodies.ts'
import { describeFindings, NO_BODY } from './body-violations.ts'

/** Compiles a declared response; `param` selects the fields of successful bodies, `checks` are those of plugins. */
export function compileResponse(
  declared: ResolvedResponse,
  param: SelectionParam | undefined,
  checks: readonly BodyCheck[],
): CompiledResponse {
  const { name, status } = declared
  const bodies = declared.bodies.map((body) => compileBody(body, status < 300 ? param : undefined))
  const findHeaderViolation = compileHeaderRules(declared)
  const writeDeclared = declared.problem ? renderProblem : compileBodyWriter(bodies)
  const write =
    status < 300 && bodies.length > 0 && checks.length > 0 ? withChecks(checks, writeDeclared) : writeDeclared
  return {
    status,
    takesElements(response, exchange) {
      const chosen = chooseBody(bodies, response, exchange)
      return !isFailed(chosen) && chosen.elements
    },
    accepts: (accept) => negotiateBody(bodies, accept)?.identifier,
    render(response, exchange) {
      if (response.status !== status) {
        const text = `the response '${name}' has the status ${response.status}, but ${status} is declared`
        return createViolation(text, { part: 'response', pointer: '', code: 'status', message: text })
      }
      const violation = findHeaderViolation?.(response)
      if (violation !== undefined) {
        const text = `the response '${name}' ${violation.text}`
        const { validateResponses, shouldCheckBody } = exchange.services
        if (!violation.isAttribute || validateResponses === 'always') return createViolation(text, violation.finding)
        if (shouldCheckBody()) reportViolation(exchange, text, [violation.finding])
      }
      return write(response, exchange)
    },
  }
}

const compileBodyWriter = (bodies: readonly CompiledBody[]): WriteBody =>
  bodies.length === 0 ? renderNoBody : createDeclaredWriter(bodies)

type WriteBody = (response: ActionResponse, exchange: Exchange) => RenderedBody | Failed<RenderFault>

const withChecks =
  (checks: readonly BodyCheck[], write: WriteBody): WriteBody =>
  (response, exchange) => {
    const findings = checks.flatMap((check) => check(response.body) ?? [])
    if (findings.length > 0) {
      const text = describeFindings(exchange, findings)
      const { validateResponses, shouldCheckBody } = exchange.services
      if (validateResponses === 'always') return createViolation(text, ...findings)
      if (shouldCheckBody()) reportViolation(exchange, text, findings)
    }
    return write(response, exchange)
  }

const createDeclaredWriter =
  (bodies: readonly CompiledBody[]): WriteBody =>
  (response, exchange) => {
    const chosen = chooseBody(bodies, response, exchange)
    return isFailed(chosen) ? chosen : chosen.write(response.body, exchange)
  }

// Without a body, a media type still describes the representation: HEAD and 304 may have one (RFC 9110, section 8.3).
function renderNoBody(response: ActionResponse): RenderedBody | Failed<RenderFault> {
  const { name, body } = response
  if (body === undefined || body === null)
    return response.hasHeaders ? { contentType: findHeader(response, 'Content-Type'), body: null } : NO_BODY
  return createViolation(
    `the response '${name}' has a body, but none is declared; declare its mediaType, or leave the body out`,
    createBodyFinding('undeclared', 'has a body, but none is declared'),
  )
}

// A text becomes the detail of the problem, a structure supplies its standard members.
function renderProblem(response: ActionResponse, exchange: Exchange): RenderedBody | Failed<RenderFault> {
  const { name, body } = response
  if (isUnstructured(body) && typeof body !== 'string')
    return createViolation(
      `the response '${name}' has bytes for a body, but it is a problem document; declare its mediaType, or give a text`,
      createBodyFinding('type', 'is bytes, but a problem document is declared'),
    )
  const contentType = findHeader(response, 'Content-Type')
  const { problemType, writeProblem } = exchange.services
  if (contentType !== undefined && getEssence(contentType) !== getEssence(problemType))
    return createViolation(
      describeOtherType(name, contentType, `a problem document (${problemType})`),
      OTHER_TYPE_FINDING,
    )
  if (writeProblem !== undefined) return ENCODE
  const problem = convertToProblem(response)
  return { contentType: PROBLEM_JSON, body: JSON.stringify(problem), code: problem.code }
}

const ENCODE: Failed<RenderFault> = { fault: { type: 'encode' } }

const OTHER_TYPE_FINDING = createBodyFinding('media-type', 'has a media type that is not declared')

const describeOtherType = (name: string, sent: string, declared: string): string =>
  `the response '${name}' has the media type ${sent}, but ${declared} is declared`

function chooseBody(
  bodies: readonly CompiledBody[],
  response: ActionResponse,
  exchange: Exchange,
): CompiledBody | Failed<RenderFault> {
  const contentType = findHeader(response, 'Content-Type')
  if (contentType !== undefined) {
    const essence = getEssence(contentType)
    const match = bodies.find((body) => body.essence === essence)
    return (
      match ??
      createViolation(
        describeOtherType(response.name, contentType, bodies.map(({ identifier }) => identifier).join(', ')),
        OTHER_TYPE_FINDING,
      )
    )
  }
  const match = negotiateBody(bodies, exchange.transport.headers['accept'])
  if (match !== undefined) return match
  const types = bodies.map(({ identifier }) => identifier)
  const failure: Failure = { code: 'not-acceptable', ...createReason('other-types', { types }) }
  return { fault: { type: 'failure', failure } }
}

// With a single media type there is nothing to negotiate: it is sent regardless of Accept.
function negotiateBody(bodies: readonly CompiledBody[], accept: RawHeaders[string]): CompiledBody | undefined {
  if (bodies.length < 2 || accept === undefined) return bodies[0]
  const [best] = new Negotiator({ headers: { accept: String(accept) } }).mediaTypes(
    bodies.map(({ essence }) => essence),
  )
  return bodies.find(({ essence }) => essence === best)
}
