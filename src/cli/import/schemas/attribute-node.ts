// Attributes as they are going to be written: a tree of kinds with their options, and components that are named once.
import type { LocatedValue } from '../read/located.ts'

/** The options of an attribute: plain data, patterns, dates and rules. */
export type NodeOptions = Readonly<Record<string, unknown>>

/** The kinds without anything below them. */
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

/** Attributes by their names. */
export type AttributeNodes = ReadonlyMap<string, AttributeNode>

/** An attribute to write, and the place in the document that it comes from. */
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

/** A structure of named attributes. */
export type ObjectNode = AttributeNode & ObjectNodeParts

/** A schema that others refer to by its name. */
export interface Component {
  /** The name in the document. */
  readonly name: string
  readonly at: LocatedValue
  /** Its attribute, once it is known. */
  node: AttributeNode
  /** The content type of bodies that are one. */
  identifier: string
}

/** The node that a component has until its schema was read. */
export const createPendingNode = (at: LocatedValue): AttributeNode => ({ kind: 'any', at, options: {} })

/** Returns whether a component becomes a media type: structures do, unless they have rules that media types have not. */
export const isMediaComponent = ({ node }: Component): boolean =>
  node.kind === 'object' && node.options['requires'] === undefined

/** The same attribute with further options; those that are undefined are left out. */
export function withOptions(node: AttributeNode, more: NodeOptions): AttributeNode {
  const said = Object.entries({ ...node.options, ...more }).filter(([, value]) => value !== undefined)
  return { ...node, options: Object.fromEntries(said) }
}

/** Returns whether an attribute may be null. */
export function isNullable(node: AttributeNode): boolean {
  const said = node.options['nullable']
  if (typeof said === 'boolean') return said
  // A media type itself has no null: those who refer to it say so.
  return node.kind === 'ref' && node.component.node.kind !== 'ref' && node.component.node.options['nullable'] === true
}

/** The attribute that a reference stands for. */
export function resolveNode(node: AttributeNode): AttributeNode {
  let meant = node
  for (let steps = 0; meant.kind === 'ref' && steps < 50; steps++) meant = meant.component.node
  return meant
}

/** The attributes directly below one. */
export function getChildNodes(node: AttributeNode): readonly AttributeNode[] {
  if ('of' in node) return [node.of]
  if (node.kind === 'object') return [...node.attributes.values()]
  return node.kind === 'union' ? [...node.variants.values()].flatMap((one) => [...one.values()]) : []
}

/** Returns whether the implied view of a media type would leave an attribute out. */
export function isRelated(node: AttributeNode, depth: number = 0): boolean {
  if (depth > 50) return false
  if (node.kind === 'ref') return isMediaComponent(node.component) || isRelated(node.component.node, depth + 1)
  return 'of' in node && isRelated(node.of, depth + 1)
}
