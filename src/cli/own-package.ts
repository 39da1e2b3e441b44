// The package's own version, and the versions of other packages that it was tested with.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

interface OwnPackage {
  readonly version: string
  readonly engines: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

/** The package.json of edict, which is published with it. */
export const ownPackage: OwnPackage = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/** The folder of the template for new projects, which is published with it. */
export const projectTemplate: string = fileURLToPath(new URL('../../templates/project', import.meta.url))

/** The folder of the templates for the files of a resource, which is published with it. */
export const resourceTemplates: string = fileURLToPath(new URL('../../templates/resource', import.meta.url))
