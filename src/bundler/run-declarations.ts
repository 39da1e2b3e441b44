// Runs declaration modules in a thread, for as long as none of the files that it read changed.
import { statSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { Unwritten, WrittenTable } from './write-table.ts'

/** A mistake in a module, and its location. */
export interface Mistake {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly text: string
}

/** The outcome of a module. */
export type Answer = (WrittenTable | Unwritten | { readonly mistake: Mistake }) & { readonly file: string }

/** The outcome of a module, and the files that it depends on. */
export type Run = Answer & { readonly dependencies: readonly string[] }

interface Thread {
  readonly worker: Worker
  readonly ready: Promise<void>
  /** The files that the thread has read, with their versions. */
  readonly versions: Map<string, string>
}

/** The variables that programs need to run; none of them is part of a declaration. */
const VARIABLES = ['PATH', 'HOME', 'TMPDIR', 'SystemRoot', 'TEMP', 'TMP']

/** Runs declaration modules. Threads do not keep the process alive. */
export class DeclarationRunner {
  #thread: Thread | undefined
  #last: Promise<unknown> = Promise.resolve()

  /** Runs a module, after those before it. */
  run(file: string): Promise<Run> {
    const next = this.#last.then(() => this.#runNext(file))
    this.#last = next.catch(() => undefined)
    return next
  }

  /** Ends the thread; the next module starts another. */
  async close(): Promise<void> {
    const thread = this.#thread
    this.#thread = undefined
    await thread?.worker.terminate()
  }

  async #runNext(file: string): Promise<Run> {
    if (this.#thread !== undefined && isOutdated(this.#thread)) await this.close()
    const thread = this.#thread ?? startThread()
    this.#thread = thread
    // Waiting for an answer keeps the process alive, an idle thread does not.
    thread.worker.ref()
    try {
      await thread.ready
      const run = await new Promise<Run>((resolve, reject) => {
        thread.worker.once('message', resolve)
        thread.worker.once('error', reject)
        thread.worker.once('exit', () => reject(new Error(`${file} ended the process that runs declarations`)))
        thread.worker.postMessage(file)
      })
      for (const one of run.dependencies) if (!thread.versions.has(one)) thread.versions.set(one, readVersion(one))
      // A module that failed would fail again from the cache.
      if ('mistake' in run) await this.close()
      return run
    } catch (error) {
      await this.close()
      throw error
    } finally {
      thread.worker.removeAllListeners('message')
      thread.worker.removeAllListeners('exit')
      thread.worker.removeAllListeners('error')
      thread.worker.unref()
    }
  }
}

function startThread(): Thread {
  const url = import.meta.url
  const env = { NODE_ENV: 'production', ...pickVariables() }
  // The sources of edict need a loader before their own module can ask for one.
  const source = JSON.stringify(new URL('./worker.ts', url).href)
  const worker = url.endsWith('.ts')
    ? new Worker(`import('tsx/esm/api').then(({ register }) => (register(), import(${source})))`, { eval: true, env })
    : new Worker(new URL('./worker.js', url), { env, execArgv: [] })
  const ready = new Promise<void>((resolve, reject) => {
    worker.once('message', () => resolve())
    worker.once('error', reject)
  })
  return { worker, ready, versions: new Map() }
}

const pickVariables = (): NodeJS.ProcessEnv =>
  Object.fromEntries(VARIABLES.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])))

const isOutdated = ({ versions }: Thread): boolean =>
  [...versions].some(([file, version]) => readVersion(file) !== version)

function readVersion(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats === undefined ? '' : `${stats.mtimeMs} ${stats.size}`
}
