// Answers: declared responses and what the framework answers by itself, put together by their statuses.
import { statusMessages } from '../design/declare/status.ts'
import { columnsOf, csvHeader, csvLine } from '../design/fields/columns.ts'
import { type SelectionParam, selectableBody, selectionParam } from '../design/fields/selection.ts'
import type { ResolvedAction, ResolvedBody, ResolvedResponse } from '../design/resolve/resolved.ts'
import type { FailureCode } from '../errors.ts'
import { type Attribute, isAttribute } from '../schema/attribute.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { portablePattern } from '../schema/scalars/pattern.ts'
import { uriText } from '../util/uri.ts'
import { exampleOf } from './examples.ts'
import type { OperationSite } from './parameters.ts'
import type { ProblemForm } from './problem.ts'
import type { SchemaRegistry } from './schema-registry.ts'
import type { HeaderObject, MediaTypeObject, ResponseObject } from './types.ts'

/** The answers of an action by their statuses. */
export function responsesOf(
  { action, route, registry }: Pick<OperationSite, 'action' | 'route' | 'registry'>,
  problem: ProblemForm,
  validationStatus: number,
): Record<string, ResponseObject> {
  const responses: Record<string, ResponseObject> = {}
  const add = (status: string, made: ResponseObject): void => {
    const known = responses[status]
    responses[status] = known === undefined ? made : merged(known, made)
  }
  for (const declared of action.responses.values()) add(...responseOf(declared, action, problem, registry))
  for (const [status, made] of impliedFailures({ action, route }, problem, validationStatus)) add(status, made)
  return responses
}

function responseOf(
  response: ResolvedResponse,
  action: ResolvedAction,
  problem: ProblemForm,
  registry: SchemaRegistry,
): [status: string, made: ResponseObject] {
  const { status, name, description } = response
  const described = response.problem ? problem.describe(problem.returned(name, status), action) : undefined
  const added = status < 300 ? addedHeaders(action) : {}
  const headers = { ...sentHeaders(action), ...headersOf(response, registry), ...added, ...described?.headers }
  const content = described?.content ?? contentOf(response, action, registry)
  const sent = described?.status ?? status
  return [String(sent), answerObject(description ?? messageOf(sent, name), headers, content)]
}

const answerObject = (
  description: string,
  headers: ResponseObject['headers'] = {},
  content: ResponseObject['content'],
): ResponseObject => ({
  description,
  ...(Object.keys(headers).length > 0 && { headers }),
  ...(content !== undefined && { content }),
})

const messageOf = (status: number, name: string): string =>
  statusMessages[status as keyof typeof statusMessages] ?? name

// --- bodies ----------------------------------------------------------------------------

function contentOf(
  { bodies, status, name }: ResolvedResponse,
  action: ResolvedAction,
  registry: SchemaRegistry,
): Record<string, MediaTypeObject> | undefined {
  if (bodies.length === 0) return undefined
  const path = `/${action.endpoint.name}/${action.name}/${name}`
  const param = status < 300 ? selectionParam(action.params) : undefined
  const content: Record<string, MediaTypeObject> = {}
  // Of two forms with one identifier, the first is the one that is written.
  for (const body of bodies) content[body.identifier] ??= bodyObject(body, path, param, registry)
  return content
}

function bodyObject(
  { attribute, list, identifier, stream }: ResolvedBody,
  path: string,
  param: SelectionParam | undefined,
  registry: SchemaRegistry,
): MediaTypeObject {
  if (attribute === undefined) return identifier.startsWith('text/') ? { schema: { type: 'string' } } : {}
  if (stream?.as === 'csv') return csvObject(attribute, path, stream.spreadsheet)
  const whole = (items: JsonSchema): JsonSchema => (list ? { type: 'array', items } : items)
  const schema = whole(attribute.core.jsonSchema(registry.output))
  const selectable = param === undefined ? undefined : selectableBody(attribute, param.from)
  const example = exampleOf(attribute, path)
  return {
    schema: selectable === undefined ? schema : anyOf(schema, whole(selectable.core.jsonSchema(registry.selected))),
    ...(example !== undefined && { example: list ? [example] : example }),
  }
}

// OpenAPI 3.1 describes structures that are JSON: of CSV it can tell the columns in words.
function csvObject(attribute: Attribute, path: string, guarded: boolean): MediaTypeObject {
  const columns = columnsOf(attribute)
  const example = exampleOf(attribute, path)
  const names = columns.map(({ name }) => name).join(', ')
  const description = `Comma-separated values with a header line; the columns are ${names}, or those of the selected fields.`
  return {
    schema: { type: 'string', description },
    ...(example !== undefined && { example: csvHeader(columns, guarded) + csvLine(columns, example, guarded) }),
  }
}

const anyOf = (one: JsonSchema, other: JsonSchema): JsonSchema => ({ anyOf: [one, other] })

// --- headers ---------------------------------------------------------------------------

function headersOf({ headers, location }: ResolvedResponse, registry: SchemaRegistry): Record<string, HeaderObject> {
  // A text is described as it is sent.
  const wire = typeof location === 'string' ? uriText(location) : location
  const rules = wire === undefined ? headers : [['Location', wire] as const, ...headers]
  // OpenAPI says the content type elsewhere, and ignores it here.
  const shown = rules.filter(([name]) => name.toLowerCase() !== 'content-type')
  return Object.fromEntries(shown.map(([name, rule]) => [name, headerObject(rule, registry)]))
}

function headerObject(rule: string | RegExp | Attribute | true, registry: SchemaRegistry): HeaderObject {
  if (rule === true) return { required: true, schema: { type: 'string' } }
  if (typeof rule === 'string') return { required: true, schema: { type: 'string', const: rule } }
  if (!isAttribute(rule)) return { required: true, schema: { type: 'string', ...patternRule(rule) } }
  const { description, ...schema } = rule.core.jsonSchema(registry.output) as { readonly description?: string }
  return { ...(description !== undefined && { description }), required: rule.options.required === true, schema }
}

function patternRule(rule: RegExp): JsonSchema {
  const pattern = portablePattern(rule)
  return pattern === undefined ? {} : { pattern }
}

// Some params affect the response headers, and declare that themselves.
function addedHeaders({ params }: ResolvedAction): Record<string, HeaderObject> {
  return Object.assign({}, ...Object.values(params).map(({ core }) => core.answerHeaders))
}

// Policies add headers to answers of every status.
const sentHeaders = ({ policies }: ResolvedAction): Record<string, HeaderObject> =>
  Object.assign({}, ...[...policies.values()].map(({ sends }) => sends))

// --- what the framework answers ----------------------------------------------------------

// Where it can happen; anything else that goes wrong is the default.
function impliedFailures(
  { action, route }: Pick<OperationSite, 'action' | 'route'>,
  problem: ProblemForm,
  validationStatus: number,
): [status: string, made: ResponseObject][] {
  const { params, headers, payload, responses, ignore } = action
  const inputs = Object.keys(params).length > 0 || Object.keys(headers).length > 0 || payload !== undefined
  const negotiated = [...responses.values()].some(({ bodies }) => bodies.length > 1)
  const known = (status: number, code: FailureCode, description?: string): [string, ResponseObject] => {
    const { status: sent = status, headers: given, content } = problem.describe(problem.failure(code), action)
    return [String(sent), answerObject(description ?? messageOf(sent, ''), given, content)]
  }
  const { headers: own, content } = problem.describe(undefined, action)
  return [
    ...(inputs || !ignore.includes('*') ? [known(validationStatus, 'validation', 'The request is invalid.')] : []),
    ...policyFailures(action, problem),
    ...(negotiated ? [known(406, 'not-acceptable')] : []),
    ...(payload === undefined && route.params === 'query'
      ? []
      : [known(413, 'payload-too-large'), known(415, 'unsupported-media-type')]),
    ['default', answerObject('A failure that is not particular to this operation.', own, content)],
  ]
}

function policyFailures(action: ResolvedAction, problem: ProblemForm): [status: string, made: ResponseObject][] {
  const given = [...action.policies.values()].flatMap(({ responses = [] }) => responses)
  return given.map(({ status, code, title, headers = [] }) => {
    const described = problem.describe({ type: 'about:blank', title, status, code }, action)
    const listed = headers.map((name) => [name, { required: true, schema: { type: 'string' } }] as const)
    const { status: sent = status, content } = described
    const all = { ...Object.fromEntries(listed), ...described.headers }
    return [String(sent), answerObject(messageOf(sent, title), all, content)]
  })
}

// --- one status, several answers -----------------------------------------------------------

/** Two answers of one status: OpenAPI has one for each, which may then be either. */
export function merged(one: ResponseObject, other: ResponseObject): ResponseObject {
  const headers = mergedHeaders(one.headers, other.headers)
  const content = mergedContent(one.content, other.content)
  const same = one.description === other.description
  return {
    description: same ? one.description : `${one.description} Or: ${other.description}`,
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(Object.keys(content).length > 0 && { content }),
  }
}

function mergedHeaders(
  ones: ResponseObject['headers'] = {},
  others: ResponseObject['headers'] = {},
): Record<string, HeaderObject> {
  const made: Record<string, HeaderObject> = {}
  for (const [name, header] of [...Object.entries(ones), ...Object.entries(others)]) {
    const [one, other] = [ones[name], others[name]]
    if (one === undefined || other === undefined) made[name] = { ...header, required: false }
    else {
      const required = one.required === true && other.required === true
      made[name] = { ...other, ...one, required, schema: either(one.schema, other.schema) }
    }
  }
  return made
}

function mergedContent(
  ones: ResponseObject['content'] = {},
  others: ResponseObject['content'] = {},
): Record<string, MediaTypeObject> {
  const made: Record<string, MediaTypeObject> = { ...others, ...ones }
  for (const [type, one] of Object.entries(ones)) {
    const other = others[type]
    if (other === undefined) continue
    const { schema: _, ...rest } = { ...other, ...one }
    made[type] =
      one.schema === undefined || other.schema === undefined
        ? rest
        : { ...rest, schema: either(one.schema, other.schema) }
  }
  return made
}

/** A schema of what fits one of two; beside one that takes everything, the other says nothing. */
export function either(one: JsonSchema, other: JsonSchema): JsonSchema {
  if (Object.keys(one).length === 0 || Object.keys(other).length === 0) return {}
  return JSON.stringify(one) === JSON.stringify(other) ? one : anyOf(one, other)
}
