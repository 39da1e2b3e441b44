// Replaces `scheme-rules.ts` in front ends: their server checks schemes and enforces the policy.
import { refuseInFrontEnd } from '../extend.ts'
import type * as server from './scheme-rules.ts'

export const acceptScheme = (...[, options]: Parameters<typeof server.acceptScheme>): { value: object; flaws: [] } => ({
  value: options ?? {},
  flaws: [],
})
export const buildPolicy: typeof server.buildPolicy = refuseInFrontEnd
