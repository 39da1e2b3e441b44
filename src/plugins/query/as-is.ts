// The identity function, which callers compare against to skip the call.

/** Returns the value unchanged; callers that recognise this function may skip the call. */
export const asIs = (value: unknown): unknown => value
