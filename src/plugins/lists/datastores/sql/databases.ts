// A datastore of a database, of its replicas, and of the same tables through a transaction or another connection.
import type { Datastore } from '../../query.ts'
import { sqlDatastore } from './datastore.ts'
import { readyNodes } from './nodes/nodes.ts'
import { Statements } from './observing.ts'
import type { SqlClient, SqlTable } from './sql.ts'

/** How databases of one library are reached: `D` are they, and `T` their tables. */
export interface Access<D, T> {
  clientOf(database: D): SqlClient
  /** Whether each statement may get a connection of its own; otherwise the database may be within a transaction. */
  isPool(database: D): boolean
  /** Asks the database for its tables, and makes the function that describes them. */
  described(client: SqlClient): Promise<(source: T) => SqlTable<T>>
  /** Databases of replicas, one for each node. */
  readonly replicas?: readonly D[] | undefined
}

/** A datastore whose database can be exchanged. */
export interface Exchangeable<D, T> extends Datastore<T> {
  withDatabase(database: D): Exchangeable<D, T>
}

/** Makes a datastore, after reading its tables from the catalogue. */
export async function databaseStore<D, T>(database: D, access: Access<D, T>): Promise<Exchangeable<D, T>> {
  const { replicas = [] } = access
  const client = access.clientOf(database)
  const describe = await access.described(client)
  const replicated = replicas.map((one) => access.clientOf(one))
  const nodes = await readyNodes(client, replicated)
  const statements = new Statements(client.dialect)
  const wayTo = (one: D): 'pool' | 'connection' => (access.isPool(one) ? 'pool' : 'connection')
  const storeOf = (one: D, through: 'nodes' | 'pool' | 'connection'): Exchangeable<D, T> => ({
    ...sqlDatastore(ownClient(access, one, through), describe, { statements, nodes, through }),
    withDatabase: (other) => storeOf(other, wayTo(other)),
  })
  return storeOf(database, nodes === undefined ? wayTo(database) : 'nodes')
}

// A snapshot would end the transaction that may be under way.
function ownClient<D, T>(access: Access<D, T>, database: D, through: string): SqlClient {
  const { snapshot, ...client } = access.clientOf(database)
  return through === 'connection' || snapshot === undefined ? client : { ...client, snapshot }
}
