// Watches an application from where adapters call it: every answer is handed on, with what the application says of itself.
import type { ResolvedAction, ResolvedEndpoint } from '../../../src/design/resolve/resolved.ts'
import { buildOpenapiDocument, type OpenapiSource } from '../../../src/openapi/document.ts'
import { buildRouteTable } from '../../../src/routing/route-table.ts'
import type { ApplicationOptions } from '../../../src/server/application-options.ts'
import type { Api } from '../../../src/server/create-server.ts'
import { describeProblems } from '../../../src/server/response/problem-encoder.ts'
import type { RawResponse, Send, Transport } from '../../../src/server/transport.ts'
import { type Answered, type Documents, STREAM } from './answered.ts'
import type { Sink } from './sink.ts'

/** An application that is watched. */
export interface Watched {
  documents(): Documents
}

/** A server somewhere else that has the declarations of this one; its clients hand its answers on. */
export const declaredBy = (app: Api, options: ApplicationOptions): Watched => ({
  documents: () => documentsOf(app, options),
})

/** The same server, whose answers come by the sink before they are sent. */
export function watch(server: Api, options: ApplicationOptions, sink: Sink): Api {
  const app = declaredBy(server, options)
  const versioned = server.endpoints.some(({ version }) => version !== undefined)
  const handle = (transport: Transport, send: Send): void =>
    server.handle(transport, (answer) => {
      sink(app, answeredOf(transport, answer, versioned))
      send(answer)
    })
  return Object.freeze({ ...server, handle })
}

function answeredOf({ method, url, headers }: Transport, answer: RawResponse, versioned: boolean): Answered {
  const version = versioned ? headers['x-api-version'] : undefined
  const { status, body } = answer
  const whole = body === null || typeof body === 'string' || body instanceof Uint8Array
  return {
    method,
    url,
    version: typeof version === 'string' ? version : undefined,
    status,
    headers: answer.headers,
    body: whole ? body : STREAM,
  }
}

function documentsOf(server: Api, options: ApplicationOptions): Documents {
  const shown = server.versions.map((version) => server.openapi(version))
  const hidden = server.endpoints.flatMap(hiddenPart)
  if (hidden.length === 0) return { shown, hidden: [] }
  const { encodeProblem, validation, versionWith: carriers = ['path', 'header', 'query'] } = options
  const source: OpenapiSource = {
    openapi: '3.1',
    title: server.title,
    description: undefined,
    metadata: {},
    basePath: server.basePath,
    table: buildRouteTable(hidden, server.basePath),
    carriers,
    validationStatus: validation?.status ?? 400,
    problems: encodeProblem && describeProblems(encodeProblem, options.environment ?? 'test'),
    notes: () => ({}),
    operation: () => ({}),
    members: {},
  }
  const versions = [...new Set(hidden.map(({ version }) => version))]
  return { shown, hidden: versions.map((version) => buildOpenapiDocument(source, version)) }
}

// The actions that documents leave out, as if they did not.
function hiddenPart(endpoint: ResolvedEndpoint): ResolvedEndpoint[] {
  const actions = [...endpoint.actions].filter(([, { nodoc }]) => nodoc || endpoint.nodoc)
  if (actions.length === 0) return []
  const part = { ...endpoint, nodoc: false, actions: new Map<string, ResolvedAction>() }
  for (const [name, action] of actions) part.actions.set(name, { ...action, endpoint: part, nodoc: false })
  return [part]
}
