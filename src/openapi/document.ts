// The document: one version of an API as OpenAPI 3.1, made from declarations alone.
import type { ResolvedAction } from '../design/resolved.ts'
import type { TableEntry } from '../routing/table.ts'
import { VERSION_PARAM, type VersionCarrier } from '../routing/version.ts'
import { messageOf, type ProblemForm, requestBodyOf, responseOf } from './bodies.ts'
import { Book } from './book.ts'
import { parametersOf } from './parameters.ts'
import { type PathTemplate, templatesOf } from './paths.ts'
import { problemSchema } from './problem-schema.ts'
import { securityOf, securitySchemesOf } from './security.ts'
import type { OpenapiDocument, Operation, Parameter, PathItem, ResponseObject } from './types.ts'

/** What a document is made of. */
export interface OpenapiSource {
  readonly title: string
  readonly description: string | undefined
  readonly basePath: string
  /** Every route, its path below the base path. */
  readonly table: readonly TableEntry[]
  readonly carriers: readonly VersionCarrier[]
  readonly validationStatus: number
  /** The media type of problem documents, when it is the application's own: what they look like is then unknown. */
  readonly problemType: string | undefined
}

/** Describes one version of an API, or its endpoints without a version. */
export function openapiDocument(source: OpenapiSource, version: string | undefined): OpenapiDocument {
  const book = new Book()
  const problem = problemForm(source, book)
  const entries = source.table.filter(({ version: own, action }) => own === version && isShown(action))
  const endpoints = [...new Set(entries.map(({ action }) => action.endpoint))]
  const paths: Record<string, PathItem> = {}
  const ids = new Set<string>()
  const site: Site = { source, version, problem, book, ids, paths }
  for (const entry of entries) addOperations(entry, site)
  const securitySchemes = securitySchemesOf(entries.map(({ action }) => action))
  return {
    openapi: '3.1.1',
    info: {
      title: source.title,
      version: version ?? 'unversioned',
      ...(source.description !== undefined && { description: source.description }),
    },
    servers: serversOf(source, version),
    tags: endpoints.map(({ name, description }) => ({ name, ...(description !== undefined && { description }) })),
    paths,
    components: {
      schemas: book.schemas(),
      ...(securitySchemes !== undefined && { securitySchemes }),
    },
  }
}

/** The versions that documents can be made of; undefined stands for the endpoints without one. */
export function documentedVersions(table: readonly TableEntry[]): (string | undefined)[] {
  return [...new Set(table.filter(({ action }) => isShown(action)).map(({ version }) => version))]
}

const isShown = ({ nodoc, endpoint }: ResolvedAction): boolean => !nodoc && !endpoint.nodoc

function problemForm({ problemType }: OpenapiSource, book: Book): ProblemForm {
  if (problemType !== undefined) return { mediaType: problemType, schema: {} }
  return {
    mediaType: 'application/problem+json',
    schema: book.output.refer('Problem', problemSchema, () => problemSchema),
  }
}

function serversOf({ basePath, carriers }: OpenapiSource, version: string | undefined): OpenapiDocument['servers'] {
  const plain = { url: basePath === '' ? '/' : basePath }
  if (version === undefined || !carriers.includes('path')) return [plain]
  const inPath = { url: `${basePath}/v${encodeURIComponent(version)}`, description: 'The version in the path' }
  return carriers.length === 1
    ? [inPath]
    : [inPath, { ...plain, description: 'The version in a header or a parameter' }]
}

// --- operations ------------------------------------------------------------------------

interface Site {
  readonly source: OpenapiSource
  readonly version: string | undefined
  readonly problem: ProblemForm
  readonly book: Book
  readonly ids: Set<string>
  readonly paths: Record<string, PathItem>
}

const ANY_VERBS = ['get', 'post', 'put', 'patch', 'delete']

function addOperations({ action, route }: TableEntry, site: Site): void {
  for (const template of templatesOf(route.pattern)) {
    site.paths[template.path] ??= {}
    const item = site.paths[template.path] as PathItem
    const verbs = route.verb === 'ANY' ? ANY_VERBS : [route.verb.toLowerCase()]
    // Routes that differ only in what their captures take share a path here; the first one stands for them.
    for (const verb of verbs) item[verb] ??= operationOf(action, template, route.name ?? verb, site)
  }
}

function operationOf(action: ResolvedAction, template: PathTemplate, hint: string, site: Site): Operation {
  const { source, book } = site
  const parameters = [...parametersOf(action, template, book), ...versionParameters(site)]
  const requestBody = requestBodyOf(action, book)
  const security = securityOf(action)
  return {
    operationId: operationId(action, hint, site.ids),
    tags: [action.endpoint.name],
    ...texts(action),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody !== undefined && { requestBody }),
    responses: responsesOf(action, source, site),
    ...(security !== undefined && { security }),
  }
}

function operationId({ endpoint, name }: ResolvedAction, hint: string, ids: Set<string>): string {
  const base = `${endpoint.name}.${name}`
  let id = ids.has(base) ? `${base}.${hint}` : base
  for (let n = 2; ids.has(id); n++) id = `${base}.${hint}${n}`
  ids.add(id)
  return id
}

// The first sentence is enough for a list of operations.
function texts({ name, description, endpoint }: ResolvedAction): { summary: string; description?: string } {
  if (description === undefined) return { summary: `${endpoint.name} ${name}` }
  const [, first = description] = /^\s*(.+?[.!?])(?:\s|$)/.exec(description) ?? []
  return { summary: first.replace(/\s+/g, ' ').slice(0, 120), description }
}

function versionParameters({ source: { carriers }, version }: Site): Parameter[] {
  if (version === undefined) return []
  const only = carriers.length === 1
  const schema = { type: 'string', const: version }
  const description = 'The version of the API.'
  const required = only && { required: true }
  return [
    ...(carriers.includes('header')
      ? [{ name: 'X-Api-Version', in: 'header' as const, ...required, description, schema }]
      : []),
    ...(carriers.includes('params')
      ? [{ name: VERSION_PARAM, in: 'query' as const, ...required, description, schema }]
      : []),
  ]
}

function responsesOf(action: ResolvedAction, source: OpenapiSource, site: Site): Record<string, ResponseObject> {
  const { problem, book } = site
  const responses: Record<string, ResponseObject> = {}
  for (const declared of action.responses.values()) {
    const made = responseOf(declared, action, problem, book)
    const status = String(declared.status)
    responses[status] = responses[status] === undefined ? made : merged(responses[status], made)
  }
  for (const [status, description] of impliedFailures(action, source)) {
    responses[status] ??= { description, content: { [problem.mediaType]: { schema: problem.schema } } }
  }
  return responses
}

// Two responses of one status are told apart by their bodies only.
function merged(one: ResponseObject, other: ResponseObject): ResponseObject {
  return {
    description: `${one.description} Or: ${other.description}`,
    ...((one.headers ?? other.headers) && { headers: { ...other.headers, ...one.headers } }),
    ...((one.content ?? other.content) && { content: { ...other.content, ...one.content } }),
  }
}

// What the framework answers by itself, where it can happen; anything else that goes wrong is the default.
function impliedFailures({ params, headers, payload, security }: ResolvedAction, { validationStatus }: OpenapiSource) {
  const inputs = Object.keys(params).length > 0 || Object.keys(headers).length > 0 || payload !== undefined
  const closed = security.some((need) => need !== null)
  return [
    ...(closed ? [['401', messageOf(401, '')] as const, ['403', messageOf(403, '')] as const] : []),
    ...(inputs ? [[String(validationStatus), 'The request does not match its declaration.'] as const] : []),
    ...(payload === undefined ? [] : [['413', messageOf(413, '')] as const, ['415', messageOf(415, '')] as const]),
    ['default', 'A failure that is not particular to this operation.'] as const,
  ]
}
