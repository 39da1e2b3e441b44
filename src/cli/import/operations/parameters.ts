// Parameters as params and headers.
import type { Document } from '../read/document.ts'
import { elements, isTrue, type Located, member, members, text } from '../read/located.ts'
import { meantBy, type Node, type Nodes, type Options, withOptions } from '../schemas/node.ts'
import type { SchemaReader } from '../schemas/reader.ts'
import type { RoutePath } from './routes.ts'

/** The params and headers of an operation. */
export interface Inputs {
  readonly params: Nodes
  readonly headers: Nodes
}

// OpenAPI ignores parameters of these names: bodies and security say the same.
const ELSEWHERE: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization'])

/** Reads the parameters of an operation and of its path; captures are the names that its route has for those in the path. */
export class Parameters {
  readonly #schemas: SchemaReader
  readonly #document: Document

  constructor(schemas: SchemaReader) {
    this.#schemas = schemas
    this.#document = schemas.document
  }

  read(item: Located, operation: Located, captures: RoutePath['captures']): Inputs {
    const params = new Map<string, Node>()
    const headers = new Map<string, Node>()
    const nested: [at: Located, name: string, node: Node][] = []
    for (const [name, captured] of captures) params.set(captured, this.#capture(item, name))
    for (const at of this.#all(item, operation)) {
      const [name, place] = [text(at, 'name') ?? '', text(at, 'in')]
      this.#strays(at)
      if (place === 'path') {
        const own = captures.filter(([one]) => one === name)
        if (own.length === 0) this.#schemas.unsaid.add(at, 'a parameter that the path does not have', LEFT_OUT)
        for (const [, captured] of own) this.#captured(params, at, name, captured)
      } else if (place === 'header') this.#header(headers, at, name)
      else if (place === 'query') {
        if (/^[^[\]]+\[.*\]$/.test(name)) nested.push([at, name, this.#styled(at)])
        else this.#query(params, at, name)
      } else
        this.#schemas.unsaid.add(
          at,
          `a parameter in the ${place ?? 'nowhere'}`,
          'read it from the header `Cookie` in the controller',
        )
    }
    for (const [at, name, node] of nested) this.#nest(params, at, name, node)
    return { params, headers }
  }

  // Those of an operation replace those of its path.
  #all(item: Located, operation: Located): Located[] {
    const found = new Map<string, Located>()
    for (const owner of [item, operation])
      for (const one of elements(member(owner, 'parameters'))) {
        const at = this.#document.resolve(one)
        found.set(`${text(at, 'in')} ${text(at, 'name')}`, at)
      }
    return [...found.values()]
  }

  #capture(at: Located, name: string): Node {
    return { kind: 'string', at: { ...at, steps: [...at.steps, name] }, options: {} }
  }

  #captured(params: Map<string, Node>, at: Located, name: string, captured: string): void {
    if (captured !== name)
      this.#schemas.unsaid.add(at, 'a name in the path that is no name in a route', `it is called \`${captured}\``)
    const { default: _, ...options } = this.#node(at).options
    const { required: __, nullable, ...rest } = options
    if (nullable === true) this.#schemas.unsaid.add(at, 'null in a path', 'null is rejected')
    params.set(captured, this.#single({ ...this.#node(at), options: rest }, at))
  }

  // A path has one text for each name.
  #single(node: Node, at: Located): Node {
    const { kind } = meantBy(node)
    if (kind !== 'array' && kind !== 'object' && kind !== 'record' && kind !== 'union' && kind !== 'json') return node
    this.#schemas.unsaid.add(at, 'a structure in a path', 'the param is a text')
    const { description } = node.options
    return { kind: 'string', at, options: description === undefined ? {} : { description } }
  }

  #query(params: Map<string, Node>, at: Located, name: string): void {
    if (params.has(name)) {
      this.#schemas.unsaid.add(at, 'a parameter in the query with the name of one in the path', LEFT_OUT)
      return
    }
    if (name === '' || name === '__proto__' || /[[\]]/.test(name)) {
      this.#schemas.unsaid.add(at, 'a parameter with a name that no param can have', LEFT_OUT)
      return
    }
    const node = this.#node(at)
    const meant = meantBy(node)
    const style = text(at, 'style') ?? 'form'
    const explode = member(at, 'explode')?.value ?? style === 'form'
    // Each property of such an object is a parameter of its own.
    if (meant.kind === 'object' && style === 'form' && explode === true) {
      const optional = node.options['required'] !== true
      for (const [inner, one] of meant.attributes)
        params.set(inner, optional ? withOptions(one, { required: undefined }) : one)
      return
    }
    params.set(name, this.#listed(node, style, explode === true, at))
  }

  #styled(at: Located): Node {
    const style = text(at, 'style') ?? 'form'
    return this.#listed(this.#node(at), style, (member(at, 'explode')?.value ?? style === 'form') === true, at)
  }

  // Elements in one text have a delimiter.
  #listed(node: Node, style: string, explode: boolean, at: Located): Node {
    const meant = meantBy(node)
    if (meant.kind === 'array' && !explode) {
      const delimiter = DELIMITERS[style]
      const single = meantBy(meant.of).kind
      const isSingle = !['object', 'record', 'union', 'array', 'json', 'file'].includes(single)
      if (delimiter !== undefined && isSingle)
        return { ...meant, options: { ...meant.options, ...node.options, delimiter } }
    }
    const isNamed = meant.kind === 'object' || meant.kind === 'record' || meant.kind === 'union'
    if ((isNamed && style !== 'deepObject') || (meant.kind === 'array' && !explode))
      this.#schemas.unsaid.add(
        at,
        `the style \`${style}\` of a structure`,
        'it is written in brackets: `name[key]=value`',
      )
    return node
  }

  // `a[b]` and `a[c]` are two attributes of one structure; `a[]` is a list.
  #nest(params: Map<string, Node>, at: Located, name: string, node: Node): void {
    const [first = '', ...steps] = name.replaceAll(']', '').split('[')
    if (first === '__proto__' || steps.includes('__proto__'))
      return this.#schemas.unsaid.add(at, 'a parameter with a name that no param can have', LEFT_OUT)
    if (steps.length === 1 && steps[0] === '' && meantBy(node).kind === 'array' && !params.has(first)) {
      this.#schemas.unsaid.add(
        at,
        'brackets at the end of a name',
        `the param is \`${first}\`; requests may still have the brackets`,
      )
      params.set(first, node)
      return
    }
    const made = nested(params.get(first), steps, node, at)
    if (made === undefined) this.#schemas.unsaid.add(at, 'a parameter with a name that no param can have', LEFT_OUT)
    else params.set(first, made)
  }

  #header(headers: Map<string, Node>, at: Located, name: string): void {
    const isKnown = [...headers.keys()].some((one) => one.toLowerCase() === name.toLowerCase())
    if (ELSEWHERE.has(name.toLowerCase())) return
    if (isKnown || !/^[\w!#$%&'*+.^`|~-]+$/.test(name) || name === '__proto__')
      this.#schemas.unsaid.add(at, 'a header with a name that is taken, or that no header can have', LEFT_OUT)
    else headers.set(name, this.header(at))
  }

  /** A header as an attribute. */
  header(at: Located): Node {
    const node = this.#node(at)
    const { kind } = meantBy(node)
    if (kind !== 'object' && kind !== 'record' && kind !== 'union') return node
    this.#schemas.unsaid.add(at, 'a structure in a header', 'the header is a text')
    const { required, description } = node.options
    return withOptions({ kind: 'string', at, options: {} }, { required, description })
  }

  #node(at: Located): Node {
    const content = members(member(at, 'content'))
    const [type, only] = content[0] ?? []
    const schema = member(at, 'schema') ?? (only && member(only, 'schema'))
    const base: Node = schema === undefined ? { kind: 'any', at, options: {} } : this.#schemas.node(schema)
    const isJson = only !== undefined && /[/+]json\b/.test(type ?? '')
    if (only !== undefined && !isJson)
      this.#schemas.unsaid.add(only, 'a parameter in another format than JSON', 'the param is a text')
    const text: Node = { kind: 'string', at, options: {} }
    const inner = only !== undefined && !isJson ? text : unfiled(base)
    if (base.kind === 'file') this.#schemas.unsaid.add(base.at, 'bytes in a parameter', 'the param is a text')
    const { description, deprecated, example, default: initial, nullable, ...rest } = inner.options
    if (!isJson) return withOptions(inner, this.#words(at, inner, inner.options))
    const of = { ...inner, options: rest } as Node
    const outer = { description, deprecated, example, default: initial, nullable, required: undefined }
    return withOptions({ kind: 'json', at, of, options: {} }, { ...outer, ...this.#words(at, inner, outer) })
  }

  #words(at: Located, node: Node, known: Options): Options {
    const own = text(at, 'description')
    const other = known['description'] ?? meantBy(node).options['description']
    if (own && other !== undefined && other !== own)
      this.#schemas.unsaid.add(
        member(at, 'schema') ?? at,
        'a description of a schema beside that of its parameter',
        'that of the parameter is kept',
      )
    const examples = members(member(at, 'examples'))
    const example =
      member(at, 'example')?.value ?? (examples[0] && member(this.#document.resolve(examples[0][1]), 'value')?.value)
    const isRequired = isTrue(at, 'required')
    if (isRequired && known['default'] !== undefined)
      this.#schemas.unsaid.add(at, 'a default of a parameter that is required', 'the default is left out')
    return {
      ...(isRequired && { required: true, default: undefined }),
      description: own || known['description'],
      deprecated: isTrue(at, 'deprecated') || known['deprecated'],
      example: known['example'] ?? example,
    }
  }

  #strays(at: Located): void {
    for (const name of ['allowReserved', 'allowEmptyValue'])
      if (isTrue(at, name)) this.#schemas.unsaid.add(member(at, name) as Located, `\`${name}\``, LEFT_OUT)
    for (const [name, one] of members(at))
      if (name.startsWith('x-')) this.#schemas.unsaid.add(one, `the extension \`${name}\``, LEFT_OUT)
  }
}

const LEFT_OUT = 'it is left out'

const DELIMITERS: Readonly<Record<string, string>> = { form: ',', simple: ',', spaceDelimited: ' ', pipeDelimited: '|' }

/** A text in the place of a file, where no file can be. */
export const unfiled = (node: Node): Node =>
  node.kind === 'file' ? withOptions({ ...node, kind: 'string' }, { types: undefined, max: undefined }) : node

function nested(known: Node | undefined, steps: readonly string[], node: Node, at: Located): Node | undefined {
  const [step, ...rest] = steps
  if (step === undefined) return known === undefined ? node : undefined
  if (step === '' || (known !== undefined && known.kind !== 'object')) return undefined
  const attributes = new Map(known?.kind === 'object' ? known.attributes : [])
  const inner = nested(attributes.get(step), rest, node, at)
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
