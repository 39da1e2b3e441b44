// An OpenAPI document as an application: read, understood, and written as files.
import { metadataFields } from '../../design/metadata.ts'
import { readEndpoints } from './operations/endpoints.ts'
import type { ImportedAction, ImportedEndpoint } from './operations/imported-model.ts'
import { SchemeReader } from './operations/security.ts'
import { type SourceDocument, readDocument } from './read/document.ts'
import { listElements, getLocationKey, type LocatedValue, getMember, listMembers, getText } from './read/located.ts'
import { NodeFitter } from './schemas/node-fitter.ts'
import type { AttributeNode, AttributeNodes } from './schemas/attribute-node.ts'
import { SchemaReader } from './schemas/schema-reader.ts'
import { type Unsupported, UnsupportedList } from './unsupported.ts'
import { renderFiles } from './write/application-files.ts'
import type { ImportedApi } from './write/file-plan.ts'

/** The files of an imported application, and what they do not say. */
export interface ImportedFiles {
  readonly files: ReadonlyMap<string, string>
  readonly unsupported: readonly Unsupported[]
  readonly actions: number
}

/** Imports a document; nothing is written. */
export async function importDocument(file: string, cwd: string, source: string): Promise<ImportedFiles> {
  const document = await readDocument(file, cwd)
  const unsaid = new UnsupportedList(document)
  const schemas = new SchemaReader(document, unsaid)
  const schemes = new SchemeReader(document, unsaid)
  const endpoints = readEndpoints(schemas, schemes)
  reportUnused(document, schemas, unsaid)
  const fitting = new NodeFitter(unsaid)
  for (const component of schemas.components) component.node = fitting.fit(component.node)
  const settled = endpoints.map((one) => fitEndpoint(one, (node) => fitting.fit(node)))
  const used = schemes.all.filter((one) =>
    settled.some(({ actions }) => actions.some((action) => isSchemeUsed(action, one.name))),
  )
  const imported: ImportedApi = { ...readRoot(document, unsaid), endpoints: settled, schemes: used }
  const actions = settled.reduce((sum, one) => sum + one.actions.length, 0)
  return { files: renderFiles(imported, unsaid.list(), source), unsupported: unsaid.list(), actions }
}

const isSchemeUsed = ({ security }: ImportedAction, name: string): boolean =>
  security.some((way) => way !== 'none' && way.some(({ scheme }) => scheme.name === name))

function fitEndpoint(endpoint: ImportedEndpoint, settle: (node: AttributeNode) => AttributeNode): ImportedEndpoint {
  const all = (nodes: AttributeNodes): AttributeNodes => new Map([...nodes].map(([name, one]) => [name, settle(one)]))
  const actions = endpoint.actions.map((action): ImportedAction => {
    const { payload } = action
    const responses = [...action.responses].map(([name, one]) => {
      const bodies = one.bodies.map((body) =>
        typeof body === 'object' && 'node' in body ? { ...body, node: settle(body.node) } : body,
      )
      return [name, { ...one, bodies, headers: all(one.headers) }] as const
    })
    return {
      ...action,
      params: all(action.params),
      headers: all(action.headers),
      payload: payload && { ...payload, node: settle(payload.node) },
      responses: new Map(responses),
    }
  })
  return { ...endpoint, actions }
}

// --- the document itself -----------------------------------------------------------------

function readRoot(document: SourceDocument, unsaid: UnsupportedList): Omit<ImportedApi, 'endpoints' | 'schemes'> {
  const { root } = document
  const info = getMember(root, 'info')
  for (const [name, one] of listMembers(info))
    if (!KNOWN_INFO.has(name)) unsaid.add(one, `\`${name}\` of the API`, 'it is left out')
  for (const [name, one] of listMembers(root))
    if (IGNORED_MEMBERS.has(name) || name.startsWith('x-')) unsaid.add(one, `\`${name}\` of the document`, 'it is left out')
  const basePath = readBasePath(root, unsaid)
  return {
    title: getText(info, 'title') || 'API',
    description: getText(info, 'description') || undefined,
    basePath,
    facts: readFacts(root, info, basePath ?? '', unsaid),
  }
}

const KNOWN_INFO: ReadonlySet<string> = new Set(['title', 'description', 'termsOfService', 'contact', 'license'])

// Facts that an application would be refused for are left out.
function readFacts(root: LocatedValue, info: LocatedValue | undefined, basePath: string, unsaid: UnsupportedList): ImportedApi['facts'] {
  const servers = listElements(getMember(root, 'servers')).flatMap((one) => {
    const [url, description] = [readServerUrl(one).replace(/\/+$/, ''), getText(one, 'description')]
    const variables = getMember(one, 'variables')
    if (variables !== undefined) unsaid.add(variables, '`variables` of a server', 'their defaults are taken')
    const made = { url: url.slice(0, url.length - basePath.length), ...(description !== undefined && { description }) }
    const isFit = url.endsWith(basePath) && metadataFields.servers?.check([made]).length === 0
    if (!isFit && url !== basePath)
      unsaid.add(one, 'a server that is no absolute URL with the base path', 'it is left out')
    return isFit ? [made] : []
  })
  const named = (['termsOfService', 'contact', 'license', 'externalDocs'] as const).flatMap((name) => {
    const at = name === 'externalDocs' ? getMember(root, name) : info && getMember(info, name)
    const isFit = at !== undefined && metadataFields[name]?.check(at.value).length === 0
    if (at !== undefined && !isFit) unsaid.add(at, `\`${name}\` of another form`, 'it is left out')
    return isFit ? [[name, at.value] as const] : []
  })
  return { ...Object.fromEntries(named), ...(servers.length > 0 && { servers }) }
}

const IGNORED_MEMBERS: ReadonlySet<string> = new Set(['webhooks', 'jsonSchemaDialect'])

function readBasePath(root: LocatedValue, unsaid: UnsupportedList): string | undefined {
  const [first] = listElements(getMember(root, 'servers'))
  if (first === undefined) return undefined
  const url = readServerUrl(first)
  const path = URL.canParse(url, 'http://localhost')
    ? new URL(url, 'http://localhost').pathname.replace(/\/+$/, '')
    : ''
  if (/^(?:\/[\w.~-]+)*$/.test(path)) return path || undefined
  unsaid.add(first, 'a path of a server with signs that routes read otherwise', 'the application has no base path')
  return undefined
}

// With the defaults of its variables.
function readServerUrl(server: LocatedValue): string {
  const variables = getMember(server, 'variables')
  return (getText(server, 'url') ?? '/').replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const one = variables && getMember(variables, name)
    return getText(one, 'default') ?? name
  })
}

function reportUnused(document: SourceDocument, schemas: SchemaReader, unsaid: UnsupportedList): void {
  const components = getMember(document.root, 'components')
  const used = new Set(schemas.components.map(({ at }) => getLocationKey(at)))
  for (const [, one] of listMembers(components && getMember(components, 'schemas')))
    if (!used.has(getLocationKey(document.resolve(one))))
      unsaid.add(one, 'a schema that no operation refers to', 'it is left out')
}
