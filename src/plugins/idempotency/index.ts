// The public entry `edict/idempotency`: requests that can be repeated without a second effect.
export { type IdempotencyOptions, idempotency } from './plugin.ts'
export { type Idempotent, idempotent } from './policy.ts'
