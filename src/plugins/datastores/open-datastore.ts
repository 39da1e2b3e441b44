// Opens the datastore of a database and its replicas; `withDatabase` binds its tables to a transaction or another connection.
import type { Datastore } from '../query/query.ts'
import { openNodes } from './sql/nodes/database-nodes.ts'
import type { SqlClient, SqlTable } from './sql/sql.ts'
import { StatementObservers } from './sql/statement-observers.ts'
import { createSqlDatastore } from './sql-datastore.ts'

/** The access to the databases of one library: `D` is the type of a database, `T` that of a table. */
export interface DatabaseAccess<D, T> {
  createClient(database: D): SqlClient
  /** Whether each statement may run on a separate connection; otherwise the database may be in a transaction. */
  isPool(database: D): boolean
  /** Reads the catalogue of the database and returns the function that describes its tables. */
  loadDescriber(client: SqlClient): Promise<(source: T) => SqlTable<T>>
  /** The databases of the replicas, one for each node. */
  readonly replicas?: readonly D[] | undefined
}

/** A datastore that can be bound to another database. */
export interface RebindableDatastore<D, T> extends Datastore<T> {
  withDatabase(database: D): RebindableDatastore<D, T>
}

/** Opens a datastore: reads the catalogue first. */
export async function openDatastore<D, T>(
  database: D,
  access: DatabaseAccess<D, T>,
): Promise<RebindableDatastore<D, T>> {
  const { replicas = [] } = access
  const client = access.createClient(database)
  const describe = await access.loadDescriber(client)
  const replicated = replicas.map((one) => access.createClient(one))
  const nodes = await openNodes(client, replicated)
  const statements = new StatementObservers(client.dialect)
  const getRunner = (one: D): 'pool' | 'connection' => (access.isPool(one) ? 'pool' : 'connection')
  const createStore = (one: D, runOn: 'nodes' | 'pool' | 'connection'): RebindableDatastore<D, T> => ({
    ...createSqlDatastore(createClientFor(access, one, runOn), describe, { statements, nodes, runOn }),
    withDatabase: (other) => createStore(other, getRunner(other)),
  })
  return createStore(database, nodes === undefined ? getRunner(database) : 'nodes')
}

// A single connection may be in a transaction, which a snapshot would end.
function createClientFor<D, T>(access: DatabaseAccess<D, T>, database: D, runOn: string): SqlClient {
  const { snapshot, ...client } = access.createClient(database)
  return runOn === 'connection' || snapshot === undefined ? client : { ...client, snapshot }
}
