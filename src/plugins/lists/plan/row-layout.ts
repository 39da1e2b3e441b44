// Shapes: how the rows of a query become elements. Made once for each selection of attributes, used for every row.
import type { Selection } from '../../../extend.ts'
import type { Attribute, Attributes } from '../../../index.ts'
import type { Codec } from '../resource/codec.ts'
import type { ComputedNode, ManyNode, Model, Node, Nodes, OneNode } from '../resource/model.ts'
import { columnOf, refuseRepeats } from './conditions.ts'
import type { Scope } from './scope.ts'

/** The layout of an element in the rows of a query. */
export interface Shape {
  readonly columns: readonly ColumnPart[]
  readonly structs: readonly StructPart[]
  readonly ones: readonly OnePart[]
  readonly manys: readonly ManyPart[]
  readonly computeds: readonly ComputedPart[]
  /** Whether rows alone do not suffice: related lists or computed attributes are below. */
  readonly deep: boolean
}

/** An attribute that stands in each row. */
interface ColumnPart {
  readonly name: string
  readonly index: number
  readonly fromColumn: Codec['fromColumn']
  readonly nullable: boolean
}

interface BelowPart {
  readonly name: string
  readonly nullable: boolean
  readonly shape: Shape
}

/** A structure of parts of the same row. */
interface StructPart extends BelowPart {
  /** Whether it is there although none of its parts has a value: it must be, and null cannot stand for it. */
  readonly certain: boolean
}

/** An element of another resource in the same row, if it has a key there. */
interface OnePart extends BelowPart {
  readonly presence: number
}

/** A list that takes a query of its own: which of our values lead to it, and what is wanted of it. */
export interface ManyPart {
  readonly name: string
  readonly node: ManyNode
  readonly indices: readonly number[]
  readonly wanted: Wanted
}

/** An attribute that a function makes of others. */
interface ComputedPart {
  readonly name: string
  readonly node: ComputedNode
  readonly shape: Shape
}

/** The names that are wanted, each with what is wanted of it. */
export type Wanted = ReadonlyMap<string, WantedBelow>

interface WantedBelow {
  /** The selection below it; undefined for the fields that it shows by itself. */
  readonly selection?: Selection | undefined
  /** The attribute as the client sees it; without it, as the resource has it. */
  readonly attribute?: Attribute | undefined
}

/** Everything that attributes show by themselves. */
export const allOf = (attributes: Attributes): Wanted =>
  new Map(Object.entries(attributes).map(([name, attribute]) => [name, { attribute }]))

/** The fields that a selection names, each with its attribute. */
export const selectedOf = ({ fields }: Selection, attributes: Attributes): Wanted =>
  new Map(
    [...fields].map(([name, selection]) => {
      const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined
      return [name, { selection, attribute }]
    }),
  )

/** How deep elements of other resources may be joined to one another. */
const MAX_JOINS = 8

/** Makes the shape of wanted attributes, and adds to the scope what has to be read for them. */
export function shapeOf(wanted: Wanted, rows: RowSource): Shape {
  if ((rows.depth ?? 0) > MAX_JOINS)
    throw new TypeError('A resource shows itself, joined to itself without end: declare a view of it that ends')
  const parts = {
    columns: [] as ColumnPart[],
    structs: [] as StructPart[],
    ones: [] as OnePart[],
    manys: [] as ManyPart[],
    computeds: [] as ComputedPart[],
  }
  for (const [name, { selection, attribute }] of wanted) {
    const node = rows.nodes.get(name)
    if (node !== undefined) addPart(parts, { name, node, selection, attribute: attribute ?? node.attribute }, rows)
  }
  const below = [...parts.structs, ...parts.ones]
  const deep = parts.manys.length > 0 || parts.computeds.length > 0 || below.some(({ shape }) => shape.deep)
  return { ...parts, deep }
}

/** The source of a shape's values: attributes, and the table of a query that has their columns. */
export interface RowSource {
  readonly nodes: Nodes
  readonly scope: Scope
  /** The index of the table in the query. */
  readonly source: number
  /** How many shapes are around this one. */
  readonly depth?: number
}

interface WantedPart<N extends Node = Node> {
  readonly name: string
  readonly node: N
  readonly selection: Selection | undefined
  readonly attribute: Attribute
}

type Parts = { -readonly [P in Exclude<keyof Shape, 'deep'>]: Shape[P][number][] }

function addPart(parts: Parts, { name, node, selection, attribute }: WantedPart, rows: RowSource): void {
  const { scope, source, depth = 0 } = rows
  const nullable = attribute.options.nullable ?? false
  if (node.type === 'column') {
    const index = scope.read(source, node.column)
    parts.columns.push({ name, index, fromColumn: node.codec.fromColumn, nullable })
  } else if (node.type === 'struct') {
    const shape = shapeOf(belowOf(attribute, selection), { ...rows, nodes: node.nodes })
    parts.structs.push({ name, nullable, certain: attribute.options.required === true && !nullable, shape })
  } else if (node.type === 'one') parts.ones.push(onePart({ name, node, selection, attribute }, rows))
  else if (node.type === 'many') {
    const indices = node.on.map(([ours]) => scope.read(source, ours))
    const element = attribute.core.children['*'] ?? attribute
    parts.manys.push({ name, node, indices, wanted: belowOf(element, selection) })
  } else if (node.type === 'computed') {
    const needs: Wanted = new Map(node.needs.map((need) => [need, {}]))
    parts.computeds.push({ name, node, shape: shapeOf(needs, { ...rows, depth: depth + 1 }) })
  }
}

const belowOf = (attribute: Attribute, selection: Selection | undefined): Wanted =>
  selection === undefined
    ? allOf(attribute.core.shown)
    : selectedOf(selection, (attribute.core.element ?? attribute).core.children)

function onePart(part: WantedPart<OneNode>, { scope, source, depth = 0 }: RowSource): OnePart {
  const { name, node, selection, attribute } = part
  const target = node.target()
  refuseRepeats(node, target)
  const joined = scope.join(source, target, pairsOf(node, target))
  const [key] = target.key
  const presence = scope.read(joined, key === undefined ? columnOf(target, '') : key.node.column)
  const rows: RowSource = { nodes: target.nodes, scope, source: joined, depth: depth + 1 }
  const shape = shapeOf(belowOf(attribute, selection), rows)
  return { name, nullable: attribute.options.nullable ?? false, presence, shape }
}

const pairsOf = ({ on }: OneNode, target: Model) => on.map(([ours, name]) => [ours, columnOf(target, name)] as const)
