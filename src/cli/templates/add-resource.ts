// Adds a resource to the files of a project: the ones it brings, and the lines that make it known. Nothing is written here.
import { parseAttributes } from './attributes.ts'
import type { ResourceNames } from './resource-names.ts'
import { type Addition, registerResource, type FileTexts, withTableImports } from './registration.ts'
import { createMigrationFile, createResourceFiles, createResourcesFile, createTableText, createTestFile } from './resource-files.ts'
import type { Stack } from './stack.ts'

/** The file of the tables, where the project has an ORM. */
export const TABLES_FILE = 'src/tables.ts'

/** A resource that was added: all files to write, and what became of the lines. */
export interface AddedResource {
  readonly created: FileTexts
  readonly changed: FileTexts
  readonly additions: readonly Addition[]
}

/** The files of a project, as far as a resource needs them. */
export interface ProjectFiles {
  /** The text of a file; undefined where there is none. */
  read(file: string): string | undefined
  /** The names in a folder. */
  list(folder: string): readonly string[]
}

/** Adds a resource to the files of a project; what is missing is made, as far as it can be. */
export function addResource(files: ProjectFiles, names: ResourceNames, given: readonly string[], stack: Stack): AddedResource {
  const attributes = parseAttributes(given)
  const number = getNextNumber(files.list('migrations'))
  const own: FileTexts = {
    ...createResourceFiles(names, attributes, stack),
    ...(isTestable(files) && createTestFile(names, attributes, stack)),
    ...(hasMigrations(files, stack) && createMigrationFile(names, attributes, stack, number)),
  }
  const index: FileTexts = {}
  for (const file of ['src/api.ts', 'src/resources.ts', TABLES_FILE, 'migrations/index.ts']) {
    const text = files.read(file) ?? createMissingFile(file, stack)
    if (text !== undefined) index[file] = text
  }
  const tables = index[TABLES_FILE]
  if (stack.orm !== 'none' && tables !== undefined)
    index[TABLES_FILE] = `${withTableImports(tables, stack).trimEnd()}\n${createTableText(names, attributes, stack)}`
  const additions = registerResource(names, stack, index, number)
  return { ...splitChanges(files, index, own), additions }
}

/** Whether the project has what the test of a resource works with. */
export const isTestable = ({ read }: ProjectFiles): boolean =>
  ['src/api.ts', 'test/ask.ts', 'test/database.ts'].every((file) => read(file) !== undefined)

// Kysely's migrations are listed in a file; a project without it has its own ways.
const hasMigrations = ({ read }: ProjectFiles, { orm }: Stack): boolean =>
  orm === 'none' || read('migrations/index.ts') !== undefined

function createMissingFile(file: string, stack: Stack): string | undefined {
  if (file === 'src/resources.ts') return createResourcesFile(stack)
  if (file !== TABLES_FILE || stack.orm === 'none') return undefined
  const types =
    "import type { Generated } from 'kysely'\n\n/** All tables by their names. */\nexport interface Tables {\n"
  const head = '// The tables. An attribute is read from the column of the same name.\n'
  return stack.orm === 'drizzle' ? head : `${head}${types}  // edict generate adds tables above this line\n}\n`
}

function splitChanges({ read }: ProjectFiles, index: FileTexts, own: FileTexts): Pick<AddedResource, 'created' | 'changed'> {
  const all = Object.entries(index).filter(([file, text]) => read(file) !== text)
  return {
    created: { ...own, ...Object.fromEntries(all.filter(([file]) => read(file) === undefined)) },
    changed: Object.fromEntries(all.filter(([file]) => read(file) !== undefined)),
  }
}

function getNextNumber(names: readonly string[]): string {
  const last = Math.max(0, ...names.map((name) => Number(/^(\d{1,8})_/.exec(name)?.[1] ?? 0)))
  return String(last + 1).padStart(4, '0')
}
