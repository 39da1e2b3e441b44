// Parses documents: JSON, or YAML with the package `yaml`, which must be installed.
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CommandError } from '../../command-error.ts'

/** The maximum nesting depth of a document; handwritten documents are far below it. */
const MAX_DEPTH = 200

/** Parses the text of a file. */
export async function parseDocument(text: string, file: string, cwd: string): Promise<unknown> {
  const parsed = /^\s*[{[]/.test(text) ? tryParseJson(text) : undefined
  const value = parsed === undefined ? await parseYaml(text, file, cwd) : parsed.value
  refuseDepth(value, file)
  return value
}

// Flow style YAML begins like JSON.
function tryParseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

async function parseYaml(text: string, file: string, cwd: string): Promise<unknown> {
  const yaml = await findYaml(cwd)
  if (yaml === undefined)
    throw new CommandError(
      `${file} is no JSON, and the package yaml is not installed.`,
      'npm install --save-dev yaml, or convert the document to JSON',
    )
  try {
    // Aliases share values, but a traversal visits each use: their number is limited.
    return yaml.parse(text, { maxAliasCount: 1000, logLevel: 'error' })
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('\n')
    throw new CommandError(`${file} cannot be read: ${reason.replace(/:$/, '')}.`, 'name a file of JSON or YAML')
  }
}

// Looks for the project's package first, then for the one next to edict.
async function findYaml(cwd: string): Promise<typeof import('yaml') | undefined> {
  for (const from of [resolve(cwd, 'package.json'), import.meta.url]) {
    try {
      return await import(pathToFileURL(createRequire(from).resolve('yaml')).href)
    } catch (error) {
      if (!isModuleMissing(error)) throw error
    }
  }
  return undefined
}

const isModuleMissing = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'MODULE_NOT_FOUND' || error.code === 'ERR_MODULE_NOT_FOUND')

function refuseDepth(root: unknown, file: string): void {
  let level: unknown[] = [root]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH)
      throw new CommandError(`${file} is nested deeper than ${MAX_DEPTH} levels.`, 'give its inner schemas names')
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []))
  }
}
