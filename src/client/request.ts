// Requests: the params, headers and payload of a call, written as the server reads them.
import { FORM_TYPE, isJsonType } from '../design/resolve/consumes.ts'
import type { ResolvedAction, ResolvedPayload, ResolvedRoute } from '../design/resolve/resolved.ts'
import { VERSION_PARAM } from '../routing/version.ts'
import type { Attribute } from '../schema/attribute.ts'
import { type Dumper, Dumping } from '../schema/dumping.ts'
import { INVALID } from '../schema/issue.ts'
import { type Delimiter, delimitedOf } from '../schema/structures/array.ts'
import { childAt } from '../schema/structures/children.ts'
import { isFile } from '../schema/structures/file.ts'
import { isJsonText } from '../schema/structures/json.ts'
import { CallError } from './thrown.ts'
import type { ClientOptions } from './types.ts'
import { sent } from './whole.ts'

/** All that a call was made with. */
export interface Sent {
  readonly params: Readonly<Record<string, unknown>>
  readonly payload: unknown
  readonly headers: Readonly<Record<string, unknown>>
}

/** A request that can be made as often as it is sent; one whose body is a stream only once. */
export interface Prepared {
  readonly url: string
  readonly init: RequestInit & { readonly method: string; readonly headers: Headers }
}

/** Writes the request of a call. */
export async function requestOf(action: ResolvedAction, sent: Sent, options: ClientOptions): Promise<Prepared> {
  const headers = await headersOf(action, options)
  const { path, rest } = pathOf(action, sent.params)
  const { version } = action.endpoint
  const query = queryOf(action, rest)
  const carrier = version === undefined ? undefined : (options.versionWith ?? 'path')
  if (carrier === 'header') headers.set('X-Api-Version', version as string)
  if (carrier === 'query') query.add(VERSION_PARAM, version as string)
  const prefix = carrier === 'path' ? `/v${encodeURIComponent(version as string)}` : ''
  for (const [name, value] of Object.entries(sent.headers)) {
    const text = headerText(action.headers[name], value, name)
    if (text !== undefined) headers.set(name, text)
  }
  const body = bodyOf(action, sent.payload, headers)
  const search = query.pairs.length === 0 ? '' : `?${query.pairs.join('&')}`
  return {
    url: baseOf(options) + prefix + path + search,
    init: {
      method: verbOf(action),
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

async function headersOf(action: ResolvedAction, { headers: given }: ClientOptions): Promise<Headers> {
  const headers = new Headers(typeof given === 'function' ? await given() : given)
  for (const policy of action.policies.values())
    for (const [name, value] of Object.entries(policy.client?.() ?? {}))
      if (!headers.has(name)) headers.set(name, value)
  return headers
}

function verbOf({ routes }: ResolvedAction): string {
  const { verb } = routes[0] as ResolvedRoute
  return verb === 'ANY' ? 'GET' : verb
}

// The first route whose captures were all given; what it does not capture goes into the query.
function pathOf(
  action: ResolvedAction,
  params: Readonly<Record<string, unknown>>,
): { readonly path: string; readonly rest: [string, unknown][] } {
  const isGiven = (name: string): boolean => params[name] !== undefined && params[name] !== null
  const needs = ({ pattern }: ResolvedRoute): readonly string[] =>
    pattern.wildcards > 0 ? [...pattern.required, 'splat'] : pattern.required
  const route = action.routes.find((one) => needs(one).every(isGiven))
  if (route === undefined) {
    const missing = needs(action.routes[0] as ResolvedRoute).filter((name) => !isGiven(name))
    throw new CallError(`${placeOf(action)}: the params lack ${missing.join(', ')}`)
  }
  const captured = new Set([...route.pattern.names, ...(route.pattern.wildcards > 0 ? ['splat'] : [])])
  const [inPath, rest] = [new Map<string, unknown>(), [] as [string, unknown][]]
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined) continue
    if (captured.has(name)) inPath.set(name, written(action.params[name], value, name))
    else rest.push([name, value])
  }
  return { path: route.pattern.expand(Object.fromEntries(inPath) as never), rest }
}

/** The action as messages name it: `Books.show`. */
export const placeOf = ({ endpoint, name }: ResolvedAction): string => `${endpoint.name}.${name}`

const dumpers = new WeakMap<Attribute, Dumper>()

function dumperOf(attribute: Attribute): Dumper {
  let dumper = dumpers.get(attribute)
  if (dumper === undefined) {
    dumper = sent(attribute).core.dumper
    dumpers.set(attribute, dumper)
  }
  return dumper
}

/** A value as JSON would carry it; what is text already is taken as it is. */
function written(attribute: Attribute | undefined, value: unknown, name: string): unknown {
  if (attribute === undefined || typeof value === 'string' || value === null) return value
  // Limits are the server's to judge: what it says about them is said in its answer.
  const dumping = new Dumping(false)
  const dumped = dumperOf(attribute)(value, dumping)
  const issue = dumping.issues?.[0]
  if (dumped === INVALID || issue !== undefined)
    throw new CallError(`'${name}' ${issue?.message ?? 'does not fit its declaration'}`)
  return dumped
}

function headerText(attribute: Attribute | undefined, value: unknown, name: string): string | undefined {
  if (value === undefined) return undefined
  // Headers carry ASCII, in which JSON can say everything.
  if (attribute !== undefined && isJsonText(attribute))
    return JSON.stringify(written(attribute, value, name)).replace(/[\u007f-\uffff]/g, escapedUnit)
  return value === null ? undefined : String(written(attribute, value, name))
}

const escapedUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

function queryOf({ params }: ResolvedAction, rest: readonly [string, unknown][]): QueryText {
  const query = new QueryText()
  for (const [name, value] of rest) append(query, name, written(params[name], value, name), params[name])
  return query
}

/** Where named texts are written to. */
interface Target {
  add(name: string, value: string): void
  /** Writes a list as one text; false when it would be read as another list. */
  addList(name: string, elements: readonly string[], delimiter: Delimiter): boolean
}

/** A query that is being written. */
class QueryText implements Target {
  readonly pairs: string[] = []

  add(name: string, value: string): void {
    this.pairs.push(`${escaped(name)}=${escaped(value)}`)
  }

  // A comma in an element is escaped, and tells itself from those between them.
  addList(name: string, elements: readonly string[], delimiter: Delimiter): boolean {
    if (delimiter !== ',' && elements.some((one) => one.includes(delimiter))) return false
    this.pairs.push(`${escaped(name)}=${elements.map(escaped).join(delimiter === ',' ? ',' : escaped(delimiter))}`)
    return true
  }
}

const escaped = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1)

/** A multipart body that is being written. */
class FormText implements Target {
  readonly form = new FormData()

  add(name: string, value: string): void {
    this.form.append(name, value)
  }

  addList(name: string, elements: readonly string[], delimiter: Delimiter): boolean {
    if (elements.some((one) => one.includes(delimiter))) return false
    this.form.append(name, elements.join(delimiter))
    return true
  }
}

function append(target: Target, name: string, value: unknown, attribute: Attribute | undefined): void {
  if (value === undefined) return
  if (attribute !== undefined && isJsonText(attribute)) return target.add(name, JSON.stringify(value))
  if (value === null) return
  if (Array.isArray(value)) appendList(target, name, value, attribute)
  else if (isStructure(value)) {
    for (const [key, one] of Object.entries(value))
      append(target, `${name}[${key}]`, one, attribute && childAt(attribute, key))
  } else target.add(name, String(value))
}

function appendList(target: Target, name: string, list: readonly unknown[], attribute: Attribute | undefined): void {
  const delimited = attribute && delimitedOf(attribute)
  // The text of no characters is the list of no elements, not of one empty text.
  if (delimited !== undefined && !(list.length === 1 && list[0] === '') && !list.some(isNothing)) {
    if (target.addList(name, list.map(String), delimited.delimiter)) return
  }
  // The parts of a structure in a list find each other by the number of their element.
  const numbered = list.some(isStructure)
  for (const [i, one] of list.entries())
    append(target, numbered ? `${name}[${i}]` : `${name}[]`, one, attribute && childAt(attribute, ''))
}

const isNothing = (value: unknown): boolean => value === undefined || value === null

const isStructure = (value: unknown): value is object => typeof value === 'object' && value !== null

const JSON_TYPE = 'application/json'
const OCTETS = 'application/octet-stream'

function bodyOf(action: ResolvedAction, payload: unknown, headers: Headers): BodyInit | undefined {
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
  for (const [name, value] of Object.entries(whole)) append(target, name, value, childAt(declared.attribute, name))
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
    else append(target, name, written(attribute, value, name), attribute)
  }
  return form
}
