// Replaces `idempotency-settings.ts` in front ends, which only need to know whether a key is required.
import type * as server from './idempotency-settings.ts'

export const resolveIdempotency: typeof server.resolveIdempotency = ({ required = false }) => ({
  required,
  within: undefined,
  keep: 0,
})
