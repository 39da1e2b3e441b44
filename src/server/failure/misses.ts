// Requests that reach no action: what is answered when no route fits.
import type { Miss } from '../../routing/dispatcher.ts'
import { failureAnswer, standardAnswer } from '../answer/plain.ts'
import { IncomingRequest } from '../points/incoming.ts'
import type { Services } from '../services.ts'
import type { Answer, Transport } from '../transport.ts'
import { FailureResponse } from './failures.ts'
import type { Failure } from './problem.ts'

/** Makes the answers to requests that no route fits; the commonest is written once. */
export function missAnswers(services: Services): (miss: Miss, transport: Transport, seen?: IncomingRequest) => Answer {
  const { writeProblem, baseHeaders } = services
  let unknown: Answer | undefined
  return (miss, transport, seen) => {
    const { method } = transport
    if (miss.reason === 'method' && method === 'OPTIONS') {
      return { status: 204, headers: [...baseHeaders, ...allowedBy(miss)], body: null }
    }
    const write = (failure: Failure): Answer =>
      failureAnswer(services, new FailureResponse(failure), seen ?? new IncomingRequest(transport, services))
    if (miss.reason !== 'unknown') return write(failureOf(miss, method))
    // An encoder sees each request.
    if (writeProblem !== undefined) return write(UNKNOWN)
    unknown ??= shared(standardAnswer(new FailureResponse(UNKNOWN), baseHeaders))
    return unknown
  }
}

const allowedBy = ({ allow, acceptQuery }: Extract<Miss, { reason: 'method' }>): string[] => [
  ...['Allow', allow.join(', ')],
  ...(acceptQuery === undefined ? [] : ['Accept-Query', acceptQuery]),
]

const UNKNOWN: Failure = { code: 'not-found', detail: 'No route of this API has this path.' }

const shared = (answer: Answer): Answer => Object.freeze({ ...answer, headers: Object.freeze([...answer.headers]) })

function failureOf(miss: Exclude<Miss, { reason: 'unknown' }>, method: string): Failure {
  switch (miss.reason) {
    case 'malformed':
      return { code: 'malformed-path', detail: 'Percent-encode the path as UTF-8.' }
    case 'fragment':
      return { code: 'malformed-target', detail: 'Leave out what follows the #, or encode it as %23.' }
    case 'conflict':
      return {
        code: 'version-conflict',
        detail:
          miss.versions.length === 1
            ? `The version ${miss.versions[0]} is sent more than once; send it once.`
            : `The versions ${miss.versions.join(' and ')} disagree; send one.`,
        extensions: { versions: miss.versions },
      }
    case 'version':
      return {
        code: 'version-not-found',
        detail: `Available versions: ${miss.versions.join(', ')}.`,
        extensions: { versions: miss.versions },
      }
    case 'method':
      return {
        code: 'method-not-allowed',
        detail: `${JSON.stringify(method)} is not supported here; use one of: ${miss.allow.join(', ')}.`,
        headers: allowedBy(miss),
      }
    default:
      return { code: 'not-found' }
  }
}
