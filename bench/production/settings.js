// The settings that both contestants share.

/** The pages that may call them. */
export const ORIGIN = 'https://shop.example'

/** Where they write what they log: as it happens, and to nowhere. */
export const LOG = '/dev/null'

/** A limit that no run reaches. */
export const LIMIT = 1_000_000_000
