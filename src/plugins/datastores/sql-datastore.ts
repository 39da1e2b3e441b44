// The datastore of all SQL databases: writes statements, runs them through a client, and reads the results.
import type { Datastore, ListTables } from '../query/query.ts'
import type { StatementAccess } from '../query/statement-access.ts'
import { describeAggregateColumn, describeDerivedColumn } from './catalogue/derived-column.ts'
import { findSqlConflict } from './conflicts/find-conflict.ts'
import { checkIndexes } from './indexing/check-indexes.ts'
import { classifySqlError } from './sql/classify-error.ts'
import { DIALECTS } from './sql/dialect.ts'
import { redactErrors } from './sql/redact-errors.ts'
import { createDirectRunner, createRetryingRunner, type RunStatements, runWithRetries } from './sql/retry-statements.ts'
import { openSnapshot, readByCursor } from './sql/snapshot.ts'
import type {
  SqlClient,
  SqlColumnValues,
  SqlCount,
  SqlFilter,
  SqlIndexableList,
  SqlSelect,
  SqlTable,
  Statement,
} from './sql/sql.ts'
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

/** The options of a SQL datastore. */
export interface SqlDatastoreOptions {
  readonly check?: (client: SqlClient, list: ListTables) => Promise<void> | undefined
  /** The observers of statements, which the datastores of one database share. */
  readonly statements?: StatementObservers
  /**
   * Runs the statements: a pool, which can repeat failed ones, or a connection, which may be in a transaction.
   * @default `'connection'`
   */
  readonly runOn?: 'pool' | 'connection'
  /** How the statements of plugins run; without it there are none. */
  readonly access?: ConnectionAccess
}

/** What a library knows of its connections and transactions. */
export interface ConnectionAccess extends Pick<StatementAccess, 'runsOn' | 'isInTransaction'> {
  readonly listen?: StatementAccess['listen'] | undefined
  bind(transaction: object): SqlClient | undefined
}

/** Creates a datastore from a client and the function that describes its tables. */
export function createSqlDatastore<T>(
  unredacted: SqlClient,
  describe: (source: T) => SqlTable<T>,
  { check, statements = new StatementObservers(unredacted.dialect), runOn, access }: SqlDatastoreOptions = {},
): Datastore<T> {
  const client = redactErrors(unredacted)
  const run = runOn === 'pool' ? createRetryingRunner(client) : createDirectRunner(client)
  const options = { check, statements, access: access && redactAccess(access) }
  // SQLite runs a statement to its end: it cannot be cancelled.
  if (client.dialect === 'sqlite') return buildDatastore(client, run, describe, options)
  const withSignal = (signal: AbortSignal): Datastore<T> => ({
    ...buildDatastore(client, withAbortSignal(run, signal), describe, { ...options, signal }),
    withSignal,
  })
  return { ...buildDatastore(client, run, describe, options), withSignal }
}

const redactAccess = (access: ConnectionAccess): ConnectionAccess => ({
  ...access,
  bind(transaction) {
    const client = access.bind(transaction)
    return client && redactErrors(client)
  },
})

/** Returns a runner whose statements end once the signal is aborted. */
const withAbortSignal =
  (run: RunStatements, signal: AbortSignal): RunStatements =>
  (intent, work) =>
    run(intent, (client) => work(client.withSignal?.(signal) ?? client))

interface BuildOptions {
  readonly check: SqlDatastoreOptions['check'] | undefined
  readonly statements: StatementObservers
  readonly access: ConnectionAccess | undefined
  /** Aborted when the results are no longer wanted. */
  readonly signal?: AbortSignal | undefined
}

function buildDatastore<T>(
  client: SqlClient,
  run: RunStatements,
  describe: (source: T) => SqlTable<T>,
  options: BuildOptions,
): Datastore<T> {
  const { check, statements, access, signal } = options
  const dialect = DIALECTS[client.dialect]
  const runRead = <V>(table: SqlTable, work: (client: SqlClient) => Promise<V>): Promise<V> =>
    run('read', (connection) => work(statements.observeClient(connection, table)))
  const writer: SqlClient = {
    dialect: client.dialect,
    query: (statement) => run('write', (connection) => connection.query(statement)),
    execute: (statement) => run('write', (connection) => connection.execute(statement)),
    batch: (all) => run('write', (connection) => connection.batch(all)),
  }
  const getTableClient = (table: SqlTable): SqlClient => statements.observeClient(writer, table)
  // Columns may have character sets and collations for which the database refuses a statement.
  const retryWithTraits: RetryWithTraits = async (query, write) => {
    try {
      return await write()
    } catch (error) {
      if (!(await learnTraits(client, error, query))) throw error
      return write()
    }
  }
  const runQuery = (query: SqlCount<T>, write: () => Statement): ReturnType<SqlClient['query']> =>
    retryWithTraits(query, () => runRead(query.from, (connection) => connection.query(write())))
  const { estimate } = dialect
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
    aggregate: (name, described) => describeAggregateColumn(client.dialect, name, described),
    selectsDistinct: true,
    async select(query: SqlSelect<T>) {
      const format = getRowFormat(query.columns)
      const read = () => runRead(query.from, (connection) => readRows(connection, query, format.columns))
      return toSelected(await retryWithTraits(query, read), format)
    },
    count: async (query: SqlCount<T>) =>
      Number(getValueAt((await runQuery(query, () => writeCount(dialect, query)))[0])),
    ...(estimate && {
      estimate: async (query: SqlCount<T>) =>
        estimate.rows(
          await runQuery(query, () => prefixStatement(estimate.statement, writeSelectConstant(dialect, query))),
        ),
    }),
    ...createInsertMethods(getTableClient, statements),
    async update(table: SqlTable<T>, changes: SqlColumnValues, filter: SqlFilter<T>) {
      const values = changes.size === 0 ? changes : fillColumnDefaults(table, changes, 'onUpdateFn')
      if (values.size === 0) return store.count({ from: table, joins: [], filter })
      const write = () => getTableClient(table).execute(writeUpdate(dialect, { table, values, filter }))
      return (await retryWithTraits({ from: table, filter }, write)).affected
    },
    // A transaction of SQLite that writes is alone.
    ...(client.dialect !== 'sqlite' && {
      async lock(table: SqlTable<T>, filter: SqlFilter<T>) {
        const query = { from: table, joins: [], filter }
        const write = () => getTableClient(table).query(appendText(writeSelectConstant(dialect, query), ' for update'))
        return (await retryWithTraits(query, write)).length
      },
    }),
    async delete(table: SqlTable<T>, filter: SqlFilter<T>) {
      const write = () => getTableClient(table).execute(writeDelete(dialect, table, filter))
      return (await retryWithTraits({ from: table, filter }, write)).affected
    },
    ...(dialect.supportsReturning
      ? createReturningMethods(getTableClient, dialect, retryWithTraits)
      : createInsertUnlessMethod(getTableClient, dialect, retryWithTraits)),
    ...(check && { check: (list: ListTables<T>) => check(client, list) }),
    reportIndexUse: (lists: readonly SqlIndexableList<T>[]) => checkIndexes(client, lists),
    observe: (observer) => statements.observe(observer),
    maxValues: dialect.maxValues,
    classifyError: (error) =>
      signal?.aborted === true && error === signal.reason ? undefined : classifySqlError(error),
    ...(client.transaction && { transaction: createTransaction(client, run, describe, { check, statements, access }) }),
    ...(access && { '~statements': toStatementAccess(client, access) }),
    findConflict: (error, table, rows) =>
      findSqlConflict(writer, error, { table: table as SqlTable, rows: rows as readonly SqlColumnValues[] }),
    retry: (work) => runWithRetries('write', work),
    async snapshot() {
      const { client: held, isSnapshot, close } = await openSnapshot(run)
      const within = buildDatastore(client, createDirectRunner(held), describe, options)
      if (!dialect.supportsCursors || !isSnapshot) return { datastore: within, close }
      const cursor = (query: SqlSelect<T>, size: () => number) =>
        readByCursor(statements.observeClient(held, query.from), query, size, (error) =>
          learnTraits(client, error, query),
        )
      return { datastore: within, cursor, close }
    },
  }
  return store
}

const toStatementAccess = (runner: SqlClient, { listen, ...access }: ConnectionAccess): StatementAccess => ({
  ...access,
  ...(listen && { listen }),
  runner,
  isTransient,
})

const isTransient = (error: unknown): boolean => classifySqlError(error) === 'unavailable'

// Errors of the work itself are not those of the database: they go through the client as they are.
const createTransaction =
  <T>(
    client: SqlClient,
    run: RunStatements,
    describe: (source: T) => SqlTable<T>,
    options: BuildOptions,
  ): NonNullable<Datastore<T>['transaction']> =>
  (work) =>
    run('write', async (connection) => {
      const { transaction } = connection.transaction === undefined ? client : connection
      const access = options.access && { ...options.access, runsOn: 'transaction' as const }
      return (transaction as NonNullable<SqlClient['transaction']>)((within) =>
        work(buildDatastore(within, createDirectRunner(within), describe, { ...options, access })),
      )
    })

const appendText = ({ strings, values }: Statement, text: string): Statement => ({
  strings: [...strings.slice(0, -1), `${strings.at(-1)}${text}`],
  values,
})

const prefixStatement = (prefix: string, { strings: [first = '', ...rest], values }: Statement): Statement => ({
  strings: [`${prefix} ${first}`, ...rest],
  values,
})
