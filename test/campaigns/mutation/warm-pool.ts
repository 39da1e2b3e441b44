// A pool of Vitest that keeps its process from run to run: of a second for every mutant, most was spent on starting it.
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { PoolOptions, PoolRunnerInitializer, PoolWorker } from 'vitest/node'

const ENTRY = fileURLToPath(new URL('./warm-worker.js', import.meta.url))

/** After how many runs a process is replaced, so that nothing that tests leave behind piles up. */
const MOST_RUNS = 200

interface Kept {
  readonly child: ChildProcess
  runs: number
}

/** The pool; Vitest asks it for a worker for every run. */
export function warmPool(): PoolRunnerInitializer & { close(): void } {
  let idle: Kept | undefined
  const take = ({ env, execArgv }: PoolOptions): Kept => {
    const kept = idle
    idle = undefined
    if (kept?.child.connected) return kept
    const child = fork(ENTRY, [], {
      env: { ...env, NODE_OPTIONS: '' } as NodeJS.ProcessEnv,
      execArgv,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    })
    return { child, runs: 0 }
  }
  const give = (kept: Kept): void => {
    kept.runs += 1
    if (kept.runs < MOST_RUNS && idle === undefined && kept.child.connected) idle = kept
    else kept.child.kill('SIGKILL')
  }
  return {
    name: 'warm',
    createPoolWorker: (options) => new WarmWorker(() => take(options), give),
    close: () => idle?.child.kill('SIGKILL'),
  }
}

type Listener = (argument: any) => void

class WarmWorker implements PoolWorker {
  readonly name = 'warm'
  readonly #listeners: [event: string, listener: Listener][] = []
  readonly #take: () => Kept
  readonly #give: (kept: Kept) => void
  #kept: Kept | undefined

  constructor(take: () => Kept, give: (kept: Kept) => void) {
    this.#take = take
    this.#give = give
  }

  async start(): Promise<void> {
    this.#kept ??= this.#take()
  }

  on(event: string, listener: Listener): void {
    this.#listeners.push([event, listener])
    this.#kept?.child.on(event, listener)
  }

  off(event: string, listener: Listener): void {
    this.#kept?.child.off(event, listener)
  }

  send(message: { readonly type: string }): void {
    if (message.type !== 'stop') this.#kept?.child.send(message)
    // The process goes on: only Vitest is told that it has stopped.
    else
      for (const [event, listener] of [...this.#listeners])
        if (event === 'message') listener({ type: 'stopped', __vitest_worker_response__: true })
  }

  async stop(): Promise<void> {
    if (this.#kept === undefined) return
    for (const [event, listener] of this.#listeners) this.#kept.child.off(event, listener)
    this.#give(this.#kept)
    this.#kept = undefined
  }

  deserialize(data: unknown): unknown {
    return data
  }
}
