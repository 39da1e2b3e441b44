// The names of media types.

/** Returns whether a value can be the name of a media type. */
export const isMediaTypeName = (name: unknown): name is string => typeof name === 'string' && /^\w/.test(name)
