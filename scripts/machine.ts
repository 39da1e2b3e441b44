// The programs of a machine beyond Node and npm, and whether it is a machine of CI, where nothing may be missing.
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The variables of an environment. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Something that tests need and a machine may not have. */
export interface Need {
  /** Its name, such as "a browser". */
  readonly name: string
  /** Why it is not there, and what would help; undefined when it is there. */
  readonly missing: string | undefined
}

/** Whether this is a machine of CI: nothing is skipped there, and random campaigns are long. */
export const inCi: boolean = isCi(process.env)

/** Whether an environment is one of CI. */
export function isCi({ CI }: Environment): boolean {
  return !['', '0', 'false'].includes(CI ?? '')
}

/** Where a program is, or undefined. Beside each `bin` of the PATH, `sbin` is looked at: users have no servers on theirs. */
export function program(name: string, { PATH = '' }: Environment = process.env): string | undefined {
  const folders = PATH.split(delimiter).filter(Boolean)
  const beside = folders.filter((folder) => /[\\/]bin$/.test(folder)).map((folder) => join(folder, '..', 'sbin'))
  return [...folders, ...beside].map((folder) => join(folder, name)).find(isProgram)
}

/** The need of a program of the system, in a package of Debian. */
export function programNeed(name: string, debian: string): Need {
  const missing = program(name) === undefined ? `not on the PATH, apt-get install ${debian}` : undefined
  return { name, missing }
}

/** The first of several that is missing, or else the first. */
export function all(first: Need, ...others: readonly Need[]): Need {
  return [first, ...others].find(({ missing }) => missing !== undefined) ?? first
}

/** Whether a path leads to a file that can be run. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** The title of tests that are skipped because something is not there; `needsIn` reads it. */
export const skippedTitle = (title: string, { name, missing }: Need): string => `${title} {needs ${name}: ${missing}}`

/** The needs in the title of a skipped test, with the reasons why they are not met. */
export function needsIn(title: string): { readonly name: string; readonly missing: string }[] {
  return [...title.matchAll(/\{needs ([^:{}]+): ([^{}]*)\}/g)].map(([, name = '', missing = '']) => ({ name, missing }))
}
