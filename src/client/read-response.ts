// Answers: a response matched with the declared ones, its body loaded as declared: dates are Dates again.

import { isView } from '../design/declare/media-type.ts'
import { getMediaTypeIdentifier } from '../design/declare/action-response.ts'
import { findSelectionParam } from '../design/fields/selection.ts'
import { isJsonType } from '../design/resolve/consumes.ts'
import type { ResolvedBody } from '../design/resolve/resolved.ts'
import type { Attribute } from '../schema/attribute.ts'
import { ownValue } from '../util/describe-value.ts'
import { type ActiveCall, formatActionName } from './build-request.ts'
import { ResponseError, type AnyCallResponse } from './call-errors.ts'
import { convertValue } from './convert-value.ts'

/** Reads an answer. */
export async function readResponse(called: ActiveCall, response: Response): Promise<AnyCallResponse> {
  const { action, client } = called
  const { status, headers } = response
  const type = getEssence(headers.get('Content-Type') ?? '')
  const isOf = ({ identifier }: ResolvedBody): boolean => getEssence(identifier) === type
  // Several responses may have one status: then the type of the body tells them apart. A failure of another type than
  // the declared one is the framework's own, or comes from somewhere on the way.
  const candidates = action.responses.filter((one) => one.status === status)
  const declared =
    candidates.find(({ bodies }) => bodies.some(isOf)) ??
    candidates.find(({ bodies }) => bodies.length === 0) ??
    (status < 400 ? candidates[0] : undefined)
  const { name = 'failure', bodies = [] } = declared ?? {}
  // A server that is not strict may name another type of the same kind, or none; a page in place of data is not its answer.
  const form = bodies.find(isOf) ?? bodies.find(({ identifier }) => !type || getBodyKind(identifier) === getBodyKind(type))
  if (form === undefined && bodies[0] !== undefined) {
    const text = `${type} in place of ${bodies[0].identifier}; does baseUrl lead to the API?`
    throw new ResponseError(`${formatActionName(action)} answered with ${text}`, response)
  }
  const body = await (form === undefined ? readUndeclaredBody(response, type) : readDeclaredBody(form, response, called))
  const answer = { name, status, headers, body }
  return declared === undefined ? { ...answer, problem: readProblem(body, type, client.problem) } : answer
}

// A client that selects fields gets parts of what is declared.
function hasFieldSelection({ action, input: sent }: ActiveCall): boolean {
  const selector = findSelectionParam(action.params)
  return selector !== undefined && ownValue(sent.params, selector.name) !== undefined
}

const getEssence = (type: string): string => (type.split(';', 1)[0] as string).trim().toLowerCase()

/** How a body of a type is read; pages are apart, because proxies and servers of front ends answer with them. */
const getBodyKind = (type: string): string | undefined =>
  isJsonType(getEssence(type)) ? 'json' : /^text\/(?:html)?/.exec(getEssence(type))?.[0]

/** A body of which nothing is declared. */
async function readUndeclaredBody(response: Response, type: string): Promise<unknown> {
  if (isJsonType(type)) return parseJsonOr(await response.text(), (text) => text || undefined)
  const body = (await readRawBody(response, type)) as string | Uint8Array
  return body.length > 0 ? body : undefined
}

async function readRawBody(response: Response, type: string, called?: ActiveCall): Promise<unknown> {
  const isText = type.startsWith('text/')
  if (called?.stream && response.body && (!isText || /csv$|-stream$/.test(type))) return streamBody(response, called)
  return isText ? response.text() : new Uint8Array(await response.arrayBuffer())
}

function parseJsonOr(text: string, otherwise: (text: string) => unknown): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return otherwise(text)
  }
}

// A failure of another form comes from somewhere on the way.
function readProblem(body: unknown, type: string, form: Attribute | undefined): unknown {
  if (type !== (form === undefined ? 'application/problem+json' : getEssence(getMediaTypeIdentifier(form)))) return undefined
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
  called: ActiveCall,
): Promise<unknown> {
  const fail = (text: string, pointer: string): never => {
    const message = `${formatActionName(called.action)} answered with a body that its declaration does not allow: ${pointer || 'it'} ${text}`
    throw new ResponseError(message, response)
  }
  const read = (text: string): unknown => parseJsonOr(text, () => fail('is not JSON', ''))
  if (attribute === undefined || stream?.as === 'csv') {
    const type = getEssence(identifier)
    return isJsonType(type) ? read(await response.text()) : readRawBody(response, type, called)
  }
  const partial = hasFieldSelection(called)
  const form = (partial && isView(attribute) ? attribute.of : attribute) as Attribute
  // A server may be newer than this client: what it added is left out, not refused.
  const readOne = (one: unknown): unknown => convertValue(form, one, { direction: 'read', isPartial: partial, fail })
  if (stream !== undefined) return readElements(response, called, (line) => readOne(read(line)))
  const raw = read(await response.text())
  if (list && Array.isArray(raw)) return raw.map(readOne)
  return raw === null && !list && form.options.nullable === true ? raw : readOne(raw)
}

/** A body that is read after the call. `fetch` may forget the signal by then: requests and their signals are collected. */
const streamBody = ({ body }: Response, { signal }: ActiveCall): ReadableStream<Uint8Array> | null =>
  body && signal.ends.length > 0 ? body.pipeThrough(new TransformStream(), { signal }) : body

/** The elements of a list, a line each, read as they are asked for; a transfer that was cut off throws. */
async function* readElements(
  response: Response,
  called: ActiveCall,
  read: (line: string) => unknown,
): AsyncGenerator<unknown> {
  const decoder = new TextDecoder()
  const reader = streamBody(response, called)?.getReader()
  // A runtime without streams has all of it at once.
  let rest = reader === undefined ? await response.text() : ''
  try {
    for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read()) {
      const lines = (rest + decoder.decode(piece.value, { stream: true })).split('\n')
      rest = lines.pop() as string
      for (const line of lines) yield read(line)
    }
    for (const line of rest.split('\n')) if (line !== '') yield read(line)
  } finally {
    await reader?.cancel()
  }
}
