// `edict client`: writes a package of typed calls, for developers without access to the repository, from the files that
// declare endpoints.
import { relative, resolve } from 'node:path'
import { buildCommand, type Command } from '@stricli/core'
import { CommandError } from '../command-error.ts'
import type { CliContext } from '../context.ts'
import { resolveFileArgument } from '../find-file.ts'
import { formatDescription } from '../help.ts'
import { type WrittenPackage, writePackage } from '../package/write-package.ts'
import { withProgress } from '../terminal/progress.ts'

interface ClientFlags {
  readonly out: string
  readonly name?: string
  readonly version?: string
  readonly license?: string
  readonly server?: string
  readonly edict?: string
}

const createTextFlag = (placeholder: string, brief: string) =>
  ({ kind: 'parsed', parse: String, optional: true, placeholder, brief }) as const

/** The command that writes the package of a client. */
export const clientCommand: Command<CliContext> = buildCommand({
  docs: {
    brief: 'Write a package with the client of the API',
    fullDescription: formatDescription(
      `Writes a package for npm from files that export endpoints: their declarations as JavaScript and types, a function that
makes the client, the contract, and a README with a call of each action. Controllers and all else of the server stay out: a
file that needs them is refused. TypeScript of the project writes the types, so that they are the same.`,
      {
        'edict client src/design/*.ts': 'into the folder client, named after the project',
        'edict client src/design.ts --out ../books-client --name @acme/books-client': 'elsewhere, by another name',
      },
    ),
  },
  parameters: {
    flags: {
      out: {
        kind: 'parsed',
        parse: String,
        default: 'client',
        placeholder: 'folder',
        brief: 'The folder to write into',
      },
      name: createTextFlag('name', "The name of the package, by default the project's with -client"),
      version: createTextFlag('version', "The version of the package, by default the project's"),
      license: createTextFlag('license', "The licence of the package, by default the project's"),
      server: createTextFlag('address', 'The address of the API, for the README'),
      edict: createTextFlag(
        'version',
        'The edict that the package depends on: a version, or file:…; by default the one that runs',
      ),
    },
    positional: {
      kind: 'array',
      parameter: { placeholder: 'file', parse: String, brief: 'The files that export the endpoints' },
      minimum: 1,
    },
  },
  func: writeClient,
})

async function writeClient(this: CliContext, { out, ...flags }: ClientFlags, ...paths: string[]): Promise<void> {
  const files = paths.map((path) => resolveFileArgument(path, this.cwd, 'the name of the file'))
  const [stray] = files.filter((file) => !/\.[cm]?[jt]s$/.test(file) || /\.d\.[cm]?ts$/.test(file))
  if (stray !== undefined) {
    throw new CommandError(`${relative(this.cwd, stray)} is no module.`, 'name files of TypeScript or JavaScript')
  }
  const folder = resolve(this.cwd, out)
  const result = await withProgress(this.process.stderr, 'Compiling the declarations', () =>
    writePackage({ ...flags, files: [...new Set(files)], out: folder }),
  )
  if (result.hidden.length > 0) {
    const names = result.hidden.join(', ')
    this.process.stderr.write(`Hidden by nodoc, but declared in the package: ${names}\n`)
  }
  this.process.stdout.write(formatSummary(result, folder))
}

function formatSummary({ manifest, endpoints }: WrittenPackage, folder: string): string {
  const dependencies = Object.entries(manifest.dependencies).map(([name, version]) => `${name} ${version}`)
  return `Wrote ${manifest.name} ${manifest.version} to ${folder}: ${endpoints.join(', ')}. It needs ${dependencies.join(', ')}.\n`
}
