// Locates syntax errors in the files that a command imports.
import { spawnSync } from 'node:child_process'
import { relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { CommandError } from './command-error.ts'

interface SourceLocation {
  readonly file: string
  readonly line: number
  readonly text: string
}

/** Returns an error with the location of the syntax error that made an import fail; undefined for every other error. */
export function explainSyntaxError(error: unknown, imported: string, cwd: string): CommandError | undefined {
  const found = parseTransformError(error) ?? locateSyntaxError(error, imported)
  if (found === undefined) return undefined
  const { file, line, text } = found
  return new CommandError(`${relative(cwd, file)}:${line}: ${text}`, 'correct the syntax of this file')
}

/** The line of an esbuild message with the file, line, column and text. */
export const ESBUILD_LOCATION = '^(.+):(\\d+):(\\d+): ERROR: (.+)$'

// The tsx loader runs in a separate thread: only the message of an esbuild error arrives here.
function parseTransformError(error: unknown): SourceLocation | undefined {
  const { name, message } = (error ?? {}) as Partial<Error>
  const found = name === 'TransformError' ? new RegExp(ESBUILD_LOCATION, 'm').exec(message ?? '') : null
  const [, file, line, , text] = found ?? []
  return file === undefined ? undefined : { file, line: Number(line), text: `SyntaxError: ${text}` }
}

// Node prints the location of a syntax error only when it is uncaught, so a child process repeats the import. A syntax error
// occurs before any module runs: nothing runs twice.
function locateSyntaxError(error: unknown, imported: string): SourceLocation | undefined {
  if (!(error instanceof SyntaxError)) return undefined
  const script = `import(${JSON.stringify(pathToFileURL(imported).href)})`
  const { stderr } = spawnSync(process.execPath, [...process.execArgv, '--input-type=module', '-e', script], {
    encoding: 'utf8',
  })
  const [, url, line] = /^(file:\/\/.*):(\d+)$/m.exec(stderr) ?? []
  if (url === undefined || !stderr.includes(error.message)) return undefined
  return { file: fileURLToPath(url), line: Number(line), text: String(error) }
}
