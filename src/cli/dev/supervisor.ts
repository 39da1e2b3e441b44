// Runs a server as a child process, and restarts it when a file that it imported has changed. A file has changed when its
// digest differs from the one at the server's start. The watcher only triggers comparisons, so changes before the watch
// began are found, too.
import { type ChildProcess, spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { FolderWatcher } from '../folder-watcher.ts'
import { hashFile, type ReportedFile, readReportedFiles, reportingModule } from './reports.ts'

/** An event of the server, to be printed. */
export type ServerEvent =
  | { readonly kind: 'changed'; readonly file: string }
  | { readonly kind: 'ended'; readonly code: number | null; readonly signal: NodeJS.Signals | null }

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
// Editors write a file in several steps, and formatters write several files.
const SETTLE_DELAY = 100
// Longer than a server takes to drain.
const KILL_DELAY = 15_000
// A digest that matches no file.
const UNCERTAIN_DIGEST = 'uncertain'

/** Runs a file with options for Node until a signal ends it. */
export class Supervisor {
  readonly #file: string
  readonly #options: readonly string[]
  readonly #onEvent: (event: ServerEvent) => void
  /** The digests of files when the server started or imported them. */
  readonly #digests = new Map<string, string>()
  /** The modification times of files when the server ended; empty while it runs. */
  readonly #modifiedTimes = new Map<string, number>()
  readonly #suspects = new Set<string>()
  readonly #watcher = new FolderWatcher((path) => this.#markSuspects(path))
  #child: ChildProcess | undefined
  #timer: NodeJS.Timeout | undefined
  #restarting = false
  #ending = false
  #finish: (() => void) | undefined

  constructor(file: string, options: readonly string[], onEvent: (event: ServerEvent) => void) {
    this.#file = file
    this.#options = [...options, '--import', reportingModule]
    this.#onEvent = onEvent
  }

  /** Starts the server; resolves when a signal has ended it. */
  async run(): Promise<void> {
    const forward = (signal: NodeJS.Signals): void => {
      this.#ending = true
      if (this.#child === undefined) this.#finish?.()
      else this.#child.kill(signal)
    }
    for (const signal of SIGNALS) process.on(signal, forward)
    this.#watcher.watch(this.#file)
    this.#digests.set(this.#file, '')
    await new Promise<void>((end) => {
      this.#finish = end
      this.#start()
    })
    clearTimeout(this.#timer)
    this.#watcher.close()
    for (const signal of SIGNALS) process.off(signal, forward)
  }

  #start(): void {
    this.#restarting = false
    this.#modifiedTimes.clear()
    // Compute digests before the server starts: any later difference is a change.
    for (const file of this.#digests.keys()) this.#digests.set(file, hashFile(file))
    const child = spawn(process.execPath, [...this.#options, this.#file], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      // Makes Node report imports, as for its own --watch.
      env: { ...process.env, WATCH_REPORT_DEPENDENCIES: '1' },
      // A separate process group: Ctrl+C reaches the server once, forwarded by the supervisor; a second signal would cut
      // connections.
      detached: process.platform !== 'win32',
    })
    this.#child = child
    child.on('message', (message) => {
      // A late message of the previous server.
      if (this.#child !== undefined && this.#child !== child) return
      for (const reported of readReportedFiles(message)) this.#addFile(reported)
    })
    child.on('exit', (code, signal) => {
      this.#child = undefined
      if (this.#ending) return this.#finish?.()
      if (this.#restarting) return this.#start()
      for (const file of this.#digests.keys()) this.#modifiedTimes.set(file, getModifiedTime(file))
      this.#onEvent({ kind: 'ended', code, signal })
    })
  }

  #addFile({ file, digest = UNCERTAIN_DIGEST }: ReportedFile): void {
    // A file known before the start keeps its first digest, so that later changes are found.
    if (this.#digests.has(file)) return
    this.#digests.set(file, digest)
    if (this.#child === undefined) this.#modifiedTimes.set(file, getModifiedTime(file))
    this.#watcher.watch(file)
    if (hashFile(file) !== digest) this.#markSuspects(file)
  }

  #markSuspects(path: string): void {
    for (const file of this.#digests.keys()) {
      if (file === path || (file.startsWith(path) && /[\\/]/.test(file.charAt(path.length)))) this.#suspects.add(file)
    }
    if (this.#suspects.size > 0) this.#timer ??= setTimeout(() => this.#compareSuspects(), SETTLE_DELAY)
  }

  #compareSuspects(): void {
    this.#timer = undefined
    const suspects = [...this.#suspects]
    this.#suspects.clear()
    // A server that is restarting reads the current contents anyway.
    if (this.#restarting || this.#ending) return
    const file = suspects.find((one) => this.#isChanged(one))
    if (file === undefined) return
    this.#onEvent({ kind: 'changed', file })
    this.#restarting = true
    if (this.#child === undefined) this.#start()
    else stopChild(this.#child)
  }

  #isChanged(file: string): boolean {
    if (hashFile(file) !== this.#digests.get(file)) return true
    // After the server has ended, saving a file unchanged restarts it.
    return this.#child === undefined && getModifiedTime(file) !== this.#modifiedTimes.get(file)
  }
}

const getModifiedTime = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0

function stopChild(child: ChildProcess): void {
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), KILL_DELAY)
  child.on('exit', () => clearTimeout(timer))
}
