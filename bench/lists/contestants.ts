// Contestants as the benchmark sees them: processes that serve, and tell what they have spent and asked the database.
import { type ChildProcess, fork } from 'node:child_process'
import { once as ask } from '../load.js'
import type { EngineName, Recorded } from './engines.ts'

export const NAMES = ['drizzle', 'kysely', 'raw'] as const
export const PEERS = ['fastify', 'hono'] as const
export type Name = (typeof NAMES)[number] | (typeof PEERS)[number]

export const TITLES: Readonly<Record<Name, string>> = {
  drizzle: 'edict, Drizzle',
  kysely: 'edict, Kysely',
  raw: 'by hand',
  fastify: 'Fastify, Drizzle',
  hono: 'Hono, Drizzle',
}

/** An answer to a list request. */
export interface Answer {
  readonly status: number
  readonly body: string
  readonly links: Readonly<Record<string, string>>
  readonly total: string | undefined
}

/** A contestant that is running. */
export class Contestant {
  readonly name: Name
  readonly port: number
  readonly #child: ChildProcess

  constructor(name: Name, port: number, child: ChildProcess) {
    this.name = name
    this.port = port
    this.#child = child
  }

  /** CPU time since its start, in microseconds. */
  async cpu(): Promise<number> {
    const { user, system } = (await this.#ask('cpu')) as NodeJS.CpuUsage
    return user + system
  }

  /** The statements that it runs for a request. */
  async statements(path: string): Promise<readonly Recorded[]> {
    await this.#ask('record')
    const { status, body } = await this.get(path)
    if (status !== 200) throw new Error(`${this.name} answers ${path} with ${status}: ${body}`)
    return (await this.#ask('statements')) as Recorded[]
  }

  async get(path: string): Promise<Answer> {
    const { status, headers, body } = await ask(this.port, requestFor(path))
    const links: Record<string, string> = {}
    for (const [, target, relation] of headerOf(headers, 'link')?.matchAll(/<([^>]*)>; rel="([^"]*)"/g) ?? [])
      links[relation as string] = target as string
    return { status, body, links, total: headerOf(headers, 'total-count') }
  }

  #ask(question: string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#child
        .removeAllListeners('exit')
        .once('exit', (code) => reject(new Error(`${this.name} ended with ${code}`)))
      this.#child.once('message', ({ answer }: { answer: unknown }) => resolve(answer))
      this.#child.send(question)
    })
  }

  /** Lets it end by itself, so that a profile is written. */
  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#child.removeAllListeners('exit').once('exit', () => resolve())
      this.#child.disconnect()
    })
  }
}

const headerOf = (headers: string, name: string): string | undefined =>
  new RegExp(`\\r\\n${name}: ([^\\r]*)`, 'i').exec(headers)?.[1]

/** The bytes of a request for a path. */
export const requestFor = (path: string): Buffer =>
  Buffer.from(`GET ${path} HTTP/1.1\r\nHost: bench\r\nAccept: application/json\r\n\r\n`)

/** Starts a contestant; with a folder, it writes a CPU profile there when it ends. */
export function start(name: Name, engine: EngineName, url: string, profiles?: string): Promise<Contestant> {
  return new Promise((resolve, reject) => {
    const execArgv =
      profiles === undefined
        ? []
        : ['--cpu-prof', `--cpu-prof-dir=${profiles}`, `--cpu-prof-name=${engine}-${name}.cpuprofile`]
    const child = fork(new URL(`./contestants/${name}.js`, import.meta.url), [engine, url], {
      env: { ...process.env, NODE_ENV: 'production', NODE_OPTIONS: '' },
      execArgv,
      // Bound values can be more than JSON has.
      serialization: 'advanced',
    })
    child.once('message', ({ port }: { port: number }) => resolve(new Contestant(name, port, child)))
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)))
  })
}
