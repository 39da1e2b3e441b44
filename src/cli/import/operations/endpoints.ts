// Operations as endpoints with actions: those of one tag together, the others by the first step of their paths.
import { externalDocs, operationId } from '../../../design/metadata.ts'
import { CommandError } from '../../command-error.ts'
import { INHERITED, Names, typeName, valueName } from '../names.ts'
import { elements, isTrue, type Located, member, members, text } from '../read/located.ts'
import type { SchemaReader } from '../schemas/reader.ts'
import type { Action, Endpoint } from './model.ts'
import { Parameters } from './parameters.ts'
import { payloadOf } from './payloads.ts'
import { Responses } from './responses.ts'
import { belowPrefix, commonPrefix, type RoutePath, routePath } from './routes.ts'
import type { Schemes } from './security.ts'

const VERBS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

interface Operation {
  readonly at: Located
  readonly item: Located
  readonly verb: string
  /** The path as the document has it. */
  readonly template: string
  readonly route: RoutePath
  readonly tag: string | undefined
}

/** Reads all operations of a document. */
export function endpointsOf(schemas: SchemaReader, schemes: Schemes): readonly Endpoint[] {
  const groups = new Map<string, Operation[]>()
  for (const one of operationsOf(schemas)) {
    const key = one.tag === undefined ? `/${firstStep(one.template)}` : one.tag
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  if (groups.size === 0)
    throw new CommandError(`${schemas.document.root.file} has no operations.`, 'name a document with paths')
  const parameters = new Parameters(schemas)
  const reading = {
    schemas,
    schemes,
    parameters,
    responses: new Responses(schemas, parameters),
    ids: new Set<string>(),
  }
  const names = new Names()
  const endpoints = [...groups].map(([key, all]) => endpointOf(names.give(nameOf(key)), key, all, reading))
  reading.responses.identify()
  return endpoints
}

interface Reading {
  readonly schemas: SchemaReader
  readonly schemes: Schemes
  readonly parameters: Parameters
  readonly responses: Responses
  /** Operation ids that were given. */
  readonly ids: Set<string>
}

const firstStep = (path: string): string =>
  path.split('/').find((step) => step !== '' && !step.startsWith('{')) ?? 'root'

// A tag that is a name stays as it is.
const nameOf = (key: string): string => (/^[A-Za-z]\w*$/.test(key) ? key : typeName(key, 'Endpoint'))

// --- operations --------------------------------------------------------------------------

function operationsOf({ document, unsaid }: SchemaReader): Operation[] {
  const shapes = new Map<string, string>()
  const found: Operation[] = []
  for (const [template, said] of members(member(document.root, 'paths'))) {
    if (template.startsWith('x-')) continue
    const item = document.resolve(said)
    const route = routePath(template)
    for (const [verb, at] of members(item)) {
      if (!VERBS.includes(verb)) continue
      const shape = `${verb} ${template.replace(/\{[^{}]*\}/g, '{}')}`
      const other = shapes.get(shape)
      if (other !== undefined)
        unsaid.add(at, `an operation that no request can tell from \`${other}\``, 'it is left out')
      if (other !== undefined) continue
      if (/[?#]/.test(template)) unsaid.add(at, 'a path with `?` or `#`', 'it is a part of the path, and encoded there')
      shapes.set(shape, `${verb.toUpperCase()} ${template}`)
      found.push({ at, item, verb, template, route, tag: tagOf(at) })
    }
    listStrays(item, ['summary', 'description', 'servers'], unsaid)
  }
  return found
}

function tagOf(operation: Located): string | undefined {
  const value = elements(member(operation, 'tags'))[0]?.value
  return typeof value === 'string' && value !== '' ? value : undefined
}

function listStrays(at: Located, names: readonly string[], unsaid: SchemaReader['unsaid']): void {
  for (const [name, one] of members(at)) {
    if (name.startsWith('x-')) unsaid.add(one, `the extension \`${name}\``, 'it is left out')
    else if (names.includes(name)) unsaid.add(one, WORDS[name] ?? `\`${name}\``, 'it is left out')
  }
}

const WORDS: Readonly<Record<string, string>> = {
  summary: '`summary`',
  callbacks: '`callbacks`: requests that the API sends',
  servers: '`servers` of a path or an operation',
}

// --- endpoints ---------------------------------------------------------------------------

function endpointOf(name: string, key: string, all: readonly Operation[], reading: Reading): Endpoint {
  const { schemas } = reading
  const tag = elements(member(schemas.document.root, 'tags')).find((one) => text(one, 'name') === key)
  if (tag !== undefined) listStrays(tag, [], schemas.unsaid)
  const [first] = all as readonly [Operation]
  const prefix = commonPrefix(all.map(({ route }) => route.path))
  const names = new Names(INHERITED)
  const actions = all.map((one) => actionOf(one, names.give(actionName(one, key, prefix)), prefix, reading))
  return {
    name,
    description: text(tag, 'description') || undefined,
    tags: first.tag === undefined || name === key ? undefined : [key],
    externalDocs: linkOf(tag, schemas.unsaid),
    prefix,
    actions,
  }
}

function actionName({ at, verb, route }: Operation, key: string, prefix: string): string {
  const id = text(at, 'operationId')
  const path = belowPrefix(route.path, prefix).replaceAll(':', 'By ')
  if (id === undefined) return valueName(`${verb} ${path}`, verb)
  // Documents of edict have the endpoint in front.
  return valueName(id.startsWith(`${key}.`) ? id.slice(key.length + 1) : id, verb)
}

function actionOf(operation: Operation, name: string, prefix: string, reading: Reading): Action {
  const { schemas, schemes, parameters, responses } = reading
  const { at, item, verb, route } = operation
  listStrays(at, ['callbacks', 'servers'], schemas.unsaid)
  const tags = elements(member(at, 'tags')).flatMap(({ value }) =>
    typeof value === 'string' && value !== '' ? [value] : [],
  )
  return {
    name,
    at,
    verb,
    path: belowPrefix(route.path, prefix),
    summary: text(at, 'summary')?.trim() || undefined,
    description: text(at, 'description') || undefined,
    operationId: idOf(operation, reading),
    tags: tags.length > 1 ? [...new Set(tags)] : undefined,
    externalDocs: linkOf(at, schemas.unsaid),
    deprecated: isTrue(at, 'deprecated'),
    ...parameters.read(item, at, route.captures),
    payload: payloadOf(at, schemas),
    responses: responses.of(at),
    security: schemes.admissions(at),
  }
}

function idOf({ at }: Operation, { schemas, ids }: Reading): string | undefined {
  const id = member(at, 'operationId')
  if (id === undefined) return undefined
  const isFree = operationId.check(id.value).length === 0 && !ids.has(id.value as string)
  if (isFree) ids.add(id.value as string)
  else schemas.unsaid.add(id, 'an operation id that is no name, or that another operation has', 'edict makes one')
  return isFree ? (id.value as string) : undefined
}

function linkOf(at: Located | undefined, unsaid: SchemaReader['unsaid']): unknown {
  const link = at && member(at, 'externalDocs')
  if (link === undefined || externalDocs.check(link.value).length === 0) return link?.value
  unsaid.add(link, '`externalDocs` without a URL', 'it is left out')
  return undefined
}
