// Replaces `selector-rules.ts` in front ends: their server checks and documents the param.
import type * as server from './selector-rules.ts'

export const selectorRules: Partial<typeof server.selectorRules> = {}
