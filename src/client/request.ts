// Requests: the params, headers and payload of a call, written as the server reads them.
import { FORM_TYPE, isJsonType } from '../design/resolve/consumes.ts'
import type { ActionOutline, RouteOutline } from '../design/resolve/outline.ts'
import type { ResolvedPayload } from '../design/resolve/resolved.ts'
import { VERSION_PARAM } from '../routing/version.ts'
import type { Attribute } from '../schema/attribute.ts'
import { childAt } from '../schema/structures/children.ts'
import { isFile } from '../schema/structures/file.ts'
import { isJsonText } from '../schema/structures/json.ts'
import { FormText, isStructure, QueryText, writePairs } from '../schema/structures/pairs.ts'
import { CallError } from './thrown.ts'
import type { ClientOptions } from './types.ts'
import { write } from './values.ts'

/** All that a call was made with. */
export interface Sent {
  readonly params: Readonly<Record<string, unknown>>
  readonly payload: unknown
  readonly headers: Readonly<Record<string, unknown>>
  /** The verb, where not that of the first route. */
  readonly method?: string | undefined
}

/** A request that can be made as often as it is sent; one whose body is a stream only once. */
export interface Prepared {
  readonly url: string
  /** The params that are in the body. */
  readonly inBody: Readonly<Record<string, unknown>>
  readonly init: RequestInit & { readonly method: string; readonly headers: Headers }
}

/** Writes the request of a call. */
export async function requestOf(action: ActionOutline, sent: Sent, options: ClientOptions): Promise<Prepared> {
  const headers = await headersOf(action, options)
  const { version } = action.endpoint
  const carrier = version === undefined ? undefined : (options.versionWith ?? 'path')
  if (carrier === 'header') headers.set('X-Api-Version', version as string)
  for (const [name, value] of Object.entries(sent.headers)) {
    const text = headerText(action.headers[name], value, name)
    if (text !== undefined) headers.set(name, text)
  }
  const { route, path, query, inBody } = placedIn(action, sent)
  if (carrier === 'query') query.add(VERSION_PARAM, version as string)
  const prefix = carrier === 'path' ? `/v${encodeURIComponent(version as string)}` : ''
  const body = inBody === undefined ? bodyOf(action, sent.payload, headers) : paramsOf(action, inBody, headers)
  const search = query.pairs.length === 0 ? '' : `?${query.pairs.join('&')}`
  return {
    url: baseOf(options) + prefix + path + search,
    inBody: inBody ?? {},
    init: {
      method: verbOf(route, sent),
      headers,
      // A redirection is followed within the origin only, which fetch would not look at.
      redirect: 'manual',
      ...(body !== undefined && { body }),
      ...(body instanceof ReadableStream && { duplex: 'half' }),
      ...(options.credentials !== undefined && { credentials: options.credentials }),
    },
  }
}

/** Where the API is, without slashes at the end. */
export const baseOf = ({ baseUrl }: ClientOptions): string => baseUrl.replace(/\/+$/, '')

async function headersOf(action: ActionOutline, { headers: given }: ClientOptions): Promise<Headers> {
  const headers = new Headers(typeof given === 'function' ? await given() : given)
  for (const policy of action.policies.values())
    for (const [name, value] of Object.entries(policy.client?.() ?? {}))
      if (!headers.has(name)) headers.set(name, value)
  return headers
}

const verbOf = ({ verb }: RouteOutline, { method }: Sent): string => method ?? (verb === 'ANY' ? 'GET' : verb)

/** The most characters of a query, where its params may also go into a body. */
const LONG_QUERY = 2000

/** Where the params of a call are put. */
interface Placed {
  readonly route: RouteOutline
  readonly path: string
  readonly query: QueryText
  /** Those that go into the body, where the route takes them there. */
  readonly inBody: Readonly<Record<string, unknown>> | undefined
}

// The first route whose captures were all given; a long query goes into the body, where another route takes it there.
function placedIn(action: ActionOutline, sent: Sent): Placed {
  const routes = fittingRoutes(action, sent)
  const [first] = routes as [RouteOutline]
  const placed = placedAt(first, action, sent.params)
  const other = placed.inBody === undefined ? routes.find(({ params }) => params === 'body') : undefined
  const isLong = placed.query.pairs.join('&').length > LONG_QUERY
  return other !== undefined && isLong ? placedAt(other, action, sent.params) : placed
}

function fittingRoutes(action: ActionOutline, { params, method }: Sent): readonly RouteOutline[] {
  const isGiven = (name: string): boolean => params[name] !== undefined && params[name] !== null
  const needs = ({ pattern }: RouteOutline): readonly string[] =>
    pattern.wildcards > 0 ? [...pattern.required, 'splat'] : pattern.required
  const routes = action.routes.filter(({ verb }) => method === undefined || verb === method || verb === 'ANY')
  const [first] = routes
  if (first === undefined) throw new CallError(`${placeOf(action)} has no route for ${method}`)
  const fitting = routes.filter((one) => needs(one).every(isGiven))
  if (fitting.length > 0) return fitting
  const missing = needs(first).filter((name) => !isGiven(name))
  throw new CallError(`${placeOf(action)}: the params lack ${missing.join(', ')}`)
}

function placedAt(route: RouteOutline, action: ActionOutline, params: Sent['params']): Placed {
  const captured = new Set([...route.pattern.names, ...(route.pattern.wildcards > 0 ? ['splat'] : [])])
  const [inPath, rest] = [new Map<string, unknown>(), new Map<string, unknown>()]
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined) continue
    const place = captured.has(name) ? inPath : rest
    place.set(name, written(action.params[name], value, name))
  }
  const path = expanded(action, route, Object.fromEntries(inPath))
  const query = new QueryText()
  if (route.params === 'body') return { route, path, query, inBody: Object.fromEntries(rest) }
  for (const [name, value] of rest) writePairs(query, name, value, action.params[name])
  return { route, path, query, inBody: undefined }
}

function paramsOf({ params, paramTypes }: ActionOutline, inBody: object, headers: Headers): string {
  const json = jsonTypeOf(paramTypes)
  headers.set('Content-Type', json ?? FORM_TYPE)
  if (json !== undefined) return JSON.stringify(inBody)
  const form = new QueryText()
  for (const [name, value] of Object.entries(inBody)) writePairs(form, name, value, params[name])
  return form.pairs.join('&')
}

function expanded(action: ActionOutline, { pattern }: RouteOutline, values: Record<string, unknown>): string {
  try {
    return pattern.expand(values)
  } catch (error) {
    throw new CallError(`${placeOf(action)}: ${(error as Error).message}`)
  }
}

/** The action as messages name it: `Books.show`. */
export const placeOf = ({ endpoint, name }: ActionOutline): string => `${endpoint.name}.${name}`

/** A value as JSON would carry it; what is text already is taken as it is. */
function written(attribute: Attribute | undefined, value: unknown, name: string): unknown {
  if (attribute === undefined || typeof value === 'string' || value === null) return value
  const { value: made, flaw } = write(attribute, value)
  if (flaw !== undefined) throw new CallError(`'${name}' ${flaw.text}`)
  return made
}

function headerText(attribute: Attribute | undefined, value: unknown, name: string): string | undefined {
  if (value === undefined) return undefined
  // Headers carry ASCII, in which JSON can say everything.
  if (attribute !== undefined && isJsonText(attribute))
    return JSON.stringify(written(attribute, value, name)).replace(/[\u007f-\uffff]/g, escapedUnit)
  return value === null ? undefined : String(written(attribute, value, name))
}

const escapedUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

const JSON_TYPE = 'application/json'
const OCTETS = 'application/octet-stream'

function bodyOf(action: ActionOutline, payload: unknown, headers: Headers): BodyInit | undefined {
  const { payload: declared } = action
  if (declared === undefined || payload === undefined) return undefined
  const typed = (type: string): void => {
    if (!headers.has('Content-Type')) headers.set('Content-Type', type)
  }
  const json = declared.files ? undefined : jsonTypeOf(declared.consumes)
  const raw = rawTypeOf(declared)
  // A text of no bytes would be no body at all, and neither would null be one: JSON has words for both.
  const inWords = declared.form === 'text' && json !== undefined && (payload === '' || payload === null)
  if (raw !== undefined && !inWords) {
    // A file says itself of which type it is.
    typed(payload instanceof Blob && payload.type !== '' ? payload.type : raw)
    return payload as BodyInit
  }
  if (json !== undefined) {
    typed(json)
    return JSON.stringify(written(declared.attribute, payload, 'payload'))
  }
  if (!isStructure(payload)) throw new CallError(`${placeOf(action)}: a form carries values by their names only`)
  if (declared.files) return filesOf(payload, declared.attribute)
  const whole = written(declared.attribute, payload, 'payload') as object
  const target = declared.consumes.includes(FORM_TYPE) ? new QueryText() : new FormText()
  for (const [name, value] of Object.entries(whole)) writePairs(target, name, value, childAt(declared.attribute, name))
  if (target instanceof FormText) return target.form
  typed(FORM_TYPE)
  return target.pairs.join('&')
}

// A text in a type of JSON would have to be JSON; a file is what it is in any type.
function rawTypeOf({ form, consumes }: ResolvedPayload): string | undefined {
  if (form !== 'text' && form !== 'file') return undefined
  const named = form === 'file' ? consumes[0] : consumes.find((type) => !isJsonType(type))
  return named?.replace('*/*', form === 'file' ? OCTETS : 'text/plain').replace('text/*', 'text/plain')
}

// JSON itself wherever it is accepted; of a range of its kinds, any will do.
function jsonTypeOf(consumes: readonly string[]): string | undefined {
  if (consumes.includes(JSON_TYPE)) return JSON_TYPE
  return consumes.find(isJsonType)?.replace('*', 'vnd.edict')
}

function filesOf(payload: object, structure: Attribute): FormData {
  const target = new FormText()
  const { form } = target
  for (const [name, value] of Object.entries(payload)) {
    const attribute = childAt(structure, name)
    if (value instanceof Blob) form.append(name, value)
    else if (isFile(value)) throw new CallError(`'${name}' is a file that was received; send a Blob or a File`)
    else writePairs(target, name, written(attribute, value, name), attribute)
  }
  return form
}
