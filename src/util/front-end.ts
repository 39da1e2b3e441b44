// The refusal of functions that front ends do not contain.

/** Throws for a function that only servers have; the browser variants of modules call it. */
export function refuseInFrontEnd(): never {
  throw new Error(
    "only servers can do this, and edict was resolved for a browser: add the condition 'edict-server' to the resolution of the bundler or test runner",
  )
}
