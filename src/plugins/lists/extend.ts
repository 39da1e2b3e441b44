// The entry point `edict/mapper/extend`: all that a plugin needs to order, page or link the lists of resources.

export { codes as listCodes } from './codes.ts'
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
export { inWords, type ListParamConfig, listMistakes, listParam, mode, strayParam } from './fields/list-param.ts'
export {
  type ComparedTerm,
  compareDecimalValues,
  comparePlaces,
  compareValues,
  type OrderTerm,
  type Position,
  withKey,
} from './plan/order.ts'
export { keyOfResource } from './plugin.ts'
export type { Abridged, Place } from './query.ts'
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
