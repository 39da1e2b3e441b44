// The texts of documents: JSON, or YAML by the package `yaml`, which has to be installed for it.
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CommandError } from '../../command-error.ts'

/** How deep a document may be nested; every document that people write is far from it. */
const MAX_DEPTH = 200

/** Reads the text of a file. */
export async function parseDocument(text: string, file: string, cwd: string): Promise<unknown> {
  const parsed = /^\s*[{[]/.test(text) ? tryParseJson(text) : undefined
  const value = parsed === undefined ? await parseYaml(text, file, cwd) : parsed.value
  refuseDepth(value, file)
  return value
}

// Flow style of YAML begins as JSON does.
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
    // Aliases are shared values, but a walk over them is not: their number is limited.
    return yaml.parse(text, { maxAliasCount: 1000, logLevel: 'error' })
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('\n')
    throw new CommandError(`${file} cannot be read: ${reason.replace(/:$/, '')}.`, 'name a file of JSON or YAML')
  }
}

// That of the project, or the one beside edict.
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
