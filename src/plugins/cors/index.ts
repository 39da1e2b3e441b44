// The entry point `edict/cors`: access to the API for pages of other origins.
export type { OriginCheck, Origins } from './origins.ts'
export { type CorsOptions, cors } from './plugin.ts'
