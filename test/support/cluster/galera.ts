// MariaDB on three nodes under Galera: each of them takes writes, and a commit is on all of them or on none.
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createConnection, type RowDataPacket } from 'mysql2/promise'
import { all, type Need, program, programNeed } from '../../../scripts/machine.ts'
import { unprivileged } from '../engines/postgres-server.ts'
import { freePort, run, type Served, serve, type User } from '../engines/serve.ts'
import { stopped } from './postgres.ts'

const PROVIDERS = ['/usr/lib/galera/libgalera_smm.so', '/usr/lib64/galera-4/libgalera_smm.so']
const provider = PROVIDERS.find(existsSync)

/** The programs that the cluster needs. */
export const galeraNeed: Need = all(
  programNeed('mariadbd', 'mariadb-server'),
  { name: 'Galera', missing: provider === undefined ? 'not in /usr/lib/galera, apt-get install galera-4' : undefined },
  programNeed('rsync', 'rsync'),
)

/** Messages between nodes that are late by this are taken for the end of a node; shorter than usual, for short tests. */
const TIMES =
  'evs.keepalive_period=PT0.3S;evs.suspect_timeout=PT2S;evs.inactive_timeout=PT6S;evs.inactive_check_period=PT0.5S'

/** A node that was killed asks its own files first how far it was, so that it has to be sent the rest only. */
const STARTER = `#!/bin/sh
folder=$1 data=$2; shift 2
if grep -q 'seqno: *-1$' "$data/grastate.dat" 2>/dev/null; then
  "$@" --wsrep-recover --log-error="$folder/recovered" >/dev/null 2>&1
  position=$(sed -n 's/.*WSREP: Recovered position: *//p' "$folder/recovered" | tail -n 1)
  rm -f "$folder/recovered"
fi
exec "$@" --wsrep-cluster-address="$(cat "$folder/address")" \${position:+--wsrep-start-position="$position"}
`

const SETTINGS = [
  ...['--innodb-buffer-pool-size=24M', '--innodb-log-file-size=8M', '--innodb-flush-log-at-trx-commit=0'],
  ...['--bind-address=127.0.0.1', '--skip-name-resolve', '--max-connections=60', '--performance-schema=OFF'],
  ...['--character-set-server=utf8mb4', '--collation-server=utf8mb4_nopad_bin', '--default-storage-engine=InnoDB'],
  ...['--binlog-format=ROW', '--innodb-autoinc-lock-mode=2'],
]

/** Three nodes; those that are killed come back with what they have missed. */
export class GaleraCluster {
  readonly #home: string
  readonly #password: string
  readonly #as: User | undefined
  readonly #nodes: Served[] = []
  readonly #folders: string[] = []
  readonly #groups: number[] = []

  private constructor(home: string, password: string, as: User | undefined) {
    this.#home = home
    this.#password = password
    this.#as = as
  }

  static async start(size = 3): Promise<GaleraCluster> {
    const home = mkdtempSync(join(tmpdir(), 'edict-galera-'))
    // As root, the daemon that nodes send each other files with would give up its rights, and find nothing.
    const as = unprivileged()
    const cluster = new GaleraCluster(home, crypto.randomUUID(), as)
    if (as !== undefined) chownSync(home, as.uid, as.gid)
    const template = join(home, 'template')
    const initial = [
      '--no-defaults',
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
      '--skip-name-resolve',
    ]
    await run(program('mariadb-install-db') as string, [...initial, `--datadir=${template}`, `--tmpdir=${home}`], {
      cwd: home,
      ...as,
    })
    for (let i = 0; i < size; i++) cluster.#groups.push(await freePort())
    // All nodes begin with the files of a cluster of one, so that none has to be sent whole tables.
    const first = join(template, 'first.sql')
    writeFileSync(first, `alter user root@'127.0.0.1' identified by '${cluster.#password}';\n`, { mode: 0o644 })
    const alone = await cluster.#serve(0, template, [`--init-file=${first}`])
    await alone.stop()
    await cluster.#add(0, template)
    await Promise.all(Array.from({ length: size - 1 }, (_, i) => cluster.#add(i + 1, template)))
    await cluster.whole()
    return cluster
  }

  /** Where each node is reached. */
  get urls(): readonly string[] {
    return this.#nodes.map(({ started }) => (started as { url: string }).url)
  }

  async #add(index: number, template: string): Promise<void> {
    const data = mkdtempSync(join(this.#home, 'data-'))
    await run('cp', ['-a', `${template}/.`, data])
    this.#nodes[index] = await this.#serve(index, data)
    const folder = this.#folders[index] as string
    // From now on it looks for the others, also when it is the first.
    writeFileSync(join(folder, 'address'), `gcomm://${this.#groups.map((port) => `127.0.0.1:${port}`).join()}`)
  }

  async #serve(index: number, data: string, more: readonly string[] = []): Promise<Served> {
    const folder = mkdtempSync(join(this.#home, 'node-'))
    this.#folders[index] = folder
    const starter = join(folder, 'start.sh')
    writeFileSync(starter, STARTER, { mode: 0o700 })
    writeFileSync(join(folder, 'address'), this.#address(index))
    const group = this.#groups[index] as number
    const own = [`--datadir=${data}`, `--socket=${join(folder, 's')}`, `--pid-file=${join(folder, 'pid')}`]
    // A server that starts removes the temporary tables of all that share its folder.
    own.push(`--tmpdir=${folder}`)
    // Missing writes come to the port behind the group's own unless another is given, and that may be taken.
    const missing = `ist.recv_addr=127.0.0.1:${await freePort()}`
    const options = `gcache.size=16M;base_port=${group};gmcast.listen_addr=tcp://127.0.0.1:${group};${missing};${TIMES}`
    const wsrep = [
      ...['--wsrep-on=ON', `--wsrep-provider=${provider}`, '--wsrep-cluster-name=edict', '--wsrep-sst-method=rsync'],
      ...[`--wsrep-node-address=127.0.0.1:${group}`, `--wsrep-provider-options=${options}`],
      ...[`--wsrep-sst-receive-address=127.0.0.1:${await freePort()}`, `--wsrep-node-name=node${index}`],
    ]
    const server = program('mariadbd') as string
    if (this.#as !== undefined)
      for (const path of [folder, data]) await run('chown', ['-R', `${this.#as.uid}:${this.#as.gid}`, path])
    return serve({
      command: starter,
      args: (port) => [folder, data, server, '--no-defaults', `--port=${port}`, ...own, ...SETTINGS, ...wsrep, ...more],
      folder,
      signal: 'TERM',
      as: this.#as,
      url: (port) => `mysql://root:${this.#password}@127.0.0.1:${port}`,
      connect: ready,
    })
  }

  #address(index: number): string {
    return index === 0
      ? 'gcomm://'
      : `gcomm://${this.#groups
          .slice(0, index)
          .map((port) => `127.0.0.1:${port}`)
          .join()}`
  }

  /** Runs statements on the first node. */
  async run(...statements: readonly string[]): Promise<void> {
    for (const statement of statements) await rowsAt(this.urls[0] as string, statement)
  }

  /** Gives the values of a statement's only column, at any node that is there. */
  async column(statement: string): Promise<string[]> {
    const rows = await Promise.any(this.urls.map((url) => rowsAt(url, statement)))
    return rows.map((row) => String(Object.values(row)[0]))
  }

  async kill(node: number): Promise<void> {
    await this.#nodes[node]?.kill?.()
  }

  async start(node: number): Promise<void> {
    await this.#nodes[node]?.start?.()
  }

  /** Waits until all nodes are there and have everything. */
  async whole(): Promise<void> {
    for (const url of this.urls) while ((await sizeAt(url).catch(() => 0)) !== this.#nodes.length) await sleep(50)
  }

  async stop(): Promise<void> {
    await Promise.all(this.#nodes.map(stopped))
    rmSync(this.#home, { recursive: true, force: true })
  }
}

async function rowsAt(url: string, statement: string): Promise<RowDataPacket[]> {
  const connection = await createConnection({ uri: url, connectTimeout: 5000 })
  try {
    const [rows] = await connection.query<RowDataPacket[]>(statement)
    return rows
  } finally {
    connection.destroy()
  }
}

const statusOf = async (url: string, name: string): Promise<string | undefined> =>
  (await rowsAt(url, `show global status like '${name}'`))[0]?.['Value'] as string | undefined

// A node that receives its state answers, and refuses every statement.
async function ready(url: string): Promise<void> {
  const state = await statusOf(url, 'wsrep_ready')
  if (state !== 'ON') throw new Error(`wsrep_ready is ${state}`)
}

const sizeAt = async (url: string): Promise<number> => {
  await ready(url)
  return Number(await statusOf(url, 'wsrep_cluster_size'))
}
