// Reads schemas as attributes: one node for each, and a component for each schema that others refer to.
import type { SourceDocument } from '../read/document.ts'
import { getLocationKey, isTrueMember, type LocatedValue, listElements, listMembers } from '../read/located.ts'
import type { UnsupportedList } from '../unsupported.ts'
import {
  type AttributeNode,
  type Component,
  createPendingNode,
  type NodeOptions,
  withOptions,
} from './attribute-node.ts'
import { ANNOTATION_KEYWORDS, type FlatSchema, flattenSchemas } from './flat-schema.ts'
import { isNullSchema } from './listed-values.ts'
import {
  createLeafNode,
  readNumberNode,
  readTextNode,
  readValueOptions,
  readValuesNode,
  takeKeyword,
  takeNumber,
} from './scalar-nodes.ts'
import { readChoices, readUnion } from './schema-choices.ts'

/** Reads the schemas of one document. */
export class SchemaReader {
  readonly document: SourceDocument
  readonly unsupported: UnsupportedList
  readonly #components = new Map<string, Component>()
  readonly #unread: Component[] = []

  constructor(document: SourceDocument, unsupported: UnsupportedList) {
    this.document = document
    this.unsupported = unsupported
  }

  /** The components that are referred to. */
  get components(): readonly Component[] {
    return [...this.#components.values()]
  }

  /** Reads the attribute of a schema, and everything that it refers to. */
  readNode(one: LocatedValue): AttributeNode {
    const node = this.#readSources([one])
    // Iterates instead of recursing: a chain of references may be longer than the stack.
    for (let next = this.#unread.pop(); next !== undefined; next = this.#unread.pop())
      next.node = this.#readSources([next.at])
    return node
  }

  /** Returns the component at a location; its schema is read with the next node. */
  getComponent(at: LocatedValue): Component {
    const existing = this.#components.get(getLocationKey(at))
    if (existing !== undefined) return existing
    const component: Component = {
      name: getComponentName(at),
      at,
      node: createPendingNode(at),
      identifier: 'application/json',
    }
    this.#components.set(getLocationKey(at), component)
    this.#unread.push(component)
    return component
  }

  #readSources(sources: readonly LocatedValue[]): AttributeNode {
    const [first] = sources as readonly [LocatedValue]
    if (sources.length === 1 && typeof first.value === 'boolean') return this.#readBoolean(first)
    const sole = findSoleReference(sources, this.document)
    if (sole === undefined) return this.#buildNode(flattenSchemas(sources, this.document, this.unsupported))
    const { target, flat } = sole
    if (typeof target.value === 'boolean') return this.#readBoolean(target)
    const node: AttributeNode = { kind: 'ref', at: flat.at, component: this.getComponent(target), options: {} }
    return this.#describeNode(node, flat, flat.nullable)
  }

  #readBoolean(one: LocatedValue): AttributeNode {
    if (one.value === false) this.unsupported.add(one, 'a schema that nothing fits', 'anything is accepted')
    return createLeafNode('any', { at: one }, { nullable: true })
  }

  #buildNode(flat: FlatSchema): AttributeNode {
    const { requires, notNull, open } = readChoices(flat, this.document, this.unsupported)
    const node = readValuesNode(flat, this.unsupported) ?? this.#readUnion(open, flat) ?? this.#readTyped(flat)
    const isOpen = node.kind === 'any' && flat.types === undefined && open === undefined
    const withRules = requires.length > 0 && node.kind === 'object' ? withOptions(node, { requires }) : node
    const nullable = (flat.nullable || (isOpen && !notNull)) && node.options['nullable'] === undefined
    return this.#describeNode(withRules, flat, nullable)
  }

  // The remaining keywords have no equivalent and are reported.
  #describeNode(node: AttributeNode, flat: FlatSchema, nullable: boolean): AttributeNode {
    const title = takeKeyword(flat, 'title')
    const description = takeKeyword(flat, 'description') ?? title
    const deprecated = takeKeyword(flat, 'deprecated')?.value === true
    const secret = takeKeyword(flat, 'x-secret')?.value === true
    if (title !== undefined && title !== description)
      this.unsupported.add(title, '`title` in addition to a description', LEFT_OUT)
    const values = readValueOptions(flat)
    for (const name of IGNORED_KEYWORDS) flat.keywords.delete(name)
    for (const [name, one] of flat.keywords) {
      const what = name.startsWith('x-') ? `the extension \`${name}\`` : formatKeyword(name, one)
      this.unsupported.add(one, what, LEFT_OUT)
    }
    return withOptions(node.kind === 'object' ? withExamples(node, values['example']) : node, {
      ...(nullable && { nullable: true }),
      ...(typeof description?.value === 'string' && description.value !== '' && { description: description.value }),
      ...(deprecated && { deprecated: true }),
      ...(secret && { secret: true }),
      ...values,
      ...(node.kind === 'object' && { example: undefined }),
    })
  }

  #readUnion(open: LocatedValue | undefined, flat: FlatSchema): AttributeNode | undefined {
    if (open === undefined) return undefined
    const keyword = `\`${String(open.steps.at(-1))}\``
    if (flat.properties.size > 0) {
      this.unsupported.add(open, `${keyword} in addition to properties`, 'the properties alone are declared')
      return undefined
    }
    const union = readUnion(open, flat, this.document, this.unsupported)
    if (union === undefined) return this.#readUndecided(open, keyword, flat)
    const variants = [...union.variants].map(([tag, one]) => {
      for (const name of ['title', 'description', 'example']) {
        const word = takeKeyword(one, name)
        if (word !== undefined) this.unsupported.add(word, `\`${name}\` of a variant`, LEFT_OUT)
      }
      const { [union.discriminator]: _, ...rest } = Object.fromEntries(this.#readAttributes(one))
      return [tag, new Map(Object.entries(rest))] as const
    })
    const { discriminator } = union
    return { kind: 'union', at: flat.at, discriminator, variants: new Map(variants), options: {} }
  }

  // If all alternatives have one type, use it: that is better than accepting anything.
  #readUndecided(open: LocatedValue, keyword: string, flat: FlatSchema): AttributeNode {
    const schemas = listElements(open).map((one) => flattenSchemas([one], this.document, this.unsupported))
    const types = new Set(schemas.flatMap((one) => one.types ?? ['']))
    const [type = ''] = types.size === 1 ? types : []
    const nullable = schemas.some((one) => one.nullable)
    const anyNode = createLeafNode('any', flat, { nullable: true })
    const nodesByType: Readonly<Record<string, AttributeNode>> = {
      string: createLeafNode('string', flat),
      integer: createLeafNode('integer', flat),
      number: createLeafNode('number', flat),
      boolean: createLeafNode('boolean', flat),
      array: { kind: 'array', at: flat.at, of: anyNode, options: {} },
      object: { kind: 'record', at: flat.at, of: anyNode, options: {} },
    }
    const node = (Object.hasOwn(nodesByType, type) && nodesByType[type]) || createLeafNode('any', flat)
    this.unsupported.add(
      open,
      `${keyword} of schemas that no text of one attribute distinguishes`,
      `the attribute is \`t.${node.kind}()\`, which accepts more`,
    )
    return nullable ? withOptions(node, { nullable: true }) : node
  }

  #readTyped(flat: FlatSchema): AttributeNode {
    const { types = inferTypes(flat), at } = flat
    const [type] = types
    if (types.length !== 1) {
      if (flat.types?.length === 0)
        this.unsupported.add(at, 'schemas that no value satisfies together', 'the attribute is `t.any()`')
      if (types.length > 1)
        this.unsupported.add(at, `values of several types (${types.join(', ')})`, 'the attribute is `t.any()`')
      return createLeafNode('any', flat)
    }
    if (type === 'string') return readTextNode(flat, this.unsupported)
    if (type === 'integer' || type === 'number') return readNumberNode(flat, type === 'integer', this.unsupported)
    if (type === 'array') return this.#readList(flat)
    if (type === 'object') return this.#readStructure(flat)
    return createLeafNode(type === 'boolean' ? 'boolean' : 'any', flat)
  }

  #readList(flat: FlatSchema): AttributeNode {
    const [min, max] = [takeNumber(flat, 'minItems'), takeNumber(flat, 'maxItems')]
    const of = flat.items.length === 0 ? createLeafNode('any', flat, { nullable: true }) : this.#readSources(flat.items)
    return {
      kind: 'array',
      at: flat.at,
      of,
      options: { ...(min !== undefined && min > 0 && { min }), ...(max !== undefined && { max }) },
    }
  }

  #readStructure(flat: FlatSchema): AttributeNode {
    const others = takeKeyword(flat, 'additionalProperties')
    if (flat.properties.size === 0 && flat.required.size === 0 && others?.value !== false && !hasProperties(flat.at))
      return this.#readRecord(flat, others)
    const open = others !== undefined && others.value !== false
    if (open)
      this.unsupported.add(
        others,
        '`additionalProperties` in addition to properties',
        'requests with names that are not declared are rejected, and responses leave them out',
      )
    const attributes = this.#readAttributes(flat)
    const listNamesWith = (keyword: string): ReadonlySet<string> =>
      new Set(
        [...flat.properties].flatMap(([name, all]) => (all.some((one) => isTrueMember(one, keyword)) ? [name] : [])),
      )
    return {
      kind: 'object',
      at: flat.at,
      attributes: new Map(attributes),
      readOnly: listNamesWith('readOnly'),
      writeOnly: listNamesWith('writeOnly'),
      options: {},
    }
  }

  #readRecord(flat: FlatSchema, others: LocatedValue | undefined): AttributeNode {
    const [min, max] = [takeNumber(flat, 'minProperties'), takeNumber(flat, 'maxProperties')]
    // Names such as `__proto__` are refused anyway.
    if (/__proto__/.test(JSON.stringify(flat.keywords.get('propertyNames')?.value ?? '')))
      takeKeyword(flat, 'propertyNames')
    const isFree = others === undefined || others.value === true
    const of = isFree ? createLeafNode('any', flat, { nullable: true }) : this.#readSources([others])
    return {
      kind: 'record',
      at: flat.at,
      of,
      options: { ...(min !== undefined && min > 0 && { min }), ...(max !== undefined && { max }) },
    }
  }

  #readAttributes(flat: FlatSchema): [name: string, node: AttributeNode][] {
    const { properties, required, at } = flat
    const undeclared = [...required].filter((name) => !properties.has(name))
    const own = [...properties].map(([name, all]) => [name, this.#readSources(all)] as const)
    const others = undeclared.map((name) => [name, createLeafNode('any', { at }, { nullable: true })] as const)
    return [...own, ...others].flatMap(([name, node]): [string, AttributeNode][] => {
      if (name === '__proto__') this.unsupported.add(node.at, 'a property named `__proto__`', LEFT_OUT)
      if (name === '__proto__') return []
      return [[name, required.has(name) ? this.#makeRequired(node) : node]]
    })
  }

  #makeRequired(node: AttributeNode): AttributeNode {
    if (node.options['default'] !== undefined)
      this.unsupported.add(node.at, 'a default of a property that is required', 'the default is left out')
    const { default: _, ...options } = node.options
    return { ...node, options: { required: true, ...options } }
  }
}

const LEFT_OUT = 'it is left out'

// Distributes the example of an object to its attributes.
function withExamples(node: AttributeNode, example: unknown): AttributeNode {
  if (node.kind !== 'object' || typeof example !== 'object' || example === null) return node
  const attributes = [...node.attributes].map(([name, one]): [string, AttributeNode] => {
    const value = Object.hasOwn(example, name) ? (example as NodeOptions)[name] : undefined
    return [
      name,
      value === undefined || one.options['example'] !== undefined ? one : withOptions(one, { example: value }),
    ]
  })
  return { ...node, attributes: new Map(attributes) }
}

// Keywords that are read elsewhere, or do not constrain values.
const IGNORED_KEYWORDS = [
  'readOnly',
  'writeOnly',
  '$comment',
  '$schema',
  '$defs',
  'definitions',
  'additionalProperties',
]

const formatKeyword = (name: string, { value }: LocatedValue): string =>
  name === 'format' ? `the format \`${String(value)}\`` : `\`${name}\``

const hasProperties = ({ value }: LocatedValue): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, 'properties')

function inferTypes({ properties, items, keywords }: FlatSchema): readonly string[] {
  if (properties.size > 0 || keywords.has('additionalProperties')) return ['object']
  if (items.length > 0) return ['array']
  if (['pattern', 'minLength', 'maxLength'].some((name) => keywords.has(name))) return ['string']
  return ['minimum', 'maximum'].some((name) => keywords.has(name)) ? ['number'] : []
}

function getComponentName({ steps, file }: LocatedValue): string {
  const named = steps.filter((step) => !/^\d+$/.test(step) && step !== 'schema' && step !== 'items')
  return named.at(-1) ?? file.replace(/^.*[/\\]|\.\w+$/g, '')
}

const COMBINING_KEYWORDS: ReadonlySet<string> = new Set(['allOf', 'oneOf', 'anyOf'])

/** Returns the only schema that the sources refer to, if they otherwise just annotate it, with these annotations. */
function findSoleReference(
  sources: readonly LocatedValue[],
  document: SourceDocument,
): { readonly target: LocatedValue; readonly flat: FlatSchema } | undefined {
  const targets = new Map<string, LocatedValue>()
  const keywords = new Map<string, LocatedValue>()
  let nullable = false
  // Annotations of a schema take precedence over those of the schemas it combines.
  const visit = (one: LocatedValue): boolean =>
    listMembers(one)
      .sort(([a], [b]) => Number(COMBINING_KEYWORDS.has(a)) - Number(COMBINING_KEYWORDS.has(b)))
      .every(([name, value]) => {
        if (name === '$ref') return targets.set(getLocationKey(document.resolve(one)), document.resolve(one))
        if (name === 'allOf') return listElements(value).every(visit)
        if (name === 'oneOf' || name === 'anyOf') {
          const others = listElements(value).filter((each) => !isNullSchema(document.resolve(each)))
          nullable ||= others.length < listElements(value).length
          return others.length === 1 && others.every(visit)
        }
        if (name === 'nullable') nullable ||= value.value === true && document.dialect === '3.0'
        else if (!keywords.has(name)) keywords.set(name, value)
        return ANNOTATION_KEYWORDS.has(name) || name.startsWith('x-')
      })
  const isPlain = sources.every(visit)
  const [target] = targets.values()
  if (!isPlain || target === undefined || targets.size !== 1) return undefined
  const at = sources[0] as LocatedValue
  const none = { properties: new Map(), required: new Set<string>(), items: [], choices: [], types: undefined }
  return { target, flat: { ...none, at, keywords, nullable } }
}
