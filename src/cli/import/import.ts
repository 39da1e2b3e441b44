// Imports an OpenAPI document as an application: reads it, converts it, and renders the files.
import { metadataFields } from '../../design/metadata.ts'
import { readEndpoints } from './operations/endpoints.ts'
import type { ImportedAction, ImportedEndpoint } from './operations/imported-model.ts'
import { SchemeReader } from './operations/security.ts'
import { readDocument, type SourceDocument } from './read/document.ts'
import { getLocationKey, getMember, getText, type LocatedValue, listElements, listMembers } from './read/located.ts'
import type { AttributeNode, AttributeNodes } from './schemas/attribute-node.ts'
import { NodeFitter } from './schemas/node-fitter.ts'
import { SchemaReader } from './schemas/schema-reader.ts'
import { type Unsupported, UnsupportedList } from './unsupported.ts'
import { renderFiles } from './write/application-files.ts'
import type { ImportedApi } from './write/file-plan.ts'

/** The files of an imported application, and the parts of the document that they do not cover. */
export interface ImportedFiles {
  readonly files: ReadonlyMap<string, string>
  readonly unsupported: readonly Unsupported[]
  readonly actions: number
}

/** Imports a document; the caller writes the files. */
export async function importDocument(file: string, cwd: string, source: string): Promise<ImportedFiles> {
  const document = await readDocument(file, cwd)
  const unsupported = new UnsupportedList(document)
  const schemas = new SchemaReader(document, unsupported)
  const schemes = new SchemeReader(document, unsupported)
  const endpoints = readEndpoints(schemas, schemes)
  reportUnused(document, schemas, unsupported)
  const fitter = new NodeFitter(unsupported)
  for (const component of schemas.components) component.node = fitter.fit(component.node)
  const fitted = endpoints.map((one) => fitEndpoint(one, (node) => fitter.fit(node)))
  const used = schemes.all.filter((one) =>
    fitted.some(({ actions }) => actions.some((action) => isSchemeUsed(action, one.name))),
  )
  const imported: ImportedApi = { ...readRoot(document, unsupported), endpoints: fitted, schemes: used }
  const actions = fitted.reduce((sum, one) => sum + one.actions.length, 0)
  return { files: renderFiles(imported, unsupported.list(), source), unsupported: unsupported.list(), actions }
}

const isSchemeUsed = ({ security }: ImportedAction, name: string): boolean =>
  security.some((way) => way !== 'none' && way.some(({ scheme }) => scheme.name === name))

function fitEndpoint(endpoint: ImportedEndpoint, fitNode: (node: AttributeNode) => AttributeNode): ImportedEndpoint {
  const fitAll = (nodes: AttributeNodes): AttributeNodes =>
    new Map([...nodes].map(([name, one]) => [name, fitNode(one)]))
  const actions = endpoint.actions.map((action): ImportedAction => {
    const { payload } = action
    const responses = [...action.responses].map(([name, one]) => {
      const bodies = one.bodies.map((body) =>
        typeof body === 'object' && 'node' in body ? { ...body, node: fitNode(body.node) } : body,
      )
      return [name, { ...one, bodies, headers: fitAll(one.headers) }] as const
    })
    return {
      ...action,
      params: fitAll(action.params),
      headers: fitAll(action.headers),
      payload: payload && { ...payload, node: fitNode(payload.node) },
      responses: new Map(responses),
    }
  })
  return { ...endpoint, actions }
}

// --- the document itself -----------------------------------------------------------------

function readRoot(document: SourceDocument, unsupported: UnsupportedList): Omit<ImportedApi, 'endpoints' | 'schemes'> {
  const { root } = document
  const info = getMember(root, 'info')
  for (const [name, one] of listMembers(info))
    if (!KNOWN_INFO.has(name)) unsupported.add(one, `\`${name}\` of the API`, 'it is left out')
  for (const [name, one] of listMembers(root))
    if (IGNORED_MEMBERS.has(name) || name.startsWith('x-'))
      unsupported.add(one, `\`${name}\` of the document`, 'it is left out')
  const basePath = readBasePath(root, unsupported)
  return {
    title: getText(info, 'title') || 'API',
    description: getText(info, 'description') || undefined,
    basePath,
    metadata: readFacts(root, info, basePath ?? '', unsupported),
  }
}

const KNOWN_INFO: ReadonlySet<string> = new Set(['title', 'description', 'termsOfService', 'contact', 'license'])

// Metadata that the application would reject is left out.
function readFacts(
  root: LocatedValue,
  info: LocatedValue | undefined,
  basePath: string,
  unsupported: UnsupportedList,
): ImportedApi['metadata'] {
  const servers = listElements(getMember(root, 'servers')).flatMap((one) => {
    const [url, description] = [readServerUrl(one).replace(/\/+$/, ''), getText(one, 'description')]
    const variables = getMember(one, 'variables')
    if (variables !== undefined) unsupported.add(variables, '`variables` of a server', 'their defaults are taken')
    const server = {
      url: url.slice(0, url.length - basePath.length),
      ...(description !== undefined && { description }),
    }
    const isValid = url.endsWith(basePath) && metadataFields.servers?.check([server]).length === 0
    if (!isValid && url !== basePath)
      unsupported.add(one, 'a server that is no absolute URL with the base path', 'it is left out')
    return isValid ? [server] : []
  })
  const entries = (['termsOfService', 'contact', 'license', 'externalDocs'] as const).flatMap((name) => {
    const at = name === 'externalDocs' ? getMember(root, name) : info && getMember(info, name)
    const isValid = at !== undefined && metadataFields[name]?.check(at.value).length === 0
    if (at !== undefined && !isValid) unsupported.add(at, `\`${name}\` of another form`, 'it is left out')
    return isValid ? [[name, at.value] as const] : []
  })
  return { ...Object.fromEntries(entries), ...(servers.length > 0 && { servers }) }
}

const IGNORED_MEMBERS: ReadonlySet<string> = new Set(['webhooks', 'jsonSchemaDialect'])

function readBasePath(root: LocatedValue, unsupported: UnsupportedList): string | undefined {
  const [first] = listElements(getMember(root, 'servers'))
  if (first === undefined) return undefined
  const url = readServerUrl(first)
  const path = URL.canParse(url, 'http://localhost')
    ? new URL(url, 'http://localhost').pathname.replace(/\/+$/, '')
    : ''
  if (/^(?:\/[\w.~-]+)*$/.test(path)) return path || undefined
  unsupported.add(first, 'a path of a server with signs that routes read otherwise', 'the application has no base path')
  return undefined
}

// Replaces variables with their defaults.
function readServerUrl(server: LocatedValue): string {
  const variables = getMember(server, 'variables')
  return (getText(server, 'url') ?? '/').replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const one = variables && getMember(variables, name)
    return getText(one, 'default') ?? name
  })
}

function reportUnused(document: SourceDocument, schemas: SchemaReader, unsupported: UnsupportedList): void {
  const components = getMember(document.root, 'components')
  const used = new Set(schemas.components.map(({ at }) => getLocationKey(at)))
  for (const [, one] of listMembers(components && getMember(components, 'schemas')))
    if (!used.has(getLocationKey(document.resolve(one))))
      unsupported.add(one, 'a schema that no operation refers to', 'it is left out')
}
