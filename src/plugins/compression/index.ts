// The entry point `edict/compression`: compressed responses.
export type { Coding } from './codings.ts'
export { type CompressionOptions, compression } from './plugin.ts'
