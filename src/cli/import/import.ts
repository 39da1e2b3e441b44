// An OpenAPI document as an application: read, understood, and written as files.
import { metadataFields } from '../../design/metadata.ts'
import { endpointsOf } from './operations/endpoints.ts'
import type { Action, Endpoint } from './operations/model.ts'
import { Schemes } from './operations/security.ts'
import { type Document, readDocument } from './read/document.ts'
import { elements, keyOf, type Located, member, members, text } from './read/located.ts'
import { Fitting } from './schemas/fit.ts'
import type { Node, Nodes } from './schemas/node.ts'
import { SchemaReader } from './schemas/reader.ts'
import { type Unsaid, UnsaidList } from './unsaid.ts'
import { filesOf } from './write/files.ts'
import type { Imported } from './write/plan.ts'

/** The files of an imported application, and what they do not say. */
export interface ImportedFiles {
  readonly files: ReadonlyMap<string, string>
  readonly unsaid: readonly Unsaid[]
  readonly actions: number
}

/** Imports a document; nothing is written. */
export async function importDocument(file: string, cwd: string, source: string): Promise<ImportedFiles> {
  const document = await readDocument(file, cwd)
  const unsaid = new UnsaidList(document)
  const schemas = new SchemaReader(document, unsaid)
  const schemes = new Schemes(document, unsaid)
  const endpoints = endpointsOf(schemas, schemes)
  listUnused(document, schemas, unsaid)
  const fitting = new Fitting(unsaid)
  for (const component of schemas.components) component.node = fitting.settled(component.node)
  const settled = endpoints.map((one) => settledEndpoint(one, (node) => fitting.settled(node)))
  const used = schemes.all.filter((one) =>
    settled.some(({ actions }) => actions.some((action) => asks(action, one.name))),
  )
  const imported: Imported = { ...rootOf(document, unsaid), endpoints: settled, schemes: used }
  const actions = settled.reduce((sum, one) => sum + one.actions.length, 0)
  return { files: filesOf(imported, unsaid.all(), source), unsaid: unsaid.all(), actions }
}

const asks = ({ security }: Action, name: string): boolean =>
  security.some((way) => way !== 'none' && way.some(({ scheme }) => scheme.name === name))

function settledEndpoint(endpoint: Endpoint, settle: (node: Node) => Node): Endpoint {
  const all = (nodes: Nodes): Nodes => new Map([...nodes].map(([name, one]) => [name, settle(one)]))
  const actions = endpoint.actions.map((action): Action => {
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

function rootOf(document: Document, unsaid: UnsaidList): Omit<Imported, 'endpoints' | 'schemes'> {
  const { root } = document
  const info = member(root, 'info')
  for (const [name, one] of members(info))
    if (!KNOWN.has(name)) unsaid.add(one, `\`${name}\` of the API`, 'it is left out')
  for (const [name, one] of members(root))
    if (LEFT_OUT.has(name) || name.startsWith('x-')) unsaid.add(one, `\`${name}\` of the document`, 'it is left out')
  const basePath = basePathOf(root, unsaid)
  return {
    title: text(info, 'title') || 'API',
    description: text(info, 'description') || undefined,
    basePath,
    facts: factsOf(root, info, basePath ?? '', unsaid),
  }
}

const KNOWN: ReadonlySet<string> = new Set(['title', 'description', 'termsOfService', 'contact', 'license'])

// Facts that an application would be refused for are left out.
function factsOf(root: Located, info: Located | undefined, basePath: string, unsaid: UnsaidList): Imported['facts'] {
  const servers = elements(member(root, 'servers')).flatMap((one) => {
    const [url, description] = [addressOf(one).replace(/\/+$/, ''), text(one, 'description')]
    const variables = member(one, 'variables')
    if (variables !== undefined) unsaid.add(variables, '`variables` of a server', 'their defaults are taken')
    const made = { url: url.slice(0, url.length - basePath.length), ...(description !== undefined && { description }) }
    const isFit = url.endsWith(basePath) && metadataFields.servers?.check([made]).length === 0
    if (!isFit && url !== basePath)
      unsaid.add(one, 'a server that is no absolute URL with the base path', 'it is left out')
    return isFit ? [made] : []
  })
  const named = (['termsOfService', 'contact', 'license', 'externalDocs'] as const).flatMap((name) => {
    const at = name === 'externalDocs' ? member(root, name) : info && member(info, name)
    const isFit = at !== undefined && metadataFields[name]?.check(at.value).length === 0
    if (at !== undefined && !isFit) unsaid.add(at, `\`${name}\` of another form`, 'it is left out')
    return isFit ? [[name, at.value] as const] : []
  })
  return { ...Object.fromEntries(named), ...(servers.length > 0 && { servers }) }
}

const LEFT_OUT: ReadonlySet<string> = new Set(['webhooks', 'jsonSchemaDialect'])

function basePathOf(root: Located, unsaid: UnsaidList): string | undefined {
  const [first] = elements(member(root, 'servers'))
  if (first === undefined) return undefined
  const url = addressOf(first)
  const path = URL.canParse(url, 'http://localhost')
    ? new URL(url, 'http://localhost').pathname.replace(/\/+$/, '')
    : ''
  if (/^(?:\/[\w.~-]+)*$/.test(path)) return path || undefined
  unsaid.add(first, 'a path of a server with signs that routes read otherwise', 'the application has no base path')
  return undefined
}

// With the defaults of its variables.
function addressOf(server: Located): string {
  const variables = member(server, 'variables')
  return (text(server, 'url') ?? '/').replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const one = variables && member(variables, name)
    return text(one, 'default') ?? name
  })
}

function listUnused(document: Document, schemas: SchemaReader, unsaid: UnsaidList): void {
  const components = member(document.root, 'components')
  const used = new Set(schemas.components.map(({ at }) => keyOf(at)))
  for (const [, one] of members(components && member(components, 'schemas')))
    if (!used.has(keyOf(document.resolve(one))))
      unsaid.add(one, 'a schema that no operation refers to', 'it is left out')
}
