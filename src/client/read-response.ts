// Reads responses: matches them with the declared ones and parses their bodies, so that dates are `Date` again.

import { getMediaTypeIdentifier } from '../design/declare/action-response.ts'
import { getOwnValue } from '../util/describe-value.ts'
import { getEssence, isJsonType } from '../util/media-type.ts'
import { formatActionName } from './build-request.ts'
import { type AnyCallResponse, ResponseError } from './call-errors.ts'
import type { ActiveCall, TabledBody } from './call-table.ts'
import { convertValue } from './convert-value.ts'

/** Reads the response of a call. */
export async function readResponse(call: ActiveCall, response: Response): Promise<AnyCallResponse> {
  const { action } = call
  const { status, headers } = response
  const type = getEssence(headers.get('Content-Type') ?? '')
  const hasType = ({ identifier }: TabledBody): boolean => getEssence(identifier) === type
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
  return declared === undefined ? { ...result, problem: readProblem(body, type, call) } : result
}

// With a field selection, the body has only some of the declared attributes.
function hasFieldSelection({ action, input }: ActiveCall): boolean {
  return action.selectors?.some((name) => getOwnValue(input.params, name) !== undefined) === true
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
  if (call?.stream && response.body) {
    const streamed = call.action.streams?.accepts(type) && call.action.streams.body(response, call)
    if (streamed) return streamed
  }
  return type.startsWith('text/') ? response.text() : new Uint8Array(await response.arrayBuffer())
}

function parseJsonOr(text: string, otherwise: (text: string) => unknown): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return otherwise(text)
  }
}

// A failure in another form comes from a proxy or a gateway.
function readProblem(body: unknown, type: string, { action, client: { problem: form } }: ActiveCall): unknown {
  if (type !== (form === undefined ? 'application/problem+json' : getEssence(getMediaTypeIdentifier(form))))
    return undefined
  if (form === undefined) return isProblem(body) ? body : undefined
  try {
    return convertValue(form, body, { direction: 'read', fill: action.fill, fail: throwError })
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
  { identifier, attribute, list, stream }: TabledBody,
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
  const convertOne = (one: unknown): unknown =>
    convertValue(attribute, one, { direction: 'read', isPartial, fill: call.action.fill, fail })
  if (stream !== undefined) {
    const { streams } = call.action
    return (
      stream.open?.(streams?.body(response, call) ?? null, parse, convertOne) ??
      streams?.elements(response, call, (line) => convertOne(parse(line.replace('\x1e', ''))))
    )
  }
  const raw = parse(await response.text())
  if (list && Array.isArray(raw)) return raw.map(convertOne)
  return raw === null && !list && attribute.options.nullable === true ? raw : convertOne(raw)
}
