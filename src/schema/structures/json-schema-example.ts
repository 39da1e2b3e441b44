// Examples for schemas of other libraries, generated from their JSON Schema. They are suggestions: the library itself
// decides whether they are valid.
import { type ExampleSeed, MAX_EXAMPLE_DEPTH } from '../example.ts'
import type { JsonSchema } from '../json-schema.ts'
import { makeTextExample } from '../scalars/text-example.ts'
import { type StringFormat, textFormats } from '../scalars/text-format.ts'
import { makePatternExample } from '../scalars/text-pattern.ts'

/** Suggests a value for a JSON Schema, determined by the seed; undefined if there is none. */
export const suggestExample = (schema: JsonSchema, seed: ExampleSeed): unknown =>
  new ExampleBuilder(schema).build(schema, seed)

type SchemaNode = Readonly<Record<string, unknown>>

const isSchemaNode = (value: unknown): value is SchemaNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const filterSchemaNodes = (value: unknown): readonly SchemaNode[] =>
  Array.isArray(value) ? value.filter(isSchemaNode) : []
const asNumber = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

const FORMAT_EXAMPLES: Readonly<Record<string, string>> = {
  'date-time': '2024-03-14T09:30:00Z',
  date: '2024-03-14',
  time: '09:30:00',
  duration: 'PT15M',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  hostname: 'example.com',
}

class ExampleBuilder {
  readonly #root: SchemaNode

  constructor(root: SchemaNode) {
    this.#root = root
  }

  build(schema: SchemaNode, seed: ExampleSeed): unknown {
    const node = this.#flatten(schema, seed)
    if (Array.isArray(node['examples']) && node['examples'].length > 0) return node['examples'][0]
    if ('const' in node) return node['const']
    if (Array.isArray(node['enum'])) return node['enum'][seed.numberBelow(Math.max(1, node['enum'].length))]
    switch (getNodeType(node)) {
      case 'object':
        return this.#buildObject(node, seed)
      case 'array':
        return this.#buildList(node, seed)
      case 'string':
        return makeTextValue(node, seed)
      case 'integer':
      case 'number':
        return makeNumberValue(node, seed)
      case 'boolean':
        return seed.numberBelow(2) === 0
      case 'null':
        return null
      default:
        return undefined
    }
  }

  // Merges everything that must hold together into one node; of alternatives, one is chosen.
  #flatten(schema: SchemaNode, seed: ExampleSeed, depth = 8): SchemaNode {
    const { $ref, anyOf, oneOf, allOf, ...own } = schema
    if (depth === 0) return own
    const choices = filterSchemaNodes(anyOf ?? oneOf)
    const chosen = choices[seed.numberBelow(Math.max(1, choices.length))]
    const parts = [this.#resolveRef($ref), chosen, ...filterSchemaNodes(allOf)].filter(isSchemaNode)
    return parts.map((part) => this.#flatten(part, seed, depth - 1)).reduce(mergeSchemaNodes, own)
  }

  #resolveRef($ref: unknown): SchemaNode | undefined {
    if (typeof $ref !== 'string' || !$ref.startsWith('#')) return undefined
    let node: unknown = this.#root
    for (const step of $ref.split('/').slice(1)) {
      const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
      node = isSchemaNode(node) && Object.hasOwn(node, name) ? node[name] : undefined
    }
    return isSchemaNode(node) ? node : undefined
  }

  #buildObject(node: SchemaNode, seed: ExampleSeed): unknown {
    const properties = isSchemaNode(node['properties']) ? node['properties'] : {}
    const required = Array.isArray(node['required']) ? node['required'] : []
    const members = Object.entries(properties).flatMap(([name, one]) => {
      const isWanted = required.includes(name) ? seed.depth < 4 * MAX_EXAMPLE_DEPTH : seed.depth < MAX_EXAMPLE_DEPTH
      const value = isWanted && isSchemaNode(one) ? this.build(one, seed.at(name)) : undefined
      return value === undefined ? [] : [[name, value] as [string, unknown]]
    })
    const minCount = asNumber(node['minProperties']) ?? 0
    const additional = isSchemaNode(node['additionalProperties']) ? node['additionalProperties'] : { type: 'string' }
    for (let i = members.length; i < Math.min(minCount, 20); i++)
      members.push([`key${i}`, this.build(additional, seed.at(`key${i}`))])
    return Object.fromEntries(members)
  }

  #buildList(node: SchemaNode, seed: ExampleSeed): unknown {
    const first = filterSchemaNodes(node['prefixItems'])
    const items = isSchemaNode(node['items']) ? node['items'] : undefined
    const wanted = Math.max(asNumber(node['minItems']) ?? 0, seed.depth < MAX_EXAMPLE_DEPTH ? 1 : 0)
    const length = Math.max(first.length, Math.min(wanted, asNumber(node['maxItems']) ?? wanted, 20))
    return Array.from({ length }, (_, i) => {
      const one = first[i] ?? items
      return one === undefined ? null : this.build(one, seed.at(i))
    })
  }
}

function mergeSchemaNodes(one: SchemaNode, other: SchemaNode): SchemaNode {
  const both = { ...other, ...one }
  if (isSchemaNode(one['properties']) && isSchemaNode(other['properties']))
    Object.assign(both, { properties: { ...other['properties'], ...one['properties'] } })
  if (Array.isArray(one['required']) && Array.isArray(other['required']))
    Object.assign(both, { required: [...other['required'], ...one['required']] })
  return both
}

function getNodeType(node: SchemaNode): unknown {
  const { type } = node
  if (Array.isArray(type)) return type.find((one) => one !== 'null') ?? type[0]
  if (type !== undefined) return type
  return 'properties' in node ? 'object' : undefined
}

function makeTextValue({ format, pattern, minLength, maxLength }: SchemaNode, seed: ExampleSeed): string | undefined {
  const known = typeof format === 'string' ? FORMAT_EXAMPLES[format] : undefined
  if (known !== undefined) return known
  if (isStringFormat(format)) return makeTextExample(seed, { format })
  const min = asNumber(minLength) ?? 0
  if (typeof pattern === 'string') return makeSourceExample(pattern, seed, min)
  return makeTextExample(seed, { min, max: asNumber(maxLength) ?? 1000 })
}

const isStringFormat = (format: unknown): format is StringFormat =>
  typeof format === 'string' && Object.hasOwn(textFormats, format)

// A pattern of another library may contain syntax that ours does not support.
function makeSourceExample(pattern: string, seed: ExampleSeed, min: number): string | undefined {
  try {
    return makePatternExample(new RegExp(pattern), seed, min)
  } catch {
    return undefined
  }
}

function makeNumberValue(node: SchemaNode, seed: ExampleSeed): number {
  const [above, below] = [asNumber(node['exclusiveMinimum']), asNumber(node['exclusiveMaximum'])]
  const lowest = Math.max(asNumber(node['minimum']) ?? Number.NEGATIVE_INFINITY, above ?? Number.NEGATIVE_INFINITY)
  const highest = Math.min(asNumber(node['maximum']) ?? Number.POSITIVE_INFINITY, below ?? Number.POSITIVE_INFINITY)
  const step =
    asNumber(node['multipleOf']) ?? (getNodeType(node) === 'integer' ? 1 : Math.min(0.25, (highest - lowest) / 4))
  if (step === 0) return lowest
  // The first and the last multiple of the step within the limits, as far as there are limits.
  const last = Math.floor(highest / step)
  const end = last * step === below ? last - 1 : last
  const first = lowest === Number.NEGATIVE_INFINITY ? Math.min(Math.ceil(1 / step), end) : Math.ceil(lowest / step)
  const start = Math.max(first * step === above ? first + 1 : first, Math.ceil(Number.MIN_SAFE_INTEGER / step))
  return (start + seed.numberBelow(Math.max(1, Math.min(end - start, 100)))) * step
}
