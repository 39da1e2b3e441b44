// How much of what a client sent is repeated in an answer.

const MOST = 60

/** A name from a request, short enough to be repeated in an answer. */
export const shown = (name: string): string => (name.length > MOST ? `${name.slice(0, MOST)}…` : name)
