// A file of TypeScript: its first comment, its imports, and what it declares.

/** Collects the parts of one file. */
export class Module {
  readonly #purpose: string
  readonly #imports = new Map<string, Set<string>>()
  readonly #parts: string[] = []

  /** The purpose is the comment at its top; it has no text of the document. */
  constructor(purpose: string) {
    this.#purpose = purpose
  }

  /** Imports a name, and returns it. */
  use(name: string, from: string = 'edict'): string {
    this.#imports.set(from, (this.#imports.get(from) ?? new Set()).add(name))
    return name
  }

  /** Adds a declaration. */
  add(part: string): void {
    this.#parts.push(part)
  }

  /** Whether it declares anything. */
  get isEmpty(): boolean {
    return this.#parts.length === 0
  }

  /** The text of the file. */
  text(): string {
    const imports = [...this.#imports].sort(([a], [b]) => compare(depth(a), depth(b)) || compare(stem(a), stem(b)))
    const lines = imports.map(([from, names]) => importLine([...names].sort(byName), from))
    const head = [`// ${this.#purpose}`, ...lines].join('\n')
    return `${[head, ...this.#parts].join('\n\n')}\n`
  }
}

// Packages come before files, and files further away before those beside.
const depth = (from: string): number => (from.startsWith('.') ? 10 - from.split('../').length : 0)

const stem = (from: string): string => from.replace(/\.ts$/, '')

const compare = <T>(a: T, b: T): number => (a === b ? 0 : Number(a > b) * 2 - 1)

const plain = (name: string): string => name.replace(/^type /, '')

const byName = (a: string, b: string): number =>
  compare(plain(a).toLowerCase(), plain(b).toLowerCase()) || compare(plain(a), plain(b))

function importLine(names: readonly string[], from: string): string {
  const onlyTypes = names.every((name) => name.startsWith('type '))
  const [word, shown] = onlyTypes ? ['import type', names.map(plain)] : ['import', names]
  const line = `${word} { ${shown.join(', ')} } from '${from}'`
  return line.length <= 120 ? line : `${word} {\n${shown.map((name) => `  ${name},\n`).join('')}} from '${from}'`
}
