// Examples of schemas from other libraries, made from the JSON Schema that a library gives. They are proposals:
// the library itself decides whether they fit.
import { type ExampleSeed, MAX_EXAMPLE_DEPTH } from '../example.ts'
import type { JsonSchema } from '../json-schema.ts'
import { exampleOfPattern } from '../scalars/pattern.ts'
import { exampleText } from '../scalars/text-example.ts'
import { formats } from '../scalars/text-format.ts'

/** Proposes a value for a JSON Schema, by the seed; undefined if there is none to propose. */
export const proposal = (schema: JsonSchema, seed: ExampleSeed): unknown => new Proposing(schema).value(schema, seed)

type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)
const nodesOf = (value: unknown): readonly Node[] => (Array.isArray(value) ? value.filter(isNode) : [])
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

const TEXTS: Readonly<Record<string, string>> = {
  'date-time': '2024-03-14T09:30:00Z',
  date: '2024-03-14',
  time: '09:30:00',
  duration: 'PT15M',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  hostname: 'example.com',
}

class Proposing {
  readonly #root: Node

  constructor(root: Node) {
    this.#root = root
  }

  value(given: Node, seed: ExampleSeed): unknown {
    const node = this.#whole(given, seed)
    if (Array.isArray(node['examples']) && node['examples'].length > 0) return node['examples'][0]
    if ('const' in node) return node['const']
    if (Array.isArray(node['enum'])) return node['enum'][seed.pick(Math.max(1, node['enum'].length))]
    switch (typeOf(node)) {
      case 'object':
        return this.#object(node, seed)
      case 'array':
        return this.#list(node, seed)
      case 'string':
        return textOf(node, seed)
      case 'integer':
      case 'number':
        return numberIn(node, seed)
      case 'boolean':
        return seed.pick(2) === 0
      case 'null':
        return null
      default:
        return undefined
    }
  }

  // One node for all that has to hold together; of alternatives, one is chosen.
  #whole(given: Node, seed: ExampleSeed, turns = 8): Node {
    const { $ref, anyOf, oneOf, allOf, ...own } = given
    if (turns === 0) return own
    const choices = nodesOf(anyOf ?? oneOf)
    const chosen = choices[seed.pick(Math.max(1, choices.length))]
    const parts = [this.#referred($ref), chosen, ...nodesOf(allOf)].filter(isNode)
    return parts.map((part) => this.#whole(part, seed, turns - 1)).reduce(merged, own)
  }

  #referred($ref: unknown): Node | undefined {
    if (typeof $ref !== 'string' || !$ref.startsWith('#')) return undefined
    let at: unknown = this.#root
    for (const step of $ref.split('/').slice(1)) {
      const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
      at = isNode(at) && Object.hasOwn(at, name) ? at[name] : undefined
    }
    return isNode(at) ? at : undefined
  }

  #object(node: Node, seed: ExampleSeed): unknown {
    const properties = isNode(node['properties']) ? node['properties'] : {}
    const required = Array.isArray(node['required']) ? node['required'] : []
    const members = Object.entries(properties).flatMap(([name, one]) => {
      const isWanted = required.includes(name) ? seed.depth < 4 * MAX_EXAMPLE_DEPTH : seed.depth < MAX_EXAMPLE_DEPTH
      const made = isWanted && isNode(one) ? this.value(one, seed.at(name)) : undefined
      return made === undefined ? [] : [[name, made] as [string, unknown]]
    })
    const least = numberOf(node['minProperties']) ?? 0
    const further = isNode(node['additionalProperties']) ? node['additionalProperties'] : { type: 'string' }
    for (let i = members.length; i < Math.min(least, 20); i++)
      members.push([`key${i}`, this.value(further, seed.at(`key${i}`))])
    return Object.fromEntries(members)
  }

  #list(node: Node, seed: ExampleSeed): unknown {
    const first = nodesOf(node['prefixItems'])
    const items = isNode(node['items']) ? node['items'] : undefined
    const wanted = Math.max(numberOf(node['minItems']) ?? 0, seed.depth < MAX_EXAMPLE_DEPTH ? 1 : 0)
    const length = Math.max(first.length, Math.min(wanted, numberOf(node['maxItems']) ?? wanted, 20))
    return Array.from({ length }, (_, i) => {
      const one = first[i] ?? items
      return one === undefined ? null : this.value(one, seed.at(i))
    })
  }
}

function merged(one: Node, other: Node): Node {
  const both = { ...other, ...one }
  if (isNode(one['properties']) && isNode(other['properties']))
    Object.assign(both, { properties: { ...other['properties'], ...one['properties'] } })
  if (Array.isArray(one['required']) && Array.isArray(other['required']))
    Object.assign(both, { required: [...other['required'], ...one['required']] })
  return both
}

function typeOf(node: Node): unknown {
  const { type } = node
  if (Array.isArray(type)) return type.find((one) => one !== 'null') ?? type[0]
  if (type !== undefined) return type
  return 'properties' in node ? 'object' : undefined
}

function textOf({ format, pattern, minLength, maxLength }: Node, seed: ExampleSeed): string | undefined {
  const known = typeof format === 'string' ? (TEXTS[format] ?? exampleOfFormat(format)) : undefined
  if (known !== undefined) return known
  const min = numberOf(minLength) ?? 0
  if (typeof pattern === 'string') return exampleOfSource(pattern, min)
  return exampleText(seed, { format: undefined, pattern: undefined, min, max: numberOf(maxLength) ?? 1000 })
}

const exampleOfFormat = (format: string): string | undefined =>
  Object.hasOwn(formats, format) ? formats[format as keyof typeof formats].example : undefined

// A pattern of another library may say what ours refuses.
function exampleOfSource(pattern: string, min: number): string | undefined {
  try {
    return exampleOfPattern(new RegExp(pattern), min)
  } catch {
    return undefined
  }
}

function numberIn(node: Node, seed: ExampleSeed): number {
  const [above, below] = [numberOf(node['exclusiveMinimum']), numberOf(node['exclusiveMaximum'])]
  const least = Math.max(numberOf(node['minimum']) ?? Number.NEGATIVE_INFINITY, above ?? Number.NEGATIVE_INFINITY)
  const most = Math.min(numberOf(node['maximum']) ?? Number.POSITIVE_INFINITY, below ?? Number.POSITIVE_INFINITY)
  const step = numberOf(node['multipleOf']) ?? (typeOf(node) === 'integer' ? 1 : stepWithin(most - least))
  if (step === 0) return least
  // The first and the last multiple of the step that fit, as far as there are bounds.
  const last = Math.floor(most / step)
  const end = last * step === below ? last - 1 : last
  const first = least === Number.NEGATIVE_INFINITY ? Math.min(Math.ceil(1 / step), end) : Math.ceil(least / step)
  const start = Math.max(first * step === above ? first + 1 : first, Math.ceil(Number.MIN_SAFE_INTEGER / step))
  return (start + seed.pick(Math.max(1, Math.min(end - start, 100)))) * step
}

/** A step of which several fit into a range. */
const stepWithin = (range: number): number => (range >= 1 ? 0.25 : range / 4)
