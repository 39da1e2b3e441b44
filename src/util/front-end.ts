// The refusal of functions that front ends do not contain.

/** Throws for a function that only servers have; the browser variants of modules call it. */
export function refuseInFrontEnd(): never {
  throw new Error("only servers can do this: add the condition 'edict-server' to the bundler or test runner")
}
