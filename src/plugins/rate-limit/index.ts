// The entry point edict/rate-limit: rate limits of actions.
export { forwardedFor } from './counter-key.ts'
export type { CountedBy, RateLimit } from './limit-settings.ts'
export { type RateLimitOptions, rateLimits } from './plugin.ts'
export { rateLimit } from './policy.ts'
