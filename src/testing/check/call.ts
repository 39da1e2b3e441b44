// Calls: requests as data, so that they can be made smaller, sent again, and shown to a reader.
import { requestOf } from '../../client/request.ts'
import type { Selection } from '../../design/fields/selection.ts'
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import type { VersionCarrier } from '../../routing/version.ts'
import type { Credentials } from './options.ts'

type Values = Readonly<Record<string, unknown>>

/** One request to an action. */
export interface Call {
  readonly action: ResolvedAction
  /** The name of the client that sends it; undefined for one without credentials. */
  readonly principal: string | undefined
  readonly params: Values
  readonly headers: Values
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
export interface Target {
  readonly basePath: string
  readonly principals: ReadonlyMap<string | undefined, Credentials>
  /** The ways in which requests may carry their version. */
  readonly carriers: readonly string[]
}

/** Where applications in process seem to be. */
export const ORIGIN = 'http://application.test'

/** Names of the errors that a call without a request ends in. */
const UNSENDABLE: ReadonlySet<string> = new Set(['CallError', 'ExpandError', 'TypeError'])

/** Writes a call; undefined for one that no request can be made of. */
export async function requestFor(call: Call, target: Target): Promise<Request | undefined> {
  const { basePath, principals, carriers } = target
  const { action, params, payload, body, link, method, raw } = call
  const versionWith = call.versionWith ?? (carriers.includes('path') ? 'path' : carriers[0])
  const credentials = principals.get(call.principal) ?? {}
  const known = new Set(Object.keys(credentials).map((name) => name.toLowerCase()))
  const headers = Object.fromEntries(Object.entries(call.headers).filter(([name]) => !known.has(name.toLowerCase())))
  const options = {
    baseUrl: ORIGIN + basePath,
    headers: credentials,
    ...(versionWith !== undefined && { versionWith }),
  }
  let made: Request
  try {
    const { url, init } = await requestOf(
      { ...action, policies: [...action.policies.values()] },
      { params, payload, headers, method: call.verb },
      options as never,
    )
    made = new Request(url, init)
  } catch (error) {
    // The generator may draw what no path or header can carry.
    if (error instanceof Error && UNSENDABLE.has(error.name)) return undefined
    throw error
  }
  if (body === undefined && link === undefined && method === undefined && raw === undefined) return made
  const all = new Headers(made.headers)
  if (body !== undefined && !all.has('Content-Type')) all.set('Content-Type', 'application/json')
  for (const [name, value] of Object.entries(raw ?? {})) all.set(name, value)
  const verb = method ?? made.method
  const isBare = verb === 'GET' || verb === 'HEAD' || verb === 'OPTIONS'
  const sent = body === undefined ? await made.arrayBuffer() : textOf(body)
  return new Request(link === undefined ? made.url : new URL(link, made.url), {
    method: verb,
    headers: all,
    ...(!isBare && (body !== undefined || made.body !== null) && { body: sent }),
  })
}

const textOf = (body: NonNullable<Call['body']>): string => ('text' in body ? body.text : JSON.stringify(body.json))

/** The endpoint and the action, as `Books.show`. */
export const nameOf = ({ endpoint, name }: ResolvedAction): string => `${endpoint.name}.${name}`

// --- for readers -------------------------------------------------------------------------

/** A request as a line of the shell. */
export async function curlOf(request: Request): Promise<string> {
  const { pathname, search } = new URL(request.url)
  const parts = ['curl -i']
  if (request.method === 'HEAD') parts[0] = 'curl -I'
  else if (request.method !== 'GET') parts.push(`-X ${request.method}`)
  parts.push(quoted(`http://localhost:3000${pathname}${search}`))
  const type = request.headers.get('Content-Type') ?? ''
  for (const [name, value] of request.headers)
    if (!(name === 'content-type' && type.startsWith('multipart/'))) parts.push(`-H ${quoted(`${name}: ${value}`)}`)
  if (request.body !== null) {
    const text = await request.clone().text()
    parts.push(/^multipart\//.test(type) ? `--form …` : `--data-raw ${quoted(text)}`)
  }
  return parts.join(' ')
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** A call of the client; one that the types refuse is shown all the same. */
export function clientCallOf({ action, params, headers, payload, body, method, link, raw, verb }: Call): string {
  const options = {
    ...(payload !== undefined && body === undefined && { payload }),
    ...(body !== undefined && 'json' in body && { payload: body.json }),
    ...(verb !== undefined && { method: verb }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(raw !== undefined && { headers: { ...headers, ...raw } }),
  }
  const args = [literal(params), ...(Object.keys(options).length === 0 ? [] : [literal(options)])]
  const shown = args.length === 1 && args[0] === '{}' ? '' : args.join(', ')
  const isOther = method !== undefined || link !== undefined || (body !== undefined && 'text' in body)
  const note = isOther ? ' // the client has no call for exactly this' : ''
  return `await api.${nameOf(action)}(${shown})${note}`
}

/** A value as it is written in a program. */
function literal(value: unknown): string {
  if (value instanceof Date) return `new Date('${Number.isNaN(value.getTime()) ? '' : value.toISOString()}')`
  if (typeof value === 'bigint') return `${value}n`
  if (value instanceof Blob) return `new Blob(['…'], { type: '${value.type}' })`
  if (isSelection(value)) return literal(pathsOf(value))
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  const entries = Object.entries(value).filter(([, one]) => one !== undefined)
  return entries.length === 0
    ? '{}'
    : `{ ${entries.map(([name, one]) => `${keyOf(name)}: ${literal(one)}`).join(', ')} }`
}

const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))

const isSelection = (value: unknown): value is Selection =>
  typeof value === 'object' && value !== null && 'fields' in value && value.fields instanceof Map

/** The paths of a selection, as the client takes them. */
const pathsOf = ({ fields }: Selection): string[] =>
  [...fields].flatMap(([name, below]) =>
    below === undefined ? [name] : pathsOf(below).map((path) => `${name}.${path}`),
  )
