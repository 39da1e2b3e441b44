// The stack of a project: the choices that determine generated code, and their detection.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The choices for each part of a stack; the first is the default. */
export const stackChoices = {
  database: ['sqlite', 'postgresql', 'mariadb'],
  orm: ['drizzle', 'kysely', 'none'],
  auth: ['none', 'api-key', 'jwt', 'password'],
  tests: ['node', 'vitest'],
} as const

type StackChoices = typeof stackChoices

/** The databases. */
export type Database = StackChoices['database'][number]

/** The stack of a project. */
export type Stack = { readonly [K in keyof StackChoices]: StackChoices[K][number] }

/** The package that hashes the passwords of a project. */
export const PASSWORD_PACKAGE = '@node-rs/argon2'

/** Returns whether the function that creates the API takes the verifier; with passwords, the API makes it from its tables. */
export const takesVerifier = (auth: Stack['auth']): boolean => auth === 'api-key' || auth === 'jwt'

/** The file that exists in projects with authentication. */
const SECURITY_FILE = 'src/design/security.ts'

/** Detects the stack of a project from its dependencies; without a known ORM it is 'none'. */
export function detectStack(folder: string): Stack {
  const installed = readDependencies(folder)
  const has = (name: string): boolean => Object.hasOwn(installed, name)
  return {
    database: detectDatabase(has),
    orm: detectOrm(has),
    auth: existsSync(join(folder, SECURITY_FILE)) ? detectAuth(has) : 'none',
    tests: has('vitest') ? 'vitest' : 'node',
  }
}

function detectDatabase(has: (name: string) => boolean): Database {
  if (has('pg')) return 'postgresql'
  return has('mysql2') ? 'mariadb' : 'sqlite'
}

function detectOrm(has: (name: string) => boolean): Stack['orm'] {
  if (has('drizzle-orm')) return 'drizzle'
  return has('kysely') ? 'kysely' : 'none'
}

function detectAuth(has: (name: string) => boolean): Stack['auth'] {
  if (has(PASSWORD_PACKAGE)) return 'password'
  return has('jose') ? 'jwt' : 'api-key'
}

interface DependencyManifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

function readDependencies(folder: string): Readonly<Record<string, string>> {
  const file = join(folder, 'package.json')
  if (!existsSync(file)) return {}
  const { dependencies, devDependencies } = JSON.parse(readFileSync(file, 'utf8')) as DependencyManifest
  return { ...dependencies, ...devDependencies }
}
