// Runs a server as a child process, and starts it again when one of the files that it imported has changed. A change is a
// file whose content is not the one that the server began with: watching only tells when to compare, so that a change
// that comes before the watch is found, too.
import { type ChildProcess, spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { Folders } from '../folders.ts'
import { digestOf, type ReportedFile, reportedFiles, reportingModule } from './reports.ts'

/** An event of the server, for the code that prints it. */
export type ServerEvent =
  | { readonly kind: 'changed'; readonly file: string }
  | { readonly kind: 'ended'; readonly code: number | null; readonly signal: NodeJS.Signals | null }

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
// Editors write a file in several steps, and formatters write several files.
const SETTLE = 100
// Longer than a server takes to drain.
const PATIENCE = 15_000
// A digest that no file has.
const UNCERTAIN = 'uncertain'

/** Runs a file with options of Node until a signal ends it. */
export class Supervisor {
  readonly #file: string
  readonly #options: readonly string[]
  readonly #tell: (event: ServerEvent) => void
  /** The files, with what they contained when the server began or imported them. */
  readonly #files = new Map<string, string>()
  /** When files were written last, as of the end of the server; none while it runs. */
  readonly #written = new Map<string, number>()
  readonly #suspects = new Set<string>()
  readonly #folders = new Folders((path) => this.#suspect(path))
  #child: ChildProcess | undefined
  #timer: NodeJS.Timeout | undefined
  #restarting = false
  #ending = false
  #end: (() => void) | undefined

  constructor(file: string, options: readonly string[], tell: (event: ServerEvent) => void) {
    this.#file = file
    this.#options = [...options, '--import', reportingModule]
    this.#tell = tell
  }

  /** Starts the server; resolves when a signal has ended it. */
  async run(): Promise<void> {
    const forward = (signal: NodeJS.Signals): void => {
      this.#ending = true
      if (this.#child === undefined) this.#end?.()
      else this.#child.kill(signal)
    }
    for (const signal of SIGNALS) process.on(signal, forward)
    this.#folders.watch(this.#file)
    this.#files.set(this.#file, '')
    await new Promise<void>((end) => {
      this.#end = end
      this.#start()
    })
    clearTimeout(this.#timer)
    this.#folders.close()
    for (const signal of SIGNALS) process.off(signal, forward)
  }

  #start(): void {
    this.#restarting = false
    this.#written.clear()
    // Before the server exists: whatever it reads later is this, or a change.
    for (const file of this.#files.keys()) this.#files.set(file, digestOf(file))
    const child = spawn(process.execPath, [...this.#options, this.#file], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      // Makes Node report what is imported, as it does for its own --watch.
      env: { ...process.env, WATCH_REPORT_DEPENDENCIES: '1' },
      // In a group of its own, so that Ctrl+C reaches the server once, through us: a second signal would cut connections.
      detached: process.platform !== 'win32',
    })
    this.#child = child
    child.on('message', (message) => {
      // The last words of the server before this one.
      if (this.#child !== undefined && this.#child !== child) return
      for (const reported of reportedFiles(message)) this.#note(reported)
    })
    child.on('exit', (code, signal) => {
      this.#child = undefined
      if (this.#ending) return this.#end?.()
      if (this.#restarting) return this.#start()
      for (const file of this.#files.keys()) this.#written.set(file, writtenAt(file))
      this.#tell({ kind: 'ended', code, signal })
    })
  }

  #note({ file, digest = UNCERTAIN }: ReportedFile): void {
    // A file known before the server was started keeps its first digest, so that later changes are found.
    if (this.#files.has(file)) return
    this.#files.set(file, digest)
    if (this.#child === undefined) this.#written.set(file, writtenAt(file))
    this.#folders.watch(file)
    if (digestOf(file) !== digest) this.#suspect(file)
  }

  #suspect(path: string): void {
    for (const file of this.#files.keys()) {
      if (file === path || (file.startsWith(path) && /[\\/]/.test(file.charAt(path.length)))) this.#suspects.add(file)
    }
    if (this.#suspects.size > 0) this.#timer ??= setTimeout(() => this.#compare(), SETTLE)
  }

  #compare(): void {
    this.#timer = undefined
    const suspects = [...this.#suspects]
    this.#suspects.clear()
    // A server that is being started again will read what is there by then.
    if (this.#restarting || this.#ending) return
    const file = suspects.find((one) => this.#isChanged(one))
    if (file === undefined) return
    this.#tell({ kind: 'changed', file })
    this.#restarting = true
    if (this.#child === undefined) this.#start()
    else stop(this.#child)
  }

  #isChanged(file: string): boolean {
    if (digestOf(file) !== this.#files.get(file)) return true
    // After the end of a server, saving a file as it is means: try again.
    return this.#child === undefined && writtenAt(file) !== this.#written.get(file)
  }
}

const writtenAt = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0

function stop(child: ChildProcess): void {
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE)
  child.on('exit', () => clearTimeout(timer))
}
