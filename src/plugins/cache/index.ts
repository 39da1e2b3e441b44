// The entry point `edict/cache`: `Cache-Control` of answers, declared with their action.
export { type CacheOptions, cacheControl } from './policy.ts'
