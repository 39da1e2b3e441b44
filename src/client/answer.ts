// Answers: a response matched with the declared ones, its body loaded as declared: dates are Dates again.

import { isView } from '../design/declare/media-type.ts'
import { identifierOf } from '../design/declare/response.ts'
import { selectionParam } from '../design/fields/selection.ts'
import type { ActionOutline, ResponseOutline } from '../design/resolve/outline.ts'
import type { ResolvedBody } from '../design/resolve/resolved.ts'
import type { Attribute } from '../schema/attribute.ts'
import { placeOf } from './request.ts'
import { AnswerError, type Answered } from './thrown.ts'
import { read } from './values.ts'

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
  const declared = declaredFor(action, status, type)
  if (declared === undefined) {
    const body = await plainBody(response, type)
    return { name: 'failure', status, headers, body, problem: problemIn(body, type, problem) }
  }
  const form = declared.bodies.find(({ identifier }) => essenceOf(identifier) === type)
  const isText = form?.attribute === undefined || form.stream?.as === 'csv'
  const body = isText
    ? await plainBody(response, type, stream)
    : await loadedBody(form, response, action, isSelected(action, params))
  return { name: declared.name, status, headers, body }
}

// A client that selects fields gets parts of what is declared.
function isSelected({ params: declared }: ActionOutline, params: Readonly<Record<string, unknown>>): boolean {
  const selector = selectionParam(declared)
  return selector !== undefined && params[selector.name] !== undefined
}

const essenceOf = (type: string): string => (type.split(';', 1)[0] as string).trim().toLowerCase()

// Several responses may have one status: then the type of the body tells them apart. A failure of another type than
// the declared one is the framework's own, or comes from somewhere on the way.
function declaredFor({ responses }: ActionOutline, status: number, type: string): ResponseOutline | undefined {
  const candidates = [...responses.values()].filter((one) => one.status === status)
  const fits = ({ bodies }: ResponseOutline): boolean => bodies.some(({ identifier }) => essenceOf(identifier) === type)
  return (
    candidates.find(fits) ??
    candidates.find(({ bodies }) => bodies.length === 0) ??
    (status < 400 ? candidates[0] : undefined)
  )
}

const isJson = (type: string): boolean => type === 'application/json' || type.endsWith('+json')

async function plainBody(response: Response, type: string, stream = false): Promise<unknown> {
  if (response.status === 204 || response.status === 304) return undefined
  if (isJson(type)) return response.json().catch(() => undefined)
  if (stream && (type === 'text/csv' || !type.startsWith('text/'))) return response.body ?? undefined
  if (type.startsWith('text/')) return response.text()
  const bytes = new Uint8Array(await response.arrayBuffer())
  return bytes.length === 0 ? undefined : bytes
}

// A failure of another form comes from somewhere on the way.
function problemIn(body: unknown, type: string, form: Attribute | undefined): unknown {
  if (form === undefined) return type === PROBLEM_JSON && typeof body === 'object' && body !== null ? body : undefined
  if (type !== essenceOf(identifierOf(form))) return undefined
  const { value, flaw } = read(form, body)
  return flaw === undefined ? value : undefined
}

const PROBLEM_JSON = 'application/problem+json'

async function loadedBody(
  { attribute, list, stream }: ResolvedBody,
  response: Response,
  action: ActionOutline,
  selected: boolean,
): Promise<unknown> {
  const raw: unknown = stream === undefined ? await response.json() : undefined
  if (attribute === undefined || (raw === null && !list && attribute.options.nullable === true)) return raw
  // A server may be newer than this client: what it added is left out, not refused.
  const form = selected && isView(attribute) ? attribute.of : attribute
  const readOne = (one: unknown): unknown => {
    const { value, flaw } = read(form, one, selected)
    if (flaw === undefined) return value
    const why = `${flaw.pointer} ${flaw.text}`
    throw new AnswerError(
      `${placeOf(action)} answered with a body that its declaration does not allow: ${why}`,
      response,
    )
  }
  if (stream !== undefined) return elementsIn(response, (line) => readOne(JSON.parse(line)))
  return list && Array.isArray(raw) ? raw.map(readOne) : readOne(raw)
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
