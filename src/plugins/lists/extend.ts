// The entry point `edict/mapper/extend`: all that a plugin needs to order, page or link the lists of resources.

export { codes as listCodes } from './codes.ts'
export { canonicalValue } from './fields/canonical.ts'
export {
  audienceNote,
  audiencesAt,
  byOrder,
  type FieldName,
  fieldAt,
  fieldValue,
  isOrderable,
  isShownField,
  orderableFields,
} from './fields/field.ts'
export {
  type AcceptedSettings,
  acceptSettings,
  type EndpointMark,
  inWords,
  type ListKind,
  type ListParamConfig,
  type ListRules,
  listMistakes,
  listParam,
  mode,
  type ParamFor,
  strayOf,
  strayParam,
} from './fields/list-param.ts'
export { compileFilter } from './filters/elements.ts'
export type { FilterExpression, Match } from './filters/expression.ts'
export { type FilterField, type FilterFieldSettings, type FilterSyntax, filterFields } from './filters/field.ts'
export { filterParam } from './filters/filtering-params.ts'
export { type Condition, type FilterOperator, MAX_FILTER_LENGTH } from './filters/syntax.ts'
export {
  type ComparedTerm,
  compareDecimalValues,
  comparePlaces,
  compareValues,
  type OrderTerm,
  type Position,
  withKey,
} from './plan/order.ts'
export type { Showing } from './plan/plan.ts'
export { keyOfResource } from './plugin.ts'
export type { Abridged, Pattern, Place } from './query.ts'
export { type ListPointers, type NotedList, notedList, noteList } from './read/asked.ts'
export type { Exact, RowPlace } from './read/exact.ts'
export { abridged, digestOf, isShort } from './read/long-place.ts'
export { bindingText, readPlace, readValues, writePlace, writeValues } from './read/place-text.ts'
export {
  asPage,
  type End,
  infoOf,
  type ListInfo,
  type NumberedPortion,
  type Page,
  type PlacedPortion,
} from './read/portion.ts'
export { type ElementGuard, guardRequest } from './resource/guards.ts'
