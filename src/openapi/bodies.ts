// Bodies: what clients send and receive, with examples, and the headers of answers.
import type { ResolvedAction, ResolvedBody, ResolvedPayload, ResolvedResponse } from '../design/resolved.ts'
import { statusMessages } from '../design/status.ts'
import { type Attribute, isAttribute } from '../schema/attribute.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { type Book, exampleOf } from './book.ts'
import type { HeaderObject, MediaTypeObject, RequestBody, ResponseObject } from './types.ts'

/** The body of an action's requests. */
export function requestBodyOf(action: ResolvedAction, book: Book): RequestBody | undefined {
  const { payload } = action
  if (payload === undefined) return undefined
  const { options } = payload.attribute
  const schema = payload.form === 'file' ? {} : payload.attribute.core.jsonSchema(book.input)
  const example = payload.files ? undefined : exampleOf(payload.attribute, `/${action.endpoint.name}/${action.name}`)
  const form: MediaTypeObject = { schema, ...(example !== undefined && payload.form !== 'file' && { example }) }
  return {
    ...(options.description !== undefined && { description: options.description }),
    required: isNeeded(payload),
    content: Object.fromEntries(payload.consumes.map((type) => [type, form])),
  }
}

// A structure that requires something cannot come from a request without a body.
function isNeeded({ attribute, form }: ResolvedPayload): boolean {
  if (form !== 'structure') return attribute.options.required === true
  return Object.values(attribute.core.children).some(
    ({ options }) => options.required === true && options.default === undefined,
  )
}

/** What a document needs to know about failures: how they are written. */
export interface ProblemForm {
  readonly mediaType: string
  readonly schema: JsonSchema
}

/** A declared response. */
export function responseOf(
  response: ResolvedResponse,
  action: ResolvedAction,
  problem: ProblemForm,
  book: Book,
): ResponseObject {
  const headers = { ...headersOf(response, book), ...(response.status < 300 ? addedHeaders(action) : {}) }
  const content = contentOf(response, action, problem, book)
  return {
    description: response.description ?? messageOf(response.status, response.name),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(content !== undefined && { content }),
  }
}

/** The standard message of a status, or a name in its place. */
export const messageOf = (status: number, name: string): string =>
  statusMessages[status as keyof typeof statusMessages] ?? name

function contentOf(
  { bodies, status, name }: ResolvedResponse,
  action: ResolvedAction,
  problem: ProblemForm,
  book: Book,
): Record<string, MediaTypeObject> | undefined {
  if (bodies.length > 0) {
    const path = `/${action.endpoint.name}/${action.name}/${name}`
    return Object.fromEntries(bodies.map((body) => [body.identifier, bodyObject(body, path, book)]))
  }
  return status >= 400 ? { [problem.mediaType]: { schema: problem.schema } } : undefined
}

function bodyObject({ attribute, list, identifier }: ResolvedBody, path: string, book: Book): MediaTypeObject {
  if (attribute === undefined) return identifier.startsWith('text/') ? { schema: { type: 'string' } } : {}
  const items = attribute.core.jsonSchema(book.output)
  const example = exampleOf(attribute, path)
  const shown = list && example !== undefined ? [example] : example
  return { schema: list ? { type: 'array', items } : items, ...(shown !== undefined && { example: shown }) }
}

function headersOf({ headers, location }: ResolvedResponse, book: Book): Record<string, HeaderObject> {
  const declared = headers.map(([name, rule]) => [name, { required: true, schema: ruleSchema(rule, book) }] as const)
  return {
    ...(location !== undefined && { Location: { required: true, schema: ruleSchema(location, book) } }),
    ...Object.fromEntries(declared),
  }
}

function ruleSchema(rule: string | RegExp | Attribute | true, book: Book): JsonSchema {
  if (rule === true) return { type: 'string' }
  if (typeof rule === 'string') return { type: 'string', const: rule }
  if (isAttribute(rule)) return rule.core.jsonSchema(book.output)
  return { type: 'string', pattern: rule.source }
}

// Some params have an effect on the headers of the answer, and say so themselves.
function addedHeaders({ params }: ResolvedAction): Record<string, HeaderObject> {
  return Object.assign({}, ...Object.values(params).map(({ core }) => core.answerHeaders))
}
