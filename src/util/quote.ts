// How much of what a client sent is repeated in an answer.

const MOST = 60

/** Shortens a name from a request, so that a response can repeat it. */
export const shown = (name: string): string => (name.length > MOST ? `${name.slice(0, MOST)}…` : name)
