// Reports from servers under `edict dev`: the files they import, each with a digest of its contents at that moment.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ESBUILD_LOCATION } from '../syntax-error.ts'

/** A file that a server imports, or tries to import. */
export interface ReportedFile {
  readonly file: string
  /** The digest of the contents; undefined when it is uncertain. */
  readonly digest?: string
}

/** Returns the digest of a file's contents; unreadable files share one. */
export function hashFile(file: string): string {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex')
  } catch {
    return 'absent'
  }
}

/** Parses a message of a server; returns an empty list for messages that are not reports. */
export function readReportedFiles(message: unknown): readonly ReportedFile[] {
  const { 'edict:files': files } = (message ?? {}) as { 'edict:files'?: readonly ReportedFile[] }
  return files ?? []
}

// Node reports imports to a parent process, as for its own --watch: before it reads a file or, in Node 22, right after. In
// Node 22 the digest of a file that changed a moment ago may therefore not match what was imported.
// A loader in another thread, such as tsx, does not report modules that it did not find: the error message names them. For a
// syntax error it reports the location, which is printed alone, because the stack is only the loader's.
// A server whose supervisor was killed would hold its port, so it ends on disconnect; its own workers have another parent.
const REPORTING_SCRIPT = `
import { createHash } from 'node:crypto'
import { readFileSync, statSync, writeSync } from 'node:fs'
import { isAbsolute, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
const esbuildPlace = new RegExp(${JSON.stringify(ESBUILD_LOCATION)}, 'gm')
const isFresh = (file) => Date.now() - (statSync(file, { throwIfNoEntry: false })?.ctimeMs ?? 0) < 50
const digestOf = (file) => {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex')
  } catch {
    return 'absent'
  }
}
if (process.channel && !process.env.NODE_UNIQUE_ID) {
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel.unref()
  const send = process.send.bind(process)
  const report = (files) => {
    const own = files.filter((file) => isAbsolute(file) && !/[\\\\/]node_modules[\\\\/]/.test(file))
    const told = own.map((file) => (isFresh(file) ? { file } : { file, digest: digestOf(file) }))
    if (told.length > 0 && process.connected) send({ 'edict:files': told })
  }
  process.send = (message, ...rest) => {
    const { 'watch:import': urls, 'watch:require': paths } = message ?? {}
    if (urls === undefined && paths === undefined) return send(message, ...rest)
    const imported = (urls ?? []).map(String).filter((url) => url.startsWith('file:'))
    report([...imported.map((url) => fileURLToPath(url)), ...(paths ?? []).map(String)])
    return true
  }
  process.on('uncaughtExceptionMonitor', (error) => {
    const mistakes = error?.name === 'TransformError' ? error.message.matchAll(esbuildPlace) : []
    const lines = Array.from(mistakes, ([, file, line, column, text]) =>
      [relative('', file), line, column, ' SyntaxError', ' ' + text].join(':'))
    if (lines.length > 0) {
      writeSync(2, lines.join('\\n') + '\\n')
      process.exit(1)
    }
    const [, path] = /^Cannot find module '(.+)' imported from /.exec(error?.message) ?? []
    if (error?.code !== 'ERR_MODULE_NOT_FOUND' || path === undefined) return
    const wanted = path.startsWith('file:') ? fileURLToPath(path) : path
    const endings = ['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs', 'json'].map((ending) => '.' + ending)
    const stems = [wanted, wanted.replace(/\\.[cm]?[jt]sx?$/, ''), wanted + '/index']
    report([wanted, ...stems.flatMap((stem) => endings.map((ending) => stem + ending))])
  })
}`

/** The URL of the module that a server must import first. */
export const reportingModule: string = `data:text/javascript,${encodeURIComponent(REPORTING_SCRIPT)}`
