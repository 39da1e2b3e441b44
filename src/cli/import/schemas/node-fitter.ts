// Defaults, examples and limits that would keep an application from booting: each is tried on the attribute itself.
import type { Attribute } from '../../../schema/attribute.ts'
import { t } from '../../../schema/t.ts'
import type { LocatedValue } from '../read/located.ts'
import type { UnsupportedList } from '../unsupported.ts'
import { type Component, isNullable, resolveNode, type AttributeNode, type AttributeNodes, type NodeOptions } from './attribute-node.ts'

type MakeAttribute = (...args: readonly unknown[]) => Attribute

/** Makes attributes of nodes, to ask them what they accept. */
export class NodeFitter {
  readonly #unsupported: UnsupportedList
  readonly #attributes = new Map<Component, Attribute>()

  constructor(unsaid: UnsupportedList) {
    this.#unsupported = unsaid
  }

  /** The attribute without those of its options that contradict each other, and with values of the types that controllers see. */
  fit(node: AttributeNode): AttributeNode {
    const inner = this.#fitChildren(node)
    const typed = { ...inner, options: convertValues(inner) } as AttributeNode
    const dropped = new Set<string>()
    for (const name of SUSPECT_OPTIONS) {
      const now = omitOptions(typed, dropped)
      const [mistake] = this.#findMistakes(now)
      if (mistake === undefined) return now
      if (!Object.hasOwn(typed.options, name)) continue
      // Others may be to blame: only what helps is left out.
      if (this.#findMistakes(omitOptions(typed, new Set([...dropped, name]))).length < this.#findMistakes(now).length) {
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
    const all = (nodes: AttributeNodes): AttributeNodes => new Map([...nodes].map(([name, one]) => [name, this.fit(one)]))
    if ('of' in node) return { ...node, of: this.fit(node.of) }
    if (node.kind === 'object') return { ...node, attributes: all(node.attributes) }
    if (node.kind !== 'union') return node
    return { ...node, variants: new Map([...node.variants].map(([name, one]) => [name, all(one)])) }
  }

  #findMistakes(node: AttributeNode): readonly unknown[] {
    try {
      return this.#createAttribute(node).core.mistakes()
    } catch (error) {
      return [error]
    }
  }

  #createAttribute(node: AttributeNode): Attribute {
    const { options } = node
    const nodes = (all: AttributeNodes): Record<string, Attribute> =>
      Object.fromEntries([...all].map(([name, one]) => [name, this.#createAttribute(one)]))
    if (node.kind === 'ref') {
      const { component } = node
      const nullable = isNullable(node)
      return t.ref(() => this.#getAttribute(component), { ...options, nullable, name: 'Component' }) as Attribute
    }
    if (node.kind === 'object') return t.object(nodes(node.attributes), options) as Attribute
    if (node.kind === 'union') {
      const variants = [...node.variants].map(([name, one]) => [name, nodes(one)] as const)
      return t.union(node.discriminator, Object.fromEntries(variants), options) as Attribute
    }
    if ('of' in node) return (t[node.kind] as MakeAttribute)(this.#createAttribute(node.of), options)
    return (t[node.kind] as MakeAttribute)(options)
  }

  #getAttribute(component: Component): Attribute {
    let made = this.#attributes.get(component)
    if (made === undefined) {
      const { default: _, example: __, ...options } = component.node.options
      made = this.#createAttribute({ ...component.node, options } as AttributeNode)
      this.#attributes.set(component, made)
    }
    return made
  }
}

const SUSPECT_OPTIONS = ['example', 'default', 'pattern', 'values', 'format', 'max', 'min', 'requires', 'types']
const OPTION_KEYWORDS: Readonly<Record<string, string>> = { max: 'maximum', min: 'minimum', values: 'enum' }

function omitOptions(node: AttributeNode, names: ReadonlySet<string>): AttributeNode {
  const options = Object.entries(node.options).filter(([name]) => !names.has(name))
  return { ...node, options: Object.fromEntries(options) }
}

const locateOption = ({ at }: AttributeNode, name: string): LocatedValue => ({ ...at, steps: [...at.steps, OPTION_KEYWORDS[name] ?? name] })

// --- values ----------------------------------------------------------------------------

function convertValues(node: AttributeNode): NodeOptions {
  const { options } = node
  const own = ['default', 'example'].filter((name) => options[name] !== undefined)
  return { ...options, ...Object.fromEntries(own.map((name) => [name, convertValue(node, options[name])])) }
}

// JSON has no dates and no large integers; what cannot be one stays, and is found not to fit.
function convertValue(node: AttributeNode, value: unknown): unknown {
  const meant = resolveNode(node)
  if (value === null || value === undefined) return value
  if (meant.kind === 'dateTime') return toDateValue(value)
  if (meant.kind === 'bigint') return /^-?\d+$/.test(String(value)) ? BigInt(String(value)) : value
  if ('of' in meant && Array.isArray(value)) return value.map((one) => convertValue(meant.of, one))
  if (typeof value !== 'object' || Array.isArray(value)) return value
  const entries = Object.entries(value).flatMap(([name, one]) => {
    // The compiler refuses members that are not declared.
    const child = name === '__proto__' ? undefined : findChildNode(meant, name, value)
    return child === undefined ? [] : [[name, convertValue(child, one)] as const]
  })
  return Object.fromEntries(entries)
}

function toDateValue(value: unknown): unknown {
  const moment = new Date(typeof value === 'string' && /T.*(?:Z|[+-]\d\d:\d\d)$/i.test(value) ? value : Number.NaN)
  return Number.isNaN(moment.getTime()) ? value : moment
}

function findChildNode(node: AttributeNode, name: string, value: object): AttributeNode | undefined {
  if ('of' in node) return node.of
  if (node.kind === 'object') return node.attributes.get(name)
  if (node.kind !== 'union') return { kind: 'any', at: node.at, options: {} }
  if (name === node.discriminator) return { kind: 'string', at: node.at, options: {} }
  const tag = (value as Readonly<Record<string, unknown>>)[node.discriminator]
  return node.variants.get(String(tag))?.get(name)
}
