// The nodes of a model: the resolved source of each attribute of a resource.
import type { Attribute, MediaType } from '../../../index.ts'
import type { AggregateOperation, Column, Datastore, Search, Table } from '../../query/query.ts'
import type { FilterExpression } from '../filters/expression.ts'
import type { Codec } from './codec.ts'
import type { Computed, ManySettings, RelationConditions, ScopeFunction } from './mapping.ts'

/** The source of one attribute. */
export type ModelNode = ColumnNode | StructNode | OneNode | ManyNode | AggregateNode | ComputedNode | AbsentNode

export interface ColumnNode {
  readonly type: 'column'
  readonly attribute: Attribute
  readonly column: Column
  readonly codec: Codec
  /** The full-text search of the column. */
  readonly search?: Search
}

/** A structure whose attributes have separate sources. */
export interface StructNode {
  readonly type: 'struct'
  readonly attribute: Attribute
  readonly nodes: ModelNodes
}

/** A relation to an element of another resource. */
export interface OneNode {
  readonly type: 'one'
  readonly attribute: Attribute
  readonly target: () => Model
  /** A column of this table, and the name of a column of the other table. */
  readonly on: readonly (readonly [Column, string])[]
}

/** A relation to elements of another resource. */
export interface ManyNode extends Omit<OneNode, 'type'> {
  readonly type: 'many'
  readonly settings: ManySettings
  /** The conditions on related elements. */
  readonly where: FilterExpression | undefined
  /** The conditions that depend on the caller. */
  readonly callerWhere?: RelationConditions | undefined
  /** The join table, with its columns that reference the other resource. */
  readonly through: { readonly table: Table; readonly on: readonly (readonly [Column, string])[] } | undefined
}

/** One value of all elements of a relation. */
export interface AggregateNode {
  readonly type: 'aggregate'
  readonly attribute: Attribute
  readonly name: string
  readonly operation: AggregateOperation
  /** The field of the related elements that is summed or compared. */
  readonly field: string | undefined
  readonly relation: ManyNode
  /** A column of this table that is null in none of its rows. */
  readonly presence: Column
  readonly describeColumn: NonNullable<Datastore['aggregate']>
}

/** An attribute that is computed from others. */
export interface ComputedNode {
  readonly type: 'computed'
  readonly attribute: Attribute
  readonly needs: readonly string[]
  readonly run: Computed['run']
  readonly dependsOnCaller: boolean
  readonly expression?: Computed['expression']
}

/** An attribute that the resource does not read; the action adds it. */
interface AbsentNode {
  readonly type: 'absent'
  readonly attribute: Attribute
}

/** The sources by attribute name. */
export type ModelNodes = ReadonlyMap<string, ModelNode>

/** A resolved resource. */
export interface Model {
  readonly mediaType: MediaType
  readonly table: Table
  readonly nodes: ModelNodes
  /** The attributes that identify an element, and their columns. */
  readonly key: readonly { readonly name: string; readonly node: ColumnNode }[]
  /** The attribute that every change increments. */
  readonly version?: ColumnNode | undefined
  /** The scope that the mapping declares: the elements that a caller may see. */
  readonly scope?: ScopeFunction | undefined
}
