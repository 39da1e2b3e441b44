// The public entry point `edict/mapper`: resources in datastores, filters and field selection.

export type { Selection } from '../../extend.ts'
export { type MemoryColumn, type MemoryTable, memoryDatastore } from '../datastores/memory/memory.ts'
export type {
  Column,
  ColumnKind,
  ColumnValues,
  Comparison,
  Count,
  CursorValue,
  Datastore,
  Derived,
  Exists,
  Fault,
  Filter,
  Join,
  Operand,
  OrderStep,
  Pattern,
  PerKeyLimit,
  Reference,
  Search,
  Select,
  SelectedRows,
  Table,
  TruncatedValue,
  Upsert,
} from '../query/query.ts'
export { INCREMENT, InexactListError } from '../query/query.ts'
export type { Caller, Replication } from '../query/replication.ts'
export type { Snapshot } from '../query/snapshot.ts'
export { isConflict, retry } from './faults.ts'
export { FieldSelector } from './fields/field-selector.ts'
export type { FilterExpression, Match, Quantifier } from './filters/expression.ts'
export type { FilterFieldSettings, FilteringOptions } from './filters/filter-fields.ts'
export type { FilterOperator } from './filters/filter-parser.ts'
export { FilteringParams } from './filters/filtering-params.ts'
export type { Condition, ElementCondition, TextCondition, Where, WhereOf } from './filters/where.ts'
export {
  type AnyResource,
  type AttributeSources,
  type ColumnPairs,
  type Computed,
  type ComputedSettings,
  computed,
  computedBatch,
  type Many,
  type ManySettings,
  type Mapping,
  many,
  type One,
  one,
  type ScopeConditions,
  type ScopeFunction,
  type SearchSettings,
  type Source,
  type Target,
} from './model/mapping.ts'
export { ownWrites } from './own-writes.ts'
export { type MapperOptions, mapper } from './plugin.ts'
export type { ListQuery, StreamQuery } from './read/list-query.ts'
export type { ListRequest } from './read/list-request.ts'
export type { Page } from './read/portion.ts'
export type { RelatedQueries, RelatedQuery } from './read/related-options.ts'
export type {
  Changes,
  DeleteSettings,
  Key,
  KeyOf,
  Resource,
  ReturnSettings,
  ScopedResource,
  UpdateSettings,
  UpsertSettings,
} from './resource/interface.ts'
export { resource } from './resource/resource.ts'
