// Groups operations into endpoints: by their first tag, otherwise by the first segment of their paths.
import { externalDocsForm, operationIdForm } from '../../../design/metadata.ts'
import { CommandError } from '../../command-error.ts'
import { INHERITED_NAMES, NameRegistry, toTypeName, toValueName } from '../identifiers.ts'
import { getMember, getText, isTrueMember, type LocatedValue, listElements, listMembers } from '../read/located.ts'
import type { SchemaReader } from '../schemas/schema-reader.ts'
import type { ImportedAction, ImportedEndpoint } from './imported-model.ts'
import { ParameterReader } from './parameters.ts'
import { readPayload } from './payloads.ts'
import { ResponseReader } from './responses.ts'
import { findCommonPrefix, type RoutePath, stripPrefix, toRoutePath } from './routes.ts'
import type { SchemeReader } from './security.ts'

const OPERATION_VERBS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

interface Operation {
  readonly at: LocatedValue
  readonly item: LocatedValue
  readonly verb: string
  /** The path in the document. */
  readonly template: string
  readonly route: RoutePath
  readonly tag: string | undefined
}

/** Reads all operations of a document. */
export function readEndpoints(schemas: SchemaReader, schemes: SchemeReader): readonly ImportedEndpoint[] {
  const groups = new Map<string, Operation[]>()
  for (const one of listOperations(schemas)) {
    const key = one.tag === undefined ? `/${getFirstSegment(one.template)}` : one.tag
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  if (groups.size === 0)
    throw new CommandError(`${schemas.document.root.file} has no operations.`, 'name a document with paths')
  const parameters = new ParameterReader(schemas)
  const readers = {
    schemas,
    schemes,
    parameters,
    responses: new ResponseReader(schemas, parameters),
    ids: new Set<string>(),
  }
  const names = new NameRegistry()
  const endpoints = [...groups].map(([key, all]) => readEndpoint(names.reserve(toEndpointName(key)), key, all, readers))
  readers.responses.assignIdentifiers()
  return endpoints
}

interface OperationReaders {
  readonly schemas: SchemaReader
  readonly schemes: SchemeReader
  readonly parameters: ParameterReader
  readonly responses: ResponseReader
  /** The operation ids in use. */
  readonly ids: Set<string>
}

const getFirstSegment = (path: string): string =>
  path.split('/').find((step) => step !== '' && !step.startsWith('{')) ?? 'root'

// A tag that is an identifier stays unchanged.
const toEndpointName = (key: string): string => (/^[A-Za-z]\w*$/.test(key) ? key : toTypeName(key, 'Endpoint'))

// --- operations --------------------------------------------------------------------------

function listOperations({ document, unsupported }: SchemaReader): Operation[] {
  const shapes = new Map<string, string>()
  const found: Operation[] = []
  for (const [template, pathItem] of listMembers(getMember(document.root, 'paths'))) {
    if (template.startsWith('x-')) continue
    const item = document.resolve(pathItem)
    const route = toRoutePath(template)
    for (const [verb, at] of listMembers(item)) {
      if (!OPERATION_VERBS.includes(verb)) continue
      const shape = `${verb} ${template.replace(/\{[^{}]*\}/g, '{}')}`
      const other = shapes.get(shape)
      if (other !== undefined)
        unsupported.add(at, `an operation that no request can distinguish from \`${other}\``, 'it is left out')
      if (other !== undefined) continue
      if (/[?#]/.test(template))
        unsupported.add(at, 'a path with `?` or `#`', 'it is a part of the path, and encoded there')
      shapes.set(shape, `${verb.toUpperCase()} ${template}`)
      found.push({ at, item, verb, template, route, tag: getFirstTag(at) })
    }
    reportIgnored(item, ['summary', 'description', 'servers'], unsupported)
  }
  return found
}

function getFirstTag(operation: LocatedValue): string | undefined {
  const value = listElements(getMember(operation, 'tags'))[0]?.value
  return typeof value === 'string' && value !== '' ? value : undefined
}

function reportIgnored(at: LocatedValue, names: readonly string[], unsupported: SchemaReader['unsupported']): void {
  for (const [name, one] of listMembers(at)) {
    if (name.startsWith('x-')) unsupported.add(one, `the extension \`${name}\``, 'it is left out')
    else if (names.includes(name)) unsupported.add(one, MEMBER_TEXTS[name] ?? `\`${name}\``, 'it is left out')
  }
}

const MEMBER_TEXTS: Readonly<Record<string, string>> = {
  summary: '`summary`',
  callbacks: '`callbacks`: requests that the API sends',
  servers: '`servers` of a path or an operation',
}

// --- endpoints ---------------------------------------------------------------------------

function readEndpoint(
  name: string,
  key: string,
  all: readonly Operation[],
  readers: OperationReaders,
): ImportedEndpoint {
  const { schemas } = readers
  const tag = listElements(getMember(schemas.document.root, 'tags')).find((one) => getText(one, 'name') === key)
  if (tag !== undefined) reportIgnored(tag, [], schemas.unsupported)
  const [first] = all as readonly [Operation]
  const prefix = findCommonPrefix(all.map(({ route }) => route.path))
  const names = new NameRegistry(INHERITED_NAMES)
  const actions = all.map((one) => readAction(one, names.reserve(chooseActionName(one, key, prefix)), prefix, readers))
  return {
    name,
    description: getText(tag, 'description') || undefined,
    tags: first.tag === undefined || name === key ? undefined : [key],
    externalDocs: readExternalDocs(tag, schemas.unsupported),
    prefix,
    actions,
  }
}

function chooseActionName({ at, verb, route }: Operation, key: string, prefix: string): string {
  const id = getText(at, 'operationId')
  const path = stripPrefix(route.path, prefix).replaceAll(':', 'By ')
  if (id === undefined) return toValueName(`${verb} ${path}`, verb)
  // Documents generated by edict prefix the operation id with the endpoint.
  return toValueName(id.startsWith(`${key}.`) ? id.slice(key.length + 1) : id, verb)
}

function readAction(operation: Operation, name: string, prefix: string, readers: OperationReaders): ImportedAction {
  const { schemas, schemes, parameters, responses } = readers
  const { at, item, verb, route } = operation
  reportIgnored(at, ['callbacks', 'servers'], schemas.unsupported)
  const tags = listElements(getMember(at, 'tags')).flatMap(({ value }) =>
    typeof value === 'string' && value !== '' ? [value] : [],
  )
  return {
    name,
    at,
    verb,
    path: stripPrefix(route.path, prefix),
    summary: getText(at, 'summary')?.trim() || undefined,
    description: getText(at, 'description') || undefined,
    operationId: readOperationId(operation, readers),
    tags: tags.length > 1 ? [...new Set(tags)] : undefined,
    externalDocs: readExternalDocs(at, schemas.unsupported),
    deprecated: isTrueMember(at, 'deprecated'),
    ...parameters.read(item, at, route.captures),
    payload: readPayload(at, schemas),
    responses: responses.read(at),
    security: schemes.readAdmissions(at),
  }
}

function readOperationId({ at }: Operation, { schemas, ids }: OperationReaders): string | undefined {
  const id = getMember(at, 'operationId')
  if (id === undefined) return undefined
  const isFree = operationIdForm.check(id.value).length === 0 && !ids.has(id.value as string)
  if (isFree) ids.add(id.value as string)
  else schemas.unsupported.add(id, 'an operation id that is no name, or that another operation has', 'edict makes one')
  return isFree ? (id.value as string) : undefined
}

function readExternalDocs(at: LocatedValue | undefined, unsupported: SchemaReader['unsupported']): unknown {
  const link = at && getMember(at, 'externalDocs')
  if (link === undefined || externalDocsForm.check(link.value).length === 0) return link?.value
  unsupported.add(link, '`externalDocs` without a URL', 'it is left out')
  return undefined
}
