// Responds to requests that match no route.
import type { RouteMiss } from '../routing/dispatcher.ts'
import { FailureResponse } from './failure/failures.ts'
import type { Failure } from './problem/problem.ts'
import { createReason } from './problem/reasons.ts'
import { writeFailure, writeProblemResponse } from './render/undeclared.ts'
import { IncomingRequest } from './request/incoming-request.ts'
import type { Services } from './services.ts'
import type { RawResponse, Transport } from './transport.ts'

/** Creates the function that responds to requests without a route; the most frequent response is written once. */
export function createMissResponder(
  services: Services,
): (miss: RouteMiss, transport: Transport, request?: IncomingRequest) => RawResponse {
  const { writeProblem, baseHeaders } = services
  let unknown: RawResponse | undefined
  return (miss, transport, request) => {
    const { method } = transport
    if (miss.reason === 'method' && method === 'OPTIONS') {
      return { status: 204, headers: [...baseHeaders, ...buildAllowHeaders(miss)], body: null }
    }
    const write = (failure: Failure): RawResponse =>
      writeFailure(services, new FailureResponse(failure), request ?? new IncomingRequest(transport, services))
    if (miss.reason !== 'unknown') return write(toMissFailure(miss, method))
    // An encoder must be called for each request.
    if (writeProblem !== undefined) return write(UNKNOWN_PATH)
    unknown ??= freezeResponse(writeProblemResponse(new FailureResponse(UNKNOWN_PATH), baseHeaders))
    return unknown
  }
}

const buildAllowHeaders = ({ allow, acceptQuery }: Extract<RouteMiss, { reason: 'method' }>): string[] => [
  ...['Allow', allow.join(', ')],
  ...(acceptQuery === undefined ? [] : ['Accept-Query', acceptQuery]),
]

const UNKNOWN_PATH: Failure = { code: 'not-found', ...createReason('no-route') }

const freezeResponse = (response: RawResponse): RawResponse =>
  Object.freeze({ ...response, headers: Object.freeze([...response.headers]) })

function toMissFailure(miss: Exclude<RouteMiss, { reason: 'unknown' }>, method: string): Failure {
  switch (miss.reason) {
    case 'malformed':
      return { code: 'malformed-path', ...createReason('path-encoding') }
    case 'fragment':
      return { code: 'malformed-target', ...createReason('fragment') }
    case 'conflict':
      return {
        code: 'version-conflict',
        ...(miss.versions.length === 1
          ? createReason('version-repeated', { version: miss.versions[0] as string })
          : createReason('versions-disagree', { named: miss.versions.join(' and '), versions: miss.versions })),
        extensions: { versions: miss.versions },
      }
    case 'version':
      return {
        code: 'version-not-found',
        ...createReason('other-versions', { versions: miss.versions }),
        extensions: { versions: miss.versions },
      }
    case 'method':
      return {
        code: 'method-not-allowed',
        ...createReason('other-methods', { quoted: JSON.stringify(method), method, methods: miss.allow }),
        headers: buildAllowHeaders(miss),
      }
    default:
      return { code: 'not-found' }
  }
}
