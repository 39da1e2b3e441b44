// Registers a generated resource: adds lines to files of the project, at marks that `edict new` wrote into them.
import type { ResourceNames } from './resource-names.ts'
import type { Stack } from './stack.ts'
import { drizzleTableValues } from './tables.ts'

/** A line that was to be added to a file, and whether its place was found. */
export interface Addition {
  readonly file: string
  readonly line: string
  readonly added: boolean
}

/** The texts of files by their paths. */
export type FileTexts = Record<string, string>

/** The marks, each above which lines are added. */
const insertionMarks = {
  controllers: '// edict generate adds controllers above this line',
  resources: '// edict generate adds resources above this line',
  names: '// edict generate adds names above this line',
  tables: '// edict generate adds tables above this line',
  migrations: '// edict generate adds migrations above this line',
} as const

type RegistrationLine = readonly [file: string, place: keyof typeof insertionMarks | 'imports', line: string]

/** Adds the lines of a resource to the texts of files, which are changed in place; files without a text are named. */
export function registerResource(names: ResourceNames, stack: Stack, texts: FileTexts, number: string): Addition[] {
  return listLines(names, stack, number).map(([at, place, line]) => {
    const text = texts[at]
    const changed = text === undefined ? undefined : insertLine(text, place, line)
    if (changed !== undefined) texts[at] = changed
    return { file: at, line, added: changed !== undefined }
  })
}

function listLines({ mediaType, value, file, table, endpoint }: ResourceNames, { orm }: Stack, number: string): RegistrationLine[] {
  const tableValue = orm === 'drizzle' ? `tables.${value}` : `'${table}'`
  const migration = `${number}_${table}`
  return [
    ['src/resources.ts', 'imports', `import { ${mediaType} } from './design/${file}.ts'`],
    ['src/resources.ts', 'resources', `const ${value} = resource(datastore, ${mediaType}, { table: ${tableValue} })`],
    ['src/resources.ts', 'names', `${value},`],
    ['src/api.ts', 'imports', `import { ${value} } from './controllers/${file}.ts'`],
    ['src/api.ts', 'controllers', `${value}(resources),`],
    ...(orm === 'kysely'
      ? ([
          ['src/tables.ts', 'tables', `${table}: ${endpoint}Table`],
          ['migrations/index.ts', 'imports', `import * as ${value} from './${migration}.ts'`],
          ['migrations/index.ts', 'migrations', `'${migration}': ${value},`],
        ] as const)
      : []),
  ]
}

const insertLine = (text: string, place: RegistrationLine[1], line: string): string | undefined =>
  place === 'imports' ? withImport(text, line) : insertAboveMark(text, insertionMarks[place], line)

function insertAboveMark(text: string, mark: string, line: string): string | undefined {
  const at = text.indexOf(mark)
  if (at < 0) return undefined
  const start = text.lastIndexOf('\n', at) + 1
  return `${text.slice(0, start)}${text.slice(start, at)}${line}\n${text.slice(start)}`
}

// Behind the last import of a package, or of a file whose name comes before: as formatters sort them.
function withImport(text: string, line: string): string | undefined {
  const imports = [...text.matchAll(/^(?:import\b[^'"]*?|import )['"]([^'"]+)['"];?$/gm)]
  const from = getImportSource(line)
  const before = imports.filter(([, source = '']) => !source.startsWith('.') || source < from).at(-1)
  if (before === undefined) return undefined
  const end = before.index + before[0].length
  return `${text.slice(0, end)}\n${line}${text.slice(end)}`
}

const getImportSource = (line: string): string => /'([^']+)'/.exec(line)?.[1] ?? ''

/** Makes the functions of Drizzle known that a table is written with. */
export function withTableImports(text: string, { orm, database }: Stack): string {
  if (orm !== 'drizzle') return text
  const { core, tableFunction } = drizzleTableValues[database]
  const from = `'drizzle-orm/${core}'`
  const found = new RegExp(`^import \\{([^}]*)\\} from ${from}`, 'm').exec(text)
  const known = found?.[1]?.split(',').flatMap((name) => name.trim() || []) ?? []
  const names = [...new Set([...known, 'index', tableFunction])].sort()
  const line = `import { ${names.join(', ')} } from ${from}`
  return found === null ? `${line}\n${text}` : text.replace(found[0], line)
}
