// `edict generate`: another resource for a project, with its table, its design, its controller and its test.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buildCommand, type Command } from '@stricli/core'
import { CommandError } from '../command-error.ts'
import type { CliContext } from '../context.ts'
import { described } from '../help.ts'
import { attributesOf, kindNames } from '../templates/attributes.ts'
import { type Names, namesOf } from '../templates/names.ts'
import { type Addition, indexFiles, register } from '../templates/registration.ts'
import { resourceFiles, tableText } from '../templates/resource-files.ts'
import { paint } from '../terminal/style.ts'

const TABLES = 'src/tables.ts'

interface GenerateFlags {
  readonly plural?: string
}

/** The command that adds a resource to a project. */
export const generate: Command<CliContext> = buildCommand({
  docs: {
    brief: 'Add a resource: design, controller, table and test',
    customUsage: ['[--plural name] <resource> [<attribute:kind>...]'],
    fullDescription: described(
      `Adds a resource to a project that 'edict new' made, or that has the same files: a media type and an endpoint, a
controller, a table and a test, and the lines that make them known. Nothing is overwritten.
An attribute is a name and a kind, which is one of ${kindNames.join(', ')}; with ? it may be null.`,
      {
        'edict generate article': 'Article, Articles and the table articles, with a title',
        'edict generate author name:string born:date?': 'with these attributes',
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

function generateResource(this: CliContext, { plural }: GenerateFlags, ...given: string[]): void {
  const [name = '', ...attributes] = given
  const names = namesOf(name, plural)
  const { written, additions } = addResource(this.cwd, names, attributes)
  const { stdout } = this.process
  const colour = paint(stdout)
  for (const file of written) stdout.write(`${colour('green', 'wrote  ')}  ${file}\n`)
  for (const file of new Set([TABLES, ...additions.filter(({ added }) => added).map((one) => one.file)])) {
    stdout.write(`${colour('cyan', 'changed')}  ${file}\n`)
  }
  stdout.write(`\n${leftToDo(names, additions)}`)
}

function leftToDo({ mediaType, file }: Names, additions: readonly Addition[]): string {
  const missing = additions.filter(({ added }) => !added)
  const byHand = missing.map((one) => `  - add to ${one.file}: ${one.line}\n`).join('')
  return `Left to do:
${byHand}  - say in src/design/${file}.ts what ${mediaType} really is, and the same in ${TABLES}
  - npm test
`
}

/** Writes the files of a resource and makes it known; what is refused is refused before anything is written. */
function addResource(
  folder: string,
  names: Names,
  given: readonly string[],
): { readonly written: readonly string[]; readonly additions: readonly Addition[] } {
  const attributes = attributesOf(given)
  const files = resourceFiles(names, attributes)
  refuseOthers(folder, Object.keys(files))
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8')
  const tables = read(TABLES)
  if (new RegExp(`\\bconst ${names.value}\\b|['"]${names.table}['"]`).test(tables)) {
    throw new CommandError(`${TABLES} has a table ${names.table} already.`, 'choose another name, or remove that table')
  }
  const texts = { 'src/api.ts': read('src/api.ts'), 'src/resources.ts': read('src/resources.ts') }
  const additions = register(names, texts)
  const changed = { [TABLES]: `${tables.trimEnd()}\n${tableText(names, attributes)}`, ...texts }
  for (const [file, text] of Object.entries({ ...files, ...changed })) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  return { written: Object.keys(files), additions }
}

function refuseOthers(folder: string, files: readonly string[]): void {
  const missing = [TABLES, ...indexFiles].filter((file) => !existsSync(join(folder, file)))
  if (missing.length > 0) {
    throw new CommandError(
      `${folder} has not the files that a resource is added to: ${missing.join(', ')}.`,
      "start edict in the folder of a project that 'edict new' made",
    )
  }
  const there = files.filter((file) => existsSync(join(folder, file)))
  if (there.length > 0) {
    throw new CommandError(`There is already ${there.join(', ')}.`, 'choose another name, or remove these files first')
  }
}
