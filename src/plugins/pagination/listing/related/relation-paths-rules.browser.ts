// Replaces `relation-paths-rules.ts` in front ends: their server checks and documents the param.
import type * as server from './relation-paths-rules.ts'

export const relationPathsRules: Partial<typeof server.relationPathsRules> = {}
