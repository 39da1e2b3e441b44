// Writes projects for the compiler, and checks them with both supported compilers.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import type { Files } from './depot-api.ts'

/** The compilers that edict supports, the newest first. */
export const compilers = ['7.0', '5.9'] as const
/** The version of a supported compiler. */
export type Version = (typeof compilers)[number]

/** The command of each compiler; single-threaded, because TypeScript 7 otherwise counts shared types once per thread. */
const commands: Readonly<Record<Version, readonly string[]>> = {
  '7.0': ['node_modules/typescript/bin/tsc', '--singleThreaded'],
  '5.9': ['node_modules/typescript-5.9/bin/tsc'],
}

/** Writes a project with the repository's settings into a folder below the repository, replacing its contents. */
export function writeProject(folder: string, files: Files, compilerOptions: Readonly<Record<string, unknown>>): void {
  rmSync(folder, { recursive: true, force: true })
  const config = { extends: relative(folder, 'tsconfig.json'), include: ['.'], compilerOptions }
  for (const [path, text] of Object.entries({ ...files, 'tsconfig.json': JSON.stringify(config) })) {
    mkdirSync(dirname(`${folder}/${path}`), { recursive: true })
    writeFileSync(`${folder}/${path}`, text)
  }
}

/** The errors that a compiler found in a project, and the cost of the check. */
export interface Diagnosis {
  /** The lines that name an error. */
  readonly errors: readonly string[]
  readonly output: string
  readonly instantiations: number
  readonly seconds: number
}

/** Checks the project of a folder. */
export function diagnose(version: Version, folder: string): Diagnosis {
  const args = [...commands[version], '-p', folder, '--extendedDiagnostics', '--pretty', 'false']
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 28 })
  const readFigure = (label: string): number => Number(new RegExp(`^${label}: +([\\d.]+)`, 'm').exec(stdout)?.[1])
  const errors = stdout.split('\n').filter((line) => line.includes(': error TS'))
  return { errors, output: stdout, instantiations: readFigure('Instantiations'), seconds: readFigure('Check time') }
}
