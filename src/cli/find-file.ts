// Finds the files that commands work on: at the default paths, or at the path the user names.
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { CommandError } from './command-error.ts'

/** Returns the first of the paths that is a file. */
export function findFirstFile(paths: readonly string[], cwd: string): string | undefined {
  return paths.map((path) => resolve(cwd, path)).find(isFile)
}

/** Resolves a file named on the command line; `by` names the argument in the error message. */
export function resolveFileArgument(path: string, cwd: string, by: string): string {
  const file = resolve(cwd, path)
  if (isFile(file)) return file
  throw new CommandError(`There is no file ${file}.`, `correct ${by}; a relative path starts from ${cwd}`)
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
