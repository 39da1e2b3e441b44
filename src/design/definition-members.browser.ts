// Replaces `definition-members.ts` in front ends, which call servers and are none.
import { refuseInFrontEnd } from '../util/front-end.ts'
import type * as server from './definition-members.ts'
import { expandCanonicalPath } from './resolve/outline.ts'

export const expandHref: typeof server.expandHref = expandCanonicalPath
export const resolveDefinition: typeof server.resolveDefinition = refuseInFrontEnd
export const parseHref: typeof server.parseHref = refuseInFrontEnd
export const getRoutes: typeof server.getRoutes = refuseInFrontEnd
export const implementDefinition: typeof server.implementDefinition = refuseInFrontEnd
export const rememberSourceLocation: typeof server.rememberSourceLocation = () => undefined
