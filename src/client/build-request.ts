// Builds requests: encodes the params, headers and payload of a call as the server reads them.

import type { PathTemplate } from '../path/path-template.ts'
import { VERSION_PARAM } from '../routing/version.ts'
import type { Attribute } from '../schema/attribute.ts'
import { isJsonText } from '../schema/structures/json.ts'
import { addToQuery, isNullish, writePairs } from '../schema/structures/pairs.ts'
import { getOwnValue } from '../util/describe-value.ts'
import { CallError } from './call-errors.ts'
import type { CallInput, CallRoute, CallTable, PreparedRequest } from './call-table.ts'
import { encodeValue } from './encode-value.ts'
import type { ClientOptions } from './types.ts'

/** The part of a table that requests are made of. */
export type RequestTable = Pick<
  CallTable,
  'endpoint' | 'name' | 'routes' | 'params' | 'headers' | 'policies' | 'writeBody' | 'writeParams'
>

/** Builds the request of a call. `address` replaces its URL. */
export async function buildRequest(
  action: RequestTable,
  input: CallInput,
  options: ClientOptions,
  address?: string,
): Promise<PreparedRequest> {
  const { headers: clientHeaders, credentials, versionWith = 'path' } = options
  const headers = new Headers()
  const add = (more: object = {}, declared: RequestTable['headers'] = {}): void => {
    for (const [name, value] of Object.entries(more)) {
      const text = encodeHeader(getOwnValue(declared, name), value, name)
      if (text !== undefined) headers.set(name, text)
    }
  }
  for (const policy of action.policies) add(policy.client?.())
  add(typeof clientHeaders === 'function' ? await clientHeaders() : clientHeaders)
  const { version } = action.endpoint
  const carrier = version && versionWith
  if (carrier === 'header') headers.set('X-Api-Version', version as string)
  add(input.headers, action.headers)
  const { route, path, pairs, bodyParams } = chooseTarget(action, input)
  if (carrier === 'query') addToQuery(pairs)(VERSION_PARAM, [version as string])
  const body =
    bodyParams === undefined
      ? action.writeBody?.(input.payload, headers, formatActionName(action))
      : action.writeParams?.(bodyParams, headers)
  const prefix = carrier === 'path' ? `/v${encodeURIComponent(version as string)}` : ''
  return {
    url: address ?? `${resolveBaseUrl(options)}${prefix}${path}${pairs.length > 0 ? '?' : ''}${pairs.join('&')}`,
    bodyParams: bodyParams ?? {},
    init: {
      method: input.method ?? (route.verb === 'ANY' ? 'GET' : route.verb),
      headers,
      // `fetch` would follow redirects to other origins; the client follows them within the origin only.
      redirect: 'manual',
      ...(body !== undefined && { body }),
      ...(isReadableStream(body) && { duplex: 'half' }),
      ...(credentials !== undefined && { credentials }),
    },
  }
}

/** Returns the base URL without trailing slashes. In a browser, a path is resolved against the page. */
export function resolveBaseUrl({ baseUrl }: ClientOptions): string {
  try {
    // `//` is never a valid URL, so a missing `baseUrl` fails.
    const { href } = new URL(baseUrl ?? '//', (globalThis as { readonly location?: { href: string } }).location?.href)
    if (/^https?:[^?#]*$/.test(href)) return href.replace(/\/+$/, '')
  } catch {}
  throw new CallError(`baseUrl must be a URL such as https://api.example, not '${baseUrl}'`)
}

/** Returns whether a body is a stream; some runtimes have no streams. */
export const isReadableStream = (body: unknown): body is ReadableStream =>
  typeof (body as { readonly getReader?: unknown } | null | undefined)?.getReader === 'function'

/** The maximum length of a query whose params may also be sent in the body. */
const MAX_QUERY_LENGTH = 2000

/** The route of a call, and the distribution of its params. */
interface RequestTarget {
  readonly route: CallRoute
  readonly path: string
  /** The encoded pairs of the query. */
  readonly pairs: string[]
  /** The params in the body, if the route takes them there. */
  readonly bodyParams: Readonly<Record<string, unknown>> | undefined
}

// Chooses the first route whose captures are all present. A long query moves to the body if another route takes it there.
function chooseTarget(action: RequestTable, { params, method }: CallInput): RequestTarget {
  const routes = action.routes.filter(({ verb }) => method === undefined || verb === method || verb === 'ANY')
  const findMissing = ({ pattern }: CallRoute): readonly string[] =>
    getCaptureNames(pattern, pattern.required).filter((name) => isNullish(getOwnValue(params, name)))
  const fitting = routes.filter((one) => findMissing(one).length === 0)
  const [first] = routes
  const [route] = fitting
  if (first === undefined) throw new CallError(`${formatActionName(action)} has no route for ${method}`)
  if (route === undefined)
    throw new CallError(`${formatActionName(action)}: the params lack ${findMissing(first).join(', ')}`)
  const target = buildTarget(route, action, params)
  const other = fitting.find((one) => one.params === 'body')
  return other !== undefined && target.pairs.join('&').length > MAX_QUERY_LENGTH
    ? buildTarget(other, action, params)
    : target
}

const getCaptureNames = ({ wildcards }: PathTemplate, names: readonly string[]): readonly string[] =>
  wildcards > 0 ? [...names, 'splat'] : names

function buildTarget(route: CallRoute, action: RequestTable, params: CallInput['params']): RequestTarget {
  const captures = getCaptureNames(route.pattern, route.pattern.names)
  const pathParams: Record<string, unknown> = Object.create(null)
  const bodyParams: typeof pathParams = Object.create(null)
  const pairs: string[] = []
  for (const [name, value] of Object.entries(params)) {
    const attribute = getOwnValue(action.params, name)
    const text = encodeValue(attribute, value, name)
    if (captures.includes(name)) pathParams[name] = text
    else if (route.params === 'body') bodyParams[name] = text
    else writePairs(addToQuery(pairs), name, text, attribute)
  }
  try {
    const path = route.pattern.expand(pathParams)
    return { route, path, pairs, bodyParams: route.params === 'body' ? bodyParams : undefined }
  } catch (error) {
    throw new CallError(`${formatActionName(action)}: ${(error as Error).message}`)
  }
}

/** Formats the name of an action for messages: `Books.show`. */
export const formatActionName = ({ endpoint, name }: RequestTable): string => `${endpoint.name}.${name}`

function encodeHeader(attribute: Attribute | undefined, value: unknown, name: string): string | undefined {
  const encoded = encodeValue(attribute, value, name)
  // Headers are ASCII, so other characters are escaped in JSON.
  if (attribute !== undefined && isJsonText(attribute))
    return JSON.stringify(encoded)?.replace(/[\u007f-\uffff]/g, escapeUnit)
  return isNullish(encoded) ? undefined : String(encoded)
}

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
