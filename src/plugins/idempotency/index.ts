// The public entry `edict/idempotency`: requests that can be repeated without a second effect.
export type { Idempotent } from './idempotency-settings.ts'
export { type IdempotencyOptions, idempotency } from './plugin.ts'
export { idempotent, keyedCalls } from './policy.ts'
