// Converts responses keyed by status to responses keyed by name.
import { builtinStatuses, statusMessages } from '../../../design/declare/status.ts'
import { getEssence, isJsonType } from '../../../util/media-type.ts'
import { getMember, getText, isObject, type LocatedValue, listElements, listMembers } from '../read/located.ts'
import {
  type AttributeNode,
  type AttributeNodes,
  type Component,
  isMediaComponent,
  isNullable,
  withOptions,
} from '../schemas/attribute-node.ts'
import type { SchemaReader } from '../schemas/schema-reader.ts'
import type { ImportedBody, ImportedResponse } from './imported-model.ts'
import type { ParameterReader } from './parameters.ts'
import { EXAMPLES_REPLACED } from './payloads.ts'

const NAMES_BY_STATUS: ReadonlyMap<number, string> = new Map(
  [...builtinStatuses].map(([name, status]) => [status, name]),
)

// Failures that the framework sends by itself, wherever they can occur.
const FRAMEWORK_STATUSES: ReadonlySet<number> = new Set([400, 401, 403, 406, 413, 415])

const MEDIA_TYPE_PATTERN = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?: *;[\t\x20-\x7e]+)?$/

/** Reads responses; the content types of components are assigned after all are read. */
export class ResponseReader {
  readonly #schemas: SchemaReader
  readonly #parameters: ParameterReader
  /** The distinct contents of each response name that is not built in. */
  readonly #names = new Map<string, string[]>()
  readonly #uses: { readonly component: Component; readonly type: string; readonly at: LocatedValue }[] = []

  constructor(schemas: SchemaReader, parameters: ParameterReader) {
    this.#schemas = schemas
    this.#parameters = parameters
  }

  /** Returns the responses of an operation, keyed by name. */
  read(operation: LocatedValue): ReadonlyMap<string, ImportedResponse> {
    const found = new Map<string, ImportedResponse>()
    const declared = listMembers(getMember(operation, 'responses')).filter(([name]) => !name.startsWith('x-'))
    const resolved = declared.map(([status, one]) => [status, this.#schemas.document.resolve(one)] as const)
    for (const [status, one] of resolved) if (status !== 'default') this.#addResponse(found, status, one)
    const fallback = resolved.find(([status]) => status === 'default')?.[1]
    if (fallback !== undefined && !this.#isProblem(fallback)) this.#addDefault(found, fallback)
    if (found.size > 0) return found
    this.#schemas.unsupported.add(operation, 'an operation without a response from 200 to 599', 'it responds with 200')
    this.#addNamed(found, 200, EMPTY_RESPONSE)
    return found
  }

  #addDefault(found: Map<string, ImportedResponse>, at: LocatedValue): void {
    const { unsupported } = this.#schemas
    if (found.size > 0)
      return unsupported.add(
        at,
        'the `default` response',
        'edict responds to other failures itself, with problem documents',
      )
    unsupported.add(at, 'a `default` response without another', 'it is the response 200')
    this.#addNamed(found, 200, this.#readResponse(200, at))
  }

  /** Assigns one content type to each component; bodies of other types are not described. */
  assignIdentifiers(): void {
    for (const { component, type } of this.#uses) {
      const types = this.#uses.filter((one) => one.component === component).map((one) => one.type)
      component.identifier = types.includes('application/json') ? 'application/json' : (types[0] ?? type)
    }
    for (const { component, type, at } of this.#uses)
      if (component.identifier !== type)
        this.#schemas.unsupported.add(
          at,
          `bodies of \`${type}\` with a schema of \`${component.identifier}\``,
          UNCHECKED,
        )
  }

  #addResponse(found: Map<string, ImportedResponse>, status: string, at: LocatedValue): void {
    const { unsupported } = this.#schemas
    const code = /^[1-5]\d\d$/.test(status) ? Number(status) : 0
    if (this.#isProblem(at) && (code === 0 || FRAMEWORK_STATUSES.has(code))) return
    if (code < 200) {
      const what = code === 0 ? `a response for \`${status}\`` : 'an informational response'
      return unsupported.add(at, what, 'only statuses from 200 to 599 are declared')
    }
    this.#addNamed(found, code, this.#readResponse(code, at))
  }

  #addNamed(found: Map<string, ImportedResponse>, code: number, response: ImportedResponse): void {
    const builtin = NAMES_BY_STATUS.get(code)
    // Without a body, the built-in `ok` would be text.
    const isEmpty = code === 200 && response.bodies.length === 0
    if (builtin !== undefined && !isEmpty) found.set(builtin, response)
    else found.set(this.#chooseName(isEmpty ? 'empty' : `status${code}`, response), { ...response, status: code })
  }

  // A name that is not built in denotes one response in the whole application.
  #chooseName(name: string, { bodies, headers }: ImportedResponse): string {
    const isPlain = headers.size === 0 && bodies.every((body) => typeof body === 'string')
    const keys = this.#names.get(name) ?? []
    const key = isPlain ? JSON.stringify(bodies) : `a form of its own: ${keys.length}`
    if (!keys.includes(key)) keys.push(key)
    this.#names.set(name, keys)
    const index = keys.indexOf(key)
    return index === 0 ? name : `${name}Form${index + 1}`
  }

  #readResponse(status: number, at: LocatedValue): ImportedResponse {
    const { unsupported } = this.#schemas
    const content = this.#isProblem(at) ? [] : listMembers(getMember(at, 'content'))
    const isBare = status === 204 || status === 205 || status === 304
    if (isBare && content.length > 0)
      unsupported.add(at, `content of a ${status}`, 'a response of this status has none')
    const links = getMember(at, 'links')
    if (links !== undefined) unsupported.add(links, '`links`', 'they are left out')
    const description = getText(at, 'description')
    const isDefault = description === statusMessages[status as keyof typeof statusMessages]
    return {
      status: undefined,
      description: isDefault || description === '' ? undefined : description,
      bodies: isBare ? [] : content.map(([type, one]) => this.#readBody(type, one)),
      headers: this.#readHeaders(getMember(at, 'headers')),
    }
  }

  #readHeaders(at: LocatedValue | undefined): AttributeNodes {
    const headers = new Map<string, AttributeNode>()
    for (const [name, one] of listMembers(at)) {
      if (name.toLowerCase() === 'content-type' || name === '__proto__') continue
      const node = this.#parameters.readHeader(this.#schemas.document.resolve(one))
      headers.set(name, node)
    }
    return headers
  }

  // Problem documents as edict itself generates them.
  #isProblem(at: LocatedValue): boolean {
    const content = listMembers(getMember(at, 'content'))
    const [type, one] = content[0] ?? []
    const schema = one && getMember(one, 'schema')
    if (content.length !== 1 || type !== 'application/problem+json' || schema === undefined) return false
    const required = getMember(this.#schemas.document.resolve(schema), 'required')
    return (
      listElements(required)
        .map(({ value }) => value)
        .join() === 'type,title,status,code'
    )
  }

  // --- bodies ----------------------------------------------------------------------------

  #readBody(type: string, at: LocatedValue): ImportedBody {
    for (const name of ['example', 'examples']) {
      const one = getMember(at, name)
      if (one !== undefined) this.#schemas.unsupported.add(one, 'examples of whole bodies', EXAMPLES_REPLACED)
    }
    const schema = getMember(at, 'schema')
    if (!isJsonType(getEssence(type))) return this.#readOpaque(type, schema)
    const node = schema === undefined ? undefined : this.#schemas.readNode(schema)
    if (node === undefined)
      return type === 'application/json' ? { type, node: createAnyNode(at) } : this.#readOpaque(type, at)
    return this.#readStructured(
      type,
      withOptions(node, { required: undefined, default: undefined }),
      schema as LocatedValue,
    )
  }

  #readStructured(type: string, node: AttributeNode, schema: LocatedValue): ImportedBody {
    const listed = /^([^;]+);\s*type=collection$/.exec(type)?.[1]
    if (node.kind === 'ref' && isMediaComponent(node.component) && !isNullable(node)) {
      this.#recordUse(node.component, type, schema)
      this.#describe(node.component, node.options['description'], schema)
      return { type, node: { ...node, options: {} } }
    }
    if (
      listed !== undefined &&
      node.kind === 'array' &&
      node.of.kind === 'ref' &&
      isMediaComponent(node.of.component)
    ) {
      this.#recordUse(node.of.component, listed, schema)
      return { type: listed, listOf: node.of.component }
    }
    if (type === 'application/json') return { type, node: omitWriteOnly(node) }
    if (node.kind !== 'object') return this.#readOpaque(type, schema)
    const component = this.#schemas.getComponent(schema)
    component.node = node
    this.#recordUse(component, type, schema)
    return { type, node: { kind: 'ref', at: schema, component, options: {} } }
  }

  // A media type carries the description of the body.
  #describe(component: Component, description: unknown, at: LocatedValue): void {
    const known = component.node.options['description']
    if (description === undefined || description === known) return
    if (known === undefined) component.node = withOptions(component.node, { description })
    else this.#schemas.unsupported.add(at, 'a description next to a reference', 'that of the schema is kept')
  }

  #recordUse(component: Component, type: string, at: LocatedValue): void {
    this.#uses.push({ component, type, at })
  }

  // Text or bytes, which are not described.
  #readOpaque(type: string, schema: LocatedValue | undefined): string {
    const identifier = MEDIA_TYPE_PATTERN.test(type) ? type : 'application/octet-stream'
    if (identifier !== type && schema !== undefined)
      this.#schemas.unsupported.add(schema, `a range of content types, \`${type}\``, `the body is \`${identifier}\``)
    const isText = getEssence(type).startsWith('text/')
    if (schema !== undefined && !isUnconstrained(this.#schemas.document.resolve(schema), isText))
      this.#schemas.unsupported.add(schema, `a schema of bodies of \`${type}\``, UNCHECKED)
    return identifier
  }
}

const UNCHECKED = 'such bodies are text or bytes, which are not checked'

const EMPTY_RESPONSE: ImportedResponse = { status: undefined, description: undefined, bodies: [], headers: new Map() }

const createAnyNode = (at: LocatedValue): AttributeNode => ({ kind: 'any', at, options: { nullable: true } })

// Responses omit attributes that only requests have.
function omitWriteOnly(node: AttributeNode): AttributeNode {
  if (node.kind !== 'object' || node.writeOnly.size === 0) return node
  return { ...node, attributes: new Map([...node.attributes].filter(([name]) => !node.writeOnly.has(name))) }
}

const NEUTRAL_KEYWORDS = new Set([
  'type',
  'format',
  'contentEncoding',
  'contentMediaType',
  'title',
  'description',
  'example',
])

function isUnconstrained({ value }: LocatedValue, isText: boolean): boolean {
  if (!isObject(value)) return true
  const isString = value['type'] === 'string' && Object.keys(value).every((name) => NEUTRAL_KEYWORDS.has(name))
  const isBinary = value['format'] === 'binary' || value['contentEncoding'] === 'binary' || 'contentMediaType' in value
  return Object.keys(value).length === 0 || (isString && (isText || isBinary))
}
