// Responses by status as responses by name.
import { builtinStatuses, statusMessages } from '../../../design/declare/status.ts'
import { elements, isObject, type Located, member, members, text } from '../read/located.ts'
import { type Component, isMedia, isNullable, type Node, type Nodes, withOptions } from '../schemas/node.ts'
import type { SchemaReader } from '../schemas/reader.ts'
import type { Body, Response } from './model.ts'
import type { Parameters } from './parameters.ts'
import { EXAMPLES, essenceOf, isJson } from './payloads.ts'

const NAMES: ReadonlyMap<number, string> = new Map([...builtinStatuses].map(([name, status]) => [status, name]))

// Failures that the framework answers with by itself, wherever they can happen.
const OWN: ReadonlySet<number> = new Set([400, 401, 403, 406, 413, 415])

const IDENTIFIER = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?: *;[\t\x20-\x7e]+)?$/

/** Reads responses; the content types of components are decided when all are read. */
export class Responses {
  readonly #schemas: SchemaReader
  readonly #parameters: Parameters
  /** The forms of responses whose names are not built in. */
  readonly #names = new Map<string, string[]>()
  readonly #uses: { readonly component: Component; readonly type: string; readonly at: Located }[] = []

  constructor(schemas: SchemaReader, parameters: Parameters) {
    this.#schemas = schemas
    this.#parameters = parameters
  }

  /** The responses of an operation by their names. */
  of(operation: Located): ReadonlyMap<string, Response> {
    const found = new Map<string, Response>()
    const said = members(member(operation, 'responses')).filter(([name]) => !name.startsWith('x-'))
    const all = said.map(([status, one]) => [status, this.#schemas.document.resolve(one)] as const)
    for (const [status, one] of all) if (status !== 'default') this.#add(found, status, one)
    const other = all.find(([status]) => status === 'default')?.[1]
    if (other !== undefined && !this.#isProblem(other)) this.#default(found, other)
    if (found.size > 0) return found
    this.#schemas.unsaid.add(operation, 'an operation without an answer from 200 to 599', 'it answers with 200')
    this.#name(found, 200, EMPTY)
    return found
  }

  #default(found: Map<string, Response>, at: Located): void {
    const { unsaid } = this.#schemas
    if (found.size > 0)
      return unsaid.add(at, 'the `default` response', 'edict answers other failures itself, with problem documents')
    unsaid.add(at, 'a `default` response without another', 'it is the answer 200')
    this.#name(found, 200, this.#response(200, at))
  }

  /** Gives each component one content type; bodies of others are not described. */
  identify(): void {
    for (const { component, type } of this.#uses) {
      const types = this.#uses.filter((one) => one.component === component).map((one) => one.type)
      component.identifier = types.includes('application/json') ? 'application/json' : (types[0] ?? type)
    }
    for (const { component, type, at } of this.#uses)
      if (component.identifier !== type)
        this.#schemas.unsaid.add(at, `bodies of \`${type}\` with a schema of \`${component.identifier}\``, UNCHECKED)
  }

  #add(found: Map<string, Response>, status: string, at: Located): void {
    const { unsaid } = this.#schemas
    const code = /^[1-5]\d\d$/.test(status) ? Number(status) : 0
    if (this.#isProblem(at) && (code === 0 || OWN.has(code))) return
    if (code < 200) {
      const what = code === 0 ? `a response for \`${status}\`` : 'a response that is no answer yet'
      return unsaid.add(at, what, 'only statuses from 200 to 599 are declared')
    }
    this.#name(found, code, this.#response(code, at))
  }

  #name(found: Map<string, Response>, code: number, made: Response): void {
    const builtin = NAMES.get(code)
    // Without a body, `ok` is a text.
    const isEmpty = code === 200 && made.bodies.length === 0
    if (builtin !== undefined && !isEmpty) found.set(builtin, made)
    else found.set(this.#given(isEmpty ? 'empty' : `status${code}`, made), { ...made, status: code })
  }

  // A name that is not built in stands for one response in the whole application.
  #given(name: string, { bodies, headers }: Response): string {
    const isPlain = headers.size === 0 && bodies.every((body) => typeof body === 'string')
    const keys = this.#names.get(name) ?? []
    const key = isPlain ? JSON.stringify(bodies) : `a form of its own: ${keys.length}`
    if (!keys.includes(key)) keys.push(key)
    this.#names.set(name, keys)
    const place = keys.indexOf(key)
    return place === 0 ? name : `${name}Form${place + 1}`
  }

  #response(status: number, at: Located): Response {
    const { unsaid } = this.#schemas
    const content = this.#isProblem(at) ? [] : members(member(at, 'content'))
    const isBare = status === 204 || status === 205 || status === 304
    if (isBare && content.length > 0) unsaid.add(at, `content of a ${status}`, 'an answer of this status has none')
    const links = member(at, 'links')
    if (links !== undefined) unsaid.add(links, '`links`', 'they are left out')
    const description = text(at, 'description')
    const isUsual = description === statusMessages[status as keyof typeof statusMessages]
    return {
      status: undefined,
      description: isUsual || description === '' ? undefined : description,
      bodies: isBare ? [] : content.map(([type, one]) => this.#body(type, one)),
      headers: this.#headers(member(at, 'headers')),
    }
  }

  #headers(at: Located | undefined): Nodes {
    const headers = new Map<string, Node>()
    for (const [name, one] of members(at)) {
      if (name.toLowerCase() === 'content-type' || name === '__proto__') continue
      const node = this.#parameters.header(this.#schemas.document.resolve(one))
      headers.set(name, node)
    }
    return headers
  }

  // The standard form of failures, as documents of edict have it.
  #isProblem(at: Located): boolean {
    const content = members(member(at, 'content'))
    const [type, one] = content[0] ?? []
    const schema = one && member(one, 'schema')
    if (content.length !== 1 || type !== 'application/problem+json' || schema === undefined) return false
    const required = member(this.#schemas.document.resolve(schema), 'required')
    return (
      elements(required)
        .map(({ value }) => value)
        .join() === 'type,title,status,code'
    )
  }

  // --- bodies ----------------------------------------------------------------------------

  #body(type: string, at: Located): Body {
    for (const name of ['example', 'examples']) {
      const one = member(at, name)
      if (one !== undefined) this.#schemas.unsaid.add(one, 'examples of whole bodies', EXAMPLES)
    }
    const schema = member(at, 'schema')
    if (!isJson(type)) return this.#plain(type, schema)
    const node = schema === undefined ? undefined : this.#schemas.node(schema)
    if (node === undefined) return type === 'application/json' ? { type, node: anything(at) } : this.#plain(type, at)
    return this.#structured(type, withOptions(node, { required: undefined, default: undefined }), schema as Located)
  }

  #structured(type: string, node: Node, schema: Located): Body {
    const listed = /^([^;]+);\s*type=collection$/.exec(type)?.[1]
    if (node.kind === 'ref' && isMedia(node.component) && !isNullable(node)) {
      this.#used(node.component, type, schema)
      this.#describe(node.component, node.options['description'], schema)
      return { type, node: { ...node, options: {} } }
    }
    if (listed !== undefined && node.kind === 'array' && node.of.kind === 'ref' && isMedia(node.of.component)) {
      this.#used(node.of.component, listed, schema)
      return { type: listed, listOf: node.of.component }
    }
    if (type === 'application/json') return { type, node: shown(node) }
    if (node.kind !== 'object') return this.#plain(type, schema)
    const component = this.#schemas.component(schema)
    component.node = node
    this.#used(component, type, schema)
    return { type, node: { kind: 'ref', at: schema, component, options: {} } }
  }

  // A body that is a media type is described by it.
  #describe(component: Component, description: unknown, at: Located): void {
    const known = component.node.options['description']
    if (description === undefined || description === known) return
    if (known === undefined) component.node = withOptions(component.node, { description })
    else this.#schemas.unsaid.add(at, 'a description beside a reference', 'that of the schema is kept')
  }

  #used(component: Component, type: string, at: Located): void {
    this.#uses.push({ component, type, at })
  }

  // Text or bytes, as they are.
  #plain(type: string, schema: Located | undefined): string {
    const identifier = IDENTIFIER.test(type) ? type : 'application/octet-stream'
    if (identifier !== type && schema !== undefined)
      this.#schemas.unsaid.add(schema, `a range of content types, \`${type}\``, `the body is \`${identifier}\``)
    const isText = essenceOf(type).startsWith('text/')
    if (schema !== undefined && !isLoose(this.#schemas.document.resolve(schema), isText))
      this.#schemas.unsaid.add(schema, `a schema of bodies of \`${type}\``, UNCHECKED)
    return identifier
  }
}

const UNCHECKED = 'such bodies are text or bytes, which are not checked'

const EMPTY: Response = { status: undefined, description: undefined, bodies: [], headers: new Map() }

const anything = (at: Located): Node => ({ kind: 'any', at, options: { nullable: true } })

// Attributes that only requests have are not shown.
function shown(node: Node): Node {
  if (node.kind !== 'object' || node.writeOnly.size === 0) return node
  return { ...node, attributes: new Map([...node.attributes].filter(([name]) => !node.writeOnly.has(name))) }
}

const SAYING_NOTHING = new Set([
  'type',
  'format',
  'contentEncoding',
  'contentMediaType',
  'title',
  'description',
  'example',
])

function isLoose({ value }: Located, isText: boolean): boolean {
  if (!isObject(value)) return true
  const isString = value['type'] === 'string' && Object.keys(value).every((name) => SAYING_NOTHING.has(name))
  const isBinary = value['format'] === 'binary' || value['contentEncoding'] === 'binary' || 'contentMediaType' in value
  return Object.keys(value).length === 0 || (isString && (isText || isBinary))
}
