// `edict new`: writes an application that runs, with a resource, a database and tests.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { buildCommand, type Command } from '@stricli/core'
import { CommandError } from '../command-error.ts'
import type { CliContext } from '../context.ts'
import { described } from '../help.ts'
import { ownPackage, projectTemplate } from '../own-package.ts'
import { paint } from '../terminal/style.ts'

// The files of the template that name the project.
const named = ['README.md', 'src/api.ts']

interface NewFlags {
  readonly edict?: string
}

/** The command that writes an application. */
export const newProject: Command<CliContext> = buildCommand({
  docs: {
    brief: 'Create a project',
    fullDescription: described(
      `Writes a small application into a new folder: one resource with its list, kept in SQLite by Drizzle, and tests.
Nothing is installed, and a folder that has files in it is refused.`,
      {
        'edict new library': 'into the folder library',
        'edict new .': 'into this folder, named like it',
        'edict new library --edict file:../edict-0.2.0.tgz': 'with a version of edict that is not published yet',
      },
    ),
  },
  parameters: {
    flags: {
      edict: {
        kind: 'parsed',
        parse: String,
        optional: true,
        placeholder: 'version',
        brief: 'The version of edict in the project, or file:…; by default the running one',
      },
    },
    positional: {
      kind: 'tuple',
      parameters: [
        {
          placeholder: 'name',
          parse: String,
          brief: 'The folder of the project; its name becomes the name of the project',
        },
      ],
    },
  },
  func: writeProject,
})

function writeProject(this: CliContext, { edict = ownPackage.version }: NewFlags, target: string): void {
  const folder = resolve(this.cwd, target)
  const name = basename(folder)
  refuseName(name, target)
  refuseFull(folder)
  mkdirSync(folder, { recursive: true })
  cpSync(projectTemplate, folder, { recursive: true })
  // Under its own name, npm would leave the file out of the package.
  renameSync(join(folder, 'gitignore'), join(folder, '.gitignore'))
  for (const file of named) {
    const path = join(folder, file)
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('__NAME__', name))
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(name, edict), null, 2)}\n`)
  this.process.stdout.write(nextSteps(name, relative(this.cwd, folder), paint(this.process.stdout)))
}

function refuseName(name: string, target: string): void {
  if (/^[a-z0-9][a-z0-9._-]{0,213}$/.test(name)) return
  throw new CommandError(
    `'${name}', the name of the folder ${target}, cannot be the name of a package.`,
    'use lower-case letters, digits and hyphens: edict new my-api',
  )
}

function refuseFull(folder: string): void {
  if (!existsSync(folder)) return
  const [first, ...others] = readdirSync(folder).filter((name) => name !== '.git')
  if (first === undefined) return
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  throw new CommandError(`${folder} is not empty: it has ${first}${more}.`, 'choose another name, or empty the folder')
}

// The versions that this package was tested with.
function manifest(name: string, edict: string): object {
  const tested = (names: readonly string[]) =>
    Object.fromEntries(names.map((one) => [one, ownPackage.devDependencies[one]]))
  return {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    engines: ownPackage.engines,
    scripts: {
      start: 'node --import tsx src/server.ts',
      dev: 'edict dev',
      test: 'node --import tsx --test test/*.test.ts',
      check: 'tsc && edict check',
    },
    dependencies: { ...tested(['@libsql/client', 'drizzle-orm']), edict, ...tested(['tsx']) },
    devDependencies: tested(['@types/node', 'typescript']),
  }
}

function nextSteps(name: string, path: string, colour: ReturnType<typeof paint>): string {
  const steps = [...(path === '' ? [] : [`cd ${path}`]), 'npm install', 'npm test', 'npm start']
  return `${colour('green', `${name} is ready.`)} Go on with:

${steps.map((step) => `  ${colour('bold', step)}\n`).join('')}
README.md says what is where. Another resource: npx edict generate author name:string
`
}
