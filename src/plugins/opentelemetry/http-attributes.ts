// Maps requests and responses to the attributes of OpenTelemetry's semantic conventions for HTTP servers.
import type { Attributes } from '@opentelemetry/api'
import type { IncomingRequest, RequestEnd } from '../../extend.ts'

/** Builds the attributes of a span at its start, which samplers see. */
export function buildStartAttributes(
  request: IncomingRequest,
  include: { readonly address: boolean; readonly agent: boolean },
): Attributes {
  const { knownMethod: method, scheme, httpVersion, headers, address } = request
  const agent = include.agent ? headers['user-agent'] : undefined
  return dropUndefined({
    'http.request.method': method,
    'http.request.method_original': method === '_OTHER' && request.method !== '' ? request.method : undefined,
    'url.path': getPath(request),
    'url.scheme': scheme,
    ...buildServerAttributes(headers['host'] ?? headers[':authority'], scheme),
    'network.protocol.version': formatProtocolVersion(httpVersion),
    'client.address': include.address ? address : undefined,
    'user_agent.original': typeof agent === 'string' ? agent : undefined,
  })
}

/** Returns the path without secrets. Secret captures are known once there is a route. */
export const getPath = ({ redactedUrl: url }: IncomingRequest): string | undefined =>
  url === '' ? undefined : (url.split('?', 1)[0] as string)

/** Returns the query without secrets and without values of undeclared params. */
export function getQuery({ redactedUrl: url }: IncomingRequest): string | undefined {
  const mark = url.indexOf('?')
  return mark < 0 ? undefined : url.slice(mark + 1)
}

/** Formats the name of a span: the method and the route, as far as they are known. */
export function formatSpanName(request: IncomingRequest): string {
  const { knownMethod: method, route } = request
  const verb = method === '_OTHER' ? 'HTTP' : method
  return route === undefined ? verb : `${verb} ${route}`
}

/** Builds the attributes that distinguish measurements. */
export function buildMetricAttributes(request: IncomingRequest, ended: RequestEnd): Attributes {
  return dropUndefined({
    ...buildActiveAttributes(request),
    'http.route': request.route,
    'http.response.status_code': ended.status,
    'error.type': getErrorType(ended),
    'network.protocol.version': formatProtocolVersion(request.httpVersion),
  })
}

/** Builds the attributes that distinguish requests in progress. */
export const buildActiveAttributes = ({ knownMethod, scheme }: IncomingRequest): Attributes =>
  dropUndefined({ 'http.request.method': knownMethod, 'url.scheme': scheme })

/** Returns the class of a server failure; undefined for client errors and successes. */
export function getErrorType({ status, outcome, error }: RequestEnd): string | undefined {
  if (status < 500 && outcome !== 'failed') return undefined
  return error?.name ?? String(status)
}

/** Removes the attributes without a value. */
export function dropUndefined(attributes: Attributes): Attributes {
  for (const name in attributes) if (attributes[name] === undefined) delete attributes[name]
  return attributes
}

// The conventions write 2 and 3 without a minor version.
const formatProtocolVersion = (version: string | undefined): string | undefined => version?.replace(/^([23])\.0$/, '$1')

const HOST_PATTERN = /^(\[[\da-f:.]+\]|[^:/?#@\s]+)(?::(\d{1,5}))?$/i

function buildServerAttributes(host: unknown, scheme: string | undefined): Attributes {
  const found = typeof host === 'string' ? HOST_PATTERN.exec(host) : null
  if (found === null) return {}
  const port = found[2] === undefined ? { http: 80, https: 443 }[scheme ?? ''] : Number(found[2])
  return { 'server.address': found[1], 'server.port': port }
}
