// Writes the module that replaces declarations in a front end: a table of calls for each endpoint, the media types and
// attributes that it exports, and its data.

import type { CallTable } from '../client/call-table.ts'
import { findListPath, tabulateDefinition } from '../client/declared-calls.ts'
import { findPlainJsonType } from '../client/write-body.ts'
import { type AnyEndpoint, isEndpoint } from '../design/declare/endpoint.ts'
import { isMediaType } from '../design/declare/media-type.ts'
import type { Policy } from '../design/declare/policy.ts'
import { type ActionOutline, outlineEndpoint } from '../design/resolve/outline.ts'
import { getSourceLocation } from '../design/source-location.ts'
import { isAttribute } from '../schema/attribute.ts'
import { TableModule, type Use } from './write-attributes.ts'
import { UnwritableError, writeLiteral, writeMembers } from './write-literal.ts'

/** The module for some declarations. */
export interface WrittenTable {
  readonly code: string
  /** The names of its exports, in the order of the lines that export them. */
  readonly names: readonly string[]
}

/** A declaration that no table can contain. */
export interface Unwritten {
  readonly reason: string
  /** Its location, such as `/api/src/books.ts:12:3`, if it is known. */
  readonly location: string | undefined
}

/** Writes the table of a module's exports, or lists the parts that no table can contain. */
export function writeTable(exports: Readonly<Record<string, unknown>>): WrittenTable | Unwritten {
  const module = new TableModule()
  const lines: string[] = []
  const names: string[] = []
  for (const [name, value] of Object.entries(exports)) {
    let expression: string | undefined
    try {
      expression = writeExport(module, value)
    } catch (error) {
      if (!(error instanceof UnwritableError)) throw error
      const location = typeof value === 'object' && value !== null ? getSourceLocation(value) : undefined
      return { reason: `${name} contains ${error.message}`, location }
    }
    if (expression === undefined) continue
    names.push(name)
    lines.push(name === 'default' ? `export default ${expression}\n` : `export const ${name} = ${expression}\n`)
  }
  return { code: module.print() + lines.join(''), names }
}

// Only declarations and data are exported: functions, and instances of classes, are the server's.
function writeExport(module: TableModule, value: unknown): string | undefined {
  if (isEndpoint(value)) return writeEndpoint(module, value)
  if (isMediaType(value)) return module.writeMediaType(value)
  if (isAttribute(value)) return module.writeAttribute(value, 'read')
  try {
    return writeLiteral(value)
  } catch (error) {
    if (error instanceof UnwritableError) return undefined
    throw error
  }
}

function writeEndpoint(module: TableModule, definition: AnyEndpoint): string {
  const { version, canonicalPath } = definition.spec
  const tables = tabulateDefinition(definition)
  const actions = [...outlineEndpoint(definition)].map(([name, action]) => {
    try {
      return [name, writeAction(module, action, tables?.get(name) as CallTable)] as const
    } catch (error) {
      throw error instanceof UnwritableError ? new UnwritableError(`${error.message} (in ${name})`) : error
    }
  })
  return module.call(
    'table',
    JSON.stringify(definition.name),
    writeMembers(actions),
    version === undefined ? undefined : JSON.stringify(version),
    canonicalPath === undefined ? undefined : JSON.stringify(canonicalPath),
  )
}

function writeAction(module: TableModule, action: ActionOutline, table: CallTable): string {
  const { params, headers, responses, payload, policies, paramTypes } = action
  const { selectors, repeat, streams, walk, follow } = table
  if (follow !== undefined) throw new UnwritableError('a stream of events, which its declaration reads')
  const use: Use = selectors === undefined ? 'read' : 'select'
  const sentPolicies = policies.filter((one) => one.client !== undefined || one.retry !== undefined)
  const written = module.writeAttributes(params, 'write')
  const members: readonly (readonly [string, string | undefined])[] = [
    ['routes', `[${action.routes.map((one) => writeRoute(module, one)).join(',')}]`],
    ['params', written === '{}' ? undefined : written],
    ['headers', Object.keys(headers).length === 0 ? undefined : module.writeAttributes(headers, 'write')],
    ['responses', writeResponses(module, responses, use)],
    ['writeBody', payload && writePayload(module, payload)],
    [
      'writeParams',
      action.routes.some((one) => one.params === 'body')
        ? `(v,h)=>${module.use('writeParams')}(${JSON.stringify(paramTypes)},${written},v,h)`
        : undefined,
    ],
    ['policies', sentPolicies.length === 0 ? undefined : `[${sentPolicies.map((one) => writePolicy(module, one))}]`],
    ['selectors', selectors && JSON.stringify(selectors)],
    ['walk', walk && writeWalk(module, action)],
    ['streams', streams && module.use('streams')],
    ['repeat', repeat && module.use('repeat')],
  ]
  return writeMembers(members.flatMap(([name, one]) => (one === undefined ? [] : [[name, one] as const])))
}

/** Matches paths of texts and captures only, without special characters. */
const PLAIN_PATH = /^(?:[\w.~/-]|:[A-Za-z_]\w*)*$/

function writeRoute(module: TableModule, { verb, path, params }: ActionOutline['routes'][number]): string {
  if (params !== 'body' && PLAIN_PATH.test(path)) return JSON.stringify(`${verb} ${path}`)
  return module.call('route', JSON.stringify(verb), JSON.stringify(path), params === 'body' ? '"body"' : undefined)
}

function writeResponses(module: TableModule, responses: ActionOutline['responses'], use: Use): string {
  const members = responses.map(({ name, status, bodies }) => {
    const written = bodies.map(({ identifier, attribute, list, stream }) =>
      module.define(
        module.call(
          'body',
          JSON.stringify(identifier),
          attribute && module.writeAttribute(attribute, use),
          list || stream !== undefined ? String(list) : undefined,
          stream && JSON.stringify(stream.as),
        ),
      ),
    )
    return [name, `[${[status, ...written].join(',')}]`] as const
  })
  return writeMembers(members)
}

function writePayload(module: TableModule, payload: NonNullable<ActionOutline['payload']>): string {
  const { form, files, consumes } = payload
  const attribute = module.writeAttribute(payload.attribute, 'write')
  const type = findPlainJsonType(payload)
  if (type !== undefined)
    return module.call('json', attribute, type === 'application/json' ? undefined : JSON.stringify(type))
  return module.call(
    'payload',
    `{attribute:${attribute},form:"${form}",files:${files},consumes:${JSON.stringify(consumes)}}`,
  )
}

function writePolicy(module: TableModule, { name, portable }: Policy): string {
  if (portable !== undefined) return module.useFrom(portable)
  throw new UnwritableError(`the policy '${name}', whose functions for clients come from its declaration`)
}

function writeWalk(module: TableModule, { params, responses }: ActionOutline): string {
  if (Object.values(params).some(({ core }) => core.listing !== undefined))
    throw new UnwritableError('a list of another convention, whose pages are found by functions')
  return module.define(module.call('walk', JSON.stringify(findListPath(responses) ?? [])))
}
