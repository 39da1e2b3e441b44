// `edict generate`: adds a resource to a project, with its table, design, controller and test.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buildCommand, type Command } from '@stricli/core'
import { CommandError } from '../command-error.ts'
import type { CliContext } from '../context.ts'
import { formatDescription } from '../help.ts'
import {
  type AddedResource,
  addResource,
  isTestable,
  type ProjectFiles,
  RESOURCES_FILE,
  TABLES_FILE,
} from '../templates/add-resource.ts'
import { kindNames } from '../templates/attributes.ts'
import { deriveNames, type ResourceNames } from '../templates/resource-names.ts'
import { detectStack, type Stack } from '../templates/stack.ts'
import { createPainter } from '../terminal/style.ts'

interface GenerateFlags {
  readonly plural?: string
}

/** The command that adds a resource to a project. */
export const generateCommand: Command<CliContext> = buildCommand({
  docs: {
    brief: 'Add a resource: design, controller, table and test',
    customUsage: ['[--plural name] <resource> [<attribute:kind>...]'],
    fullDescription: formatDescription(
      `Adds a resource to a project: a media type and an endpoint, a controller, a table, a migration and a test, and the
lines that make them known. Nothing is overwritten. In a project that 'edict new' did not make, files that are missing are
made, and the lines that have no place are printed.
An attribute is a name and a kind, which is one of ${kindNames.join(', ')}; with ? it may be null, and with
:unique no two elements have the same value.`,
      {
        'edict generate article': 'Article, Articles and the table articles, with a title',
        'edict generate author name:string born:date?': 'with these attributes',
        'edict generate edition isbn:string:unique': 'with a unique index',
        'edict generate person name:string --plural people': 'with a plural that no rule gives',
      },
    ),
  },
  parameters: {
    flags: {
      plural: {
        kind: 'parsed',
        parse: String,
        optional: true,
        placeholder: 'name',
        brief: 'The plural of the name',
      },
    },
    positional: {
      kind: 'array',
      minimum: 1,
      parameter: {
        placeholder: 'resource attribute:kind',
        parse: String,
        brief: 'Its name in the singular, then its attributes',
      },
    },
  },
  func: generateResource,
})

function generateResource(this: CliContext, { plural }: GenerateFlags, ...args: string[]): void {
  const [name = '', ...attributes] = args
  const names = deriveNames(name, plural)
  const stack = detectStack(this.cwd)
  const files = openProjectFiles(this.cwd)
  const added = addResource(files, names, attributes, stack)
  refuseExisting(files, Object.keys(added.created))
  refuseTaken(files, names)
  for (const [file, text] of Object.entries({ ...added.created, ...added.changed })) {
    mkdirSync(dirname(join(this.cwd, file)), { recursive: true })
    writeFileSync(join(this.cwd, file), text)
  }
  const { stdout } = this.process
  const colour = createPainter(stdout)
  for (const file of Object.keys(added.created)) stdout.write(`${colour('green', 'wrote  ')}  ${file}\n`)
  for (const file of Object.keys(added.changed)) stdout.write(`${colour('cyan', 'changed')}  ${file}\n`)
  stdout.write(`\nLeft to do:\n${listRemainingSteps(names, stack, added, files).join('')}`)
}

function listRemainingSteps(
  { mediaType, file, value }: ResourceNames,
  stack: Stack,
  { additions }: AddedResource,
  files: ProjectFiles,
): string[] {
  const { read } = files
  const tableSource = stack.orm === 'none' ? 'the migration' : TABLES_FILE
  const hasApi = read('src/api.ts') !== undefined
  return [
    ...additions
      .filter(({ added, file: target }) => !added && (hasApi || target !== 'src/api.ts'))
      .map((one) => `  - add to ${one.file}: ${one.line}\n`),
    ...(hasApi
      ? []
      : [`  - give your application the controller: ${value}(resourcesIn(datastore)) of src/controllers/${file}.ts\n`]),
    `  - say in src/design/${file}.ts what ${mediaType} really is, and the same in ${tableSource}\n`,
    ...(stack.orm === 'drizzle' ? ['  - npx drizzle-kit generate, which writes the migration\n'] : []),
    ...(isTestable(files) ? ['  - npm test\n'] : []),
  ]
}

const openProjectFiles = (folder: string): ProjectFiles => ({
  read: (file) => (existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : undefined),
  list: (name) => (existsSync(join(folder, name)) ? readdirSync(join(folder, name)) : []),
})

function refuseTaken({ read }: ProjectFiles, { value, table, endpoint }: ResourceNames): void {
  const pattern = new RegExp(`\\bconst ${value}\\b|['"]${table}['"]|\\binterface ${endpoint}Table\\b`)
  if (pattern.test(read(TABLES_FILE) ?? ''))
    throw new CommandError(`${TABLES_FILE} has a table ${table} already.`, 'choose another name, or remove that table')
  if (new RegExp(`\\bconst ${value}\\b`).test(read(RESOURCES_FILE) ?? ''))
    throw new CommandError(`${RESOURCES_FILE} has ${value} already.`, 'choose another name, or remove that resource')
}

function refuseExisting({ read }: ProjectFiles, created: readonly string[]): void {
  const existing = created.filter((file) => read(file) !== undefined)
  if (existing.length > 0)
    throw new CommandError(
      `There is already ${existing.join(', ')}.`,
      'choose another name, or remove these files first',
    )
}
