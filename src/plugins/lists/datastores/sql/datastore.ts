// The datastore that all SQL databases share: it writes statements, runs them through a client, and reads the results.
import type { Count, Datastore, Listed, Select, Table } from '../../query.ts'
import type { Replication } from '../../replication.ts'
import { derivedColumn } from '../catalogue/derived.ts'
import { DIALECTS } from './dialect.ts'
import { sqlFault } from './fault.ts'
import { indexingOf } from './indexing/indexing.ts'
import { discreet } from './nodes/discreet.ts'
import { type Nodes, once, type Run, repeatable } from './nodes/nodes.ts'
import { retried } from './nodes/retry.ts'
import { Statements } from './observing.ts'
import { readingOf, selectedRows, valueIn } from './rows.ts'
import { cursorRows, openSnapshot } from './snapshot.ts'
import type { SqlClient, SqlTable } from './sql.ts'
import { readPart } from './statements/part.ts'
import { writeCount, writeRows } from './statements/select.ts'
import { writeDelete, writeUpdate } from './statements/statements.ts'
import { learnTraits } from './values/traits.ts'
import { completed, conditionalInsertion, type Informing, insertion, returning } from './writing.ts'

/** Settings that the datastores of one database share. */
export interface SqlSettings {
  readonly check?: (client: SqlClient, list: Listed) => Promise<void> | undefined
  readonly statements?: Statements
  /** The nodes of the database, where it has several that are known. */
  readonly nodes?: Nodes | undefined
  /**
   * The runner of the statements: the nodes; a pool, on which failed ones can be repeated; or a connection, which may be
   * within a transaction.
   * @default `'connection'`
   */
  readonly through?: 'nodes' | 'pool' | 'connection'
  /** Aborted when the results are no longer wanted. */
  readonly signal?: AbortSignal
}

/** Makes a datastore of a client and of what is known of its tables. */
export function sqlDatastore<T>(
  given: SqlClient,
  describe: (source: T) => SqlTable<T>,
  settings: SqlSettings = {},
): Datastore<T> {
  const client = discreet(given)
  const { nodes, through } = settings
  const made = { statements: new Statements(given.dialect), ...settings }
  const own = nodes === undefined || through !== 'nodes' ? runOf(client, settings) : undefined
  // SQLite runs a statement to its end.
  const cancelling = client.dialect === 'sqlite' ? {} : { withSignal: (signal: AbortSignal) => storeFor(signal) }
  const storeFor = (signal?: AbortSignal): Datastore<T> => {
    const on = (run: Run): Datastore<T> => {
      const wanted = signal === undefined ? run : cancelled(run, signal)
      return { ...storeOf(client, wanted, describe, { ...made, ...(signal && { signal }) }), ...cancelling }
    }
    if (own !== undefined || nodes === undefined) return on(own ?? once(client))
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
const cancelled =
  (run: Run, signal: AbortSignal): Run =>
  (intent, work) =>
    run(intent, (node) => work(node.cancellable?.(signal) ?? node))

function runOf(client: SqlClient, { nodes, through }: SqlSettings): Run {
  const run = through === 'pool' ? repeatable(client) : once(client)
  if (nodes === undefined) return run
  return (intent, work) => {
    if (intent === 'write') nodes.noteWrite()
    return run(intent, work)
  }
}

function storeOf<T>(
  client: SqlClient,
  run: Run,
  describe: (source: T) => SqlTable<T>,
  settings: SqlSettings & { readonly statements: Statements },
): Datastore<T> {
  const { check, statements, signal } = settings
  const dialect = DIALECTS[client.dialect]
  const reading = <V>(table: Table, work: (client: SqlClient) => Promise<V>): Promise<V> =>
    run('read', (node) => work(statements.observed(node, table)))
  const writer: SqlClient = {
    dialect: client.dialect,
    query: (statement) => run('write', (node) => node.query(statement)),
    execute: (statement) => run('write', (node) => node.execute(statement)),
    batch: (all) => run('write', (node) => node.batch(all)),
  }
  const about = (table: Table): SqlClient => statements.observed(writer, table)
  const informing: Informing = (query, write) => informed(client, query, write)
  const tables = new Map<T, SqlTable<T>>()
  const store: Datastore<T> = {
    table(source) {
      const known = tables.get(source)
      if (known) return known
      const table = describe(source)
      tables.set(source, table)
      return table
    },
    derive: (name, kind, derived) => derivedColumn(client.dialect, name, kind, derived),
    async select(query) {
      const form = readingOf(query.columns)
      const read = () => reading(query.from, (node) => readPart(node, query as Select, form.columns))
      return selectedRows(await informed(client, query as Select, read), form)
    },
    async count(query) {
      const read = () => reading(query.from, (node) => node.query(writeCount(dialect, query)))
      const [row] = await informed(client, query as Count, read)
      return Number(valueIn(row))
    },
    ...(dialect.estimate && {
      estimate: async (query: Count<T>) => {
        const { statement, rows } = dialect.estimate as NonNullable<typeof dialect.estimate>
        const [first = '', ...rest] = writeRows(dialect, query as Count).strings
        const explained = { ...writeRows(dialect, query as Count), strings: [`${statement} ${first}`, ...rest] }
        return rows(await informed(client, query as Count, () => reading(query.from, (node) => node.query(explained))))
      },
    }),
    ...insertion(about, statements),
    async update(table, given, filter) {
      const values = given.size === 0 ? given : completed(table as SqlTable<T>, given, 'renewed')
      if (values.size === 0) return store.count({ from: table, joins: [], filter })
      const write = () => about(table).execute(writeUpdate(dialect, { table: table as SqlTable<T>, values, filter }))
      return (await informed(client, { from: table, filter }, write)).affected
    },
    async delete(table, filter) {
      const write = () => about(table).execute(writeDelete(dialect, table as SqlTable<T>, filter))
      return (await informed(client, { from: table, filter }, write)).affected
    },
    ...(dialect.returning ? returning(about, dialect, informing) : conditionalInsertion(about, dialect, informing)),
    ...(check && { check: (list: Listed<T>) => check(client, list) }),
    indexing: (lists) => indexingOf(client, lists),
    observe: (observer) => statements.observe(observer),
    maxValues: dialect.maxValues,
    fault: (error) => (signal?.aborted === true && error === signal.reason ? undefined : sqlFault(error)),
    retry: (work) => retried('write', work),
    async snapshot() {
      const { client: held, isOne, close } = await openSnapshot(run)
      const within = storeOf(client, once(held), describe, { ...settings, through: 'connection' })
      if (!dialect.cursors || !isOne) return { datastore: within, close }
      const cursor = (query: Select<T>, size: () => number) =>
        cursorRows(statements.observed(held, query.from), query as Select, size, (error) =>
          learnTraits(client, error, query as Select),
        )
      return { datastore: within, cursor, close }
    },
  }
  return store
}

// A statement that a database refuses because of a column's character set or collation is written anew once those are known.
async function informed<V>(client: SqlClient, query: Partial<Count>, write: () => Promise<V>): Promise<V> {
  try {
    return await write()
  } catch (error) {
    if (!(await learnTraits(client, error, query))) throw error
    return write()
  }
}
