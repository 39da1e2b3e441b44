// Registers a generated resource: inserts lines into files of the project, at marks written by `edict new`.
import type { ResourceNames } from './resource-names.ts'
import type { Stack } from './stack.ts'
import { drizzleTableValues } from './tables.ts'

/** A registration line, and whether it could be inserted. */
export interface Addition {
  readonly file: string
  readonly line: string
  readonly added: boolean
}

/** The texts of files, keyed by path. */
export type FileTexts = Record<string, string>

/** The marks above which lines are inserted. */
const insertionMarks = {
  controllers: '// edict generate adds controllers above this line',
  resources: '// edict generate adds resources above this line',
  names: '// edict generate adds names above this line',
  tables: '// edict generate adds tables above this line',
  migrations: '// edict generate adds migrations above this line',
} as const

/** A line, and its position in a file. */
export type RegistrationLine = readonly [file: string, position: keyof typeof insertionMarks | 'imports', line: string]

/** Inserts lines into `texts`, in place; returns every line with its outcome. */
export function insertLines(texts: FileTexts, lines: readonly RegistrationLine[]): Addition[] {
  return lines.map(([file, position, line]) => {
    const text = texts[file]
    const changed = text === undefined ? undefined : insertLine(text, position, line)
    if (changed !== undefined) texts[file] = changed
    return { file, line, added: changed !== undefined }
  })
}

/** Lists the lines that register a resource. */
export function listResourceLines(
  { mediaType, value, file, table }: ResourceNames,
  { orm }: Stack,
): RegistrationLine[] {
  const tableValue = orm === 'drizzle' ? `tables.${value}` : `'${table}'`
  return [
    ['src/resources.ts', 'imports', `import { ${mediaType} } from './design/${file}.ts'`],
    ['src/resources.ts', 'resources', `const ${value} = resource(datastore, ${mediaType}, { table: ${tableValue} })`],
    ['src/resources.ts', 'names', `${value},`],
    ['src/api.ts', 'imports', `import { ${value} } from './controllers/${file}.ts'`],
    ['src/api.ts', 'controllers', `${value}(resources),`],
  ]
}

/** Lists the lines that register a table and its migration. */
export function listTableLines(
  { value, table, endpoint }: ResourceNames,
  { orm }: Stack,
  number: string,
): RegistrationLine[] {
  const migration = `${number}_${table}`
  if (orm !== 'kysely') return []
  return [
    ['src/tables.ts', 'tables', `${table}: ${endpoint}Table`],
    ['migrations/index.ts', 'imports', `import * as ${value} from './${migration}.ts'`],
    ['migrations/index.ts', 'migrations', `'${migration}': ${value},`],
  ]
}

const insertLine = (text: string, position: RegistrationLine[1], line: string): string | undefined =>
  position === 'imports' ? withImport(text, line) : insertAboveMark(text, insertionMarks[position], line)

function insertAboveMark(text: string, mark: string, line: string): string | undefined {
  const index = text.indexOf(mark)
  if (index < 0) return undefined
  const start = text.lastIndexOf('\n', index) + 1
  return `${text.slice(0, start)}${text.slice(start, index)}${line}\n${text.slice(start)}`
}

// Inserts after the last package import, or after the last relative import that sorts before it, as formatters do.
function withImport(text: string, line: string): string | undefined {
  const imports = [...text.matchAll(/^(?:import\b[^'"]*?|import )['"]([^'"]+)['"];?$/gm)]
  const target = /'([^']+)'/.exec(line)?.[1] ?? ''
  const previous = imports.filter(([, source = '']) => !source.startsWith('.') || source < target).at(-1)
  if (previous === undefined) return undefined
  const end = previous.index + previous[0].length
  return `${text.slice(0, end)}\n${line}${text.slice(end)}`
}

/** Adds the Drizzle functions that a table uses to the imports. */
export function withTableImports(text: string, { orm, database }: Stack): string {
  if (orm !== 'drizzle') return text
  const { core, tableFunction } = drizzleTableValues[database]
  const functions = ['index', 'uniqueIndex'].filter((name) => new RegExp(`\\b${name}\\(`).test(text))
  return withNames(text, `drizzle-orm/${core}`, [...functions, tableFunction])
}

/** Adds names to the import of a module; makes it the first one if there is none. */
export function withNames(text: string, module: string, added: readonly string[]): string {
  const found = new RegExp(`^import \\{([^}]*)\\} from '${module}'`, 'm').exec(text)
  const known = found?.[1]?.split(',').flatMap((name) => name.trim() || []) ?? []
  const withoutType = (name: string): string => name.replace(/^type /, '')
  const names = [...new Set([...known, ...added])].sort((a, b) => (withoutType(a) < withoutType(b) ? -1 : 1))
  const line = `import { ${names.join(', ')} } from '${module}'`
  return found === null ? `${line}\n${text}` : text.replace(found[0], line)
}
