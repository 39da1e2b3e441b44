// The entry point `edict/cors`: which pages of other origins may call the API.
export type { OriginCheck, Origins } from './origins.ts'
export { type CorsOptions, cors } from './plugin.ts'
