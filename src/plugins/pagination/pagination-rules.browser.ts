// Replaces `pagination-rules.ts` in front ends: their server checks and documents the param.
import type * as server from './pagination-rules.ts'

export const paginationRules: Partial<typeof server.paginationRules> = {}
