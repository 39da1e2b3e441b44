// The version of this package, and the tested versions of other packages.
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

interface OwnPackage {
  readonly version: string
  readonly engines: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

/** The package.json of edict, which is published with it. */
export const ownPackage: OwnPackage = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/** The folder with the templates of new projects, which is published with edict. */
export const projectTemplates: string = fileURLToPath(new URL('../../templates/project', import.meta.url))

/** The folder with the templates of a resource, which is published with edict. */
export const resourceTemplates: string = fileURLToPath(new URL('../../templates/resource', import.meta.url))

/**
 * Returns the version of edict for the package.json of a project: the running version, or the tarball that it was installed
 * from, since the registry may not have that version.
 */
export function findOwnSource(): string {
  const modules = dirname(fileURLToPath(new URL('../../', import.meta.url)))
  try {
    const { packages } = JSON.parse(readFileSync(resolve(modules, '.package-lock.json'), 'utf8')) as InstalledPackages
    const { resolved = '' } = packages['node_modules/edict'] ?? {}
    const file = /^file:(.+\.tgz)$/.exec(resolved)?.[1]
    return file === undefined ? ownPackage.version : `file:${resolve(modules, '..', file)}`
  } catch {
    // Not installed by npm: a clone, or another package manager.
    return ownPackage.version
  }
}

interface InstalledPackages {
  readonly packages: Readonly<Record<string, { readonly resolved?: string }>>
}
