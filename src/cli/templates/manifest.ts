// Formats the package.json of a new project: its scripts, and the dependencies of its choices at tested versions.
import { ownPackage } from '../own-package.ts'
import type { ProjectChoices } from './choice-values.ts'
import { type Database, PASSWORD_PACKAGE, type Stack } from './stack.ts'

/** Formats the package.json of a project. */
export function formatManifest(name: string, edict: string, choices: ProjectChoices): string {
  const { orm, tests } = choices
  const manifest = {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    engines: ownPackage.engines,
    scripts: {
      start: 'node --import tsx src/server.ts',
      dev: 'edict dev',
      test: tests === 'vitest' ? 'vitest run' : 'node --import tsx --test test/*.test.ts',
      check: 'tsc && edict check',
      ...(orm === 'drizzle' && { migration: 'drizzle-kit generate' }),
      migrate: 'node --import tsx src/migrate.ts',
    },
    dependencies: sortByName({ ...pickTestedVersions(listDependencies(choices)), edict }),
    devDependencies: sortByName(pickTestedVersions(listDevDependencies(choices))),
    // Only esbuild, a dependency of tsx and the development packages, has an install script; npm asks about it since 11.19.
    allowScripts: { esbuild: true },
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}

const databaseClients: Readonly<Record<Database, (orm: Stack['orm']) => string>> = {
  sqlite: (orm) => (orm === 'drizzle' ? '@libsql/client' : 'libsql'),
  postgresql: () => 'pg',
  mariadb: () => 'mysql2',
}

function listDependencies({ database, orm, auth }: ProjectChoices): string[] {
  const ormPackages = { drizzle: ['drizzle-orm'], kysely: ['kysely'], none: [] }[orm]
  const authPackages = { none: [], 'api-key': [], jwt: ['jose'], password: [PASSWORD_PACKAGE] }[auth]
  return [databaseClients[database](orm), ...ormPackages, ...authPackages, 'tsx']
}

function listDevDependencies({ database, orm, tests }: ProjectChoices): string[] {
  return [
    '@types/node',
    'typescript',
    ...(database === 'postgresql' ? ['@types/pg'] : []),
    ...(orm === 'drizzle' ? ['drizzle-kit'] : []),
    ...(tests === 'vitest' ? ['vitest'] : []),
  ]
}

const pickTestedVersions = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, ownPackage.devDependencies[name] as string]))

const sortByName = (versions: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(versions).sort(([one], [other]) => (one < other ? -1 : 1)))
