// The environment of a Vitest process that a test starts: it runs exactly the files of its command line.

/** The variables by which a run of Vitest tells its workers what it is, and scripts/test.ts which files it leaves out. */
const ofTheRunAround = /^(VITEST.*|TEST|NODE_OPTIONS|EDICT_LEFT_OUT|EDICT_PROVED)$/

/** The environment for a run of Vitest within this one. */
export function environmentOfNestedRun(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !ofTheRunAround.test(name)))
}
