// PostgreSQL on two nodes: a primary one with a streaming replica, and PgBouncer in transaction mode in front of the one that
// takes writes. It has the actions of an operator or a failover manager: promote, lead clients elsewhere, join again.
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Need, program, programNeed } from '../../../scripts/machine.ts'
import { binariesFolder, readable, unprivileged } from '../engines/postgres-server.ts'
import { freePort, run, type Served, serve, type User } from '../engines/serve.ts'

/** The programs that the cluster needs. */
export const postgresClusterNeed: Need = programNeed('pgbouncer', 'pgbouncer')

/** One server of the cluster. */
interface Node {
  readonly served: Served
  readonly url: string
  readonly port: number
  readonly folder: string
}

const SETTINGS = [
  'fsync=off',
  'full_page_writes=off',
  'shared_buffers=16MB',
  'wal_level=replica',
  'wal_keep_size=256MB',
  'hot_standby_feedback=on',
  'wal_receiver_status_interval=1',
  'wal_retrieve_retry_interval=100ms',
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'autovacuum=off',
]

/** A primary node, its replica, and the proxy before the primary one. */
export class PostgresCluster {
  readonly #binaries: string
  readonly #as: User | undefined
  readonly #home: string
  readonly #password: string
  #nodes: Node[] = []
  #bouncer: Served | undefined
  #bouncerFolder = ''
  /** The node that takes writes. */
  primary = 0

  private constructor(binaries: string, as: User | undefined, home: string, password: string) {
    this.#binaries = binaries
    this.#as = as
    this.#home = home
    this.#password = password
  }

  static async start(): Promise<PostgresCluster> {
    const as = unprivileged()
    const home = mkdtempSync(join(tmpdir(), 'edict-cluster-'))
    const password = crypto.randomUUID()
    const passwordFile = join(home, 'password')
    writeFileSync(passwordFile, password, { mode: 0o600 })
    if (as !== undefined) for (const path of [home, passwordFile]) chownSync(path, as.uid, as.gid)
    const binaries = await readable(binariesFolder(), home, as)
    const cluster = new PostgresCluster(binaries, as, home, password)
    const initial = ['--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--no-sync']
    const template = join(home, 'template')
    await run(join(binaries, 'initdb'), [`--pgdata=${template}`, ...initial, '--locale=C', '--encoding=UTF8'], as)
    const ports = [await freePort(), await freePort()] as const
    // Both begin with the same files, so that the second can follow the first from there.
    cluster.#nodes.push(await cluster.#serve(ports[0], (data) => copy(template, data)))
    const replica = async (data: string): Promise<void> => {
      await copy(template, data)
      cluster.#follow(data, ports[0])
    }
    cluster.#nodes.push(await cluster.#serve(ports[1], replica))
    await cluster.#startBouncer()
    await cluster.synchronous(true)
    return cluster
  }

  /** Where the nodes are reached without the proxy. */
  get urls(): readonly string[] {
    return this.#nodes.map(({ url }) => url)
  }

  /** Where the node that takes writes is reached, whichever it is. */
  get proxied(): string {
    return urlOf(this.#bouncer as Served)
  }

  async #serve(port: number, fill: (data: string) => Promise<void>): Promise<Node> {
    const folder = mkdtempSync(join(this.#home, 'node-'))
    const data = join(folder, 'data')
    await fill(data)
    await this.#own(folder)
    const served = await serve({
      command: join(this.#binaries, 'postgres'),
      args: (own) => ['-D', data, '-p', String(own), ...SETTINGS.flatMap((setting) => ['-c', setting])],
      folder,
      signal: 'QUIT',
      as: this.#as,
      port,
      url: (own) => `postgres://postgres:${this.#password}@127.0.0.1:${own}/postgres`,
      connect: (url) => ask(url, 'select 1').then(() => undefined),
    })
    return { served, url: urlOf(served), port, folder }
  }

  async #own(folder: string): Promise<void> {
    if (this.#as !== undefined) await run('chown', ['-R', `${this.#as.uid}:${this.#as.gid}`, folder])
  }

  /** Makes a folder that of a replica of the node at a port. */
  #follow(data: string, port: number): void {
    const from = `host=127.0.0.1 port=${port} user=postgres password=${this.#password} application_name=replica`
    writeFileSync(join(data, 'standby.signal'), '')
    writeFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${from}'\n`)
  }

  async #startBouncer(): Promise<void> {
    this.#bouncerFolder = mkdtempSync(join(this.#home, 'bouncer-'))
    const ini = join(this.#bouncerFolder, 'pgbouncer.ini')
    const port = await freePort()
    writeFileSync(ini, this.#bouncerIni(port))
    await this.#own(this.#bouncerFolder)
    this.#bouncer = await serve({
      command: program('pgbouncer') as string,
      args: () => [ini],
      folder: this.#bouncerFolder,
      signal: 'KILL',
      as: this.#as,
      port,
      url: (own) => `postgres://postgres@127.0.0.1:${own}/postgres`,
      connect: (url) => ask(url, 'select 1').then(() => undefined),
    })
  }

  #bouncerIni(port: number): string {
    const node = this.#nodes[this.primary] as Node
    const target = `host=127.0.0.1 port=${node.port} user=postgres password=${this.#password}`
    return [
      '[databases]',
      `postgres = ${target}`,
      '[pgbouncer]',
      ...['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'auth_type = any', 'pool_mode = transaction'],
      ...['max_client_conn = 100', 'default_pool_size = 8', 'server_login_retry = 0.2', 'query_wait_timeout = 3'],
      ...['server_connect_timeout = 2', 'unix_socket_dir =', 'admin_users = admin', 'server_check_delay = 0'],
      'ignore_startup_parameters = extra_float_digits',
      '',
    ].join('\n')
  }

  /** Whether the primary node waits for its replica before it acknowledges a commit. */
  async synchronous(on: boolean): Promise<void> {
    const { url } = this.#nodes[this.primary] as Node
    await ask(url, `alter system set synchronous_standby_names = '${on ? 'replica' : ''}'`)
    await ask(url, 'select pg_reload_conf()')
    if (on) await until(url, "select count(*) > 0 from pg_stat_replication where sync_state = 'sync'")
    else await until(url, "select current_setting('synchronous_standby_names') = ''")
  }

  async kill(node: number): Promise<void> {
    await this.#nodes[node]?.served.kill?.()
  }

  async start(node: number): Promise<void> {
    await this.#nodes[node]?.served.start?.()
  }

  /** Makes the replica the primary node and leads the proxy to it; the other one must be dead. */
  async failOver(): Promise<void> {
    this.primary = 1 - this.primary
    const { url } = this.#nodes[this.primary] as Node
    await ask(url, 'select pg_promote(true, 60)')
    await until(url, 'select not pg_is_in_recovery()')
    await ask(url, "alter system set synchronous_standby_names = ''")
    await ask(url, 'select pg_reload_conf()')
    const port = Number(new URL(this.proxied).port)
    writeFileSync(join(this.#bouncerFolder, 'pgbouncer.ini'), this.#bouncerIni(port))
    await ask(this.proxied.replace('//postgres@', '//admin@').replace(/postgres$/, 'pgbouncer'), 'RELOAD')
  }

  /** Makes the dead node a replica of the primary one, with a copy of its files. */
  async rejoin(): Promise<void> {
    const dead = this.#nodes[1 - this.primary] as Node
    const source = this.#nodes[this.primary] as Node
    await dead.served.stop()
    const client = new pg.Client({ connectionString: source.url })
    await client.connect()
    await client.query("select pg_backup_start('copy', true)")
    const node = await this.#serve(dead.port, async (data) => {
      await copy(join(source.folder, 'data'), data)
      const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
      await client.end()
      writeFileSync(join(data, 'backup_label'), rows[0]?.labelfile ?? '')
      this.#follow(data, source.port)
    })
    this.#nodes[1 - this.primary] = node
  }

  async stop(): Promise<void> {
    await this.#bouncer?.stop()
    await Promise.all(this.#nodes.map(({ served }) => stopped(served)))
    rmSync(this.#home, { recursive: true, force: true })
  }
}

/** Ends a server without a farewell. */
export async function stopped(served: Served): Promise<void> {
  await served.kill?.()
  await served.stop()
}

const urlOf = ({ started }: Served): string => (started as { readonly url: string }).url

/** Runs a statement and gives the first value. */
export async function ask(url: string, statement: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  // A server that is killed ends connections between two statements too.
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query<unknown[]>({ text: statement, rowMode: 'array' })
    return rows[0]?.[0]
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function until(url: string, condition: string): Promise<void> {
  while ((await ask(url, condition)) !== true) await sleep(20)
}

// Files of a running server may go while they are copied: its log has what they had.
async function copy(from: string, to: string): Promise<void> {
  await run('cp', ['-a', from, to]).catch(() => undefined)
  for (const name of ['postmaster.pid', 'postmaster.opts', 'standby.signal', 'postgresql.auto.conf'])
    rmSync(join(to, name), { force: true })
}
