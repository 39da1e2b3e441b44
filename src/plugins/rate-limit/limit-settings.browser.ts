// Replaces `limit-settings.ts` in front ends: their server checks and enforces limits.
import type * as server from './limit-settings.ts'

export const resolveLimit = ({ limit, by }: server.RateLimit): server.ResolvedLimit => ({
  name: 'default',
  limit,
  by,
  seconds: 0,
})
