// Opens the datastore of a database and its replicas; `withDatabase` binds its tables to a transaction or another connection.
import type { Datastore } from '../query/query.ts'
import type { StatementAccess } from '../query/statement-access.ts'
import { DatabaseNodes } from './replicas/database-nodes.ts'
import { createReplicatedDatastore, markWrites } from './replicas/replicated-datastore.ts'
import type { SqlClient, SqlTable } from './sql/sql.ts'
import { StatementObservers } from './sql/statement-observers.ts'
import { createSqlDatastore } from './sql-datastore.ts'

/** The access to the databases of one library: `D` is the type of a database, `T` that of a table. */
export interface DatabaseAccess<D, T> {
  createClient(database: D): SqlClient
  /** Whether each statement may run on a separate connection; otherwise the database may be in a transaction. */
  isPool(database: D): boolean
  /** Returns whether a value is a database of this library. */
  isDatabase(value: object): boolean
  /** Returns how to listen for notifications, if the client of the database can. */
  findListener?(database: D): StatementAccess['listen']
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
  const statements = new StatementObservers(client.dialect)
  const listen = access.findListener?.(database)
  // A pool is in no transaction.
  const bind = (one: object): SqlClient | undefined =>
    access.isDatabase(one) && !access.isPool(one as D) ? access.createClient(one as D) : undefined
  const createNode = (nodeClient: SqlClient, runOn: 'pool' | 'connection') => ({
    client: nodeClient,
    datastore: createSqlDatastore(nodeClient, describe, { statements, runOn, access: { runsOn: runOn, bind, listen } }),
  })
  const createStore = (one: D): Datastore<T> =>
    access.isPool(one)
      ? createNode(access.createClient(one), 'pool').datastore
      : createNode(withoutSnapshot(access.createClient(one)), 'connection').datastore
  if (replicas.length === 0) return withRebinding(createStore(database), createStore)
  // A read that fails on a replica is repeated on the primary, and not on the replica.
  const nodes = new DatabaseNodes(
    createNode(client, 'pool'),
    replicas.map((one) => createNode(access.createClient(one), 'connection')),
  )
  await nodes.ready()
  return withRebinding(createReplicatedDatastore(nodes), (other) => markWrites(createStore(other), nodes))
}

const withRebinding = <D, T>(
  datastore: Datastore<T>,
  createStore: (database: D) => Datastore<T>,
): RebindableDatastore<D, T> => ({
  ...datastore,
  withDatabase: (other) => withRebinding(createStore(other), createStore),
})

// A single connection may be in a transaction, which a snapshot would end.
const withoutSnapshot = ({ snapshot: _, ...client }: SqlClient): SqlClient => client
