// The entry point `edict/cache`: `Cache-Control` of responses, declared with their action.
export { type CacheOptions, cacheControl } from './policy.ts'
