// The entry point `edict/cache`: what caches may do with the answers of an action.
export { type CacheOptions, cacheControl } from './policy.ts'
