// The public entry `edict/rate-limit`: how often actions may be called.
export { forwardedFor } from './key.ts'
export { type RateLimitOptions, rateLimits } from './plugin.ts'
export { type CountedBy, type RateLimit, rateLimit } from './policy.ts'
