// Schemas as attributes: one node for each, and a component for each that others refer to.
import type { SourceDocument } from '../read/document.ts'
import { listElements, isTrueMember, getLocationKey, type LocatedValue, listMembers } from '../read/located.ts'
import type { UnsupportedList } from '../unsupported.ts'
import { readChoices, readUnion } from './schema-choices.ts'
import { ANNOTATION_KEYWORDS, type FlatSchema, flattenSchemas } from './flat-schema.ts'
import { type Component, type AttributeNode, type NodeOptions, createPendingNode, withOptions } from './attribute-node.ts'
import { readNumberNode, createLeafNode, takeKeyword, takeNumber, readTextNode, readValueOptions, readValuesNode } from './scalar-nodes.ts'
import { isNullSchema } from './listed-values.ts'

/** Reads schemas of one document. */
export class SchemaReader {
  readonly document: SourceDocument
  readonly unsupported: UnsupportedList
  readonly #components = new Map<string, Component>()
  readonly #unread: Component[] = []

  constructor(document: SourceDocument, unsaid: UnsupportedList) {
    this.document = document
    this.unsupported = unsaid
  }

  /** The components that were referred to. */
  get components(): readonly Component[] {
    return [...this.#components.values()]
  }

  /** The attribute of a schema; all that it refers to is read as well. */
  readNode(one: LocatedValue): AttributeNode {
    const made = this.#readSources([one])
    // One after the other: a chain of references may be longer than the stack.
    for (let next = this.#unread.pop(); next !== undefined; next = this.#unread.pop())
      next.node = this.#readSources([next.at])
    return made
  }

  /** The component at a place; its schema is read with that of the next node. */
  getComponent(at: LocatedValue): Component {
    const known = this.#components.get(getLocationKey(at))
    if (known !== undefined) return known
    const made: Component = { name: getComponentName(at), at, node: createPendingNode(at), identifier: 'application/json' }
    this.#components.set(getLocationKey(at), made)
    this.#unread.push(made)
    return made
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
    const ruled = requires.length > 0 && node.kind === 'object' ? withOptions(node, { requires }) : node
    const listsNull = (flat.nullable || (isOpen && !notNull)) && node.options['nullable'] === undefined
    return this.#describeNode(ruled, flat, listsNull)
  }

  // An attribute says nothing of the keywords that are left.
  #describeNode(node: AttributeNode, flat: FlatSchema, nullable: boolean): AttributeNode {
    const title = takeKeyword(flat, 'title')
    const description = takeKeyword(flat, 'description') ?? title
    const deprecated = takeKeyword(flat, 'deprecated')?.value === true
    const secret = takeKeyword(flat, 'x-secret')?.value === true
    if (title !== undefined && title !== description) this.unsupported.add(title, '`title` beside a description', LEFT_OUT)
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
    const named = `\`${String(open.steps.at(-1))}\``
    if (flat.properties.size > 0) {
      this.unsupported.add(open, `${named} beside properties`, 'the properties alone are declared')
      return undefined
    }
    const union = readUnion(open, flat, this.document, this.unsupported)
    if (union === undefined) return this.#readUndecided(open, named, flat)
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

  // All of one type is better than nothing said.
  #readUndecided(open: LocatedValue, named: string, flat: FlatSchema): AttributeNode {
    const all = listElements(open).map((one) => flattenSchemas([one], this.document, this.unsupported))
    const types = new Set(all.flatMap((one) => one.types ?? ['']))
    const [type = ''] = types.size === 1 ? types : []
    const nullable = all.some((one) => one.nullable)
    const free = createLeafNode('any', flat, { nullable: true })
    const known: Readonly<Record<string, AttributeNode>> = {
      string: createLeafNode('string', flat),
      integer: createLeafNode('integer', flat),
      number: createLeafNode('number', flat),
      boolean: createLeafNode('boolean', flat),
      array: { kind: 'array', at: flat.at, of: free, options: {} },
      object: { kind: 'record', at: flat.at, of: free, options: {} },
    }
    const node = (Object.hasOwn(known, type) && known[type]) || createLeafNode('any', flat)
    this.unsupported.add(
      open,
      `${named} of schemas that no text of one attribute tells apart`,
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
        '`additionalProperties` beside properties',
        'requests with names that are not declared are rejected, and responses leave them out',
      )
    const attributes = this.#readAttributes(flat)
    const having = (keyword: string): ReadonlySet<string> =>
      new Set([...flat.properties].flatMap(([name, all]) => (all.some((one) => isTrueMember(one, keyword)) ? [name] : [])))
    return {
      kind: 'object',
      at: flat.at,
      attributes: new Map(attributes),
      readOnly: having('readOnly'),
      writeOnly: having('writeOnly'),
      options: {},
    }
  }

  #readRecord(flat: FlatSchema, others: LocatedValue | undefined): AttributeNode {
    const [min, max] = [takeNumber(flat, 'minProperties'), takeNumber(flat, 'maxProperties')]
    // Names that reach a prototype are refused anyway.
    if (/__proto__/.test(JSON.stringify(flat.keywords.get('propertyNames')?.value ?? ''))) takeKeyword(flat, 'propertyNames')
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

// The example of a structure is made of those of its attributes.
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

// Read where they count, or of no meaning for values.
const IGNORED_KEYWORDS = ['readOnly', 'writeOnly', '$comment', '$schema', '$defs', 'definitions', 'additionalProperties']

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

/** The one schema that others only describe, and their words about it. */
function findSoleReference(
  sources: readonly LocatedValue[],
  document: SourceDocument,
): { readonly target: LocatedValue; readonly flat: FlatSchema } | undefined {
  const targets = new Map<string, LocatedValue>()
  const keywords = new Map<string, LocatedValue>()
  let nullable = false
  // The words of a schema come before those of what it combines.
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
