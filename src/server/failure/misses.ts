// Requests that reach no action: what is answered when no route fits.
import type { Miss } from '../../routing/dispatcher.ts'
import { failureAnswer, standardAnswer } from '../answer/plain.ts'
import { IncomingRequest } from '../points/incoming.ts'
import type { Services } from '../services.ts'
import type { Answer, Transport } from '../transport.ts'
import { FailureResponse } from './failures.ts'
import type { Failure } from './problem.ts'
import { reasoned } from './reasons.ts'

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

const UNKNOWN: Failure = { code: 'not-found', ...reasoned('no-route') }

const shared = (answer: Answer): Answer => Object.freeze({ ...answer, headers: Object.freeze([...answer.headers]) })

function failureOf(miss: Exclude<Miss, { reason: 'unknown' }>, method: string): Failure {
  switch (miss.reason) {
    case 'malformed':
      return { code: 'malformed-path', ...reasoned('path-encoding') }
    case 'fragment':
      return { code: 'malformed-target', ...reasoned('fragment') }
    case 'conflict':
      return {
        code: 'version-conflict',
        ...(miss.versions.length === 1
          ? reasoned('version-repeated', { version: miss.versions[0] as string })
          : reasoned('versions-disagree', { named: miss.versions.join(' and '), versions: miss.versions })),
        extensions: { versions: miss.versions },
      }
    case 'version':
      return {
        code: 'version-not-found',
        ...reasoned('other-versions', { versions: miss.versions }),
        extensions: { versions: miss.versions },
      }
    case 'method':
      return {
        code: 'method-not-allowed',
        ...reasoned('other-methods', { quoted: JSON.stringify(method), method, methods: miss.allow }),
        headers: allowedBy(miss),
      }
    default:
      return { code: 'not-found' }
  }
}
