// A datastore of a database, of its replicas, and of the same tables through a transaction or another connection.
import type { Datastore } from '../query/query.ts'
import { createSqlDatastore } from './sql-datastore.ts'
import { openNodes } from './sql/nodes/database-nodes.ts'
import { StatementObservers } from './sql/statement-observers.ts'
import type { SqlClient, SqlTable } from './sql/sql.ts'

/** How databases of one library are reached: `D` are they, and `T` their tables. */
export interface DatabaseAccess<D, T> {
  createClient(database: D): SqlClient
  /** Whether each statement may get a connection of its own; otherwise the database may be within a transaction. */
  isPool(database: D): boolean
  /** Asks the database for its tables, and makes the function that describes them. */
  loadDescriber(client: SqlClient): Promise<(source: T) => SqlTable<T>>
  /** Databases of replicas, one for each node. */
  readonly replicas?: readonly D[] | undefined
}

/** A datastore whose database can be exchanged. */
export interface RebindableDatastore<D, T> extends Datastore<T> {
  withDatabase(database: D): RebindableDatastore<D, T>
}

/** Makes a datastore, after reading its tables from the catalogue. */
export async function openDatastore<D, T>(database: D, access: DatabaseAccess<D, T>): Promise<RebindableDatastore<D, T>> {
  const { replicas = [] } = access
  const client = access.createClient(database)
  const describe = await access.loadDescriber(client)
  const replicated = replicas.map((one) => access.createClient(one))
  const nodes = await openNodes(client, replicated)
  const statements = new StatementObservers(client.dialect)
  const wayTo = (one: D): 'pool' | 'connection' => (access.isPool(one) ? 'pool' : 'connection')
  const storeOf = (one: D, through: 'nodes' | 'pool' | 'connection'): RebindableDatastore<D, T> => ({
    ...createSqlDatastore(createClientFor(access, one, through), describe, { statements, nodes, runOn: through }),
    withDatabase: (other) => storeOf(other, wayTo(other)),
  })
  return storeOf(database, nodes === undefined ? wayTo(database) : 'nodes')
}

// A snapshot would end the transaction that may be under way.
function createClientFor<D, T>(access: DatabaseAccess<D, T>, database: D, through: string): SqlClient {
  const { snapshot, ...client } = access.createClient(database)
  return through === 'connection' || snapshot === undefined ? client : { ...client, snapshot }
}
