// The parts of a model: where each attribute of a resource comes from.
import type { Attribute, MediaType } from '../../../index.ts'
import type { FilterExpression } from '../filters/expression.ts'
import type { Column, Search, Table } from '../../query/query.ts'
import type { Codec } from './codec.ts'
import type { Computed, ManySettings, ScopeFunction } from './mapping.ts'

/** Where one attribute comes from. */
export type ModelNode = ColumnNode | StructNode | OneNode | ManyNode | ComputedNode | AbsentNode

/** An attribute in a column. */
export interface ColumnNode {
  readonly type: 'column'
  readonly attribute: Attribute
  readonly column: Column
  readonly codec: Codec
  /** How it is searched for words. */
  readonly search?: Search
}

/** A structure whose attributes have sources of their own. */
export interface StructNode {
  readonly type: 'struct'
  readonly attribute: Attribute
  readonly nodes: ModelNodes
}

/** An element of another resource. */
export interface OneNode {
  readonly type: 'one'
  readonly attribute: Attribute
  readonly target: () => Model
  /** Our column, and the name of theirs. */
  readonly on: readonly (readonly [Column, string])[]
}

/** Elements of another resource. */
export interface ManyNode extends Omit<OneNode, 'type'> {
  readonly type: 'many'
  readonly settings: ManySettings
  /** The conditions on related elements. */
  readonly where: FilterExpression | undefined
  /** The table between, with its columns that lead to the other resource. */
  readonly through: { readonly table: Table; readonly on: readonly (readonly [Column, string])[] } | undefined
}

/** An attribute that is worked out from others. */
export interface ComputedNode {
  readonly type: 'computed'
  readonly attribute: Attribute
  readonly needs: readonly string[]
  readonly run: Computed['run']
  readonly expression?: Computed['expression']
}

/** An attribute that the resource does not read: the action adds it. */
interface AbsentNode {
  readonly type: 'absent'
  readonly attribute: Attribute
}

/** Sources by the names of attributes. */
export type ModelNodes = ReadonlyMap<string, ModelNode>

/** A resource, resolved. */
export interface Model {
  readonly mediaType: MediaType
  readonly table: Table
  readonly nodes: ModelNodes
  /** The names of the attributes that tell elements apart, and their columns. */
  readonly key: readonly { readonly name: string; readonly node: ColumnNode }[]
  /** The attribute that every change raises by one. */
  readonly version?: ColumnNode | undefined
  /** The scope that the mapping declares: what a caller may see, by the context of the call. */
  readonly scope?: ScopeFunction | undefined
}
