// Schemas as attributes: one node for each, and a component for each that others refer to.
import type { Document } from '../read/document.ts'
import { elements, isTrue, keyOf, type Located, members } from '../read/located.ts'
import type { UnsaidList } from '../unsaid.ts'
import { choicesOf, discriminated } from './choices.ts'
import { ANNOTATIONS, type Flat, flatten } from './flat.ts'
import { type Component, type Node, type Options, pending, withOptions } from './node.ts'
import { numberNode, plain, take, takeNumber, textNode, valueOptions, valuesNode } from './scalars.ts'
import { isNullSchema } from './values.ts'

/** Reads schemas of one document. */
export class SchemaReader {
  readonly document: Document
  readonly unsaid: UnsaidList
  readonly #components = new Map<string, Component>()
  readonly #waiting: Component[] = []

  constructor(document: Document, unsaid: UnsaidList) {
    this.document = document
    this.unsaid = unsaid
  }

  /** The components that were referred to. */
  get components(): readonly Component[] {
    return [...this.#components.values()]
  }

  /** The attribute of a schema; all that it refers to is read as well. */
  node(one: Located): Node {
    const made = this.#nodeOf([one])
    // One after the other: a chain of references may be longer than the stack.
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop())
      next.node = this.#nodeOf([next.at])
    return made
  }

  /** The component at a place; its schema is read with that of the next node. */
  component(at: Located): Component {
    const known = this.#components.get(keyOf(at))
    if (known !== undefined) return known
    const made: Component = { name: nameAt(at), at, node: pending(at), identifier: 'application/json' }
    this.#components.set(keyOf(at), made)
    this.#waiting.push(made)
    return made
  }

  #nodeOf(sources: readonly Located[]): Node {
    const [first] = sources as readonly [Located]
    if (sources.length === 1 && typeof first.value === 'boolean') return this.#always(first)
    const sole = soleReference(sources, this.document)
    if (sole === undefined) return this.#built(flatten(sources, this.document, this.unsaid))
    const { target, flat } = sole
    if (typeof target.value === 'boolean') return this.#always(target)
    const node: Node = { kind: 'ref', at: flat.at, component: this.component(target), options: {} }
    return this.#described(node, flat, flat.nullable)
  }

  #always(one: Located): Node {
    if (one.value === false) this.unsaid.add(one, 'a schema that nothing fits', 'anything is accepted')
    return plain('any', { at: one }, { nullable: true })
  }

  #built(flat: Flat): Node {
    const { requires, notNull, open } = choicesOf(flat, this.document, this.unsaid)
    const node = valuesNode(flat, this.unsaid) ?? this.#chosen(open, flat) ?? this.#typed(flat)
    const isOpen = node.kind === 'any' && flat.types === undefined && open === undefined
    const ruled = requires.length > 0 && node.kind === 'object' ? withOptions(node, { requires }) : node
    const listsNull = (flat.nullable || (isOpen && !notNull)) && node.options['nullable'] === undefined
    return this.#described(ruled, flat, listsNull)
  }

  // An attribute says nothing of the keywords that are left.
  #described(node: Node, flat: Flat, nullable: boolean): Node {
    const title = take(flat, 'title')
    const description = take(flat, 'description') ?? title
    const deprecated = take(flat, 'deprecated')?.value === true
    const secret = take(flat, 'x-secret')?.value === true
    if (title !== undefined && title !== description) this.unsaid.add(title, '`title` beside a description', LEFT_OUT)
    const values = valueOptions(flat)
    for (const name of IGNORED) flat.keywords.delete(name)
    for (const [name, one] of flat.keywords) {
      const what = name.startsWith('x-') ? `the extension \`${name}\`` : wordFor(name, one)
      this.unsaid.add(one, what, LEFT_OUT)
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

  #chosen(open: Located | undefined, flat: Flat): Node | undefined {
    if (open === undefined) return undefined
    const named = `\`${String(open.steps.at(-1))}\``
    if (flat.properties.size > 0) {
      this.unsaid.add(open, `${named} beside properties`, 'the properties alone are declared')
      return undefined
    }
    const union = discriminated(open, flat, this.document, this.unsaid)
    if (union === undefined) return this.#undecided(open, named, flat)
    const variants = [...union.variants].map(([tag, one]) => {
      for (const name of ['title', 'description', 'example']) {
        const word = take(one, name)
        if (word !== undefined) this.unsaid.add(word, `\`${name}\` of a variant`, LEFT_OUT)
      }
      const { [union.discriminator]: _, ...rest } = Object.fromEntries(this.#attributesOf(one))
      return [tag, new Map(Object.entries(rest))] as const
    })
    const { discriminator } = union
    return { kind: 'union', at: flat.at, discriminator, variants: new Map(variants), options: {} }
  }

  // All of one type is better than nothing said.
  #undecided(open: Located, named: string, flat: Flat): Node {
    const all = elements(open).map((one) => flatten([one], this.document, this.unsaid))
    const types = new Set(all.flatMap((one) => one.types ?? ['']))
    const [type = ''] = types.size === 1 ? types : []
    const nullable = all.some((one) => one.nullable)
    const free = plain('any', flat, { nullable: true })
    const known: Readonly<Record<string, Node>> = {
      string: plain('string', flat),
      integer: plain('integer', flat),
      number: plain('number', flat),
      boolean: plain('boolean', flat),
      array: { kind: 'array', at: flat.at, of: free, options: {} },
      object: { kind: 'record', at: flat.at, of: free, options: {} },
    }
    const node = (Object.hasOwn(known, type) && known[type]) || plain('any', flat)
    this.unsaid.add(
      open,
      `${named} of schemas that no text of one attribute tells apart`,
      `the attribute is \`t.${node.kind}()\`, which accepts more`,
    )
    return nullable ? withOptions(node, { nullable: true }) : node
  }

  #typed(flat: Flat): Node {
    const { types = inferred(flat), at } = flat
    const [type] = types
    if (types.length !== 1) {
      if (flat.types?.length === 0)
        this.unsaid.add(at, 'schemas that no value satisfies together', 'the attribute is `t.any()`')
      if (types.length > 1)
        this.unsaid.add(at, `values of several types (${types.join(', ')})`, 'the attribute is `t.any()`')
      return plain('any', flat)
    }
    if (type === 'string') return textNode(flat, this.unsaid)
    if (type === 'integer' || type === 'number') return numberNode(flat, type === 'integer', this.unsaid)
    if (type === 'array') return this.#list(flat)
    if (type === 'object') return this.#structure(flat)
    return plain(type === 'boolean' ? 'boolean' : 'any', flat)
  }

  #list(flat: Flat): Node {
    const [min, max] = [takeNumber(flat, 'minItems'), takeNumber(flat, 'maxItems')]
    const of = flat.items.length === 0 ? plain('any', flat, { nullable: true }) : this.#nodeOf(flat.items)
    return {
      kind: 'array',
      at: flat.at,
      of,
      options: { ...(min !== undefined && min > 0 && { min }), ...(max !== undefined && { max }) },
    }
  }

  #structure(flat: Flat): Node {
    const others = take(flat, 'additionalProperties')
    if (flat.properties.size === 0 && flat.required.size === 0 && others?.value !== false && !saysEmpty(flat.at))
      return this.#record(flat, others)
    const open = others !== undefined && others.value !== false
    if (open)
      this.unsaid.add(
        others,
        '`additionalProperties` beside properties',
        'requests with names that are not declared are rejected, and responses leave them out',
      )
    const attributes = this.#attributesOf(flat)
    const having = (keyword: string): ReadonlySet<string> =>
      new Set([...flat.properties].flatMap(([name, all]) => (all.some((one) => isTrue(one, keyword)) ? [name] : [])))
    return {
      kind: 'object',
      at: flat.at,
      attributes: new Map(attributes),
      readOnly: having('readOnly'),
      writeOnly: having('writeOnly'),
      options: {},
    }
  }

  #record(flat: Flat, others: Located | undefined): Node {
    const [min, max] = [takeNumber(flat, 'minProperties'), takeNumber(flat, 'maxProperties')]
    // Names that reach a prototype are refused anyway.
    if (/__proto__/.test(JSON.stringify(flat.keywords.get('propertyNames')?.value ?? ''))) take(flat, 'propertyNames')
    const isFree = others === undefined || others.value === true
    const of = isFree ? plain('any', flat, { nullable: true }) : this.#nodeOf([others])
    return {
      kind: 'record',
      at: flat.at,
      of,
      options: { ...(min !== undefined && min > 0 && { min }), ...(max !== undefined && { max }) },
    }
  }

  #attributesOf(flat: Flat): [name: string, node: Node][] {
    const { properties, required, at } = flat
    const undeclared = [...required].filter((name) => !properties.has(name))
    const own = [...properties].map(([name, all]) => [name, this.#nodeOf(all)] as const)
    const others = undeclared.map((name) => [name, plain('any', { at }, { nullable: true })] as const)
    return [...own, ...others].flatMap(([name, node]): [string, Node][] => {
      if (name === '__proto__') this.unsaid.add(node.at, 'a property named `__proto__`', LEFT_OUT)
      if (name === '__proto__') return []
      return [[name, required.has(name) ? this.#required(node) : node]]
    })
  }

  #required(node: Node): Node {
    if (node.options['default'] !== undefined)
      this.unsaid.add(node.at, 'a default of a property that is required', 'the default is left out')
    const { default: _, ...options } = node.options
    return { ...node, options: { required: true, ...options } }
  }
}

const LEFT_OUT = 'it is left out'

// The example of a structure is made of those of its attributes.
function withExamples(node: Node, example: unknown): Node {
  if (node.kind !== 'object' || typeof example !== 'object' || example === null) return node
  const attributes = [...node.attributes].map(([name, one]): [string, Node] => {
    const value = Object.hasOwn(example, name) ? (example as Options)[name] : undefined
    return [
      name,
      value === undefined || one.options['example'] !== undefined ? one : withOptions(one, { example: value }),
    ]
  })
  return { ...node, attributes: new Map(attributes) }
}

// Read where they count, or of no meaning for values.
const IGNORED = ['readOnly', 'writeOnly', '$comment', '$schema', '$defs', 'definitions', 'additionalProperties']

const wordFor = (name: string, { value }: Located): string =>
  name === 'format' ? `the format \`${String(value)}\`` : `\`${name}\``

const saysEmpty = ({ value }: Located): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, 'properties')

function inferred({ properties, items, keywords }: Flat): readonly string[] {
  if (properties.size > 0 || keywords.has('additionalProperties')) return ['object']
  if (items.length > 0) return ['array']
  if (['pattern', 'minLength', 'maxLength'].some((name) => keywords.has(name))) return ['string']
  return ['minimum', 'maximum'].some((name) => keywords.has(name)) ? ['number'] : []
}

function nameAt({ steps, file }: Located): string {
  const named = steps.filter((step) => !/^\d+$/.test(step) && step !== 'schema' && step !== 'items')
  return named.at(-1) ?? file.replace(/^.*[/\\]|\.\w+$/g, '')
}

const COMBINING: ReadonlySet<string> = new Set(['allOf', 'oneOf', 'anyOf'])

/** The one schema that others only describe, and their words about it. */
function soleReference(
  sources: readonly Located[],
  document: Document,
): { readonly target: Located; readonly flat: Flat } | undefined {
  const targets = new Map<string, Located>()
  const keywords = new Map<string, Located>()
  let nullable = false
  // The words of a schema come before those of what it combines.
  const visit = (one: Located): boolean =>
    members(one)
      .sort(([a], [b]) => Number(COMBINING.has(a)) - Number(COMBINING.has(b)))
      .every(([name, value]) => {
        if (name === '$ref') return targets.set(keyOf(document.resolve(one)), document.resolve(one))
        if (name === 'allOf') return elements(value).every(visit)
        if (name === 'oneOf' || name === 'anyOf') {
          const others = elements(value).filter((each) => !isNullSchema(document.resolve(each)))
          nullable ||= others.length < elements(value).length
          return others.length === 1 && others.every(visit)
        }
        if (name === 'nullable') nullable ||= value.value === true && document.dialect === '3.0'
        else if (!keywords.has(name)) keywords.set(name, value)
        return ANNOTATIONS.has(name) || name.startsWith('x-')
      })
  const isPlain = sources.every(visit)
  const [target] = targets.values()
  if (!isPlain || target === undefined || targets.size !== 1) return undefined
  const at = sources[0] as Located
  const none = { properties: new Map(), required: new Set<string>(), items: [], choices: [], types: undefined }
  return { target, flat: { ...none, at, keywords, nullable } }
}
