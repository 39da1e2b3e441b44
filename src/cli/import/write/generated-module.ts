// A TypeScript file: its first comment, imports and declarations.

/** Collects the parts of one file. */
export class GeneratedModule {
  readonly #purpose: string
  readonly #imports = new Map<string, Set<string>>()
  readonly #parts: string[] = []

  /** The purpose becomes the first comment; it must not contain text of the document. */
  constructor(purpose: string) {
    this.#purpose = purpose
  }

  /** Imports a name, and returns it. */
  importName(name: string, from: string = 'edict'): string {
    this.#imports.set(from, (this.#imports.get(from) ?? new Set()).add(name))
    return name
  }

  /** Adds a declaration. */
  add(part: string): void {
    this.#parts.push(part)
  }

  /** Whether the file declares nothing. */
  get isEmpty(): boolean {
    return this.#parts.length === 0
  }

  /** Renders the text of the file. */
  render(): string {
    const imports = [...this.#imports].sort(
      ([a], [b]) =>
        compareTexts(getImportDepth(a), getImportDepth(b)) || compareTexts(stripExtension(a), stripExtension(b)),
    )
    const lines = imports.map(([from, names]) => formatImport([...names].sort(compareNames), from))
    const head = [`// ${this.#purpose}`, ...lines].join('\n')
    return `${[head, ...this.#parts].join('\n\n')}\n`
  }
}

// Packages come before files, and files in outer folders before those in the same folder.
const getImportDepth = (from: string): number => (from.startsWith('.') ? 10 - from.split('../').length : 0)

const stripExtension = (from: string): string => from.replace(/\.ts$/, '')

const compareTexts = <T>(a: T, b: T): number => (a === b ? 0 : Number(a > b) * 2 - 1)

const stripTypeKeyword = (name: string): string => name.replace(/^type /, '')

const compareNames = (a: string, b: string): number =>
  compareTexts(stripTypeKeyword(a).toLowerCase(), stripTypeKeyword(b).toLowerCase()) ||
  compareTexts(stripTypeKeyword(a), stripTypeKeyword(b))

function formatImport(names: readonly string[], from: string): string {
  const onlyTypes = names.every((name) => name.startsWith('type '))
  const [word, shown] = onlyTypes ? ['import type', names.map(stripTypeKeyword)] : ['import', names]
  const line = `${word} { ${shown.join(', ')} } from '${from}'`
  return line.length <= 120 ? line : `${word} {\n${shown.map((name) => `  ${name},\n`).join('')}} from '${from}'`
}
