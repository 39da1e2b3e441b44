// A server in a process of its own: started, asked what a case cost it, stopped.
import { type ChildProcess, fork } from 'node:child_process'
import type { AppName } from './case.ts'
import type { Cost, FromServer, ToServer } from './gauge.ts'
import { get } from './requests.ts'
import { play } from './wire.ts'

/** The servers of the corpus: a name and the file that serves. */
export interface Entrant {
  readonly name: string
  readonly file: URL
  /** Whether what it writes to its log is of no interest here. */
  readonly talkative?: boolean
  /** Whether it speaks TLS. */
  readonly tls?: boolean
}

/** edict itself, which serves all applications. */
export const edict: Entrant = { name: 'edict', file: new URL('./edict.ts', import.meta.url) }

/** edict over TLS, for clients of HTTP/1.1 and of HTTP/2. */
export const secureEdict: Entrant = { ...edict, name: 'edict over TLS', tls: true }

// Only their names are written, because their packages are none of this repository's.
const peer = (name: string): Entrant => ({
  name,
  file: new URL(`./peers/${name.toLowerCase()}.js`, import.meta.url),
  talkative: true,
})

/** The others, which serve the surface only; they have packages of their own. */
export const peers: readonly Entrant[] = ['Fastify', 'Hono'].map(peer)

const PROBES: Readonly<Record<AppName, string>> = {
  surface: '/health',
  blog: '/api/health/live',
  documented: '/health',
  guarded: '/health',
}

/** A server that runs. */
export class Contestant {
  readonly name: string
  readonly tls: boolean
  readonly #process: ChildProcess
  readonly #ports: Readonly<Record<string, number>>

  private constructor({ name, tls = false }: Entrant, process: ChildProcess, ports: Readonly<Record<string, number>>) {
    this.name = name
    this.tls = tls
    this.#process = process
    this.#ports = ports
  }

  /** Starts a server; resolves when it listens. */
  static async start(entrant: Entrant): Promise<Contestant> {
    const { file, talkative = false, tls = false } = entrant
    const child = fork(file, {
      execArgv: ['--import', 'tsx', '--expose-gc'],
      env: { ...process.env, NODE_ENV: 'production', ...(tls && { HOSTILE_TLS: '1' }) },
      stdio: ['ignore', 'ignore', talkative ? 'ignore' : 'inherit', 'ipc'],
    })
    const { ports } = (await answerOf(child)) as { ports: Readonly<Record<string, number>> }
    return new Contestant(entrant, child, ports)
  }

  /** Whether the process is still there. */
  get alive(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null
  }

  /** The port of an application. */
  port(app: AppName): number {
    const port = this.#ports[app]
    if (port === undefined) throw new Error(`${this.name} does not serve ${app}`)
    return port
  }

  /** From here on the process counts what it uses; `thorough` clears away first what others left. */
  async mark(thorough: boolean): Promise<void> {
    await this.#question(thorough ? 'mark thoroughly' : 'mark')
  }

  /** The resources that the process has used since it was marked. */
  async measure(): Promise<Cost> {
    return ((await this.#question('measure')) as { cost: Cost }).cost
  }

  /** Megabytes that are still in use when all garbage is gone. */
  async heap(): Promise<number> {
    return ((await this.#question('heap')) as { heap: number }).heap
  }

  /** Whether a harmless request on a new connection is served. */
  async serves(app: AppName): Promise<boolean> {
    const steps = [get(PROBES[app], { Connection: 'close' })]
    const { tls } = this
    const seen = await play({ port: this.port(app), tls, steps, expected: 1, head: false, linger: 0, patience: 2000 })
    return seen.answers[0]?.status === 200
  }

  /** Ends the process. */
  async stop(): Promise<void> {
    if (!this.alive) return
    const gone = new Promise((resolve) => this.#process.once('exit', resolve))
    this.#process.kill('SIGKILL')
    await gone
  }

  #question(question: ToServer): Promise<FromServer> {
    const answer = answerOf(this.#process)
    this.#process.send(question, () => {})
    return answer
  }
}

/** The next message of a process; fails when it ends instead. */
function answerOf(child: ChildProcess): Promise<FromServer> {
  return new Promise((resolve, reject) => {
    if (child.exitCode !== null || child.signalCode !== null) return reject(new Error('The server has ended'))
    const done = (): void => {
      child.off('message', take).off('exit', fail)
    }
    const take = (message: unknown): void => {
      done()
      resolve(message as FromServer)
    }
    const fail = (code: number | null, signal: string | null): void => {
      done()
      reject(new Error(`The server ended with ${signal ?? code}`))
    }
    child.on('message', take).on('exit', fail)
  })
}
