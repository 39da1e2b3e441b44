// Replaces `convention-runtime.ts` in front ends, which read lists and serve none.
import { refuseInFrontEnd } from '../../../extend.ts'
import type * as server from './convention-runtime.ts'
import { ParamSlots } from './param-slots.ts'

export const acceptListSettings: typeof server.acceptListSettings = (value) => ({ value, flaws: [] })
export const findConventionMistakes: typeof server.findConventionMistakes = () => []
export const listSelectable: typeof server.listSelectable = (of) => of.core.children
export const createLayout = (...[roles]: Parameters<typeof server.createLayout>): ParamSlots => new ParamSlots(roles)
export const findElementMistakes: typeof server.findElementMistakes = () => []
export const createElementWriter: typeof server.createElementWriter = () => refuseInFrontEnd
export const createBodyWriter: typeof server.createBodyWriter = () => refuseInFrontEnd
export const paginateRequest: typeof server.paginateRequest = refuseInFrontEnd
export const conventionParamRules: Partial<typeof server.conventionParamRules> = {}
