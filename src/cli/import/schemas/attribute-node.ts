// The model of attributes to write: a tree of kinds with options, and named components.
import type { LocatedValue } from '../read/located.ts'

/** The options of an attribute: plain data, patterns, dates and rules. */
export type NodeOptions = Readonly<Record<string, unknown>>

/** The kinds without children. */
export type LeafKind =
  | 'string'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'bigint'
  | 'decimal'
  | 'date'
  | 'time'
  | 'dateTime'
  | 'any'
  | 'file'

/** Attributes, keyed by name. */
export type AttributeNodes = ReadonlyMap<string, AttributeNode>

/** An attribute to write, and its location in the document. */
export type AttributeNode = { readonly at: LocatedValue; readonly options: NodeOptions } & (
  | { readonly kind: LeafKind }
  | { readonly kind: 'array' | 'record' | 'json'; readonly of: AttributeNode }
  | ObjectNodeParts
  | { readonly kind: 'union'; readonly discriminator: string; readonly variants: ReadonlyMap<string, AttributeNodes> }
  | { readonly kind: 'ref'; readonly component: Component }
)

interface ObjectNodeParts {
  readonly kind: 'object'
  readonly attributes: AttributeNodes
  /** Names that only responses have, and names that only requests have. */
  readonly readOnly: ReadonlySet<string>
  readonly writeOnly: ReadonlySet<string>
}

/** An object with named attributes. */
export type ObjectNode = AttributeNode & ObjectNodeParts

/** A schema that others refer to by name. */
export interface Component {
  /** The name in the document. */
  readonly name: string
  readonly at: LocatedValue
  /** The attribute, once it is read. */
  node: AttributeNode
  /** The content type of bodies that consist of it. */
  identifier: string
}

/** Returns the placeholder of a component until its schema is read. */
export const createPendingNode = (at: LocatedValue): AttributeNode => ({ kind: 'any', at, options: {} })

/** Returns whether a component becomes a media type: an object does, unless it has rules, which media types do not support. */
export const isMediaComponent = ({ node }: Component): boolean =>
  node.kind === 'object' && node.options['requires'] === undefined

/** Returns the attribute with further options; undefined ones are removed. */
export function withOptions(node: AttributeNode, more: NodeOptions): AttributeNode {
  const defined = Object.entries({ ...node.options, ...more }).filter(([, value]) => value !== undefined)
  return { ...node, options: Object.fromEntries(defined) }
}

/** Returns whether an attribute may be null. */
export function isNullable(node: AttributeNode): boolean {
  const nullable = node.options['nullable']
  if (typeof nullable === 'boolean') return nullable
  // A media type itself is never null: references to it are.
  return node.kind === 'ref' && node.component.node.kind !== 'ref' && node.component.node.options['nullable'] === true
}

/** Follows references to the attribute. */
export function resolveNode(node: AttributeNode): AttributeNode {
  let resolved = node
  for (let steps = 0; resolved.kind === 'ref' && steps < 50; steps++) resolved = resolved.component.node
  return resolved
}

/** Returns the direct children of an attribute. */
export function getChildNodes(node: AttributeNode): readonly AttributeNode[] {
  if ('of' in node) return [node.of]
  if (node.kind === 'object') return [...node.attributes.values()]
  return node.kind === 'union' ? [...node.variants.values()].flatMap((one) => [...one.values()]) : []
}

/** Returns whether the default view of a media type would omit an attribute. */
export function isRelated(node: AttributeNode, depth: number = 0): boolean {
  if (depth > 50) return false
  if (node.kind === 'ref') return isMediaComponent(node.component) || isRelated(node.component.node, depth + 1)
  return 'of' in node && isRelated(node.of, depth + 1)
}
