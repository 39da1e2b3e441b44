// Row shapes: the layout of elements in the rows of a query, built once per selection and used for every row.
import type { Selection } from '../../../extend.ts'
import type { Attribute, Attributes } from '../../../index.ts'
import type { Codec } from '../model/codec.ts'
import type { ComputedNode, ManyNode, Model, ModelNode, ModelNodes, OneNode } from '../model/model.ts'
import { getColumn, joinAggregate, refuseRepeatedRows } from './filter-builder.ts'
import type { QueryScope } from './query-scope.ts'

/** The layout of an element in the rows of a query. */
export interface RowShape {
  readonly columns: readonly ColumnShape[]
  readonly structs: readonly StructShape[]
  readonly ones: readonly OneShape[]
  readonly manys: readonly ManyShape[]
  readonly computeds: readonly ComputedShape[]
  /** Whether the rows do not suffice, because the element contains related lists or computed attributes. */
  readonly isDeep: boolean
}

/** An attribute that is a column of each row. */
interface ColumnShape {
  readonly name: string
  readonly index: number
  readonly fromColumn: Codec['fromColumn']
  readonly nullable: boolean
}

interface NestedShape {
  readonly name: string
  readonly nullable: boolean
  readonly shape: RowShape
}

/** A structure of columns of the same row. */
interface StructShape extends NestedShape {
  /** Whether the structure is present even if none of its parts has a value: it is required and not nullable. */
  readonly alwaysPresent: boolean
}

/** An element of another resource in the same row; present if its key has a value. */
interface OneShape extends NestedShape {
  readonly presence: number
}

/** A list that is read by a separate query: the columns that identify its owner, and the requested fields. */
export interface ManyShape {
  readonly name: string
  readonly node: ManyNode
  readonly indices: readonly number[]
  readonly fields: RequestedFields
}

/** An attribute that a function computes from others. */
interface ComputedShape {
  readonly name: string
  readonly node: ComputedNode
  readonly shape: RowShape
}

/** The requested fields by name. */
export type RequestedFields = ReadonlyMap<string, RequestedField>

interface RequestedField {
  /** The nested selection; undefined for the default fields. */
  readonly selection?: Selection | undefined
  /** The attribute as visible to the client; by default that of the resource. */
  readonly attribute?: Attribute | undefined
}

/** Requests all given attributes. */
export const requestAll = (attributes: Attributes): RequestedFields =>
  new Map(Object.entries(attributes).map(([name, attribute]) => [name, { attribute }]))

/** Requests the fields of a selection, each with its attribute. */
export const requestSelected = ({ fields }: Selection, attributes: Attributes): RequestedFields =>
  new Map(
    [...fields].map(([name, selection]) => {
      const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined
      return [name, { selection, attribute }]
    }),
  )

/** The maximum depth of joined elements of other resources. */
const MAX_JOINS = 8

/** Builds the shape of the requested attributes, and adds their columns to the scope. */
export function buildRowShape(requested: RequestedFields, rows: RowSource): RowShape {
  if ((rows.depth ?? 0) > MAX_JOINS)
    throw new TypeError('A resource shows itself, joined to itself without end: declare a view of it that ends')
  const parts = {
    columns: [] as ColumnShape[],
    structs: [] as StructShape[],
    ones: [] as OneShape[],
    manys: [] as ManyShape[],
    computeds: [] as ComputedShape[],
  }
  for (const [name, { selection, attribute }] of requested) {
    const node = rows.nodes.get(name)
    if (node !== undefined) addPart(parts, { name, node, selection, attribute: attribute ?? node.attribute }, rows)
  }
  const below = [...parts.structs, ...parts.ones]
  const isDeep = parts.manys.length > 0 || parts.computeds.length > 0 || below.some(({ shape }) => shape.isDeep)
  return { ...parts, isDeep }
}

/** The source of a shape's values: the attributes, and the table of the query that has their columns. */
export interface RowSource {
  readonly nodes: ModelNodes
  readonly scope: QueryScope
  /** The index of the table in the query. */
  readonly source: number
  /** The nesting depth of this shape. */
  readonly depth?: number
}

interface RequestedPart<N extends ModelNode = ModelNode> {
  readonly name: string
  readonly node: N
  readonly selection: Selection | undefined
  readonly attribute: Attribute
}

type ShapeParts = { -readonly [P in Exclude<keyof RowShape, 'isDeep'>]: RowShape[P][number][] }

function addPart(parts: ShapeParts, { name, node, selection, attribute }: RequestedPart, rows: RowSource): void {
  const { scope, source, depth = 0 } = rows
  const nullable = attribute.options.nullable ?? false
  if (node.type === 'column') {
    const index = scope.addColumn(source, node.column)
    parts.columns.push({ name, index, fromColumn: node.codec.fromColumn, nullable })
  } else if (node.type === 'aggregate') {
    const { reference, node: located } = joinAggregate(node, scope, source)
    const index = scope.addColumn(reference.source, reference.column)
    parts.columns.push({ name, index, fromColumn: located.codec.fromColumn, nullable })
  } else if (node.type === 'struct') {
    const shape = buildRowShape(requestNested(attribute, selection), { ...rows, nodes: node.nodes })
    parts.structs.push({ name, nullable, alwaysPresent: attribute.options.required === true && !nullable, shape })
  } else if (node.type === 'one') parts.ones.push(buildOneShape({ name, node, selection, attribute }, rows))
  else if (node.type === 'many') {
    const indices = node.on.map(([ours]) => scope.addColumn(source, ours))
    const element = attribute.core.children['*'] ?? attribute
    parts.manys.push({ name, node, indices, fields: requestNested(element, selection) })
  } else if (node.type === 'computed') {
    const needs: RequestedFields = new Map(node.needs.map((need) => [need, {}]))
    parts.computeds.push({ name, node, shape: buildRowShape(needs, { ...rows, depth: depth + 1 }) })
  }
}

const requestNested = (attribute: Attribute, selection: Selection | undefined): RequestedFields =>
  selection === undefined
    ? requestAll(attribute.core.shown)
    : requestSelected(selection, (attribute.core.element ?? attribute).core.children)

function buildOneShape(part: RequestedPart<OneNode>, { scope, source, depth = 0 }: RowSource): OneShape {
  const { name, node, selection, attribute } = part
  const target = node.target()
  refuseRepeatedRows(node, target)
  const joined = scope.join(source, target, resolveColumnPairs(node, target))
  const [key] = target.key
  const presence = scope.addColumn(joined, key === undefined ? getColumn(target, '') : key.node.column)
  const rows: RowSource = { nodes: target.nodes, scope, source: joined, depth: depth + 1 }
  const shape = buildRowShape(requestNested(attribute, selection), rows)
  return { name, nullable: attribute.options.nullable ?? false, presence, shape }
}

const resolveColumnPairs = ({ on }: OneNode, target: Model) =>
  on.map(([ours, name]) => [ours, getColumn(target, name)] as const)
