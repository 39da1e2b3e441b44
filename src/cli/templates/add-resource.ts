// Adds a resource to the files of a project: its own files, and the lines that register it. The caller writes the files.
import { parseAttributes } from './attributes.ts'
import {
  type Addition,
  type FileTexts,
  insertLines,
  listResourceLines,
  listTableLines,
  withTableImports,
} from './registration.ts'
import {
  createMigrationFile,
  createResourceFiles,
  createResourcesFile,
  createTableText,
  createTestFile,
} from './resource-files.ts'
import type { ResourceNames } from './resource-names.ts'
import type { Stack } from './stack.ts'
import { createResourceTable, type GeneratedTable } from './tables.ts'

/** The file that declares the tables of a project with an ORM. */
export const TABLES_FILE = 'src/tables.ts'

/** The file that maps media types to tables. */
export const RESOURCES_FILE = 'src/resources.ts'

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
  const table = addTable(files, createResourceTable(names, attributes), stack)
  const index: FileTexts = { ...readIndex(files, ['src/api.ts', RESOURCES_FILE], stack), ...table.index }
  const own: FileTexts = {
    ...createResourceFiles(names, attributes, stack),
    ...(isTestable(files) && createTestFile(names, attributes, stack)),
    ...table.created,
  }
  const additions = [...insertLines(index, listResourceLines(names, stack)), ...table.additions]
  return { ...splitChanges(files, index, own), additions }
}

interface AddedTable {
  /** The migration file. */
  readonly created: FileTexts
  /** The texts of the files that list tables and migrations. */
  readonly index: FileTexts
  readonly additions: readonly Addition[]
}

/** Adds a table to the files of a project, with its migration. */
export function addTable(files: ProjectFiles, table: GeneratedTable, stack: Stack): AddedTable {
  const number = getNextNumber(files.list('migrations'))
  const index = readIndex(files, [TABLES_FILE, 'migrations/index.ts'], stack)
  const tables = index[TABLES_FILE]
  if (stack.orm !== 'none' && tables !== undefined)
    index[TABLES_FILE] = withTableImports(`${tables.trimEnd()}\n${createTableText(table, stack)}`, stack)
  const additions = insertLines(index, listTableLines(table.names, stack, number))
  return { created: hasMigrations(files, stack) ? createMigrationFile(table, stack, number) : {}, index, additions }
}

/** Returns whether the project has the files that the test of a resource imports. */
export const isTestable = ({ read }: ProjectFiles): boolean =>
  ['src/api.ts', 'test/ask.ts', 'test/database.ts'].every((file) => read(file) !== undefined)

// Migrations of Kysely are registered in a file; a project without that file manages migrations itself.
const hasMigrations = ({ read }: ProjectFiles, { orm }: Stack): boolean =>
  orm === 'none' || read('migrations/index.ts') !== undefined

function readIndex({ read }: ProjectFiles, names: readonly string[], stack: Stack): FileTexts {
  const index: FileTexts = {}
  for (const file of names) {
    const text = read(file) ?? createMissingFile(file, stack)
    if (text !== undefined) index[file] = text
  }
  return index
}

function createMissingFile(file: string, stack: Stack): string | undefined {
  if (file === RESOURCES_FILE) return createResourcesFile(stack)
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
