// Requests: the params, headers and payload of a call, written as the server reads them.

import { FORM_TYPE, isJsonType } from '../design/resolve/consumes.ts'
import type { ActionOutline as Outline, RouteOutline } from '../design/resolve/outline.ts'
import type { PayloadOutline } from '../design/resolve/payload.ts'
import type { PathTemplate } from '../path/path-template.ts'
import { VERSION_PARAM } from '../routing/version.ts'
import type { Attribute } from '../schema/attribute.ts'
import { getChildAttribute } from '../schema/children.ts'
import { isJsonText } from '../schema/structures/json.ts'
import { addToForm, isNullish, isObjectLike, addToQuery, writePairs } from '../schema/structures/pairs.ts'
import { ownValue } from '../util/describe-value.ts'
import type { Around } from './around.ts'
import { CallError } from './call-errors.ts'
import type { ClientOptions } from './types.ts'
import { convertValue } from './convert-value.ts'

type RequestOutline = Omit<Outline, 'responses'>

/** All that a call was made with. */
export interface CallInput {
  readonly params: Readonly<Record<string, unknown>>
  readonly payload: unknown
  readonly headers: Readonly<Record<string, unknown>>
  /** The verb, where not that of the first route. */
  readonly method?: string | undefined
}

/** A call with its settings, and the client that makes it. */
export interface PendingCall {
  readonly action: Outline
  readonly client: ClientOptions
  readonly input: CallInput
  /** Whether bytes are given as they come. */
  readonly stream: boolean
  readonly signal?: AbortSignal | undefined
  readonly timeout?: number | undefined
  readonly attempts?: number | undefined
  readonly around?: Around | readonly Around[] | undefined
}

/** The same with one signal for all that ends it. */
export interface ActiveCall extends PendingCall {
  readonly signal: CombinedSignal
  /** The timer of a pause, which ends with the call. */
  retryTimer?: ReturnType<typeof setTimeout>
}

/** The signal that ends a call; it holds those that it joins, because runtimes collect signals which nothing else refers to. */
interface CombinedSignal extends AbortSignal {
  readonly ends: readonly AbortSignal[]
}

/** A request that can be made as often as it is sent; one whose body is a stream only once. */
export interface PreparedRequest {
  readonly url: string
  /** The params that are in the body. */
  readonly bodyParams: Readonly<Record<string, unknown>>
  readonly init: RequestInit & { readonly method: string; readonly headers: Headers }
}

/** Writes the request of a call; to another address than its own where one is given. */
export async function buildRequest(
  action: RequestOutline,
  sent: CallInput,
  options: ClientOptions,
  address?: string,
): Promise<PreparedRequest> {
  const { headers: given, credentials, versionWith = 'path' } = options
  const headers = new Headers()
  const add = (more: object = {}, declared: RequestOutline['headers'] = {}): void => {
    for (const [name, value] of Object.entries(more)) {
      const text = encodeHeader(ownValue(declared, name), value, name)
      if (text !== undefined) headers.set(name, text)
    }
  }
  for (const policy of action.policies) add(policy.client?.())
  add(typeof given === 'function' ? await given() : given)
  const { version } = action.endpoint
  const carrier = version && versionWith
  if (carrier === 'header') headers.set('X-Api-Version', version as string)
  add(sent.headers, action.headers)
  const { route, path, pairs, bodyParams: inBody } = chooseTarget(action, sent)
  if (carrier === 'query') addToQuery(pairs)(VERSION_PARAM, [version as string])
  const body = inBody === undefined ? encodeBody(action, sent.payload, headers) : encodeParamsBody(action, inBody, headers)
  const prefix = carrier === 'path' ? `/v${encodeURIComponent(version as string)}` : ''
  return {
    url: address ?? `${resolveBaseUrl(options)}${prefix}${path}${pairs.length > 0 ? '?' : ''}${pairs.join('&')}`,
    bodyParams: inBody ?? {},
    init: {
      method: sent.method ?? (route.verb === 'ANY' ? 'GET' : route.verb),
      headers,
      // A redirection is followed within the origin only, which fetch would not look at.
      redirect: 'manual',
      ...(body !== undefined && { body }),
      ...(isReadableStream(body) && { duplex: 'half' }),
      ...(credentials !== undefined && { credentials }),
    },
  }
}

/** Where the API is, without slashes at the end; on a page, a path leads to its own origin. */
export function resolveBaseUrl({ baseUrl }: ClientOptions): string {
  try {
    // Two slashes alone are no URL, wherever they stand.
    const { href } = new URL(baseUrl ?? '//', (globalThis as { readonly location?: { href: string } }).location?.href)
    if (/^https?:[^?#]*$/.test(href)) return href.replace(/\/+$/, '')
  } catch {}
  throw new CallError(`baseUrl must be a URL such as https://api.example, not '${baseUrl}'`)
}

/** Whether a body comes piece by piece; not every runtime has streams. */
export const isReadableStream = (body: unknown): body is ReadableStream =>
  typeof (body as { readonly getReader?: unknown } | null | undefined)?.getReader === 'function'

/** The most characters of a query, where its params may also go into a body. */
const MAX_QUERY_LENGTH = 2000

/** Where the params of a call are put. */
interface RequestTarget {
  readonly route: RouteOutline
  readonly path: string
  /** The pairs of the query. */
  readonly pairs: string[]
  /** Those that go into the body, where the route takes them there. */
  readonly bodyParams: Readonly<Record<string, unknown>> | undefined
}

// The first route whose captures were all given; a long query goes into the body, where another route takes it there.
function chooseTarget(action: RequestOutline, { params, method }: CallInput): RequestTarget {
  const routes = action.routes.filter(({ verb }) => method === undefined || verb === method || verb === 'ANY')
  const missing = ({ pattern }: RouteOutline): readonly string[] =>
    getCaptureNames(pattern, pattern.required).filter((name) => isNullish(ownValue(params, name)))
  const fitting = routes.filter((one) => missing(one).length === 0)
  const [first] = routes
  const [route] = fitting
  if (first === undefined) throw new CallError(`${formatActionName(action)} has no route for ${method}`)
  if (route === undefined) throw new CallError(`${formatActionName(action)}: the params lack ${missing(first).join(', ')}`)
  const placed = buildTarget(route, action, params)
  const other = fitting.find((one) => one.params === 'body')
  return other !== undefined && placed.pairs.join('&').length > MAX_QUERY_LENGTH ? buildTarget(other, action, params) : placed
}

const getCaptureNames = ({ wildcards }: PathTemplate, names: readonly string[]): readonly string[] =>
  wildcards > 0 ? [...names, 'splat'] : names

function buildTarget(route: RouteOutline, action: RequestOutline, params: CallInput['params']): RequestTarget {
  const captures = getCaptureNames(route.pattern, route.pattern.names)
  const inPath: Record<string, unknown> = Object.create(null)
  const inBody: typeof inPath = Object.create(null)
  const pairs: string[] = []
  for (const [name, value] of Object.entries(params)) {
    const attribute = ownValue(action.params, name)
    const text = encodeValue(attribute, value, name)
    if (captures.includes(name)) inPath[name] = text
    else if (route.params === 'body') inBody[name] = text
    else writePairs(addToQuery(pairs), name, text, attribute)
  }
  try {
    const path = route.pattern.expand(inPath)
    return { route, path, pairs, bodyParams: route.params === 'body' ? inBody : undefined }
  } catch (error) {
    throw new CallError(`${formatActionName(action)}: ${(error as Error).message}`)
  }
}

function encodeParamsBody({ params, paramTypes }: RequestOutline, inBody: object, headers: Headers): string {
  const json = findJsonType(paramTypes)
  headers.set('Content-Type', json ?? FORM_TYPE)
  return json === undefined ? encodePairs(inBody, (name) => ownValue(params, name)) : JSON.stringify(inBody)
}

function encodePairs(values: object, attributeOf: (name: string) => Attribute | undefined): string {
  const pairs: string[] = []
  for (const [name, value] of Object.entries(values)) writePairs(addToQuery(pairs), name, value, attributeOf(name))
  return pairs.join('&')
}

/** The action as messages name it: `Books.show`. */
export const formatActionName = ({ endpoint, name }: RequestOutline): string => `${endpoint.name}.${name}`

/** A value as JSON would carry it; what is text already is taken as it is. */
function encodeValue(attribute: Attribute | undefined, value: unknown, name: string): unknown {
  if (attribute === undefined || typeof value === 'string' || isNullish(value)) return value
  const fail = (text: string, pointer: string): never => {
    throw new CallError(`'${name}${pointer}' ${text}`)
  }
  return convertValue(attribute, value, { direction: 'write', fail })
}

function encodeHeader(attribute: Attribute | undefined, value: unknown, name: string): string | undefined {
  const made = encodeValue(attribute, value, name)
  // Headers carry ASCII, in which JSON can say everything.
  if (attribute !== undefined && isJsonText(attribute))
    return JSON.stringify(made)?.replace(/[\u007f-\uffff]/g, escapeUnit)
  return isNullish(made) ? undefined : String(made)
}

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

const JSON_TYPE = 'application/json'

function encodeBody(action: RequestOutline, payload: unknown, headers: Headers): BodyInit | undefined {
  const { payload: declared } = action
  if (declared === undefined || payload === undefined) return undefined
  const { attribute, form, files, consumes } = declared
  const typed = <T>(type: string, body: T): T => {
    if (!headers.has('Content-Type')) headers.set('Content-Type', type)
    return body
  }
  const json = files ? undefined : findJsonType(consumes)
  const raw = findRawType(declared)
  // A text of no bytes would be no body at all, and neither would null be one: JSON has words for both.
  const inWords = form === 'text' && json !== undefined && !payload
  // A file says itself of which type it is.
  if (raw !== undefined && !inWords) return typed((payload instanceof Blob && payload.type) || raw, payload as BodyInit)
  if (json !== undefined) return typed(json, JSON.stringify(encodeValue(attribute, payload, 'payload')))
  if (!isObjectLike(payload)) throw new CallError(`${formatActionName(action)}: a form carries values by their names only`)
  const below = (name: string): Attribute | undefined => getChildAttribute(attribute, name)
  if (!files && consumes.includes(FORM_TYPE))
    return typed(FORM_TYPE, encodePairs(encodeValue(attribute, payload, 'payload') as object, below))
  const parts = new FormData()
  for (const [name, value] of Object.entries(files ? payload : (encodeValue(attribute, payload, 'payload') as object)))
    if (files && value instanceof Blob) parts.append(name, value)
    else writePairs(addToForm(parts), name, files ? encodeValue(below(name), value, name) : value, below(name))
  return parts
}

// A text in a type of JSON would have to be JSON; a file is what it is in any type.
function findRawType({ form, consumes }: PayloadOutline): string | undefined {
  if (form !== 'text' && form !== 'file') return undefined
  const type = form === 'file' ? consumes[0] : consumes.find((one) => !isJsonType(one))
  return type?.replace('*/*', form === 'file' ? 'application/octet-stream' : 'text/*').replace('text/*', 'text/plain')
}

// JSON itself wherever it is accepted; of a range of its kinds, any will do.
const findJsonType = (consumes: readonly string[]): string | undefined =>
  consumes.includes(JSON_TYPE) ? JSON_TYPE : consumes.find(isJsonType)?.replace('*', 'vnd.edict')
