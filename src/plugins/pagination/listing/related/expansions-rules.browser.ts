// Replaces `expansions-rules.ts` in front ends: their server checks and documents the param.
import type * as server from './expansions-rules.ts'

export const expansionsRules: Partial<typeof server.expansionsRules> = {}
