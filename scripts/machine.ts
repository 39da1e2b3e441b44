// Detects the programs of a machine beyond Node and npm, and whether it is a CI machine, where nothing may be missing.
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A requirement of tests that a machine may not meet. */
export interface Need {
  /** The name, such as "a browser". */
  readonly name: string
  /** The reason why it is missing, with a remedy; undefined when it is present. */
  readonly missing: string | undefined
}

/** Whether this is a CI machine: nothing is skipped there, and random campaigns are long. */
export const inCi: boolean = isCi(process.env)

/** Returns whether an environment is that of CI. */
export function isCi({ CI }: Environment): boolean {
  return !['', '0', 'false'].includes(CI ?? '')
}

/**
 * Returns the path of a program, or undefined. Also searches the `sbin` next to each `bin` of the PATH: servers are not on
 * the PATH of users.
 */
export function program(name: string, { PATH = '' }: Environment = process.env): string | undefined {
  const folders = PATH.split(delimiter).filter(Boolean)
  const systemFolders = folders.filter((folder) => /[\\/]bin$/.test(folder)).map((folder) => join(folder, '..', 'sbin'))
  return [...folders, ...systemFolders].map((folder) => join(folder, name)).find(isProgram)
}

/** Returns the need of a program of a Debian package. */
export function programNeed(name: string, debian: string): Need {
  const missing = program(name) === undefined ? `not on the PATH, apt-get install ${debian}` : undefined
  return { name, missing }
}

/** Returns the first missing need, or else the first. */
export function all(first: Need, ...others: readonly Need[]): Need {
  return [first, ...others].find(({ missing }) => missing !== undefined) ?? first
}

/** Returns whether a path is an executable file. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** Returns the title of tests that are skipped for a missing need; `needsIn` parses it. */
export const skippedTitle = (title: string, { name, missing }: Need): string => `${title} {needs ${name}: ${missing}}`

/** Parses the unmet needs from the title of a skipped test. */
export function needsIn(title: string): { readonly name: string; readonly missing: string }[] {
  return [...title.matchAll(/\{needs ([^:{}]+): ([^{}]*)\}/g)].map(([, name = '', missing = '']) => ({ name, missing }))
}
