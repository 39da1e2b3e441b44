// The entry point `edict/conditional`: entity tags, conditional reads, and changes that are lost to no other writer.
export { checkConditions, conditional } from './plugin.ts'
export { type ConditionOptions, etag, lastModified } from './policy.ts'
