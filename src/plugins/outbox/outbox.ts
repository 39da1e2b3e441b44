// The outbox: messages in a table of the application's own database, written in its transactions.
import { describeValue, form, readProperty } from '../../extend.ts'
import type { StatementAccess, StatementRunner } from '../mapper/extend.ts'
import { LeasedTable } from './leased-table.ts'
import { LockedTable } from './locked-table.ts'
import { createStatements, type OutboxStatements, writeInsert } from './outbox-statements.ts'
import { createOutboxTable, isTableName } from './outbox-table.ts'
import { type Deliver, OutboxRelay, type Relay, type RelayOptions } from './relay.ts'
import type { RelayTable } from './relay-table.ts'
import { writeAlone } from './run-alone.ts'
import { hearWakes } from './wakes.ts'

/** A message to send. */
export interface OutboxMessage {
  /** Names what delivers the message: 1 to 200 printable ASCII characters without spaces. */
  readonly topic: string
  /** The message itself: a well-formed text without U+0000, such as JSON. */
  readonly text: string
}

/** The options of `outbox`. */
export interface OutboxOptions {
  /**
   * The table of the messages; `schema.table` for one in another schema.
   * @default `'edict_outbox'`
   */
  readonly table?: string
  /**
   * Whether the first relay creates the table where it is missing; `false` if a migration runs `outboxTable`.
   * @default `true`
   */
  readonly create?: boolean
}

/** Messages that are sent if the transaction commits in which they were added. */
export interface Outbox {
  /**
   * Adds messages in an open transaction of the application: one of the datastore's library, or a datastore that is in one.
   * They are delivered after its commit, in this order; after a rollback there are none.
   */
  add(transaction: object, messages: readonly OutboxMessage[]): Promise<void>
  /** Sets what delivers the messages of a topic in this process. */
  route(topic: string, deliver: Deliver): void
  /**
   * Starts to deliver committed messages, those of the routes of this process; of all processes with the same table, one
   * works at a time.
   */
  relay(options?: RelayOptions): Promise<Relay>
  /** Creates the table where it is missing, for processes that add messages and have no relay. */
  createTable(): Promise<void>
}

const FIELDS: form.Fields<OutboxOptions> = {
  table: form.custom('a name of lower-case letters, digits and _', isTableName),
  create: form.flag,
}

/** Opens an outbox in the database of a datastore. */
export function outbox(datastore: object, options: OutboxOptions = {}): Outbox {
  const settings = form.validateSettings('outbox', options, FIELDS)
  const { table = 'edict_outbox' } = settings
  const access = findAccess(datastore)
  if (access === undefined)
    throw new TypeError(
      `outbox: ${describeValue(datastore)} has no SQL database. Remedy: give a datastore, such as drizzleDatastore(db)`,
    )
  const statements = createStatements(access.runner.dialect, table)
  const routes = new Map<string, Deliver>()
  const relays = new Set<OutboxRelay>()
  const createTable = (): Promise<void> => writeAlone(access, (runner) => createOutboxTable(runner, table))
  return Object.freeze({
    async add(transaction, messages) {
      const runner = findTransaction(access, transaction)
      for (const { topic } of messages) checkTopic(topic)
      for (const statement of writeInsert(access.runner.dialect, table, messages)) await runner.execute(statement)
      for (const relay of relays) relay.wake()
    },
    route(topic, deliver) {
      checkTopic(topic)
      if (routes.has(topic))
        throw new TypeError(`outbox: the topic '${topic}' has a route. Remedy: open a channel once in each process`)
      routes.set(topic, deliver)
    },
    async relay(relayOptions = {}) {
      const relay = new OutboxRelay((timeout) => openTable(access, statements, timeout), routes, relayOptions)
      if (settings.create !== false) await createTable()
      relays.add(relay)
      relay.start()
      const stopHearing = access.listen && hearWakes(access.listen, table, () => relay.wake())
      return {
        async stop() {
          relays.delete(relay)
          await Promise.all([relay.stop(), stopHearing?.()])
        },
      }
    },
    createTable,
  } satisfies Outbox)
}

/** The milliseconds beyond those of a delivery after which the relay of a machine that fails counts as gone. */
const GRACE = 5000

/** Opens the table for one relay. */
function openTable(access: StatementAccess, statements: OutboxStatements, timeout: number): RelayTable {
  if (access.runner.dialect === 'sqlite') return new LeasedTable(access, statements)
  if (access.runsOn === 'pool') return new LockedTable(access.runner, statements, timeout + GRACE)
  throw new TypeError(
    'outbox: a relay needs connections of its own, and the datastore has one that others use. Remedy: open the datastore with a pool',
  )
}

const findAccess = (value: unknown): StatementAccess | undefined =>
  readProperty(value, '~statements') as StatementAccess | undefined

/** Returns the runner of a transaction; anything else would send a message whose change may be rolled back. */
function findTransaction(own: StatementAccess, transaction: object): StatementRunner {
  const access = findAccess(transaction)
  const runner = access === undefined ? own.bind(Object(transaction) as object) : access.runner
  if (runner !== undefined && runner !== own.runner && access?.runsOn !== 'pool') return runner
  throw new TypeError(
    `outbox: ${describeValue(transaction)} is no open transaction of the outbox's database. Remedy: give the transaction of the change, or a datastore that is in it`,
  )
}

function checkTopic(topic: unknown): void {
  if (typeof topic === 'string' && /^[!-~]{1,200}$/.test(topic)) return
  throw new TypeError(
    `outbox: the topic is ${describeValue(topic)}. Remedy: give 1 to 200 printable ASCII characters without spaces`,
  )
}
