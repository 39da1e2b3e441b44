// Replaces `field-condition-rules.ts` in front ends: their server checks and documents the param.
import type * as server from './field-condition-rules.ts'

export const fieldConditionRules: Partial<typeof server.fieldConditionRules> = {}
