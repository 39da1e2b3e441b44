// Calls: requests as data, so that they can be shrunk, repeated and printed.
import { buildRequest } from '../../client/build-request.ts'
import { getBodyWriters } from '../../client/declared-calls.ts'
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import type { VersionCarrier } from '../../routing/version.ts'
import type { Credentials } from './check-options.ts'

type CallValues = Readonly<Record<string, unknown>>

/** One request to an action. */
export interface TestCall {
  readonly action: ResolvedAction
  /** The name of the client that sends the call; undefined for a client without credentials. */
  readonly principal: string | undefined
  readonly params: CallValues
  readonly headers: CallValues
  readonly payload?: unknown
  /** A raw body, as JSON or text, that replaces the payload: one that the client would not send. */
  readonly body?: { readonly json: unknown } | { readonly text: string }
  /** The method of one of the action's routes, if not that of the first. */
  readonly verb?: string
  /** A method that the action does not have. */
  readonly method?: string
  /** The part of the request that carries the version. */
  readonly versionWith?: VersionCarrier
  /** A URL to request instead of the one built from the params. */
  readonly link?: string
  /** Headers that are sent verbatim. */
  readonly rawHeaders?: Readonly<Record<string, string>>
}

/** The application that receives calls, and the clients that send them. */
export interface CallTarget {
  readonly basePath: string
  readonly principals: ReadonlyMap<string | undefined, Credentials>
  /** The ways in which a request may carry its version. */
  readonly versionCarriers: readonly string[]
}

/** The origin of applications under test. */
export const TEST_ORIGIN = 'http://application.test'

/** The names of the errors thrown for a call that no request can express. */
const UNSENDABLE_ERRORS: ReadonlySet<string> = new Set(['CallError', 'ExpandError', 'TypeError'])

/** Builds the request of a call; returns undefined when no request can express it. */
export async function buildTestRequest(call: TestCall, target: CallTarget): Promise<Request | undefined> {
  const { basePath, principals, versionCarriers: carriers } = target
  const { action, params, payload, body, link, method, rawHeaders: raw } = call
  const versionWith = call.versionWith ?? (carriers.includes('path') ? 'path' : carriers[0])
  const credentials = principals.get(call.principal) ?? {}
  const known = new Set(Object.keys(credentials).map((name) => name.toLowerCase()))
  const ownHeaders = Object.fromEntries(Object.entries(call.headers).filter(([name]) => !known.has(name.toLowerCase())))
  const options = {
    baseUrl: TEST_ORIGIN + basePath,
    headers: credentials,
    ...(versionWith !== undefined && { versionWith }),
  }
  let request: Request
  try {
    const { url, init } = await buildRequest(
      { ...action, policies: [...action.policies.values()], ...getBodyWriters(action) },
      { params, payload, headers: ownHeaders, method: call.verb },
      options as never,
    )
    request = new Request(url, init)
  } catch (error) {
    // Draws may contain values that no path or header can carry.
    if (error instanceof Error && UNSENDABLE_ERRORS.has(error.name)) return undefined
    throw error
  }
  if (body === undefined && link === undefined && method === undefined && raw === undefined) return request
  const headers = new Headers(request.headers)
  if (body !== undefined && !headers.has('Content-Type')) headers.set('Content-Type', 'application/json')
  for (const [name, value] of Object.entries(raw ?? {})) headers.set(name, value)
  const verb = method ?? request.method
  const isBodyless = verb === 'GET' || verb === 'HEAD' || verb === 'OPTIONS'
  const content = body === undefined ? await request.arrayBuffer() : encodeRawBody(body)
  return new Request(link === undefined ? request.url : new URL(link, request.url), {
    method: verb,
    headers,
    ...(!isBodyless && (body !== undefined || request.body !== null) && { body: content }),
  })
}

const encodeRawBody = (body: NonNullable<TestCall['body']>): string =>
  'text' in body ? body.text : JSON.stringify(body.json)

/** Returns the endpoint and the action, as `Books.show`. */
export const getActionName = ({ endpoint, name }: ResolvedAction): string => `${endpoint.name}.${name}`

export { hasVerb } from '../../mock/resource-index.ts'
