// The public entry point `edict/mapper`: resources in datastores, filters and field selection.

export type { Selection } from '../../extend.ts'
export { type MemoryColumn, type MemoryTable, memoryDatastore } from '../datastores/memory/memory.ts'
export type {
  Aggregate,
  AggregateDescription,
  AggregateOperation,
  Column,
  ColumnKind,
  ColumnValues,
  Comparison,
  Conflict,
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
export {
  type Condition,
  type ElementCondition,
  type Optional,
  optional,
  type TextCondition,
  type Where,
  type WhereOf,
} from './filters/where.ts'
export {
  type Aggregated,
  type AnyResource,
  type AttributeSources,
  type ColumnPairs,
  type Computed,
  type ComputedSettings,
  computed,
  computedBatch,
  count,
  exists,
  type Many,
  type ManySettings,
  type Mapping,
  many,
  max,
  min,
  type One,
  one,
  type RelationConditions,
  type ScopeConditions,
  type ScopeFunction,
  type SearchSettings,
  type Source,
  type Sources,
  sum,
  type Target,
} from './model/mapping.ts'
export { ownWrites } from './own-writes.ts'
export { type MapperOptions, mapper } from './plugin.ts'
export type { DistinctQuery, ValueAt } from './read/distinct.ts'
export type { ListQuery, StreamQuery } from './read/list-query.ts'
export type { ListRequest } from './read/list-request.ts'
export type { Page } from './read/portion.ts'
export type { RelatedQueries, RelatedQuery } from './read/related-options.ts'
export type {
  Changes,
  Key,
  KeyOf,
  ListChanges,
  NewElement,
  Shown,
  ShownElement,
  ShownFields,
} from './resource/element-types.ts'
export type {
  DeleteSettings,
  Resource,
  ReturnSettings,
  ScopedResource,
  UpdateSettings,
  UpsertSettings,
} from './resource/interface.ts'
export { resource } from './resource/resource.ts'
