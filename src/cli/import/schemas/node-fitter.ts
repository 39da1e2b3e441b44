// Drops defaults, examples and limits that would keep an application from booting; each is tried on the actual attribute.
import { attributeRules } from '../../../design/attribute-rules.ts'
import type { Attribute } from '../../../schema/attribute.ts'
import { t } from '../../../schema/t.ts'
import type { LocatedValue } from '../read/located.ts'
import type { UnsupportedList } from '../unsupported.ts'
import {
  type AttributeNode,
  type AttributeNodes,
  type Component,
  isNullable,
  type NodeOptions,
  resolveNode,
} from './attribute-node.ts'

type MakeAttribute = (...args: readonly unknown[]) => Attribute

/** Creates attributes from nodes and checks their options. */
export class NodeFitter {
  readonly #unsupported: UnsupportedList
  readonly #attributes = new Map<Component, Attribute>()

  constructor(unsupported: UnsupportedList) {
    this.#unsupported = unsupported
  }

  /** Returns the node without contradictory options, and with values of the types that controllers receive. */
  fit(node: AttributeNode): AttributeNode {
    const inner = this.#fitChildren(node)
    const typed = { ...inner, options: convertValues(inner) } as AttributeNode
    const dropped = new Set<string>()
    for (const name of SUSPECT_OPTIONS) {
      const current = omitOptions(typed, dropped)
      const [mistake] = this.#findMistakes(current)
      if (mistake === undefined) return current
      if (!Object.hasOwn(typed.options, name)) continue
      // Another option may be the cause: drop an option only if that removes a mistake.
      if (
        this.#findMistakes(omitOptions(typed, new Set([...dropped, name]))).length < this.#findMistakes(current).length
      ) {
        dropped.add(name)
        this.#unsupported.add(
          locateOption(node, name),
          `\`${OPTION_KEYWORDS[name] ?? name}\` that does not fit its schema`,
          'it is left out',
        )
      }
    }
    return omitOptions(typed, dropped)
  }

  #fitChildren(node: AttributeNode): AttributeNode {
    const fitAll = (nodes: AttributeNodes): AttributeNodes =>
      new Map([...nodes].map(([name, one]) => [name, this.fit(one)]))
    if ('of' in node) return { ...node, of: this.fit(node.of) }
    if (node.kind === 'object') return { ...node, attributes: fitAll(node.attributes) }
    if (node.kind !== 'union') return node
    return { ...node, variants: new Map([...node.variants].map(([name, one]) => [name, fitAll(one)])) }
  }

  #findMistakes(node: AttributeNode): readonly unknown[] {
    try {
      return attributeRules.findMistakes(this.#createAttribute(node))
    } catch (error) {
      return [error]
    }
  }

  #createAttribute(node: AttributeNode): Attribute {
    const { options } = node
    const createAll = (nodes: AttributeNodes): Record<string, Attribute> =>
      Object.fromEntries([...nodes].map(([name, one]) => [name, this.#createAttribute(one)]))
    if (node.kind === 'ref') {
      const { component } = node
      const nullable = isNullable(node)
      return t.ref(() => this.#getAttribute(component), { ...options, nullable, name: 'Component' }) as Attribute
    }
    if (node.kind === 'object') return t.object(createAll(node.attributes), options) as Attribute
    if (node.kind === 'union') {
      const variants = [...node.variants].map(([name, one]) => [name, createAll(one)] as const)
      return t.union(node.discriminator, Object.fromEntries(variants), options) as Attribute
    }
    if ('of' in node) return (t[node.kind] as MakeAttribute)(this.#createAttribute(node.of), options)
    return (t[node.kind] as MakeAttribute)(options)
  }

  #getAttribute(component: Component): Attribute {
    let attribute = this.#attributes.get(component)
    if (attribute === undefined) {
      const { default: _, example: __, ...options } = component.node.options
      attribute = this.#createAttribute({ ...component.node, options } as AttributeNode)
      this.#attributes.set(component, attribute)
    }
    return attribute
  }
}

const SUSPECT_OPTIONS = ['example', 'default', 'pattern', 'values', 'format', 'max', 'min', 'requires', 'types']
const OPTION_KEYWORDS: Readonly<Record<string, string>> = { max: 'maximum', min: 'minimum', values: 'enum' }

function omitOptions(node: AttributeNode, names: ReadonlySet<string>): AttributeNode {
  const options = Object.entries(node.options).filter(([name]) => !names.has(name))
  return { ...node, options: Object.fromEntries(options) }
}

const locateOption = ({ at }: AttributeNode, name: string): LocatedValue => ({
  ...at,
  steps: [...at.steps, OPTION_KEYWORDS[name] ?? name],
})

// --- values ----------------------------------------------------------------------------

function convertValues(node: AttributeNode): NodeOptions {
  const { options } = node
  const own = ['default', 'example'].filter((name) => options[name] !== undefined)
  return { ...options, ...Object.fromEntries(own.map((name) => [name, convertValue(node, options[name])])) }
}

// JSON has neither dates nor large integers; a value that cannot be converted stays and is then dropped as invalid.
function convertValue(node: AttributeNode, value: unknown): unknown {
  const resolved = resolveNode(node)
  if (value === null || value === undefined) return value
  if (resolved.kind === 'dateTime') return toDateValue(value)
  if (resolved.kind === 'bigint') return /^-?\d+$/.test(String(value)) ? BigInt(String(value)) : value
  if ('of' in resolved && Array.isArray(value)) return value.map((one) => convertValue(resolved.of, one))
  if (typeof value !== 'object' || Array.isArray(value)) return value
  const entries = Object.entries(value).flatMap(([name, one]) => {
    // The compiler rejects undeclared members.
    const child = name === '__proto__' ? undefined : findChildNode(resolved, name, value)
    return child === undefined ? [] : [[name, convertValue(child, one)] as const]
  })
  return Object.fromEntries(entries)
}

function toDateValue(value: unknown): unknown {
  const date = new Date(typeof value === 'string' && /T.*(?:Z|[+-]\d\d:\d\d)$/i.test(value) ? value : Number.NaN)
  return Number.isNaN(date.getTime()) ? value : date
}

function findChildNode(node: AttributeNode, name: string, value: object): AttributeNode | undefined {
  if ('of' in node) return node.of
  if (node.kind === 'object') return node.attributes.get(name)
  if (node.kind !== 'union') return { kind: 'any', at: node.at, options: {} }
  if (name === node.discriminator) return { kind: 'string', at: node.at, options: {} }
  const tag = (value as Readonly<Record<string, unknown>>)[node.discriminator]
  return node.variants.get(String(tag))?.get(name)
}
