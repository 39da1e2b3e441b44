// Positions in the replication log of a database, as texts that clients carry. A text from a client is only compared here, and
// is never part of a statement.
import type { RawRow } from '../../query/query.ts'
import type { SqlClient } from '../sql/sql.ts'

/** The replication log that the nodes of a database share. */
export interface PositionLog {
  /** Reads the position of a node: everything up to it can be read there. */
  readPosition(node: SqlClient): Promise<string>
  /**
   * Reads the position of a node after it has received everything that any node wrote before. Defined if all nodes accept
   * writes, so that the primary can lag as well.
   */
  readSyncedPosition?(node: SqlClient): Promise<string>
  /** Returns whether a text is a position in such a log. */
  isPosition(text: string): boolean
  /** Returns whether a position includes another. */
  hasReached(reached: string, wanted: string): boolean
}

const toStatement = (text: string) => ({ strings: [text], values: [] })

async function queryFirstValue(node: SqlClient, text: string): Promise<string> {
  const [row = []] = await node.query(toStatement(text))
  return String(Object.values(row as RawRow)[0])
}

// The insert position of the primary's log is beyond everything that has been committed, flushed or not.
const postgres: PositionLog = {
  readPosition: (node) =>
    queryFirstValue(
      node,
      'select (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end)::text as c0',
    ),
  isPosition: (text) => /^[0-9A-F]{1,8}\/[0-9A-F]{1,8}$/.test(text),
  hasReached: (reached, wanted) => parseLsn(reached) >= parseLsn(wanted),
}

function parseLsn(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

// GTIDs of MariaDB: one for each domain. The server that wrote an event does not matter.
const mariadb: PositionLog = {
  readPosition: (node) => queryFirstValue(node, 'select @@global.gtid_current_pos as c0'),
  isPosition: (text) => /^\d{1,10}-\d{1,10}-\d{1,19}(?:,\d{1,10}-\d{1,10}-\d{1,19}){0,15}$/.test(text),
  hasReached(reached, wanted) {
    const domains = parseGtid(reached)
    return [...parseGtid(wanted)].every(([domain, sequence]) => (domains.get(domain) ?? -1n) >= sequence)
  },
}

const parseGtid = (text: string): ReadonlyMap<string, bigint> =>
  new Map(
    text
      .split(',')
      .filter(Boolean)
      .map((one) => one.split('-'))
      .map(([domain = '', , sequence = '0']) => [domain, BigInt(sequence)]),
  )

const GALERA_POSITION = ['wsrep_local_state_uuid', 'wsrep_last_committed']
  .map((name) => `(select variable_value from information_schema.global_status where variable_name = '${name}')`)
  .join(", ':', ")

// All nodes of a Galera cluster count the same commits; the UUID identifies the cluster.
const galera: PositionLog = {
  readPosition: (node) => queryFirstValue(node, `select concat(${GALERA_POSITION}) as c0`),
  readSyncedPosition: (node) =>
    queryFirstValue(node, `set statement wsrep_sync_wait = 1 for select concat(${GALERA_POSITION}) as c0`),
  isPosition: (text) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}:\d{1,19}$/.test(text),
  hasReached(reached, wanted) {
    const [cluster, count = '0'] = reached.split(':')
    const [wantedCluster, wantedCount = '0'] = wanted.split(':')
    return cluster === wantedCluster && BigInt(count) >= BigInt(wantedCount)
  },
}

/** Detects the replication log of a database through one of its nodes; throws if it reports no positions. */
export async function detectPositionLog(node: SqlClient): Promise<PositionLog> {
  if (node.dialect === 'postgres') return postgres
  if (node.dialect === 'mysql') {
    const version = await queryFirstValue(node, 'select version() as c0')
    if (/mariadb/i.test(version))
      return (await queryFirstValue(node, 'select @@global.wsrep_on as c0')) === '1' ? galera : mariadb
  }
  throw new TypeError(
    'A datastore with replicas needs PostgreSQL or MariaDB, whose nodes report their positions. Remedy: leave out replicas',
  )
}
