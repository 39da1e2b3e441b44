// Defaults, examples and limits that would keep an application from booting: each is tried on the attribute itself.
import type { Attribute } from '../../../schema/attribute.ts'
import { t } from '../../../schema/t.ts'
import type { Located } from '../read/located.ts'
import type { UnsaidList } from '../unsaid.ts'
import { type Component, isNullable, meantBy, type Node, type Nodes, type Options } from './node.ts'

type Make = (...args: readonly unknown[]) => Attribute

/** Makes attributes of nodes, to ask them what they accept. */
export class Fitting {
  readonly #unsaid: UnsaidList
  readonly #made = new Map<Component, Attribute>()

  constructor(unsaid: UnsaidList) {
    this.#unsaid = unsaid
  }

  /** The attribute without those of its options that contradict each other, and with values of the types that controllers see. */
  settled(node: Node): Node {
    const inner = this.#inside(node)
    const typed = { ...inner, options: valuesIn(inner) } as Node
    const dropped = new Set<string>()
    for (const name of SUSPECTS) {
      const now = without(typed, dropped)
      const [mistake] = this.#mistakes(now)
      if (mistake === undefined) return now
      if (!Object.hasOwn(typed.options, name)) continue
      // Others may be to blame: only what helps is left out.
      if (this.#mistakes(without(typed, new Set([...dropped, name]))).length < this.#mistakes(now).length) {
        dropped.add(name)
        this.#unsaid.add(
          placeOf(node, name),
          `\`${WORDS[name] ?? name}\` that does not fit its schema`,
          'it is left out',
        )
      }
    }
    return without(typed, dropped)
  }

  #inside(node: Node): Node {
    const all = (nodes: Nodes): Nodes => new Map([...nodes].map(([name, one]) => [name, this.settled(one)]))
    if ('of' in node) return { ...node, of: this.settled(node.of) }
    if (node.kind === 'object') return { ...node, attributes: all(node.attributes) }
    if (node.kind !== 'union') return node
    return { ...node, variants: new Map([...node.variants].map(([name, one]) => [name, all(one)])) }
  }

  #mistakes(node: Node): readonly unknown[] {
    try {
      return this.#attribute(node).core.mistakes()
    } catch (error) {
      return [error]
    }
  }

  #attribute(node: Node): Attribute {
    const { options } = node
    const nodes = (all: Nodes): Record<string, Attribute> =>
      Object.fromEntries([...all].map(([name, one]) => [name, this.#attribute(one)]))
    if (node.kind === 'ref') {
      const { component } = node
      const nullable = isNullable(node)
      return t.ref(() => this.#component(component), { ...options, nullable, name: 'Component' }) as Attribute
    }
    if (node.kind === 'object') return t.object(nodes(node.attributes), options) as Attribute
    if (node.kind === 'union') {
      const variants = [...node.variants].map(([name, one]) => [name, nodes(one)] as const)
      return t.union(node.discriminator, Object.fromEntries(variants), options) as Attribute
    }
    if ('of' in node) return (t[node.kind] as Make)(this.#attribute(node.of), options)
    return (t[node.kind] as Make)(options)
  }

  #component(component: Component): Attribute {
    let made = this.#made.get(component)
    if (made === undefined) {
      const { default: _, example: __, ...options } = component.node.options
      made = this.#attribute({ ...component.node, options } as Node)
      this.#made.set(component, made)
    }
    return made
  }
}

const SUSPECTS = ['example', 'default', 'pattern', 'values', 'format', 'max', 'min', 'requires', 'types']
const WORDS: Readonly<Record<string, string>> = { max: 'maximum', min: 'minimum', values: 'enum' }

function without(node: Node, names: ReadonlySet<string>): Node {
  const options = Object.entries(node.options).filter(([name]) => !names.has(name))
  return { ...node, options: Object.fromEntries(options) }
}

const placeOf = ({ at }: Node, name: string): Located => ({ ...at, steps: [...at.steps, WORDS[name] ?? name] })

// --- values ----------------------------------------------------------------------------

function valuesIn(node: Node): Options {
  const { options } = node
  const own = ['default', 'example'].filter((name) => options[name] !== undefined)
  return { ...options, ...Object.fromEntries(own.map((name) => [name, valueFor(node, options[name])])) }
}

// JSON has no dates and no large integers; what cannot be one stays, and is found not to fit.
function valueFor(node: Node, value: unknown): unknown {
  const meant = meantBy(node)
  if (value === null || value === undefined) return value
  if (meant.kind === 'dateTime') return momentOf(value)
  if (meant.kind === 'bigint') return /^-?\d+$/.test(String(value)) ? BigInt(String(value)) : value
  if ('of' in meant && Array.isArray(value)) return value.map((one) => valueFor(meant.of, one))
  if (typeof value !== 'object' || Array.isArray(value)) return value
  const entries = Object.entries(value).flatMap(([name, one]) => {
    // The compiler refuses members that are not declared.
    const child = name === '__proto__' ? undefined : childOf(meant, name, value)
    return child === undefined ? [] : [[name, valueFor(child, one)] as const]
  })
  return Object.fromEntries(entries)
}

function momentOf(value: unknown): unknown {
  const moment = new Date(typeof value === 'string' && /T.*(?:Z|[+-]\d\d:\d\d)$/i.test(value) ? value : Number.NaN)
  return Number.isNaN(moment.getTime()) ? value : moment
}

function childOf(node: Node, name: string, value: object): Node | undefined {
  if ('of' in node) return node.of
  if (node.kind === 'object') return node.attributes.get(name)
  if (node.kind !== 'union') return { kind: 'any', at: node.at, options: {} }
  if (name === node.discriminator) return { kind: 'string', at: node.at, options: {} }
  const tag = (value as Readonly<Record<string, unknown>>)[node.discriminator]
  return node.variants.get(String(tag))?.get(name)
}
