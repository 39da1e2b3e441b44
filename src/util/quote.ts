// Quotes of client input in responses, limited in length.

const MOST = 60

/** Shortens a name from a request, so that a response can repeat it. */
export const shown = (name: string): string => (name.length > MOST ? `${name.slice(0, MOST)}…` : name)
