// How long the contestants wait for slow clients, in milliseconds: short, so that the corpus need not be patient.

/** The same for every contestant. */
export const TIMEOUTS = { headers: 500, request: 900, checkEvery: 100 }
