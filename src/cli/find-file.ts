// Finds the files that commands work on: at the usual places, or where the user says.
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { CommandError } from './command-error.ts'

/** The first of the usual places that is a file. */
export function findFirstFile(places: readonly string[], cwd: string): string | undefined {
  return places.map((place) => resolve(cwd, place)).find(isFile)
}

/** A file that was named on the command line, by what. */
export function resolveFileArgument(path: string, cwd: string, by: string): string {
  const file = resolve(cwd, path)
  if (isFile(file)) return file
  throw new CommandError(`There is no file ${file}.`, `correct ${by}; a relative path starts from ${cwd}`)
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
