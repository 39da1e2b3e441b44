// Adds a resource to the files of a project: its own files, and the lines that register it. The caller writes the files.
import { parseAttributes } from './attributes.ts'
import { type Addition, type FileTexts, registerResource, withTableImports } from './registration.ts'
import {
  createMigrationFile,
  createResourceFiles,
  createResourcesFile,
  createTableText,
  createTestFile,
} from './resource-files.ts'
import type { ResourceNames } from './resource-names.ts'
import type { Stack } from './stack.ts'

/** The file that declares the tables of a project with an ORM. */
export const TABLES_FILE = 'src/tables.ts'

/** An added resource: all files to write, and the registration lines with their outcome. */
export interface AddedResource {
  readonly created: FileTexts
  readonly changed: FileTexts
  readonly additions: readonly Addition[]
}

/** Access to the files of a project. */
export interface ProjectFiles {
  /** Returns the text of a file; undefined when it does not exist. */
  read(file: string): string | undefined
  /** Returns the names in a folder. */
  list(folder: string): readonly string[]
}

/** Adds a resource to the files of a project; creates missing files where possible. */
export function addResource(
  files: ProjectFiles,
  names: ResourceNames,
  definitions: readonly string[],
  stack: Stack,
): AddedResource {
  const attributes = parseAttributes(definitions)
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

/** Returns whether the project has the files that the test of a resource imports. */
export const isTestable = ({ read }: ProjectFiles): boolean =>
  ['src/api.ts', 'test/ask.ts', 'test/database.ts'].every((file) => read(file) !== undefined)

// Migrations of Kysely are registered in a file; a project without that file manages migrations itself.
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

function splitChanges(
  { read }: ProjectFiles,
  index: FileTexts,
  own: FileTexts,
): Pick<AddedResource, 'created' | 'changed'> {
  const changes = Object.entries(index).filter(([file, text]) => read(file) !== text)
  return {
    created: { ...own, ...Object.fromEntries(changes.filter(([file]) => read(file) === undefined)) },
    changed: Object.fromEntries(changes.filter(([file]) => read(file) !== undefined)),
  }
}

function getNextNumber(names: readonly string[]): string {
  const last = Math.max(0, ...names.map((name) => Number(/^(\d{1,8})_/.exec(name)?.[1] ?? 0)))
  return String(last + 1).padStart(4, '0')
}
