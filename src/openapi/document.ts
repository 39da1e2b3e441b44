// Builds the OpenAPI document of one version of an API from its declarations.
import type { ApiMetadata } from '../design/metadata.ts'
import type { ResolvedAction } from '../design/resolve/resolved.ts'
import type { TableEntry } from '../routing/route-table.ts'
import type { VersionCarrier } from '../routing/version.ts'
import { joinSentences } from '../util/message-text.ts'
import { OperationsBuilder } from './operations.ts'
import type { ParamNote } from './parameters.ts'
import { type DocumentedProblems, makeProblemForm } from './problem.ts'
import { SchemaRegistry } from './schema-registry.ts'
import { buildTags } from './tags.ts'
import type { OpenapiDocument, OpenapiVersion } from './types.ts'

/** The data that a document is built from. */
export interface OpenapiSource {
  /** The version of OpenAPI in which the document is written. */
  readonly openapi: OpenapiVersion
  readonly title: string
  readonly description: string | undefined
  /** The metadata that the application declares. */
  readonly metadata: ApiMetadata
  readonly basePath: string
  /** Every route, its path below the base path. */
  readonly table: readonly TableEntry[]
  readonly carriers: readonly VersionCarrier[]
  readonly validationStatus: number
  /** The form of problems if the application has its own encoder. */
  readonly problems: DocumentedProblems | undefined
  /** The notes of plugins on an action's params. */
  notes(action: ResolvedAction): Readonly<Record<string, ParamNote>>
  /** Members that plugins add to an action's operation. */
  operation(action: ResolvedAction): Readonly<Record<string, unknown>>
  /** Members that plugins add to the document. */
  readonly members: Readonly<Record<string, unknown>>
}

/** The versions of OpenAPI in which documents are written, each with its complete number. */
export const openapiVersions: { readonly [V in OpenapiVersion]: OpenapiDocument['openapi'] } = {
  '3.1': '3.1.1',
  '3.2': '3.2.0',
}

/** Describes one version of an API, or its endpoints without a version. */
export function buildOpenapiDocument(source: OpenapiSource, version: string | undefined): OpenapiDocument {
  const registry = new SchemaRegistry(source.openapi)
  const served = source.table.filter(({ version: own }) => own === version)
  const actions = [...new Set(served.map(({ action }) => action))].filter(isDocumented)
  const { carriers, validationStatus, metadata } = source
  const problem = makeProblemForm(source.problems, validationStatus, registry)
  const operations = new OperationsBuilder({
    registry,
    problem,
    validationStatus,
    version,
    carriers,
    notes: source.notes,
    operation: source.operation,
  })
  const paths = operations.build(served, ({ action }) => isDocumented(action))
  const securitySchemes = registry.securitySchemes()
  return {
    ...source.members,
    openapi: openapiVersions[source.openapi],
    info: buildInfo(source, version),
    servers: buildServers(source, version),
    tags: buildTags(actions, metadata.tags, source.openapi),
    ...(metadata.externalDocs !== undefined && { externalDocs: metadata.externalDocs }),
    paths,
    components: { schemas: registry.schemas(), ...(securitySchemes !== undefined && { securitySchemes }) },
  }
}

/** Lists the versions that have documents; undefined is the version of endpoints without one. */
export function listDocumentedVersions(table: readonly TableEntry[]): (string | undefined)[] {
  return [...new Set(table.filter(({ action }) => isDocumented(action)).map(({ version }) => version))]
}

const isDocumented = ({ nodoc }: ResolvedAction): boolean => !nodoc

function buildInfo({ title, description, metadata }: OpenapiSource, version = 'unversioned'): OpenapiDocument['info'] {
  const { termsOfService, contact, license } = metadata
  return {
    title,
    version,
    ...(description !== undefined && { description }),
    ...(termsOfService !== undefined && { termsOfService }),
    ...(contact !== undefined && { contact }),
    ...(license !== undefined && { license }),
  }
}

function buildServers(source: OpenapiSource, version: string | undefined): OpenapiDocument['servers'] {
  const { basePath, carriers, metadata } = source
  const servers = metadata.servers?.length ? metadata.servers : [{ url: '' }]
  const listServers = (path: string, note?: string): OpenapiDocument['servers'] =>
    servers.map(({ url, description }) => {
      const text = joinSentences(description, note)
      return { url: url.replace(/\/+$/, '') + path || '/', ...(text !== '' && { description: text }) }
    })
  if (version === undefined || !carriers.includes('path')) return listServers(basePath)
  const inPath = `${basePath}/v${encodeURIComponent(version)}`
  // Generated clients use the first server.
  return carriers.length === 1
    ? listServers(inPath)
    : [
        ...listServers(inPath, 'The version in the path'),
        ...listServers(basePath, 'The version in a header or a parameter'),
      ]
}
