// The table of an outbox in SQLite, whose only lock would stop every other writer: relays take turns by leases.
import type { SqlStatement, StatementAccess, StatementRow } from '../mapper/extend.ts'
import { type OutboxStatements, toOutboxRow } from './outbox-statements.ts'
import { LOCK_ID, toStatement, writeLockRow } from './outbox-table.ts'
import { pause } from './pause.ts'
import type { MoveRows, RelayTable } from './relay-table.ts'

/** The milliseconds after which a relay that does not renew its lease counts as gone. */
const LEASE = 3000
/** The milliseconds before a statement is sent again that met the transaction of another, and how often. */
const RETRY = { pause: 10, times: 500 }

const NOW = `cast((julianday('now') - 2440587.5) * 86400000 as integer)`

/** The table for one relay. */
export class LeasedTable implements RelayTable {
  readonly #access: StatementAccess
  readonly #statements: OutboxStatements
  readonly #holder = crypto.randomUUID()
  #isHolding = false

  constructor(access: StatementAccess, statements: OutboxStatements) {
    this.#access = access
    this.#statements = statements
  }

  async hasMessages(topics: readonly string[]): Promise<boolean> {
    return (await this.#query(this.#statements.findAny(topics))).length > 0
  }

  async move(topics: readonly string[], limit: number, move: MoveRows): Promise<number | undefined> {
    if (!(await this.#takeLease())) return undefined
    const renewing = setInterval(() => void this.#takeLease().catch(() => undefined), LEASE / 3)
    try {
      const rows = (await this.#query(this.#statements.readOldest(topics, limit))).map(toOutboxRow)
      const done = await move(rows)
      if (done.length > 0) await this.#execute(this.#statements.remove(done.map(({ id }) => id)))
      return rows.length
    } finally {
      clearInterval(renewing)
    }
  }

  async release(): Promise<void> {
    if (!this.#isHolding) return
    this.#isHolding = false
    const { table } = this.#statements
    await this.#execute({
      strings: [`update ${table} set message = '0' where id = ${LOCK_ID} and message_key = `, ''],
      values: [this.#holder],
    })
  }

  async #takeLease(): Promise<boolean> {
    const { table } = this.#statements
    this.#isHolding = await this.#execute({
      strings: [
        `update ${table} set message = cast(${NOW} + ${LEASE} as text), message_key = `,
        ` where id = ${LOCK_ID} and (cast(message as integer) < ${NOW} or message_key = `,
        ')',
      ],
      values: [this.#holder, this.#holder],
    })
    // Someone may have emptied the table.
    if (!this.#isHolding) await this.#execute(toStatement(writeLockRow('sqlite', table)))
    return this.#isHolding
  }

  #query(statement: SqlStatement): Promise<readonly StatementRow[]> {
    return this.#run(() => this.#access.runner.query(statement))
  }

  /** Runs a statement and returns whether it changed a row. */
  async #execute(statement: SqlStatement): Promise<boolean> {
    return (await this.#run(() => this.#access.runner.execute(statement))).affected > 0
  }

  /** Runs a statement while no one else is in a transaction: on their connection, it would see what they have not committed. */
  async #run<V>(work: () => Promise<V>): Promise<V> {
    let failure: unknown = new Error('outbox: the connection is in a transaction that does not end')
    for (let left = RETRY.times; left > 0; left--) {
      if (this.#access.isInTransaction?.() !== true) {
        try {
          return await work()
        } catch (error) {
          if (!this.#access.isTransient(error)) throw error
          failure = error
        }
      }
      await pause(RETRY.pause)
    }
    throw failure
  }
}
