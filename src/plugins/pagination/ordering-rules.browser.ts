// Replaces `ordering-rules.ts` in front ends: their server checks and documents the param.
import type * as server from './ordering-rules.ts'

export const orderingRules: Partial<typeof server.orderingRules> = {}
