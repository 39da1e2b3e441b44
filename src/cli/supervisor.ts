// Runs a server as a child process, and starts it again when one of the files that it imported has changed.
import { type ChildProcess, spawn } from 'node:child_process'
import { type FSWatcher, watch } from 'node:fs'
import { basename, dirname, isAbsolute, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What happens to the server, for whoever tells it to people. */
export type ServerEvent =
  | { readonly kind: 'changed'; readonly file: string }
  | { readonly kind: 'ended'; readonly code: number | null; readonly signal: NodeJS.Signals | null }

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
// Editors write a file in several steps, and formatters write several files.
const SETTLE = 100
// Longer than a server takes to drain.
const PATIENCE = 15_000
// A server whose supervisor was killed would hold the port; its own workers have other parents.
const orphanScript = `if (process.channel && !process.env.NODE_UNIQUE_ID) {
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel.unref()
}`

/** Runs a file with options of Node until a signal ends it. */
export class Supervisor {
  readonly #file: string
  readonly #options: readonly string[]
  readonly #tell: (event: ServerEvent) => void
  readonly #files = new Set<string>()
  readonly #folders = new Map<string, FSWatcher>()
  #child: ChildProcess | undefined
  #timer: NodeJS.Timeout | undefined
  #restarting = false
  #ending = false
  #end: (() => void) | undefined

  constructor(file: string, options: readonly string[], tell: (event: ServerEvent) => void) {
    this.#file = file
    this.#options = [...options, '--import', `data:text/javascript,${encodeURIComponent(orphanScript)}`]
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
    this.#watch(this.#file)
    await new Promise<void>((end) => {
      this.#end = end
      this.#start()
    })
    clearTimeout(this.#timer)
    for (const watcher of this.#folders.values()) watcher.close()
    for (const signal of SIGNALS) process.off(signal, forward)
  }

  #start(): void {
    this.#restarting = false
    const child = spawn(process.execPath, [...this.#options, this.#file], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      // Makes Node report what is imported, as it does for its own --watch.
      env: { ...process.env, WATCH_REPORT_DEPENDENCIES: '1' },
      // In a group of its own, so that Ctrl+C reaches the server once, through us: a second signal would cut connections.
      detached: process.platform !== 'win32',
    })
    this.#child = child
    child.on('message', (message) => this.#note(message))
    child.on('exit', (code, signal) => {
      this.#child = undefined
      if (this.#ending) return this.#end?.()
      if (this.#restarting) return this.#start()
      this.#tell({ kind: 'ended', code, signal })
    })
  }

  #note(message: unknown): void {
    const { 'watch:import': urls = [], 'watch:require': files = [] } = (message ?? {}) as Record<string, unknown[]>
    // Modules of Node itself are reported too, some of them as null.
    for (const url of urls.map(String)) if (url.startsWith('file:')) this.#watch(fileURLToPath(url))
    for (const file of files.map(String)) if (isAbsolute(file)) this.#watch(file)
  }

  // Folders are watched rather than files: an editor that replaces a file ends the watch of the old one.
  #watch(file: string): void {
    if (/[\\/]node_modules[\\/]/.test(file)) return
    this.#files.add(file)
    const folder = dirname(file)
    if (this.#folders.has(folder)) return
    const watcher = watch(folder, (_, name) => this.#changed(resolve(folder, basename(name ?? ''))))
    // A folder that was removed is no reason to end.
    watcher.on('error', () => this.#folders.delete(folder))
    this.#folders.set(folder, watcher)
  }

  #changed(file: string): void {
    if (!this.#files.has(file) || this.#timer !== undefined) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      if (this.#restarting) return
      this.#tell({ kind: 'changed', file })
      this.#restarting = true
      if (this.#child === undefined) this.#start()
      else stop(this.#child)
    }, SETTLE)
  }
}

function stop(child: ChildProcess): void {
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE)
  child.on('exit', () => clearTimeout(timer))
}
