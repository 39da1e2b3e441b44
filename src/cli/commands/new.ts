// `edict new`: writes a runnable application with a resource, a database, migrations and tests.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { buildCommand, type Command } from '@stricli/core'
import { CommandError } from '../command-error.ts'
import type { CliContext } from '../context.ts'
import { formatDescription } from '../help.ts'
import { findOwnSource } from '../own-package.ts'
import type { ProjectChoices } from '../templates/choice-values.ts'
import { createProjectFiles } from '../templates/project.ts'
import { askForChoices, defaultChoices, type FlagChoices } from '../templates/questions.ts'
import { stackChoices } from '../templates/stack.ts'
import { createPainter } from '../terminal/style.ts'

interface NewFlags extends FlagChoices {
  readonly edict?: string
  readonly yes: boolean
}

const createChoiceFlag = <const V extends readonly string[]>(values: V, brief: string) =>
  ({ kind: 'enum', values, optional: true, brief: `${brief}: ${values.join(', ')}` }) as const
const createBooleanFlag = (brief: string) => ({ kind: 'boolean', optional: true, brief }) as const

/** The command that writes an application. */
export const newCommand: Command<CliContext> = buildCommand({
  docs: {
    brief: 'Create a project',
    fullDescription: formatDescription(
      `Writes a small application into a new folder: one resource with its list, a database with migrations, and tests.
At a terminal it asks for each choice that no flag makes; elsewhere, and with --yes, the first value of each is taken:
SQLite, Drizzle, no authentication, node:test. Nothing is installed, and a folder that has files in it is refused.`,
      {
        'edict new library': 'into the folder library',
        'edict new . --yes': 'into this folder, named like it, without questions',
        'edict new library --database postgresql --orm kysely --auth jwt --tests vitest': 'with other choices',
        'edict new library --docker --ci': 'with a Dockerfile, compose.yaml and a workflow of GitHub',
        'edict new library --edict file:../edict-0.2.0.tgz': 'with another edict',
      },
    ),
  },
  parameters: {
    flags: {
      database: createChoiceFlag(stackChoices.database, 'The database'),
      orm: createChoiceFlag(stackChoices.orm, 'The ORM or query builder'),
      auth: createChoiceFlag(stackChoices.auth, 'The authentication of clients'),
      tests: createChoiceFlag(stackChoices.tests, 'The test runner'),
      docker: createBooleanFlag('Write a Dockerfile and compose.yaml'),
      ci: createBooleanFlag('Write a workflow of GitHub with edict check, diff and indexes'),
      yes: { kind: 'boolean', default: false, withNegated: false, brief: 'Ask nothing' },
      edict: {
        kind: 'parsed',
        parse: String,
        optional: true,
        placeholder: 'version',
        brief:
          'The version of edict in the project, or file:…; by default the running one, from where it was installed',
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

async function writeProject(
  this: CliContext,
  { edict = findOwnSource(), yes, ...flags }: NewFlags,
  target: string,
): Promise<void> {
  const folder = resolve(this.cwd, target)
  const name = basename(folder)
  refuseName(name, target)
  refuseNonEmpty(folder)
  const chosen = await resolveChoices(flags, yes, this)
  for (const [file, text] of Object.entries(createProjectFiles(name, edict, chosen))) {
    const path = join(folder, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  this.process.stdout.write(
    formatNextSteps(name, relative(this.cwd, folder), chosen, createPainter(this.process.stdout)),
  )
}

function resolveChoices(
  flags: FlagChoices,
  yes: boolean,
  { process }: CliContext,
): Promise<ProjectChoices> | ProjectChoices {
  const { stdin, stdout } = process
  if (!yes && stdin.isTTY && stdout.isTTY) return askForChoices(flags, stdin, stdout)
  const set = Object.entries(flags).filter(([, value]) => value !== undefined)
  return { ...defaultChoices, ...Object.fromEntries(set) }
}

function refuseName(name: string, target: string): void {
  if (/^[a-z0-9][a-z0-9._-]{0,213}$/.test(name)) return
  throw new CommandError(
    `'${name}', the name of the folder ${target}, cannot be the name of a package.`,
    'use lower-case letters, digits and hyphens: edict new my-api',
  )
}

function refuseNonEmpty(folder: string): void {
  if (!existsSync(folder)) return
  const [first, ...others] = readdirSync(folder).filter((name) => name !== '.git')
  if (first === undefined) return
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  throw new CommandError(`${folder} is not empty: it has ${first}${more}.`, 'choose another name, or empty the folder')
}

function formatNextSteps(
  name: string,
  path: string,
  { database, docker }: ProjectChoices,
  colour: ReturnType<typeof createPainter>,
): string {
  const isServer = database !== 'sqlite'
  const steps = [
    ...(path === '' ? [] : [`cd ${path}`]),
    'npm install',
    ...(isServer && docker ? ['docker compose up -d database'] : []),
    'npm test',
    'npm start',
  ]
  const hint = isServer && !docker ? 'It needs a database: README.md says where, and DATABASE_URL where else.\n' : ''
  return `${colour('green', `${name} is ready.`)} Go on with:

${steps.map((step) => `  ${colour('bold', step)}\n`).join('')}
${hint}README.md says what is where. Another resource: npx edict generate author name:string
`
}
