// Registers a generated resource: adds lines to files of the project, at marks that `edict new` wrote into them.
import type { Names } from './names.ts'

/** A line that was to be added to a file, and whether its place was found. */
export interface Addition {
  readonly file: string
  readonly line: string
  readonly added: boolean
}

/** The marks, each above which lines are added. */
const marks = {
  controllers: '// edict generate adds controllers above this line',
  resources: '// edict generate adds resources above this line',
  names: '// edict generate adds names above this line',
} as const

/** The files that a resource is made known in. */
export const indexFiles = ['src/api.ts', 'src/resources.ts'] as const

/** Adds the lines of a resource to the texts of the index files, which are changed in place. */
export function register(
  { mediaType, value, file }: Names,
  texts: Record<(typeof indexFiles)[number], string>,
): Addition[] {
  const lines = [
    ['src/resources.ts', 'imports', `import { ${mediaType} } from './design/${file}.ts'`],
    ['src/resources.ts', 'resources', `const ${value} = resource(datastore, ${mediaType}, { table: tables.${value} })`],
    ['src/resources.ts', 'names', `${value},`],
    ['src/api.ts', 'imports', `import { ${value} } from './controllers/${file}.ts'`],
    ['src/api.ts', 'controllers', `${value}(resources),`],
  ] as const
  return lines.map(([at, place, line]) => {
    const text = texts[at]
    const changed = place === 'imports' ? withImport(text, line) : aboveMark(text, marks[place], line)
    texts[at] = changed ?? text
    return { file: at, line, added: changed !== undefined }
  })
}

function aboveMark(text: string, mark: string, line: string): string | undefined {
  const at = text.indexOf(mark)
  if (at < 0) return undefined
  const start = text.lastIndexOf('\n', at) + 1
  return `${text.slice(0, start)}${text.slice(start, at)}${line}\n${text.slice(start)}`
}

// Behind the last import of a package, or of a file whose name comes before: as formatters sort them.
function withImport(text: string, line: string): string | undefined {
  const imports = [...text.matchAll(/^(?:import\b[^'"]*?|import )['"]([^'"]+)['"];?$/gm)]
  const from = sourceOf(line)
  const before = imports.filter(([, source = '']) => !source.startsWith('.') || source < from).at(-1)
  if (before === undefined) return undefined
  const end = before.index + before[0].length
  return `${text.slice(0, end)}\n${line}${text.slice(end)}`
}

const sourceOf = (line: string): string => /'([^']+)'/.exec(line)?.[1] ?? ''
