// The package's own version, and the versions of other packages that it was tested with.
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

/** The folder of the parts of new projects, which is published with it. */
export const projectTemplates: string = fileURLToPath(new URL('../../templates/project', import.meta.url))

/** The folder of the templates for the files of a resource, which is published with it. */
export const resourceTemplates: string = fileURLToPath(new URL('../../templates/resource', import.meta.url))

/**
 * The version of edict that a project asks npm for: that of the edict that runs, or the file that it was installed from,
 * as nobody else may have that version.
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
