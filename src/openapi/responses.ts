// Builds the responses of an operation: declared ones and those of the framework, merged by status.
import { attributeRules } from '../design/attribute-rules.ts'
import { statusMessages } from '../design/declare/status.ts'
import { formatCsvHeader, formatCsvLine, listCsvColumns } from '../design/fields/csv-columns.ts'
import { findSelectionParam, type SelectionParam, toSelectableBody } from '../design/fields/selection.ts'
import type { ResolvedAction, ResolvedBody, ResolvedResponse } from '../design/resolve/resolved.ts'
import type { FailureCode } from '../errors.ts'
import { type Attribute, isAttribute } from '../schema/attribute.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { toJsonSchemaPattern } from '../schema/scalars/text-pattern.ts'
import { toUri } from '../util/uri.ts'
import { makeOutputExample } from './examples.ts'
import type { OperationContext } from './parameters.ts'
import type { ProblemForm } from './problem.ts'
import type { SchemaRegistry } from './schema-registry.ts'
import { mergeSchemas, toChoiceSchema } from './schemas.ts'
import { buildElementsObject, buildEventsObject } from './streams.ts'
import type { HeaderObject, MediaTypeObject, ResponseObject } from './types.ts'

/** Builds the responses of an action by status. */
export function buildResponses(
  { action, route, registry }: Pick<OperationContext, 'action' | 'route' | 'registry'>,
  problem: ProblemForm,
  validationStatus: number,
): Record<string, ResponseObject> {
  const responses: Record<string, ResponseObject> = {}
  const add = (status: string, response: ResponseObject): void => {
    const known = responses[status]
    responses[status] = known === undefined ? response : mergeResponseObjects(known, response)
  }
  for (const declared of action.responses.values()) add(...buildResponse(declared, action, problem, registry))
  for (const [status, response] of buildImpliedFailures({ action, route }, problem, validationStatus))
    add(status, response)
  return responses
}

function buildResponse(
  response: ResolvedResponse,
  action: ResolvedAction,
  problem: ProblemForm,
  registry: SchemaRegistry,
): [status: string, response: ResponseObject] {
  const { status, name, description } = response
  const described = response.problem ? problem.describe(problem.buildDeclaredFailure(name, status), action) : undefined
  // Some params add response headers, and declare them.
  const added =
    status < 300
      ? Object.assign(
          {},
          ...Object.values(action.params).map(({ core }) => attributeRules.getResponseHeaders({ core })),
        )
      : {}
  const headers = {
    ...collectPolicyHeaders(action),
    ...buildHeaders(response, registry),
    ...added,
    ...described?.headers,
  }
  const content = described?.content ?? buildContent(response, action, problem, registry)
  const sent = described?.status ?? status
  return [String(sent), makeResponseObject(description ?? getStatusMessage(sent, name), headers, content)]
}

const makeResponseObject = (
  description: string,
  headers: ResponseObject['headers'] = {},
  content: ResponseObject['content'],
): ResponseObject => ({
  description,
  ...(Object.keys(headers).length > 0 && { headers }),
  ...(content !== undefined && { content }),
})

const getStatusMessage = (status: number, name: string): string =>
  statusMessages[status as keyof typeof statusMessages] ?? name

// --- bodies ----------------------------------------------------------------------------

function buildContent(
  { bodies, status, name }: ResolvedResponse,
  action: ResolvedAction,
  problem: ProblemForm,
  registry: SchemaRegistry,
): Record<string, MediaTypeObject> | undefined {
  if (bodies.length === 0) return undefined
  const path = `/${action.endpoint.name}/${action.name}/${name}`
  const param = status < 300 ? findSelectionParam(action.params) : undefined
  const content: Record<string, MediaTypeObject> = {}
  // If two bodies have the same identifier, the first is the one that is sent.
  for (const body of bodies) {
    content[body.identifier] ??=
      body.stream?.as === 'events' && body.attribute !== undefined
        ? buildEventsObject(body.attribute, path, body.stream, { registry, problem, action })
        : buildBodyObject(body, path, param, registry)
  }
  return content
}

function buildBodyObject(
  { attribute, list, identifier, stream }: ResolvedBody,
  path: string,
  param: SelectionParam | undefined,
  registry: SchemaRegistry,
): MediaTypeObject {
  if (attribute === undefined) return identifier.startsWith('text/') ? { schema: { type: 'string' } } : {}
  if (stream?.as === 'csv') return buildCsvObject(attribute, path, stream.spreadsheet)
  const describesElements = stream !== undefined && registry.openapi === '3.2'
  const wrapList = (items: JsonSchema): JsonSchema => (list && !describesElements ? { type: 'array', items } : items)
  const complete = wrapList(attributeRules.buildSchema(attribute, registry.output))
  const selectable = param === undefined ? undefined : toSelectableBody(attribute, param.from)
  const schema =
    selectable === undefined
      ? complete
      : toChoiceSchema(complete, wrapList(attributeRules.buildSchema(selectable, registry.partial)))
  const example = makeOutputExample(attribute, path)
  if (describesElements) return buildElementsObject(schema, example, stream)
  return { schema, ...(example !== undefined && { example: list ? [example] : example }) }
}

// OpenAPI describes JSON structures only; the columns of CSV are described in the text.
function buildCsvObject(attribute: Attribute, path: string, guarded: boolean): MediaTypeObject {
  const columns = listCsvColumns(attribute)
  const example = makeOutputExample(attribute, path)
  const names = columns.map(({ name }) => name).join(', ')
  const description = `Comma-separated values with a header line; the columns are ${names}, or those of the selected fields.`
  return {
    schema: { type: 'string', description },
    ...(example !== undefined && {
      example: formatCsvHeader(columns, guarded) + formatCsvLine(columns, example, guarded),
    }),
  }
}

// --- headers ---------------------------------------------------------------------------

function buildHeaders({ headers, location }: ResolvedResponse, registry: SchemaRegistry): Record<string, HeaderObject> {
  // A string is described in its encoded form.
  const wire = typeof location === 'string' ? toUri(location) : location
  const rules = wire === undefined ? headers : [['Location', wire] as const, ...headers]
  // OpenAPI describes the content type elsewhere and ignores it here.
  const shown = rules.filter(([name]) => name.toLowerCase() !== 'content-type')
  return Object.fromEntries(shown.map(([name, rule]) => [name, buildHeaderObject(rule, registry)]))
}

function buildHeaderObject(rule: string | RegExp | Attribute | true, registry: SchemaRegistry): HeaderObject {
  if (rule === true) return { required: true, schema: { type: 'string' } }
  if (typeof rule === 'string') return { required: true, schema: { type: 'string', const: rule } }
  if (!isAttribute(rule)) return { required: true, schema: { type: 'string', ...toPatternSchema(rule) } }
  const { description, ...schema } = attributeRules.buildSchema(rule, registry.output) as {
    readonly description?: string
  }
  return { ...(description !== undefined && { description }), required: rule.options.required === true, schema }
}

function toPatternSchema(rule: RegExp): JsonSchema {
  const pattern = toJsonSchemaPattern(rule)
  return pattern === undefined ? {} : { pattern }
}

// Policies add headers to responses of every status.
const collectPolicyHeaders = ({ policies }: ResolvedAction): Record<string, HeaderObject> =>
  Object.assign({}, ...[...policies.values()].map(({ documentedHeaders: sends }) => sends))

// --- implied failures ---------------------------------------------------------------------

// Lists the failures that can occur in the action; `default` covers all others.
function buildImpliedFailures(
  { action, route }: Pick<OperationContext, 'action' | 'route'>,
  problem: ProblemForm,
  validationStatus: number,
): [status: string, response: ResponseObject][] {
  const { params, headers, payload, responses, ignore } = action
  const inputs = Object.keys(params).length > 0 || Object.keys(headers).length > 0 || payload !== undefined
  const negotiated = [...responses.values()].some(({ bodies }) => bodies.length > 1)
  const buildFailure = (status: number, code: FailureCode, description?: string): [string, ResponseObject] => {
    const {
      status: sent = status,
      headers: problemHeaders,
      content,
    } = problem.describe(problem.buildFailure(code), action)
    return [String(sent), makeResponseObject(description ?? getStatusMessage(sent, ''), problemHeaders, content)]
  }
  const { headers: defaultHeaders, content } = problem.describe(undefined, action)
  return [
    ...(inputs || !ignore.includes('*')
      ? [buildFailure(validationStatus, 'validation', 'The request is invalid.')]
      : []),
    ...buildPolicyFailures(action, problem),
    ...(negotiated ? [buildFailure(406, 'not-acceptable')] : []),
    ...(payload === undefined && route.params === 'query'
      ? []
      : [buildFailure(413, 'payload-too-large'), buildFailure(415, 'unsupported-media-type')]),
    ['default', makeResponseObject('A failure that is not particular to this operation.', defaultHeaders, content)],
  ]
}

function buildPolicyFailures(
  action: ResolvedAction,
  problem: ProblemForm,
): [status: string, response: ResponseObject][] {
  const declared = [...action.policies.values()].flatMap(({ responses = [] }) => responses)
  return declared.map(({ status, code, title, headers = [] }) => {
    const described = problem.describe({ type: 'about:blank', title, status, code }, action)
    const listed = headers.map((name) => [name, { required: true, schema: { type: 'string' } }] as const)
    const { status: sent = status, content } = described
    const all = { ...Object.fromEntries(listed), ...described.headers }
    return [String(sent), makeResponseObject(getStatusMessage(sent, title), all, content)]
  })
}

// --- responses of the same status ----------------------------------------------------------

/** Merges two responses of the same status, because OpenAPI allows one response for each. */
export function mergeResponseObjects(one: ResponseObject, other: ResponseObject): ResponseObject {
  const headers = mergeHeaderObjects(one.headers, other.headers)
  const content = mergeContents(one.content, other.content)
  const same = one.description === other.description
  return {
    description: same ? one.description : `${one.description} Or: ${other.description}`,
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(Object.keys(content).length > 0 && { content }),
  }
}

function mergeHeaderObjects(
  ones: ResponseObject['headers'] = {},
  others: ResponseObject['headers'] = {},
): Record<string, HeaderObject> {
  const merged: Record<string, HeaderObject> = {}
  for (const [name, header] of [...Object.entries(ones), ...Object.entries(others)]) {
    const [one, other] = [ones[name], others[name]]
    if (one === undefined || other === undefined) merged[name] = { ...header, required: false }
    else {
      const required = one.required === true && other.required === true
      merged[name] = { ...other, ...one, required, schema: mergeSchemas(one.schema, other.schema) }
    }
  }
  return merged
}

function mergeContents(
  ones: ResponseObject['content'] = {},
  others: ResponseObject['content'] = {},
): Record<string, MediaTypeObject> {
  const merged: Record<string, MediaTypeObject> = { ...others, ...ones }
  for (const [type, one] of Object.entries(ones)) {
    const other = others[type]
    if (other === undefined) continue
    const { schema: _, itemSchema: __, ...rest } = { ...other, ...one }
    merged[type] = { ...rest, ...mergeMember('schema', one, other), ...mergeMember('itemSchema', one, other) }
  }
  return merged
}

// Where one of the two has no schema, anything is valid.
function mergeMember(member: 'schema' | 'itemSchema', one: MediaTypeObject, other: MediaTypeObject): MediaTypeObject {
  const [first, second] = [one[member], other[member]]
  return first === undefined || second === undefined ? {} : { [member]: mergeSchemas(first, second) }
}
