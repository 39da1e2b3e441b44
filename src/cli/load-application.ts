// Finds, imports (TypeScript included) and returns the application.
import { relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { TypedFlagParameter } from '@stricli/core'
import type { Api } from '../server/create-server.ts'
import { CommandError } from './command-error.ts'
import type { CliContext } from './context.ts'
import { findFirstFile, resolveFileArgument } from './find-file.ts'
import { explainSyntaxError } from './syntax-error.ts'
import { withProgress } from './terminal/progress.ts'

const APPLICATION_FILES: readonly string[] = ['app.ts', 'src/app.ts', 'app.js', 'src/app.js', 'dist/app.js']

/** The flags of commands that load an application. */
export interface ApplicationFlags {
  readonly app?: string
}

/** The flag that names the file of the application. */
export const appFlag: TypedFlagParameter<string | undefined, CliContext> = {
  kind: 'parsed',
  parse: String,
  optional: true,
  placeholder: 'file',
  brief: `The file that exports the application, by default the first of ${APPLICATION_FILES.join(', ')}`,
}

/** Imports the application of a command. */
export async function loadApplication(flags: ApplicationFlags, context: CliContext): Promise<Api> {
  const { module, file } = await loadModule(flags, context)
  const found = [module.app, module.default].find(isApplication)
  if (found !== undefined) return found
  throw new CommandError(
    `${file} exports no application: neither 'app' nor its default export is one.`,
    'write: export const app = application({ … })',
  )
}

/** Imports the module of a command, whatever it exports. */
export async function loadModule(
  { app }: ApplicationFlags,
  { process, cwd }: CliContext,
): Promise<{ readonly module: LoadedModule; readonly file: string }> {
  const file = app === undefined ? findApplicationFile(cwd) : resolveFileArgument(app, cwd, '--app')
  const { stdout, stderr } = process
  const write = stdout.write
  // Output of the application during its start must not mix with the output of the command.
  stdout.write = stderr.write.bind(stderr) as typeof write
  try {
    const module = await withProgress(stderr, `Loading ${relative(cwd, file)}`, () => importFile(file))
    return { module, file: app ?? file }
  } catch (error) {
    throw explainSyntaxError(error, file, cwd) ?? error
  } finally {
    stdout.write = write
  }
}

// --- the file --------------------------------------------------------------------

function findApplicationFile(cwd: string): string {
  const found = findFirstFile(APPLICATION_FILES, cwd)
  if (found !== undefined) return found
  throw new CommandError(
    `There is no application in ${cwd}: looked for ${APPLICATION_FILES.join(', ')}.`,
    'start edict in the folder of your API, or name the file: --app path/to/app.ts',
  )
}

// --- the import ------------------------------------------------------------------

/** The exports of a file. */
export interface LoadedModule {
  readonly [name: string]: unknown
  readonly app?: unknown
  readonly default?: unknown
}

// The current runtime imports the file if it can: Node with type stripping, another runtime, or a registered loader.
async function importFile(file: string): Promise<LoadedModule> {
  const url = pathToFileURL(file).href
  try {
    return await import(url)
  } catch (error) {
    if (!/\.[cm]?tsx?$/.test(file) || !isLoaderError(error)) throw error
    const tsx = await findTsx()
    if (tsx === undefined) throw createTsxError(file, error)
    // A namespace changes the URL of the file: Node caches the failed import of the original URL.
    return (await tsx.register({ namespace: 'edict' }).import(url, import.meta.url)) as LoadedModule
  }
}

const LOADER_ERROR_CODES: ReadonlySet<unknown> = new Set([
  'ERR_UNKNOWN_FILE_EXTENSION',
  'ERR_MODULE_NOT_FOUND',
  'ERR_UNSUPPORTED_DIR_IMPORT',
  'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX',
  'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING',
  'ERR_INVALID_TYPESCRIPT_SYNTAX',
])

// A module that ran and threw must not run a second time.
function isLoaderError(error: unknown): error is Error {
  return (
    error instanceof SyntaxError || (error instanceof Error && 'code' in error && LOADER_ERROR_CODES.has(error.code))
  )
}

async function findTsx(): Promise<typeof import('tsx/esm/api') | undefined> {
  try {
    return await import('tsx/esm/api')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  }
}

function createTsxError(file: string, error: Error): CommandError {
  return new CommandError(
    `${file} is TypeScript that Node.js ${process.versions.node} cannot import by itself: ${error.message}`,
    'npm install --save-dev tsx, or compile the application and name the result: --app dist/app.js',
  )
}

// --- the application -------------------------------------------------------------

function isApplication(value: unknown): value is Api {
  const { routes, handle } = (value ?? {}) as Partial<Api>
  return typeof routes === 'function' && typeof handle === 'function'
}
