// The entry point `edict/mapper/extend`: all that a plugin needs to order, page or link the lists of resources.

export { codes as listCodes } from './codes.ts'
export { canonicalValue } from './fields/canonical.ts'
export {
  formatAudienceNote as audienceNote,
  findAudiences as audiencesAt,
  toOrderUses as byOrder,
  type FieldName,
  findField as fieldAt,
  getFieldValue as fieldValue,
  isOrderable,
  isShownField,
  listOrderableFields as orderableFields,
} from './fields/field.ts'
export {
  type AcceptedSettings,
  acceptSettings,
  type EndpointMark,
  describeFlaw as inWords,
  type ListKind,
  type ListParamConfig,
  type ListRules,
  createMistakeFinder as listMistakes,
  createListParam as listParam,
  modeForm as mode,
  type ParamFor,
  refuseDeclaration as strayOf,
  createMisdeclaredParam as strayParam,
} from './fields/list-param.ts'
export { compileFilter } from './filters/elements.ts'
export type { FilterExpression, Match } from './filters/expression.ts'
export { type FilterField, type FilterFieldSettings, type FilterSyntax, resolveFilterFields as filterFields } from './filters/field.ts'
export { createFilterParam as filterParam } from './filters/filtering-params.ts'
export { type ParsedCondition as Condition, type FilterOperator, MAX_FILTER_LENGTH } from './filters/syntax.ts'
export {
  type ComparedTerm,
  compareDecimalValues,
  comparePositions as comparePlaces,
  compareValues,
  type OrderTerm,
  type Position,
  withKey,
} from './plan/order.ts'
export type { Projection as Showing } from './plan/plan.ts'
export { findResourceKey as keyOfResource } from './plugin.ts'
export type { TruncatedValue as Abridged, Pattern, CursorValue as Place } from './query.ts'
export { type ListPointers, type AttachedListOptions as NotedList, getAttachedListOptions as notedList, attachListOptions as noteList } from './read/asked.ts'
export type { ExactCursor as Exact, RowCursor as RowPlace } from './read/exact.ts'
export { truncateValues as abridged, computeDigest as digestOf, isLinkable as isShort } from './read/long-place.ts'
export { computeBinding as bindingText, readCursor as readPlace, readValues, writeCursor as writePlace, writeValues } from './read/place-text.ts'
export {
  asPage,
  type EndCursor as End,
  findListInfo as infoOf,
  type ListInfo,
  type OffsetPortion as NumberedPortion,
  type Page,
  type CursorPortion as PlacedPortion,
} from './read/portion.ts'
export { type ElementGuard, guardRequest } from './resource/guards.ts'
