// A PostgreSQL server that tests stop, start, freeze and crash, with its rows kept.
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { binariesFolder, readable, unprivileged } from '../../support/engines/postgres-server.ts'
import { run, type Served, serve, type User } from '../../support/engines/serve.ts'
import { childrenOf } from './subject.ts'

const folderOf = (as: User | undefined): string => {
  const folder = mkdtempSync(join(tmpdir(), 'edict-faults-'))
  if (as !== undefined) chownSync(folder, as.uid, as.gid)
  return folder
}

/** A database server under the hands of a test. */
export class Postgres {
  readonly #folder: string
  readonly #binaries: string
  readonly #as: User | undefined
  #port: number | undefined
  #served: Served | undefined

  private constructor(folder: string, binaries: string, as: User | undefined) {
    this.#folder = folder
    this.#binaries = binaries
    this.#as = as
  }

  /** Makes an empty cluster and starts it. */
  static async create(): Promise<Postgres> {
    const as = unprivileged()
    const folder = folderOf(as)
    const binaries = await readable(binariesFolder(), folder, as)
    const password = join(folder, 'password')
    writeFileSync(password, 'faults', { mode: 0o600 })
    if (as !== undefined) chownSync(password, as.uid, as.gid)
    const settings = ['--username=postgres', `--pwfile=${password}`, '--auth=scram-sha-256', '--no-sync', '--locale=C']
    await run(join(binaries, 'initdb'), [`--pgdata=${join(folder, 'data')}`, ...settings, '--encoding=UTF8'], as)
    const server = new Postgres(folder, binaries, as)
    await server.start()
    return server
  }

  get url(): string {
    return `postgres://postgres:faults@127.0.0.1:${this.#port}/postgres`
  }

  /** Starts it, on the port that it had before. */
  async start(): Promise<void> {
    const settings = [
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      'max_connections=60',
      'shared_buffers=32MB',
    ]
    this.#served = await serve({
      command: join(this.#binaries, 'postgres'),
      args: (free) => {
        this.#port ??= free
        const where = ['-D', join(this.#folder, 'data'), '-p', String(this.#port)]
        return [...where, ...settings.flatMap((setting) => ['-c', setting])]
      },
      // Removed when the server ends; the rows are elsewhere.
      folder: folderOf(this.#as),
      signal: 'QUIT',
      as: this.#as,
      url: () => this.url,
      connect: async () => {
        await this.run()
      },
    })
  }

  /** Stops it at once. */
  async stop(): Promise<void> {
    await this.#served?.stop()
  }

  /** Stops it for good. */
  async close(): Promise<void> {
    this.#signal('SIGCONT')
    await this.stop()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** Suspends it: connections stay open without answers. */
  freeze(): void {
    this.#signal('SIGSTOP')
  }

  /** Lets it go on. */
  thaw(): void {
    this.#signal('SIGCONT')
  }

  /** Kills one of its processes, upon which it ends all connections and recovers by itself. */
  async crash(): Promise<void> {
    const client = await this.client()
    client.on('error', () => {})
    const { rows } = await client.query('select pg_backend_pid() as pid')
    const gone = new Promise<void>((resolve) => client.on('end', () => resolve()))
    process.kill((rows[0] as { pid: number }).pid, 'SIGKILL')
    await gone
  }

  /** A connection of one's own. */
  async client(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.url })
    await client.connect()
    return client
  }

  /** The connections of others, each by the moment at which it was made. */
  async connections(): Promise<readonly string[]> {
    const others = "backend_type = 'client backend' and pid <> pg_backend_pid()"
    const rows = await this.run(`select pid || ' ' || backend_start as made from pg_stat_activity where ${others}`)
    return rows.map(({ made }) => String(made))
  }

  /** Runs statements and gives the rows of the last one. */
  async run(...statements: readonly string[]): Promise<readonly Record<string, unknown>[]> {
    const client = await this.client()
    try {
      let rows: readonly Record<string, unknown>[] = []
      for (const statement of statements) rows = (await client.query(statement)).rows
      return rows
    } finally {
      await client.end()
    }
  }

  #signal(signal: NodeJS.Signals): void {
    try {
      const pid = Number(readFileSync(join(this.#folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0])
      for (const one of [pid, ...childrenOf(pid)]) process.kill(one, signal)
    } catch {
      // It does not run.
    }
  }
}
