// Runs programs of an npm script by name: `npm run bench -- router`, `npm run campaign -- fuzz --seed 7`.
import { spawnSync } from 'node:child_process'

/** A program and its commands; the user's arguments go to the last command. */
export interface NamedProgram {
  readonly does: string
  readonly runs: readonly (readonly [command: string, ...args: string[]])[]
}

/** Runs the program that the command line names, or lists all programs; sets the exit code of the process. */
export function runNamed(
  script: string,
  programs: Readonly<Record<string, NamedProgram>>,
  words: readonly string[],
): void {
  const [name = '', ...args] = words
  const chosen = Object.hasOwn(programs, name) ? programs[name] : undefined
  if (chosen === undefined) {
    const lines = Object.entries(programs).map(([key, { does }]) => `  npm run ${script} -- ${key.padEnd(9)} ${does}`)
    console.error([...(name === '' ? [] : [`There is no ${script} '${name}'. These are all:`]), ...lines].join('\n'))
    process.exitCode = 1
    return
  }
  for (const [index, [command, ...fixedArgs]] of chosen.runs.entries()) {
    const allArgs = index === chosen.runs.length - 1 ? [...fixedArgs, ...args] : fixedArgs
    const { status, error } = spawnSync(command, allArgs, { stdio: 'inherit' })
    if (error !== undefined) console.error(error.message)
    process.exitCode = status ?? 1
    if (process.exitCode !== 0) return
  }
}
