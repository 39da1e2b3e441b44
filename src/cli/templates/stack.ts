// The stack of a project: the choices that decide the form of generated code, and what each of them means.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The choices for each part of a stack; the first is the default. */
export const choices = {
  database: ['sqlite', 'postgresql', 'mariadb'],
  orm: ['drizzle', 'kysely', 'none'],
  auth: ['none', 'api-key', 'jwt'],
  tests: ['node', 'vitest'],
} as const

type Choices = typeof choices

/** The databases. */
export type Database = Choices['database'][number]

/** The stack of a project. */
export type Stack = { readonly [K in keyof Choices]: Choices[K][number] }

/** The scheme that guards the actions of a project with authentication. */
const SECURITY = 'src/design/security.ts'

/** Finds the stack of a project from what it has installed; a project of unknown kind has no ORM. */
export function stackIn(folder: string): Stack {
  const installed = dependenciesIn(folder)
  const has = (name: string): boolean => Object.hasOwn(installed, name)
  return {
    database: databaseOf(has),
    orm: ormOf(has),
    auth: existsSync(join(folder, SECURITY)) ? authOf(has) : 'none',
    tests: has('vitest') ? 'vitest' : 'node',
  }
}

function databaseOf(has: (name: string) => boolean): Database {
  if (has('pg')) return 'postgresql'
  return has('mysql2') ? 'mariadb' : 'sqlite'
}

function ormOf(has: (name: string) => boolean): Stack['orm'] {
  if (has('drizzle-orm')) return 'drizzle'
  return has('kysely') ? 'kysely' : 'none'
}

const authOf = (has: (name: string) => boolean): Stack['auth'] => (has('jose') ? 'jwt' : 'api-key')

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

function dependenciesIn(folder: string): Readonly<Record<string, string>> {
  const file = join(folder, 'package.json')
  if (!existsSync(file)) return {}
  const { dependencies, devDependencies } = JSON.parse(readFileSync(file, 'utf8')) as Manifest
  return { ...dependencies, ...devDependencies }
}
