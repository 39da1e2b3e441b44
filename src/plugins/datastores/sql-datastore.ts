// The datastore that all SQL databases share: it writes statements, runs them through a client, and reads the results.
import type { Count, Datastore, ListTables, Select, Table } from '../query/query.ts'
import type { Replication } from '../query/replication.ts'
import { describeDerivedColumn } from './catalogue/derived-column.ts'
import { DIALECTS } from './sql/dialect.ts'
import { classifySqlError } from './sql/classify-error.ts'
import { checkIndexes } from './indexing/check-indexes.ts'
import { redactErrors } from './sql/nodes/redact-errors.ts'
import { type DatabaseNodes, createDirectRunner, type RunOnNode, createRetryingRunner } from './sql/nodes/database-nodes.ts'
import { runWithRetries } from './sql/nodes/retry-statements.ts'
import { StatementObservers } from './sql/statement-observers.ts'
import { getRowFormat, toSelected, getValueAt } from './sql/sql-rows.ts'
import { readByCursor, openSnapshot } from './sql/snapshot.ts'
import type { SqlClient, SqlTable } from './sql/sql.ts'
import { readRows } from './sql/statements/read-rows.ts'
import { writeCount, writeSelectConstant } from './sql/statements/select.ts'
import { writeDelete, writeUpdate } from './sql/statements/write-changes.ts'
import { learnTraits } from './sql/values/traits.ts'
import { fillColumnDefaults, createInsertUnlessMethod, type RetryWithTraits, createInsertMethods, createReturningMethods } from './sql/write-methods.ts'

/** Settings that the datastores of one database share. */
export interface SqlDatastoreOptions {
  readonly check?: (client: SqlClient, list: ListTables) => Promise<void> | undefined
  readonly statements?: StatementObservers
  /** The nodes of the database, where it has several that are known. */
  readonly nodes?: DatabaseNodes | undefined
  /**
   * The runner of the statements: the nodes; a pool, on which failed ones can be repeated; or a connection, which may be
   * within a transaction.
   * @default `'connection'`
   */
  readonly runOn?: 'nodes' | 'pool' | 'connection'
  /** Aborted when the results are no longer wanted. */
  readonly signal?: AbortSignal
}

/** Makes a datastore of a client and of what is known of its tables. */
export function createSqlDatastore<T>(
  given: SqlClient,
  describe: (source: T) => SqlTable<T>,
  settings: SqlDatastoreOptions = {},
): Datastore<T> {
  const client = redactErrors(given)
  const { nodes, runOn: through } = settings
  const made = { statements: new StatementObservers(given.dialect), ...settings }
  const own = nodes === undefined || through !== 'nodes' ? createRunner(client, settings) : undefined
  // SQLite runs a statement to its end.
  const cancelling = client.dialect === 'sqlite' ? {} : { withSignal: (signal: AbortSignal) => storeFor(signal) }
  const storeFor = (signal?: AbortSignal): Datastore<T> => {
    const on = (run: RunOnNode): Datastore<T> => {
      const wanted = signal === undefined ? run : withAbortSignal(run, signal)
      return { ...buildDatastore(client, wanted, describe, { ...made, ...(signal && { signal }) }), ...cancelling }
    }
    if (own !== undefined || nodes === undefined) return on(own ?? createDirectRunner(client))
    const replication: Replication<Datastore<T>> = {
      primary: on(nodes.runOnPrimary),
      callAs: (caller, work) => nodes.callAs(caller, work),
      position: () => nodes.position(),
      ready: () => nodes.ready(),
    }
    return { ...on(nodes.run), replication }
  }
  return storeFor()
}

/** Runs work with clients whose statements end once the signal is aborted. */
const withAbortSignal =
  (run: RunOnNode, signal: AbortSignal): RunOnNode =>
  (intent, work) =>
    run(intent, (node) => work(node.withSignal?.(signal) ?? node))

function createRunner(client: SqlClient, { nodes, runOn: through }: SqlDatastoreOptions): RunOnNode {
  const run = through === 'pool' ? createRetryingRunner(client) : createDirectRunner(client)
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
  const reading = <V>(table: Table, work: (client: SqlClient) => Promise<V>): Promise<V> =>
    run('read', (node) => work(statements.observeClient(node, table)))
  const writer: SqlClient = {
    dialect: client.dialect,
    query: (statement) => run('write', (node) => node.query(statement)),
    execute: (statement) => run('write', (node) => node.execute(statement)),
    batch: (all) => run('write', (node) => node.batch(all)),
  }
  const about = (table: Table): SqlClient => statements.observeClient(writer, table)
  const informing: RetryWithTraits = (query, write) => retryWithColumnTraits(client, query, write)
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
      const form = getRowFormat(query.columns)
      const read = () => reading(query.from, (node) => readRows(node, query as Select, form.columns))
      return toSelected(await retryWithColumnTraits(client, query as Select, read), form)
    },
    async count(query) {
      const read = () => reading(query.from, (node) => node.query(writeCount(dialect, query)))
      const [row] = await retryWithColumnTraits(client, query as Count, read)
      return Number(getValueAt(row))
    },
    ...(dialect.estimate && {
      estimate: async (query: Count<T>) => {
        const { statement, rows } = dialect.estimate as NonNullable<typeof dialect.estimate>
        const [first = '', ...rest] = writeSelectConstant(dialect, query as Count).strings
        const explained = { ...writeSelectConstant(dialect, query as Count), strings: [`${statement} ${first}`, ...rest] }
        return rows(await retryWithColumnTraits(client, query as Count, () => reading(query.from, (node) => node.query(explained))))
      },
    }),
    ...createInsertMethods(about, statements),
    async update(table, given, filter) {
      const values = given.size === 0 ? given : fillColumnDefaults(table as SqlTable<T>, given, 'onUpdateFn')
      if (values.size === 0) return store.count({ from: table, joins: [], filter })
      const write = () => about(table).execute(writeUpdate(dialect, { table: table as SqlTable<T>, values, filter }))
      return (await retryWithColumnTraits(client, { from: table, filter }, write)).affected
    },
    async delete(table, filter) {
      const write = () => about(table).execute(writeDelete(dialect, table as SqlTable<T>, filter))
      return (await retryWithColumnTraits(client, { from: table, filter }, write)).affected
    },
    ...(dialect.supportsReturning ? createReturningMethods(about, dialect, informing) : createInsertUnlessMethod(about, dialect, informing)),
    ...(check && { check: (list: ListTables<T>) => check(client, list) }),
    indexing: (lists) => checkIndexes(client, lists),
    observe: (observer) => statements.observe(observer),
    maxValues: dialect.maxValues,
    fault: (error) => (signal?.aborted === true && error === signal.reason ? undefined : classifySqlError(error)),
    retry: (work) => runWithRetries('write', work),
    async snapshot() {
      const { client: held, isSnapshot: isOne, close } = await openSnapshot(run)
      const within = buildDatastore(client, createDirectRunner(held), describe, { ...settings, runOn: 'connection' })
      if (!dialect.supportsCursors || !isOne) return { datastore: within, close }
      const cursor = (query: Select<T>, size: () => number) =>
        readByCursor(statements.observeClient(held, query.from), query as Select, size, (error) =>
          learnTraits(client, error, query as Select),
        )
      return { datastore: within, cursor, close }
    },
  }
  return store
}

// A statement that a database refuses because of a column's character set or collation is written anew once those are known.
async function retryWithColumnTraits<V>(client: SqlClient, query: Partial<Count>, write: () => Promise<V>): Promise<V> {
  try {
    return await write()
  } catch (error) {
    if (!(await learnTraits(client, error, query))) throw error
    return write()
  }
}
