// Reads responses: matches them with the declared ones and parses their bodies, so that dates are `Date` again.

import { getMediaTypeIdentifier } from '../design/declare/action-response.ts'
import type { ResolvedBody } from '../design/resolve/resolved.ts'
import type { Attribute } from '../schema/attribute.ts'
import { getOwnValue } from '../util/describe-value.ts'
import { getEssence, isJsonType } from '../util/media-type.ts'
import { type ActiveCall, formatActionName } from './build-request.ts'
import { type AnyCallResponse, ResponseError } from './call-errors.ts'
import { convertValue } from './convert-value.ts'

/** Reads the response of a call. */
export async function readResponse(call: ActiveCall, response: Response): Promise<AnyCallResponse> {
  const { action, client } = call
  const { status, headers } = response
  const type = getEssence(headers.get('Content-Type') ?? '')
  const hasType = ({ identifier }: ResolvedBody): boolean => getEssence(identifier) === type
  // Several responses may have the same status; the type of the body distinguishes them. A failure of an undeclared type
  // comes from the framework, a proxy or a gateway.
  const candidates = action.responses.filter((one) => one.status === status)
  const declared =
    candidates.find(({ bodies }) => bodies.some(hasType)) ??
    candidates.find(({ bodies }) => bodies.length === 0) ??
    (status < 400 ? candidates[0] : undefined)
  const { name = 'failure', bodies = [] } = declared ?? {}
  // A lenient server may send another type of the same kind, or none. An HTML page in place of data is not the response
  // of the API.
  const form =
    bodies.find(hasType) ?? bodies.find(({ identifier }) => !type || getBodyKind(identifier) === getBodyKind(type))
  if (form === undefined && bodies[0] !== undefined) {
    const text = `${type} in place of ${bodies[0].identifier}; does baseUrl lead to the API?`
    throw new ResponseError(`${formatActionName(action)} responded with ${text}`, response)
  }
  const body = await (form === undefined ? readUndeclaredBody(response, type) : readDeclaredBody(form, response, call))
  const result = { name, status, headers, body }
  return declared === undefined ? { ...result, problem: readProblem(body, type, client.problem) } : result
}

// With a field selection, the body has only some of the declared attributes.
function hasFieldSelection({ action, input }: ActiveCall): boolean {
  return Object.entries(action.params).some(
    ([name, { core }]) => core.selectsFrom !== undefined && getOwnValue(input.params, name) !== undefined,
  )
}

/** Returns the kind of a body. HTML is a separate kind, because proxies and front-end servers respond with pages. */
const getBodyKind = (type: string): string | undefined =>
  isJsonType(getEssence(type)) ? 'json' : /^text\/(?:html)?/.exec(getEssence(type))?.[0]

/** Reads a body without a declaration. */
async function readUndeclaredBody(response: Response, type: string): Promise<unknown> {
  if (isJsonType(type)) return parseJsonOr(await response.text(), (text) => text || undefined)
  const body = (await readRawBody(response, type)) as string | Uint8Array
  return body.length > 0 ? body : undefined
}

async function readRawBody(response: Response, type: string, call?: ActiveCall): Promise<unknown> {
  const isText = type.startsWith('text/')
  if (call?.stream && response.body && (!isText || /csv$|-stream$/.test(type))) return streamBody(response, call)
  return isText ? response.text() : new Uint8Array(await response.arrayBuffer())
}

function parseJsonOr(text: string, otherwise: (text: string) => unknown): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return otherwise(text)
  }
}

// A failure in another form comes from a proxy or a gateway.
function readProblem(body: unknown, type: string, form: Attribute | undefined): unknown {
  if (type !== (form === undefined ? 'application/problem+json' : getEssence(getMediaTypeIdentifier(form))))
    return undefined
  if (form === undefined) return isProblem(body) ? body : undefined
  try {
    return convertValue(form, body, { direction: 'read', fail: throwError })
  } catch {
    return undefined
  }
}

const isProblem = (body: unknown): boolean => {
  const { code, errors = [] } = (body ?? {}) as { readonly code?: unknown; readonly errors?: unknown }
  return typeof code === 'string' && Array.isArray(errors)
}

function throwError(text: string): never {
  throw new Error(text)
}

async function readDeclaredBody(
  { identifier, attribute, list, stream }: ResolvedBody,
  response: Response,
  call: ActiveCall,
): Promise<unknown> {
  const fail = (text: string, pointer: string): never => {
    const message = `${formatActionName(call.action)} responded with an undeclared body: ${pointer || 'it'} ${text}`
    throw new ResponseError(message, response)
  }
  const parse = (text: string): unknown => parseJsonOr(text, () => fail('is not JSON', ''))
  if (attribute === undefined || stream?.as === 'csv') {
    const type = getEssence(identifier)
    return isJsonType(type) ? parse(await response.text()) : readRawBody(response, type, call)
  }
  const isPartial = hasFieldSelection(call)
  // A server may be newer than this client, so additional members are omitted, not rejected.
  const convertOne = (one: unknown): unknown => convertValue(attribute, one, { direction: 'read', isPartial, fail })
  if (stream !== undefined)
    return (
      stream.open?.(streamBody(response, call), parse, convertOne) ??
      readElements(response, call, (line) => convertOne(parse(line.replace('\x1e', ''))))
    )
  const raw = parse(await response.text())
  if (list && Array.isArray(raw)) return raw.map(convertOne)
  return raw === null && !list && attribute.options.nullable === true ? raw : convertOne(raw)
}

/**
 * Returns a body that is read after the call. It is bound to the signal again, because `fetch` may have dropped it with
 * the collected request.
 */
const streamBody = ({ body }: Response, { signal }: ActiveCall): ReadableStream<Uint8Array> | null =>
  body && signal.sources.length > 0 ? body.pipeThrough(new TransformStream(), { signal }) : body

/** Parses the elements of a list, one per line, as they are consumed. Throws if the transfer is interrupted. */
async function* readElements(
  response: Response,
  call: ActiveCall,
  parse: (line: string) => unknown,
): AsyncGenerator<unknown> {
  const decoder = new TextDecoder()
  const reader = streamBody(response, call)?.getReader()
  // Runtimes without streams return the body at once.
  let rest = reader === undefined ? await response.text() : ''
  try {
    for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read()) {
      const lines = (rest + decoder.decode(piece.value, { stream: true })).split('\n')
      rest = lines.pop() as string
      for (const line of lines) yield parse(line)
    }
    for (const line of rest.split('\n')) if (line !== '') yield parse(line)
  } finally {
    await reader?.cancel()
  }
}
