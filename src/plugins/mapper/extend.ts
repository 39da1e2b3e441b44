// The entry point `edict/mapper/extend`: the functions for plugins and tools that order, page, link or check the lists of resources.

export { createContainsTest } from '../query/case-folding.ts'
export { isEqualColumnValue } from '../query/compare-values.ts'
export type { ExactCursor, RowCursor } from '../query/exact-cursor.ts'
export {
  type ComparedTerm,
  compareDecimalValues,
  comparePositions,
  compareValues,
  type OrderTerm,
  type Position,
  withKey,
} from '../query/order-terms.ts'
export type { CursorValue, Pattern, TruncatedValue } from '../query/query.ts'
export type { SqlStatement, StatementAccess, StatementRow, StatementRunner } from '../query/statement-access.ts'
export { computeDigest, fitsInLink, truncateValues } from '../query/truncated-cursor.ts'
export { codes as listCodes } from './codes.ts'
export { toCanonicalValue } from './fields/canonical.ts'
export {
  type FieldName,
  findAudiences,
  findField,
  formatAudienceNote,
  getFieldValue,
  isOrderable,
  isShownField,
  listOrderableFields,
  readAttribute,
  toOrderUses,
} from './fields/field-paths.ts'
export { selectorKind } from './fields/field-selector.ts'
export {
  type AcceptedSettings,
  acceptSettings,
  createListParam,
  createMistakeFinder,
  describeFlaw,
  type EndpointMark,
  type ListKind,
  type ListParamConfig,
  type ListRules,
  modeForm,
  type ParamFor,
} from './fields/list-param.ts'
export { compileFilter } from './filters/elements.ts'
export type { FilterExpression, Match } from './filters/expression.ts'
export {
  type FilterField,
  type FilterFieldSettings,
  type FilteringConfig,
  type FilterSyntax,
  findFilterMistakes,
  resolveFilterFields,
} from './filters/filter-fields.ts'
export { type FilterOperator, MAX_FILTER_LENGTH, type ParsedCondition } from './filters/filter-parser.ts'
export { FilterTokens, type ParsedFilter } from './filters/filter-tokens.ts'
export { createFilterParam, type FilterParam, filteringKind, findFilterParam } from './filters/filtering-params.ts'
export type { IndexesReport, ListReport } from './indexes/report.ts'
export type { Projection } from './plan/query-plan.ts'
export { findResourceKey } from './plugin.ts'
export { computeFingerprint, decodeCursor, decodeValues, encodeCursor, encodeValues } from './read/cursor-text.ts'
export type { ListPointers, RequestedList } from './read/list-request.ts'
export {
  asPage,
  type CursorBound,
  type CursorPortion,
  type EndCursor,
  findListInfo,
  isBackwards,
  type ListInfo,
  type OffsetPortion,
  type Page,
} from './read/portion.ts'
export { type ElementGuard, guardRequest } from './resource/guards.ts'
export { TextReader } from './text-reader.ts'
