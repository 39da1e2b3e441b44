// Builds the package.json of a client: its name, exports, and dependencies at the versions used for compilation.
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { CommandError } from '../command-error.ts'
import { ownPackage } from '../own-package.ts'
import { getSourcePath } from './modules.ts'

/** The fields of the project's package.json that a client adopts. */
export interface ProjectManifest {
  readonly name?: string
  readonly version?: string
  readonly license?: string
  readonly dependencies?: Readonly<Record<string, string>>
}

/** The user's choices for the package. */
export interface PackageChoices {
  readonly name?: string
  readonly version?: string
  readonly license?: string
  readonly edict?: string
}

/** The package.json of the client. */
export interface ClientManifest {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly edict: { readonly contract: string; readonly versions: readonly string[] }
}

/** Reads the package.json of a folder; returns an empty object without one. */
export const readProjectManifest = (folder: string): ProjectManifest =>
  existsSync(join(folder, 'package.json')) ? JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) : {}

/** Builds the package.json of a client without its contract. */
export function buildManifest(
  project: ProjectManifest,
  choices: PackageChoices,
  dependencies: Readonly<Record<string, string>>,
): Omit<ClientManifest, 'edict'> {
  return {
    name: choosePackageName(project, choices),
    version: choices.version ?? project.version ?? '0.0.0',
    license: choices.license ?? project.license ?? 'UNLICENSED',
    ...FIXED_FIELDS,
    dependencies,
  }
}

const FIXED_FIELDS = {
  type: 'module',
  sideEffects: false,
  exports: {
    '.': { types: './index.d.ts', default: './index.js' },
    './contract.json': './contract.json',
    './package.json': './package.json',
  },
  files: ['index.js', 'index.d.ts', 'contract.json', 'declarations'],
} as const

function choosePackageName(project: ProjectManifest, { name }: PackageChoices): string {
  if (name !== undefined) {
    if (/^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/.test(name) && name.length <= 214) return name
    throw new CommandError(
      `'${name}' cannot be the name of a package.`,
      'use lower-case letters, digits and hyphens: --name @acme/books-client',
    )
  }
  if (project.name !== undefined) return `${project.name}-client`
  throw new CommandError('The package has no name, and neither has the project.', 'add --name @acme/books-client')
}

// --- dependencies ----------------------------------------------------------------

/** Returns the imported packages with the versions used for compilation. */
export function resolveDependencies(
  packages: ReadonlyMap<string, string>,
  project: string,
  edict: string | undefined,
): Record<string, string> {
  const versions = [...packages].map(([name, module]) => [name, findVersion(name, module, project)] as const)
  return Object.fromEntries([...versions, ['edict', edict ?? ownPackage.version] as const].sort())
}

function findVersion(name: string, module: string, project: string): string {
  for (let folder = project; ; folder = dirname(folder)) {
    const manifest = resolve(folder, 'node_modules', name, 'package.json')
    if (existsSync(manifest)) return readInstalledVersion(name, manifest, module)
    if (dirname(folder) === folder) break
  }
  throw new CommandError(
    `${getSourcePath(module)} imports '${name}', which is no installed package.`,
    'import files of the project by relative paths, not by names of tsconfig.json or package.json',
  )
}

function readInstalledVersion(name: string, manifest: string, module: string): string {
  const { version, private: isPrivate } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    readonly version?: string
    readonly private?: boolean
  }
  const isLinked = !realpathSync(manifest).includes('node_modules')
  if (version !== undefined && !(isPrivate === true && isLinked)) return version
  throw new CommandError(
    `${getSourcePath(module)} imports '${name}', which is a private package of this repository: people without it cannot install it.`,
    'publish that package, or move what the declarations need of it next to them',
  )
}
