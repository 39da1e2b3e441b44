// The datastore of all SQL databases: writes statements, runs them through a client, and reads the results.
import type { Count, Datastore, ListTables, Select, Table } from '../query/query.ts'
import type { Replication } from '../query/replication.ts'
import { describeDerivedColumn } from './catalogue/derived-column.ts'
import { checkIndexes } from './indexing/check-indexes.ts'
import { classifySqlError } from './sql/classify-error.ts'
import { DIALECTS } from './sql/dialect.ts'
import {
  createDirectRunner,
  createRetryingRunner,
  type DatabaseNodes,
  type RunOnNode,
} from './sql/nodes/database-nodes.ts'
import { redactErrors } from './sql/nodes/redact-errors.ts'
import { runWithRetries } from './sql/nodes/retry-statements.ts'
import { openSnapshot, readByCursor } from './sql/snapshot.ts'
import type { SqlClient, SqlTable } from './sql/sql.ts'
import { getRowFormat, getValueAt, toSelected } from './sql/sql-rows.ts'
import { StatementObservers } from './sql/statement-observers.ts'
import { readRows } from './sql/statements/read-rows.ts'
import { writeCount, writeSelectConstant } from './sql/statements/select.ts'
import { writeDelete, writeUpdate } from './sql/statements/write-changes.ts'
import { learnTraits } from './sql/values/traits.ts'
import {
  createInsertMethods,
  createInsertUnlessMethod,
  createReturningMethods,
  fillColumnDefaults,
  type RetryWithTraits,
} from './sql/write-methods.ts'

/** The options that the datastores of one database share. */
export interface SqlDatastoreOptions {
  readonly check?: (client: SqlClient, list: ListTables) => Promise<void> | undefined
  readonly statements?: StatementObservers
  /** The nodes of the database, if it has replicas. */
  readonly nodes?: DatabaseNodes | undefined
  /**
   * Runs the statements: the nodes; a pool, which can repeat failed statements; or a connection, which may be in a
   * transaction.
   * @default `'connection'`
   */
  readonly runOn?: 'nodes' | 'pool' | 'connection'
  /** Aborted when the results are no longer wanted. */
  readonly signal?: AbortSignal
}

/** Creates a datastore from a client and the function that describes its tables. */
export function createSqlDatastore<T>(
  unredacted: SqlClient,
  describe: (source: T) => SqlTable<T>,
  settings: SqlDatastoreOptions = {},
): Datastore<T> {
  const client = redactErrors(unredacted)
  const { nodes, runOn } = settings
  const options = { statements: new StatementObservers(unredacted.dialect), ...settings }
  const runner = nodes === undefined || runOn !== 'nodes' ? createRunner(client, settings) : undefined
  // SQLite runs a statement to its end: it cannot be cancelled.
  const cancelling = client.dialect === 'sqlite' ? {} : { withSignal: (signal: AbortSignal) => storeFor(signal) }
  const storeFor = (signal?: AbortSignal): Datastore<T> => {
    const createOn = (run: RunOnNode): Datastore<T> => {
      const bound = signal === undefined ? run : withAbortSignal(run, signal)
      return { ...buildDatastore(client, bound, describe, { ...options, ...(signal && { signal }) }), ...cancelling }
    }
    if (runner !== undefined || nodes === undefined) return createOn(runner ?? createDirectRunner(client))
    const replication: Replication<Datastore<T>> = {
      primary: createOn(nodes.runOnPrimary),
      runAs: (caller, work) => nodes.callAs(caller, work),
      position: () => nodes.position(),
      ready: () => nodes.ready(),
    }
    return { ...createOn(nodes.run), replication }
  }
  return storeFor()
}

/** Returns a runner whose statements end once the signal is aborted. */
const withAbortSignal =
  (run: RunOnNode, signal: AbortSignal): RunOnNode =>
  (intent, work) =>
    run(intent, (node) => work(node.withSignal?.(signal) ?? node))

function createRunner(client: SqlClient, { nodes, runOn }: SqlDatastoreOptions): RunOnNode {
  const run = runOn === 'pool' ? createRetryingRunner(client) : createDirectRunner(client)
  if (nodes === undefined) return run
  return (intent, work) => {
    if (intent === 'write') nodes.markWrite()
    return run(intent, work)
  }
}

function buildDatastore<T>(
  client: SqlClient,
  run: RunOnNode,
  describe: (source: T) => SqlTable<T>,
  settings: SqlDatastoreOptions & { readonly statements: StatementObservers },
): Datastore<T> {
  const { check, statements, signal } = settings
  const dialect = DIALECTS[client.dialect]
  const runRead = <V>(table: Table, work: (client: SqlClient) => Promise<V>): Promise<V> =>
    run('read', (node) => work(statements.observeClient(node, table)))
  const writer: SqlClient = {
    dialect: client.dialect,
    query: (statement) => run('write', (node) => node.query(statement)),
    execute: (statement) => run('write', (node) => node.execute(statement)),
    batch: (all) => run('write', (node) => node.batch(all)),
  }
  const getTableClient = (table: Table): SqlClient => statements.observeClient(writer, table)
  const retryWithTraits: RetryWithTraits = (query, write) => retryWithColumnTraits(client, query, write)
  const tables = new Map<T, SqlTable<T>>()
  const store: Datastore<T> = {
    table(source) {
      const known = tables.get(source)
      if (known) return known
      const table = describe(source)
      tables.set(source, table)
      return table
    },
    derive: (name, kind, derived) => describeDerivedColumn(client.dialect, name, kind, derived),
    async select(query) {
      const format = getRowFormat(query.columns)
      const read = () => runRead(query.from, (node) => readRows(node, query as Select, format.columns))
      return toSelected(await retryWithColumnTraits(client, query as Select, read), format)
    },
    async count(query) {
      const read = () => runRead(query.from, (node) => node.query(writeCount(dialect, query)))
      const [row] = await retryWithColumnTraits(client, query as Count, read)
      return Number(getValueAt(row))
    },
    ...(dialect.estimate && {
      estimate: async (query: Count<T>) => {
        const { statement, rows } = dialect.estimate as NonNullable<typeof dialect.estimate>
        const [first = '', ...rest] = writeSelectConstant(dialect, query as Count).strings
        const explained = {
          ...writeSelectConstant(dialect, query as Count),
          strings: [`${statement} ${first}`, ...rest],
        }
        return rows(
          await retryWithColumnTraits(client, query as Count, () =>
            runRead(query.from, (node) => node.query(explained)),
          ),
        )
      },
    }),
    ...createInsertMethods(getTableClient, statements),
    async update(table, changes, filter) {
      const values = changes.size === 0 ? changes : fillColumnDefaults(table as SqlTable<T>, changes, 'onUpdateFn')
      if (values.size === 0) return store.count({ from: table, joins: [], filter })
      const write = () =>
        getTableClient(table).execute(writeUpdate(dialect, { table: table as SqlTable<T>, values, filter }))
      return (await retryWithColumnTraits(client, { from: table, filter }, write)).affected
    },
    async delete(table, filter) {
      const write = () => getTableClient(table).execute(writeDelete(dialect, table as SqlTable<T>, filter))
      return (await retryWithColumnTraits(client, { from: table, filter }, write)).affected
    },
    ...(dialect.supportsReturning
      ? createReturningMethods(getTableClient, dialect, retryWithTraits)
      : createInsertUnlessMethod(getTableClient, dialect, retryWithTraits)),
    ...(check && { check: (list: ListTables<T>) => check(client, list) }),
    reportIndexUse: (lists) => checkIndexes(client, lists),
    observe: (observer) => statements.observe(observer),
    maxValues: dialect.maxValues,
    classifyError: (error) =>
      signal?.aborted === true && error === signal.reason ? undefined : classifySqlError(error),
    retry: (work) => runWithRetries('write', work),
    async snapshot() {
      const { client: held, isSnapshot, close } = await openSnapshot(run)
      const within = buildDatastore(client, createDirectRunner(held), describe, { ...settings, runOn: 'connection' })
      if (!dialect.supportsCursors || !isSnapshot) return { datastore: within, close }
      const cursor = (query: Select<T>, size: () => number) =>
        readByCursor(statements.observeClient(held, query.from), query as Select, size, (error) =>
          learnTraits(client, error, query as Select),
        )
      return { datastore: within, cursor, close }
    },
  }
  return store
}

// Writes a statement again once the character sets and collations of its columns are known: a database may refuse it for them.
async function retryWithColumnTraits<V>(client: SqlClient, query: Partial<Count>, write: () => Promise<V>): Promise<V> {
  try {
    return await write()
  } catch (error) {
    if (!(await learnTraits(client, error, query))) throw error
    return write()
  }
}
