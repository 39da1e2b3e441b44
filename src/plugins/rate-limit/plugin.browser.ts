// Replaces `plugin.ts` in front ends, which serve nothing.
import { refuseInFrontEnd } from '../../extend.ts'
import type * as server from './plugin.ts'

export const rateLimits: typeof server.rateLimits = refuseInFrontEnd
