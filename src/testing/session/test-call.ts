// Calls: requests as data, so that they can be made smaller, sent again, and shown to a reader.
import { buildRequest } from '../../client/build-request.ts'
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import type { VersionCarrier } from '../../routing/version.ts'
import type { Credentials } from './check-options.ts'

type CallValues = Readonly<Record<string, unknown>>

/** One request to an action. */
export interface TestCall {
  readonly action: ResolvedAction
  /** The name of the client that sends it; undefined for one without credentials. */
  readonly principal: string | undefined
  readonly params: CallValues
  readonly headers: CallValues
  readonly payload?: unknown
  /** A body in place of the payload, as JSON or as text: one that the client would not send. */
  readonly body?: { readonly json: unknown } | { readonly text: string }
  /** The verb of one of the action's routes, where not that of the first. */
  readonly verb?: string
  /** Another verb than that of the action. */
  readonly method?: string
  /** How it carries its version. */
  readonly versionWith?: VersionCarrier
  /** An address to follow in place of the one that the params make. */
  readonly link?: string
  /** Headers that are sent as they are. */
  readonly raw?: Readonly<Record<string, string>>
}

/** Where calls go, and who sends them. */
export interface CallTarget {
  readonly basePath: string
  readonly principals: ReadonlyMap<string | undefined, Credentials>
  /** The ways in which requests may carry their version. */
  readonly carriers: readonly string[]
}

/** Where applications in process seem to be. */
export const TEST_ORIGIN = 'http://application.test'

/** Names of the errors that a call without a request ends in. */
const UNSENDABLE_ERRORS: ReadonlySet<string> = new Set(['CallError', 'ExpandError', 'TypeError'])

/** Writes a call; undefined for one that no request can be made of. */
export async function buildTestRequest(call: TestCall, target: CallTarget): Promise<Request | undefined> {
  const { basePath, principals, carriers } = target
  const { action, params, payload, body, link, method, raw } = call
  const versionWith = call.versionWith ?? (carriers.includes('path') ? 'path' : carriers[0])
  const credentials = principals.get(call.principal) ?? {}
  const known = new Set(Object.keys(credentials).map((name) => name.toLowerCase()))
  const headers = Object.fromEntries(Object.entries(call.headers).filter(([name]) => !known.has(name.toLowerCase())))
  const options = {
    baseUrl: TEST_ORIGIN + basePath,
    headers: credentials,
    ...(versionWith !== undefined && { versionWith }),
  }
  let made: Request
  try {
    const { url, init } = await buildRequest(
      { ...action, policies: [...action.policies.values()] },
      { params, payload, headers, method: call.verb },
      options as never,
    )
    made = new Request(url, init)
  } catch (error) {
    // The generator may draw what no path or header can carry.
    if (error instanceof Error && UNSENDABLE_ERRORS.has(error.name)) return undefined
    throw error
  }
  if (body === undefined && link === undefined && method === undefined && raw === undefined) return made
  const all = new Headers(made.headers)
  if (body !== undefined && !all.has('Content-Type')) all.set('Content-Type', 'application/json')
  for (const [name, value] of Object.entries(raw ?? {})) all.set(name, value)
  const verb = method ?? made.method
  const isBare = verb === 'GET' || verb === 'HEAD' || verb === 'OPTIONS'
  const sent = body === undefined ? await made.arrayBuffer() : encodeRawBody(body)
  return new Request(link === undefined ? made.url : new URL(link, made.url), {
    method: verb,
    headers: all,
    ...(!isBare && (body !== undefined || made.body !== null) && { body: sent }),
  })
}

const encodeRawBody = (body: NonNullable<TestCall['body']>): string => ('text' in body ? body.text : JSON.stringify(body.json))

/** The endpoint and the action, as `Books.show`. */
export const getActionName = ({ endpoint, name }: ResolvedAction): string => `${endpoint.name}.${name}`
