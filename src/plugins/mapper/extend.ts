// The entry point `edict/mapper/extend`: the functions for plugins that order, page or link the lists of resources.

export { codes as listCodes } from './codes.ts'
export { canonicalValue } from './fields/canonical.ts'
export {
  formatAudienceNote,
  findAudiences,
  toOrderUses,
  type FieldName,
  findField,
  getFieldValue,
  isOrderable,
  isShownField,
  listOrderableFields,
} from './fields/field-paths.ts'
export {
  type AcceptedSettings,
  acceptSettings,
  type EndpointMark,
  describeFlaw,
  type ListKind,
  type ListParamConfig,
  type ListRules,
  createMistakeFinder,
  createListParam,
  modeForm,
  type ParamFor,
  refuseDeclaration,
  createMisdeclaredParam,
} from './fields/list-param.ts'
export { compileFilter } from './filters/elements.ts'
export type { FilterExpression, Match } from './filters/expression.ts'
export { type FilterField, type FilterFieldSettings, type FilterSyntax, resolveFilterFields } from './filters/filter-fields.ts'
export { createFilterParam } from './filters/filtering-params.ts'
export { type ParsedCondition, type FilterOperator, MAX_FILTER_LENGTH } from './filters/filter-parser.ts'
export {
  type ComparedTerm,
  compareDecimalValues,
  comparePositions,
  compareValues,
  type OrderTerm,
  type Position,
  withKey,
} from '../query/order-terms.ts'
export type { Projection } from './plan/query-plan.ts'
export { findResourceKey } from './plugin.ts'
export type { TruncatedValue, Pattern, CursorValue } from '../query/query.ts'
export { type ListPointers, type AttachedListOptions, getAttachedListOptions, attachListOptions } from './read/attached-options.ts'
export type { ExactCursor, RowCursor } from '../query/exact-cursor.ts'
export { truncateValues, computeDigest, isLinkable } from '../query/truncated-cursor.ts'
export { computeBinding, readCursor, readValues, writeCursor, writeValues } from './read/cursor-text.ts'
export {
  asPage,
  type EndCursor,
  findListInfo,
  type ListInfo,
  type OffsetPortion,
  type Page,
  type CursorPortion,
} from './read/portion.ts'
export { type ElementGuard, guardRequest } from './resource/guards.ts'
