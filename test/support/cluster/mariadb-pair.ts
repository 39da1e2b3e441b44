// MariaDB on two nodes: a primary one with a replica that follows it by the positions of transactions (GTID).
import { createConnection } from 'mysql2/promise'
import { type Need, programNeed } from '../../../scripts/machine.ts'
import { serveMariadb } from '../engines/mariadb-server.ts'
import type { Served } from '../engines/serve.ts'
import { stopped } from './postgres.ts'

/** The programs that the pair needs. */
export const mariadbPairNeed: Need = programNeed('mariadbd', 'mariadb-server')

/** A primary node and its replica. */
export class MariadbPair {
  readonly #nodes: readonly Served[]

  private constructor(nodes: readonly Served[]) {
    this.#nodes = nodes
  }

  static async start(): Promise<MariadbPair> {
    const logged = (id: number) => ['--log-bin=changes', '--binlog-format=ROW', `--server-id=${id}`, '--sync-binlog=0']
    // A replica that only reads refuses statements of everybody but the one who replays the log.
    const nodes = await Promise.all([serveMariadb(logged(1)), serveMariadb([...logged(2), '--relay-log=relayed'])])
    const pair = new MariadbPair(nodes)
    const { port, password } = new URL(pair.urls[0] as string)
    const from = `master_host = '127.0.0.1', master_port = ${port}, master_user = 'root', master_password = '${password}'`
    await pair.run(1, `change master to ${from}, master_use_gtid = slave_pos, master_connect_retry = 1`, 'start slave')
    return pair
  }

  /** Where each node is reached, the primary one first. */
  get urls(): readonly string[] {
    return this.#nodes.map(({ started }) => (started as { readonly url: string }).url)
  }

  /** Runs statements on a node, and gives the values of the last one's first column. */
  async run(node: 0 | 1, ...statements: readonly string[]): Promise<readonly unknown[]> {
    const connection = await createConnection({ uri: this.urls[node] as string, connectTimeout: 5000 })
    try {
      let values: readonly unknown[] = []
      for (const statement of statements) {
        const [rows] = await connection.query({ sql: statement, rowsAsArray: true })
        values = Array.isArray(rows) ? (rows as unknown as unknown[][]).map(([first]) => first) : []
      }
      return values
    } finally {
      connection.destroy()
    }
  }

  /** Waits until the replica has everything that the primary node has. */
  async caughtUp(): Promise<void> {
    const [position] = await this.run(0, 'select @@global.gtid_current_pos')
    await this.run(1, `select master_gtid_wait('${String(position)}', 60)`)
  }

  async kill(node: 0 | 1): Promise<void> {
    await this.#nodes[node]?.kill?.()
  }

  async start(node: 0 | 1): Promise<void> {
    await this.#nodes[node]?.start?.()
  }

  async stop(): Promise<void> {
    await Promise.all(this.#nodes.map(stopped))
  }
}
