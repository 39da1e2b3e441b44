// Converts OpenAPI parameters to params and headers.

import { getEssence, isJsonType } from '../../../util/media-type.ts'
import type { SourceDocument } from '../read/document.ts'
import { getMember, getText, isTrueMember, type LocatedValue, listElements, listMembers } from '../read/located.ts'
import {
  type AttributeNode,
  type AttributeNodes,
  type NodeOptions,
  resolveNode,
  withOptions,
} from '../schemas/attribute-node.ts'
import type { SchemaReader } from '../schemas/schema-reader.ts'
import type { RoutePath } from './routes.ts'

/** The params and headers of an operation. */
export interface OperationInputs {
  readonly params: AttributeNodes
  readonly headers: AttributeNodes
}

// OpenAPI ignores header parameters with these names: content and security describe them.
const IGNORED_HEADERS: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization'])

/** Reads the parameters of an operation and of its path item; `captures` maps path names to those of the route. */
export class ParameterReader {
  readonly #schemas: SchemaReader
  readonly #document: SourceDocument

  constructor(schemas: SchemaReader) {
    this.#schemas = schemas
    this.#document = schemas.document
  }

  read(item: LocatedValue, operation: LocatedValue, captures: RoutePath['captures']): OperationInputs {
    const params = new Map<string, AttributeNode>()
    const headers = new Map<string, AttributeNode>()
    const nested: [at: LocatedValue, name: string, node: AttributeNode][] = []
    for (const [name, captured] of captures) params.set(captured, this.#createCapture(item, name))
    for (const at of this.#listParameters(item, operation)) {
      const [name, location] = [getText(at, 'name') ?? '', getText(at, 'in')]
      this.#reportIgnored(at)
      if (location === 'path') {
        const own = captures.filter(([one]) => one === name)
        if (own.length === 0) this.#schemas.unsupported.add(at, 'a parameter that the path does not have', LEFT_OUT)
        for (const [, captured] of own) this.#addCapture(params, at, name, captured)
      } else if (location === 'header') this.#addHeader(headers, at, name)
      else if (location === 'query') {
        if (/^[^[\]]+\[.*\]$/.test(name)) nested.push([at, name, this.#readStyled(at)])
        else this.#addQueryParam(params, at, name)
      } else
        this.#schemas.unsupported.add(
          at,
          `a parameter in the ${location ?? 'nowhere'}`,
          'read it from the header `Cookie` in the controller',
        )
    }
    for (const [at, name, node] of nested) this.#addNested(params, at, name, node)
    return { params, headers }
  }

  // Parameters of an operation override those of its path item.
  #listParameters(item: LocatedValue, operation: LocatedValue): LocatedValue[] {
    const found = new Map<string, LocatedValue>()
    for (const owner of [item, operation])
      for (const one of listElements(getMember(owner, 'parameters'))) {
        const at = this.#document.resolve(one)
        found.set(`${getText(at, 'in')} ${getText(at, 'name')}`, at)
      }
    return [...found.values()]
  }

  #createCapture(at: LocatedValue, name: string): AttributeNode {
    return { kind: 'string', at: { ...at, steps: [...at.steps, name] }, options: {} }
  }

  #addCapture(params: Map<string, AttributeNode>, at: LocatedValue, name: string, captured: string): void {
    if (captured !== name)
      this.#schemas.unsupported.add(at, 'a name in the path that is no name in a route', `it is called \`${captured}\``)
    const { default: _, ...options } = this.#readNode(at).options
    const { required: __, nullable, ...rest } = options
    if (nullable === true) this.#schemas.unsupported.add(at, 'null in a path', 'null is rejected')
    params.set(captured, this.#toSingleValue({ ...this.#readNode(at), options: rest }, at))
  }

  // A path carries one string for each name.
  #toSingleValue(node: AttributeNode, at: LocatedValue): AttributeNode {
    const { kind } = resolveNode(node)
    if (kind !== 'array' && kind !== 'object' && kind !== 'record' && kind !== 'union' && kind !== 'json') return node
    this.#schemas.unsupported.add(at, 'a structure in a path', 'the param is a text')
    const { description } = node.options
    return { kind: 'string', at, options: description === undefined ? {} : { description } }
  }

  #addQueryParam(params: Map<string, AttributeNode>, at: LocatedValue, name: string): void {
    if (params.has(name)) {
      this.#schemas.unsupported.add(at, 'a parameter in the query with the name of one in the path', LEFT_OUT)
      return
    }
    if (name === '' || name === '__proto__' || /[[\]]/.test(name)) {
      this.#schemas.unsupported.add(at, 'a parameter with a name that no param can have', LEFT_OUT)
      return
    }
    const node = this.#readNode(at)
    const resolved = resolveNode(node)
    const style = getText(at, 'style') ?? 'form'
    const explode = getMember(at, 'explode')?.value ?? style === 'form'
    // Each property of an exploded object is a separate parameter.
    if (resolved.kind === 'object' && style === 'form' && explode === true) {
      const optional = node.options['required'] !== true
      for (const [inner, one] of resolved.attributes)
        params.set(inner, optional ? withOptions(one, { required: undefined }) : one)
      return
    }
    params.set(name, this.#applyStyle(node, style, explode === true, at))
  }

  #readStyled(at: LocatedValue): AttributeNode {
    const style = getText(at, 'style') ?? 'form'
    return this.#applyStyle(
      this.#readNode(at),
      style,
      (getMember(at, 'explode')?.value ?? style === 'form') === true,
      at,
    )
  }

  // An array in one string has a delimiter.
  #applyStyle(node: AttributeNode, style: string, explode: boolean, at: LocatedValue): AttributeNode {
    const resolved = resolveNode(node)
    if (resolved.kind === 'array' && !explode) {
      const delimiter = DELIMITERS[style]
      const single = resolveNode(resolved.of).kind
      const isSingle = !['object', 'record', 'union', 'array', 'json', 'file'].includes(single)
      if (delimiter !== undefined && isSingle)
        return { ...resolved, options: { ...resolved.options, ...node.options, delimiter } }
    }
    const isNamed = resolved.kind === 'object' || resolved.kind === 'record' || resolved.kind === 'union'
    if ((isNamed && style !== 'deepObject') || (resolved.kind === 'array' && !explode))
      this.#schemas.unsupported.add(
        at,
        `the style \`${style}\` of a structure`,
        'it is written in brackets: `name[key]=value`',
      )
    return node
  }

  // `a[b]` and `a[c]` are two attributes of one object; `a[]` is a list.
  #addNested(params: Map<string, AttributeNode>, at: LocatedValue, name: string, node: AttributeNode): void {
    const [first = '', ...steps] = name.replaceAll(']', '').split('[')
    if (first === '__proto__' || steps.includes('__proto__'))
      return this.#schemas.unsupported.add(at, 'a parameter with a name that no param can have', LEFT_OUT)
    if (steps.length === 1 && steps[0] === '' && resolveNode(node).kind === 'array' && !params.has(first)) {
      this.#schemas.unsupported.add(
        at,
        'brackets at the end of a name',
        `the param is \`${first}\`; requests may still have the brackets`,
      )
      params.set(first, node)
      return
    }
    const nested = nestNode(params.get(first), steps, node, at)
    if (nested === undefined)
      this.#schemas.unsupported.add(at, 'a parameter with a name that no param can have', LEFT_OUT)
    else params.set(first, nested)
  }

  #addHeader(headers: Map<string, AttributeNode>, at: LocatedValue, name: string): void {
    const isKnown = [...headers.keys()].some((one) => one.toLowerCase() === name.toLowerCase())
    if (IGNORED_HEADERS.has(name.toLowerCase())) return
    if (isKnown || !/^[\w!#$%&'*+.^`|~-]+$/.test(name) || name === '__proto__')
      this.#schemas.unsupported.add(at, 'a header with a name that is taken, or that no header can have', LEFT_OUT)
    else headers.set(name, this.readHeader(at))
  }

  /** Reads a header as an attribute. */
  readHeader(at: LocatedValue): AttributeNode {
    const node = this.#readNode(at)
    const { kind } = resolveNode(node)
    if (kind !== 'object' && kind !== 'record' && kind !== 'union') return node
    this.#schemas.unsupported.add(at, 'a structure in a header', 'the header is a text')
    const { required, description } = node.options
    return withOptions({ kind: 'string', at, options: {} }, { required, description })
  }

  #readNode(at: LocatedValue): AttributeNode {
    const content = listMembers(getMember(at, 'content'))
    const [type, only] = content[0] ?? []
    const schema = getMember(at, 'schema') ?? (only && getMember(only, 'schema'))
    const base: AttributeNode = schema === undefined ? { kind: 'any', at, options: {} } : this.#schemas.readNode(schema)
    const isJson = only !== undefined && isJsonType(getEssence(type ?? ''))
    if (only !== undefined && !isJson)
      this.#schemas.unsupported.add(only, 'a parameter in another format than JSON', 'the param is a text')
    const text: AttributeNode = { kind: 'string', at, options: {} }
    const inner = only !== undefined && !isJson ? text : replaceFileNode(base)
    if (base.kind === 'file') this.#schemas.unsupported.add(base.at, 'bytes in a parameter', 'the param is a text')
    const { description, deprecated, example, default: initial, nullable, ...rest } = inner.options
    if (!isJson) return withOptions(inner, this.#readAnnotations(at, inner, inner.options))
    const of = { ...inner, options: rest } as AttributeNode
    const outer = { description, deprecated, example, default: initial, nullable, required: undefined }
    return withOptions({ kind: 'json', at, of, options: {} }, { ...outer, ...this.#readAnnotations(at, inner, outer) })
  }

  #readAnnotations(at: LocatedValue, node: AttributeNode, known: NodeOptions): NodeOptions {
    const own = getText(at, 'description')
    const other = known['description'] ?? resolveNode(node).options['description']
    if (own && other !== undefined && other !== own)
      this.#schemas.unsupported.add(
        getMember(at, 'schema') ?? at,
        'a description of a schema in addition to that of its parameter',
        'that of the parameter is kept',
      )
    const examples = listMembers(getMember(at, 'examples'))
    const example =
      getMember(at, 'example')?.value ??
      (examples[0] && getMember(this.#document.resolve(examples[0][1]), 'value')?.value)
    const isRequired = isTrueMember(at, 'required')
    if (isRequired && known['default'] !== undefined)
      this.#schemas.unsupported.add(at, 'a default of a parameter that is required', 'the default is left out')
    return {
      ...(isRequired && { required: true, default: undefined }),
      description: own || known['description'],
      deprecated: isTrueMember(at, 'deprecated') || known['deprecated'],
      example: known['example'] ?? example,
    }
  }

  #reportIgnored(at: LocatedValue): void {
    for (const name of ['allowReserved', 'allowEmptyValue'])
      if (isTrueMember(at, name))
        this.#schemas.unsupported.add(getMember(at, name) as LocatedValue, `\`${name}\``, LEFT_OUT)
    for (const [name, one] of listMembers(at))
      if (name.startsWith('x-')) this.#schemas.unsupported.add(one, `the extension \`${name}\``, LEFT_OUT)
  }
}

const LEFT_OUT = 'it is left out'

const DELIMITERS: Readonly<Record<string, string>> = { form: ',', simple: ',', spaceDelimited: ' ', pipeDelimited: '|' }

/** Replaces a file node with a string, where files are impossible. */
export const replaceFileNode = (node: AttributeNode): AttributeNode =>
  node.kind === 'file' ? withOptions({ ...node, kind: 'string' }, { types: undefined, max: undefined }) : node

function nestNode(
  existing: AttributeNode | undefined,
  steps: readonly string[],
  node: AttributeNode,
  at: LocatedValue,
): AttributeNode | undefined {
  const [step, ...rest] = steps
  if (step === undefined) return existing === undefined ? node : undefined
  if (step === '' || (existing !== undefined && existing.kind !== 'object')) return undefined
  const attributes = new Map(existing?.kind === 'object' ? existing.attributes : [])
  const inner = nestNode(attributes.get(step), rest, node, at)
  if (inner === undefined) return undefined
  attributes.set(step, inner)
  const required = [...attributes.values()].some((one) => one.options['required'] === true)
  const none: ReadonlySet<string> = new Set()
  return {
    kind: 'object',
    at,
    attributes,
    readOnly: none,
    writeOnly: none,
    options: required ? { required: true } : {},
  }
}
