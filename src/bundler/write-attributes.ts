// Writes attributes as expressions of `edict/client/table`. Equal ones are written once.
import { isView, type MediaType } from '../design/declare/media-type.ts'
import { getResource } from '../design/fields/shown-part.ts'
import type { Attribute, Attributes, PortablePart } from '../schema/attribute.ts'
import { makeDefaultFactory } from '../schema/default.ts'
import { describePortableKind, findDiscriminator } from '../schema/portable.ts'
import { getDelimiter } from '../schema/structures/array.ts'
import { isJsonText } from '../schema/structures/json.ts'
import { UnwritableError, writeLiteral, writeMembers } from './write-literal.ts'

/**
 * How values of an attribute are used: written into requests, which asks for nothing but types; read from responses; or read
 * where a call may select fields, so that views are read as their media types.
 */
export type Use = 'write' | 'read' | 'select'

const TABLE = 'edict/client/table'

/** The statements of a module that contains a table. */
export class TableModule {
  readonly #statements: string[] = []
  /** The names of statements by their expressions. */
  readonly #names = new Map<string, string>()
  /** The local names of imports, by module and name. */
  readonly #imports = new Map<string, Map<string, string>>()
  readonly #attributes = new Map<string, Map<Attribute, string>>()
  /** The attributes that are being written, and the functions that return them to parts of themselves. */
  readonly #open = new Map<string, Map<Attribute, string | undefined>>()
  #count = 0

  /** Imports a name of `edict/client/table`. */
  use(name: string): string {
    return this.useFrom({ from: TABLE, name })
  }

  /** Imports a name of another module. */
  useFrom({ from, name }: PortablePart): string {
    const names = this.#imports.get(from) ?? new Map<string, string>()
    this.#imports.set(from, names)
    const local = names.get(name) ?? `$${name}`
    names.set(name, local)
    return local
  }

  /** Calls a function of the table; bundlers drop the call if nothing uses its result. */
  call(name: string, ...args: readonly (string | undefined)[]): string {
    const given = args.map((one) => one ?? 'undefined')
    while (given.at(-1) === 'undefined' || (given.at(-1) === '0' && given.length > 1)) given.pop()
    return `/* @__PURE__ */ ${this.use(name)}(${given.join(',')})`
  }

  /** Names an expression; equal ones have the same name. */
  define(expression: string): string {
    const known = this.#names.get(expression)
    if (known !== undefined) return known
    const name = `$${(this.#count++).toString(36)}_`
    this.#names.set(expression, name)
    this.#statements.push(`const ${name} = ${expression}`)
    return name
  }

  /** Returns the statements, after the imports. */
  print(): string {
    const imports = [...this.#imports].map(([from, names]) => {
      const list = [...names].map(([name, local]) => `${name} as ${local}`).join(', ')
      return `import { ${list} } from ${JSON.stringify(from)}`
    })
    return [...imports, ...this.#statements].map((one) => `${one}\n`).join('')
  }

  /** Writes an attribute, and returns its name. */
  writeAttribute(attribute: Attribute, use: Use, flags: number = readFlags(attribute, use)): string {
    const key = `${use} ${flags}`
    const written = this.#attributes.get(key) ?? new Map<Attribute, string>()
    this.#attributes.set(key, written)
    const known = written.get(attribute)
    if (known !== undefined) return known
    const deferred = this.#open.get(key) ?? new Map<Attribute, string | undefined>()
    this.#open.set(key, deferred)
    if (deferred.has(attribute)) {
      // It contains itself: a function, which is called after the module is complete, returns it.
      const getter = deferred.get(attribute) ?? `$${(this.#count++).toString(36)}r`
      deferred.set(attribute, getter)
      return this.define(this.call('ref', getter, flags === 0 ? undefined : String(flags)))
    }
    deferred.set(attribute, undefined)
    const name = this.define(this.#print(attribute, use, flags))
    const getter = deferred.get(attribute)
    if (getter !== undefined) this.#statements.push(`function ${getter}() { return ${name} }`)
    deferred.delete(attribute)
    written.set(attribute, name)
    return name
  }

  /** Writes the attributes of a structure, and returns the expression of an object. */
  writeAttributes(attributes: Attributes, use: Use): string {
    return writeMembers(Object.entries(attributes).map(([name, one]) => [name, this.writeAttribute(one, use)]))
  }

  #print(attribute: Attribute, use: Use, flags: number): string {
    const { core } = attribute
    const { shape, element, target } = core
    const shared = [flags === 0 ? undefined : String(flags), writeDefault(attribute, use)]
    if (shape === 'reference')
      return this.call('ref', `() => ${this.writeAttribute(target as Attribute, use)}`, ...shared)
    if (isJsonText(attribute)) return this.call('jsonText', this.writeAttribute(target as Attribute, use), ...shared)
    if (shape === 'list')
      return this.call('list', this.writeAttribute(element as Attribute, use), ...shared, writeDelimiter(attribute))
    if (shape === 'record') return this.call('record', this.writeAttribute(element as Attribute, use), ...shared)
    if (shape === 'union') {
      const discriminator = findDiscriminator(attribute)
      if (discriminator === undefined) throw new UnwritableError('a union of another package')
      return this.call('union', JSON.stringify(discriminator), this.writeAttributes(core.children, use), ...shared)
    }
    if (shape === 'object' && core.listing === undefined && core.selectsFrom === undefined)
      return this.#printStructure(attribute, use, shared)
    const kind = describePortableKind(attribute)
    if (kind === undefined)
      throw new UnwritableError(`a value of the kind '${core.kind.name}', which is converted by its declaration`)
    const outline =
      'from' in kind
        ? this.useFrom(kind)
        : this.define(this.call('kind', JSON.stringify(kind.unchangedType), JSON.stringify(kind.expected ?? '')))
    return this.call('value', outline, ...shared)
  }

  #printStructure(attribute: Attribute, use: Use, shared: readonly (string | undefined)[]): string {
    const { children, shown } = attribute.core
    const names = Object.keys(shown)
    const resource = use === 'select' ? getResource(attribute) : undefined
    const parts = [
      ...(use === 'write' || names.length === Object.keys(children).length
        ? []
        : [['names', JSON.stringify(names)] as const]),
      ...(isView(resource) ? [['whole', `() => ${this.writeAttribute(resource.of, use)}`] as const] : []),
    ]
    const written = this.writeAttributes(children, use)
    return this.call('structure', written, ...shared, parts.length === 0 ? undefined : writeMembers(parts))
  }

  /** Writes a media type for programs that import it. */
  writeMediaType(mediaType: MediaType): string {
    const attribute = this.writeAttribute(mediaType, 'read')
    return this.call('media', JSON.stringify(mediaType.name), JSON.stringify(mediaType.identifier), attribute)
  }
}

const REQUIRED = 1
const NULLABLE = 2

// Requests are checked by the server: their types alone matter.
const readFlags = ({ options }: Attribute, use: Use): number =>
  use === 'write' ? 0 : (options.required === true ? REQUIRED : 0) | (options.nullable === true ? NULLABLE : 0)

function writeDefault(attribute: Attribute, use: Use): string | undefined {
  if (use === 'write') return undefined
  const initial = makeDefaultFactory(attribute)
  if (initial === undefined) return undefined
  if (typeof attribute.options.default === 'function') throw new UnwritableError('a default that is a function')
  return `() => (${writeLiteral(initial())})`
}

const writeDelimiter = (attribute: Attribute): string | undefined => {
  const delimiter = getDelimiter(attribute)
  return delimiter === undefined ? undefined : JSON.stringify(delimiter)
}
