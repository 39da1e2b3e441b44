// Syntax errors of the files that a command imports, with their places.
import { spawnSync } from 'node:child_process'
import { relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { CommandError } from './command-error.ts'

interface SourceLocation {
  readonly file: string
  readonly line: number
  readonly text: string
}

/** A message with the place of a syntax error that an import failed with; undefined for every other error. */
export function explainSyntaxError(error: unknown, imported: string, cwd: string): CommandError | undefined {
  const found = parseTransformError(error) ?? locateSyntaxError(error, imported)
  if (found === undefined) return undefined
  const { file, line, text } = found
  return new CommandError(`${relative(cwd, file)}:${line}: ${text}`, 'correct the syntax of this file')
}

/** The line of esbuild's message that has the file, the line, the column and the mistake. */
export const ESBUILD_LOCATION = '^(.+):(\\d+):(\\d+): ERROR: (.+)$'

// The loader of tsx runs in a thread of its own: of esbuild's errors, only the message arrives.
function parseTransformError(error: unknown): SourceLocation | undefined {
  const { name, message } = (error ?? {}) as Partial<Error>
  const found = name === 'TransformError' ? new RegExp(ESBUILD_LOCATION, 'm').exec(message ?? '') : null
  const [, file, line, , text] = found ?? []
  return file === undefined ? undefined : { file, line: Number(line), text: `SyntaxError: ${text}` }
}

// Node shows the place of a syntax error that nobody catches, and has no other way to tell. No module has run yet, so that
// importing the file again runs nothing twice.
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
