// The entry point `edict/conditional`: entity tags, conditional reads, and protection against lost updates.
export { checkConditions, conditional } from './plugin.ts'
export { type ConditionOptions, type ConditionSettings, etag, findConditionSettings, lastModified } from './policy.ts'
