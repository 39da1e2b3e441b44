// Replaces `invalid-attribute.ts` in front ends: their server has checked the declarations.
import { refuseInFrontEnd } from '../util/front-end.ts'
import type { Attribute } from './attribute.ts'
import type * as server from './invalid-attribute.ts'

export const asAttribute: typeof server.asAttribute = (value) => value as Attribute
export const asAttributes: typeof server.asAttributes = (attributes) => attributes
export const makeInvalidVariant: typeof server.makeInvalidVariant = (of) => of
export const makeInvalidAttribute: typeof server.makeInvalidAttribute = refuseInFrontEnd
export const makeInvalidAttributes: typeof server.makeInvalidAttributes = refuseInFrontEnd
export const makeMisdeclaredAttribute: typeof server.makeMisdeclaredAttribute = refuseInFrontEnd
export const findAttributesFlaw: typeof server.findAttributesFlaw = () => undefined
export const makeAttributeFlaw: typeof server.makeAttributeFlaw = refuseInFrontEnd
