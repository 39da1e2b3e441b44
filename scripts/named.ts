// Programs that an npm script runs by their names: `npm run bench -- router`, `npm run campaign -- fuzz --seed 7`.
import { spawnSync } from 'node:child_process'

/** A program with the commands that it is; arguments of the user go to the last one. */
export interface Named {
  readonly does: string
  readonly runs: readonly (readonly [command: string, ...args: string[]])[]
}

/** Runs the program that the command line names, or lists all of them; ends the process as it ended. */
export function runNamed(script: string, programs: Readonly<Record<string, Named>>, words: readonly string[]): void {
  const [name = '', ...args] = words
  const chosen = Object.hasOwn(programs, name) ? programs[name] : undefined
  if (chosen === undefined) {
    const lines = Object.entries(programs).map(([key, { does }]) => `  npm run ${script} -- ${key.padEnd(9)} ${does}`)
    console.error([...(name === '' ? [] : [`There is no ${script} '${name}'. These are all:`]), ...lines].join('\n'))
    process.exitCode = 1
    return
  }
  for (const [index, [command, ...given]] of chosen.runs.entries()) {
    const all = index === chosen.runs.length - 1 ? [...given, ...args] : given
    const { status, error } = spawnSync(command, all, { stdio: 'inherit' })
    if (error !== undefined) console.error(error.message)
    process.exitCode = status ?? 1
    if (process.exitCode !== 0) return
  }
}
