// The entry point edict/rate-limit: rate limits of actions.
export { forwardedFor } from './counter-key.ts'
export { type RateLimitOptions, rateLimits } from './plugin.ts'
export { type CountedBy, type RateLimit, rateLimit } from './policy.ts'
