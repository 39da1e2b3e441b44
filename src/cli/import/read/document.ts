// Reads an OpenAPI document and the files it refers to, checks its version, and resolves references.
import { readFile, stat } from 'node:fs/promises'
import { dirname, relative, resolve } from 'node:path'
import { CommandError } from '../../command-error.ts'
import { formatPointer, getMember, getText, isObject, type LocatedValue, listElements } from './located.ts'
import { parseDocument } from './parse-document.ts'

/** The versions of OpenAPI whose schemas differ. */
export type OpenapiDialect = '3.0' | '3.1'

/** The maximum size of a file: 32 MiB. */
const MAX_SIZE = 32 * 1024 * 1024
const MAX_FILES = 1000
/** The maximum length of a chain of references. */
const MAX_STEPS = 50

/** A document with all of its files. */
export class SourceDocument {
  readonly root: LocatedValue
  readonly dialect: OpenapiDialect
  readonly #files: ReadonlyMap<string, unknown>

  constructor(file: string, files: ReadonlyMap<string, unknown>) {
    this.root = { value: files.get(file), file, steps: [] }
    this.dialect = readDialect(this.root)
    this.#files = files
  }

  /** Formats a location: `#/paths/~1pets/get`, prefixed with the file when it is not the root. */
  formatLocation({ file, steps }: Pick<LocatedValue, 'file' | 'steps'>): string {
    const other = file === this.root.file ? '' : relative(dirname(this.root.file), file)
    return `${other}#${formatPointer(steps)}`
  }

  /** Returns the value itself, or the target of its `$ref`. */
  resolve(one: LocatedValue): LocatedValue {
    let found = one
    for (let steps = 0; steps < MAX_STEPS; steps++) {
      const ref = getRef(found)
      if (ref === undefined) return found
      found = this.findTarget(found, ref)
    }
    throw new CommandError(`The reference at ${this.formatLocation(one)} leads to itself.`, 'correct the reference')
  }

  /** Returns the value that a reference names. */
  findTarget(from: LocatedValue, ref: string): LocatedValue {
    const [path = '', fragment = ''] = ref.split('#', 2)
    const file = path === '' ? from.file : resolve(dirname(from.file), tryDecode(path))
    const steps = fragment.split('/').slice(1).map(decodeStep)
    let found: LocatedValue | undefined = { value: this.#files.get(file), file, steps: [] }
    for (const one of steps) found = found && (getMember(found, one) ?? listElements(found)[Number(one)])
    if (found === undefined || (fragment !== '' && !fragment.startsWith('/')))
      throw new CommandError(
        `${this.formatLocation(from)} refers to ${ref}, which does not exist.`,
        'correct the reference, or add what it names',
      )
    return found
  }
}

/** Returns the text of a `$ref`. */
export const getRef = (one: LocatedValue): string | undefined => getText(one, '$ref')

const decodeStep = (encoded: string): string => tryDecode(encoded).replaceAll('~1', '/').replaceAll('~0', '~')

function tryDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Reads a document and every file that it refers to. */
export async function readDocument(file: string, cwd: string): Promise<SourceDocument> {
  const files = new Map<string, unknown>()
  const waiting = [file]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (files.has(next)) continue
    if (files.size === MAX_FILES)
      throw new CommandError(`${file} refers to more than ${MAX_FILES} files.`, 'bundle them into one document')
    files.set(next, await parseDocument(await readText(next), relative(cwd, next), cwd))
    waiting.push(...findReferencedFiles({ value: files.get(next), file: next, steps: [] }))
  }
  return new SourceDocument(file, files)
}

async function readText(file: string): Promise<string> {
  const found = await stat(file).catch(() => undefined)
  if (found?.isFile() !== true)
    throw new CommandError(`There is no file ${file}.`, 'correct the reference that names it')
  if (found.size > MAX_SIZE)
    throw new CommandError(`${file} has ${found.size} bytes.`, `divide it into files of at most ${MAX_SIZE} bytes`)
  return (await readFile(file, 'utf8')).replace(/^\uFEFF/, '')
}

// Examples are data: `$ref` in them is not a reference.
const DATA_KEYWORDS: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const'])

function findReferencedFiles({ value, file }: LocatedValue): string[] {
  const found = new Set<string>()
  const visit = (one: unknown): void => {
    if (Array.isArray(one)) return one.forEach(visit)
    if (!isObject(one)) return
    const ref = one['$ref']
    if (typeof ref === 'string' && !ref.startsWith('#')) found.add(resolveFile(ref, file))
    for (const [name, inner] of Object.entries(one)) if (!DATA_KEYWORDS.has(name) || isSchemaLike(inner)) visit(inner)
  }
  visit(value)
  return [...found]
}

// A schema may have a property with such a name.
const isSchemaLike = (value: unknown): boolean => isObject(value) && ('type' in value || '$ref' in value)

function resolveFile(ref: string, from: string): string {
  const [path = ''] = ref.split('#', 1)
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(path))
    throw new CommandError(
      `${from} refers to ${ref}, and edict import reads files only, nothing from a network.`,
      'download what it refers to, and refer to the file by a relative path',
    )
  return resolve(dirname(from), tryDecode(path))
}

function readDialect(root: LocatedValue): OpenapiDialect {
  const version = getMember(root, 'openapi')?.value
  if (typeof version === 'string' && /^3\.0(\.|$)/.test(version)) return '3.0'
  if (typeof version === 'string' && /^3\.1(\.|$)/.test(version)) return '3.1'
  const old = getMember(root, 'swagger')?.value
  if (old !== undefined)
    throw new CommandError(
      `${root.file} is a document of Swagger ${String(old)}; OpenAPI 3.0 and 3.1 are imported.`,
      'convert it first, for example with npx swagger2openapi',
    )
  const problem = version === undefined ? 'has no version of OpenAPI' : `is a document of OpenAPI ${String(version)}`
  throw new CommandError(`${root.file} ${problem}; OpenAPI 3.0 and 3.1 are imported.`, 'name another file')
}
