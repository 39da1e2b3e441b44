// Replaces `plugin.ts` in front ends, which serve nothing.
import { refuseInFrontEnd } from '../../extend.ts'
import type * as server from './plugin.ts'

export const mapper: typeof server.mapper = refuseInFrontEnd
export const findResourceKey: typeof server.findResourceKey = refuseInFrontEnd
