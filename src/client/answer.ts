// Answers: a response matched with the declared ones, its body loaded as declared: dates are Dates again.

import { isView } from '../design/declare/media-type.ts'
import { identifierOf } from '../design/declare/response.ts'
import { selectionParam } from '../design/fields/selection.ts'
import { isJsonType } from '../design/resolve/consumes.ts'
import type { ActionOutline } from '../design/resolve/outline.ts'
import type { ResolvedBody } from '../design/resolve/resolved.ts'
import type { Attribute } from '../schema/attribute.ts'
import { placeOf } from './request.ts'
import { AnswerError, type Answered } from './thrown.ts'
import { taken } from './values.ts'

/** The call that is answered. */
export interface Called {
  readonly action: ActionOutline
  readonly params: Readonly<Record<string, unknown>>
  /** The form of failures, where it is not the standard one. */
  readonly problem: Attribute | undefined
  /** Whether bytes are given as they come. */
  readonly stream: boolean
}

/** Reads an answer. */
export async function answerOf(called: Called, response: Response): Promise<Answered> {
  const { action, params, problem, stream } = called
  const { status, headers } = response
  const type = essenceOf(headers.get('Content-Type') ?? '')
  const isOf = ({ identifier }: ResolvedBody): boolean => essenceOf(identifier) === type
  // Several responses may have one status: then the type of the body tells them apart. A failure of another type than
  // the declared one is the framework's own, or comes from somewhere on the way.
  const candidates = [...action.responses.values()].filter((one) => one.status === status)
  const declared =
    candidates.find(({ bodies }) => bodies.some(isOf)) ??
    candidates.find(({ bodies }) => bodies.length === 0) ??
    (status < 400 ? candidates[0] : undefined)
  if (declared === undefined) {
    const body = await plainBody(response, type)
    return { name: 'failure', status, headers, body, problem: problemIn(body, type, problem) }
  }
  const form = declared.bodies.find(isOf)
  const body =
    form?.attribute === undefined || form.stream?.as === 'csv'
      ? await plainBody(response, type, stream)
      : await loadedBody(form, response, action, isSelected(action, params))
  return { name: declared.name, status, headers, body }
}

// A client that selects fields gets parts of what is declared.
function isSelected(action: ActionOutline, params: Called['params']): boolean {
  const selector = selectionParam(action.params)
  return selector !== undefined && params[selector.name] !== undefined
}

const essenceOf = (type: string): string => (type.split(';', 1)[0] as string).trim().toLowerCase()

async function plainBody(response: Response, type: string, stream = false): Promise<unknown> {
  if (response.status === 204 || response.status === 304) return undefined
  if (isJsonType(type)) return response.json().catch(() => undefined)
  const isText = type.startsWith('text/')
  if (stream && (type === 'text/csv' || !isText)) return response.body ?? undefined
  if (isText) return response.text()
  const bytes = new Uint8Array(await response.arrayBuffer())
  return bytes.length === 0 ? undefined : bytes
}

// A failure of another form comes from somewhere on the way.
function problemIn(body: unknown, type: string, form: Attribute | undefined): unknown {
  if (type !== (form === undefined ? 'application/problem+json' : essenceOf(identifierOf(form)))) return undefined
  if (form === undefined) return typeof body === 'object' && body !== null ? body : undefined
  try {
    return taken(form, body, { way: 'read', fail: refuse })
  } catch {
    return undefined
  }
}

function refuse(text: string): never {
  throw new Error(text)
}

async function loadedBody(
  { attribute, list, stream }: ResolvedBody,
  response: Response,
  action: ActionOutline,
  partial: boolean,
): Promise<unknown> {
  const form = (partial && isView(attribute) ? attribute.of : attribute) as Attribute
  const fail = (text: string, pointer: string): never => {
    const message = `${placeOf(action)} answered with a body that its declaration does not allow: ${pointer} ${text}`
    throw new AnswerError(message, response)
  }
  // A server may be newer than this client: what it added is left out, not refused.
  const readOne = (one: unknown): unknown => taken(form, one, { way: 'read', partial, fail })
  if (stream !== undefined) return elementsIn(response, (line) => readOne(JSON.parse(line)))
  const raw: unknown = await response.json()
  if (list && Array.isArray(raw)) return raw.map(readOne)
  return raw === null && !list && form.options.nullable === true ? raw : readOne(raw)
}

/** The elements of a list, a line each, read as they are asked for; a transfer that was cut off throws. */
async function* elementsIn(response: Response, read: (line: string) => unknown): AsyncGenerator<unknown> {
  const decoder = new TextDecoder()
  const reader = response.body?.getReader()
  let rest = ''
  try {
    for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read()) {
      const lines = (rest + decoder.decode(piece.value, { stream: true })).split('\n')
      rest = lines.pop() as string
      for (const line of lines) yield read(line)
    }
    if (rest !== '') yield read(rest)
  } finally {
    await reader?.cancel()
  }
}
