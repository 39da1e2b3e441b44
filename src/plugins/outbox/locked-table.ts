// The table of an outbox in PostgreSQL, MySQL and MariaDB: each batch is a transaction with a lock, which ends with its connection.
import type { StatementRunner } from '../mapper/extend.ts'
import { type OutboxStatements, readColumn, toOutboxRow } from './outbox-statements.ts'
import { LOCK_ID, restoreLockRow, toStatement } from './outbox-table.ts'
import type { MoveRows, RelayTable } from './relay-table.ts'

type RunTransaction = NonNullable<StatementRunner['transaction']>

/** The table for one relay; a batch whose machine is gone ends after `grace` milliseconds, where the database can tell. */
export class LockedTable implements RelayTable {
  readonly #runner: StatementRunner
  readonly #statements: OutboxStatements
  readonly #grace: number

  constructor(runner: StatementRunner, statements: OutboxStatements, grace: number) {
    this.#runner = runner
    this.#statements = statements
    this.#grace = grace
  }

  async hasMessages(topics: readonly string[]): Promise<boolean> {
    return (await this.#runner.query(this.#statements.findAny(topics))).length > 0
  }

  async move(topics: readonly string[], limit: number, move: MoveRows): Promise<number | undefined> {
    const { readOldest, remove } = this.#statements
    const moved = await (this.#runner.transaction as RunTransaction)(async (within) => {
      if (!(await this.#lock(within))) return undefined
      const rows = (await within.query(readOldest(topics, limit))).map(toOutboxRow)
      const done = await move(rows)
      if (done.length > 0) await within.execute(remove(done.map(({ id }) => id)))
      return rows.length
    })
    // Someone may have emptied the table.
    if (moved === undefined) await restoreLockRow(this.#runner, this.#statements.table)
    return moved
  }

  async release(): Promise<void> {}

  #lock(within: StatementRunner): Promise<boolean> {
    return within.dialect === 'postgres' ? this.#lockPostgres(within) : this.#lockMysql(within)
  }

  async #lockPostgres(within: StatementRunner): Promise<boolean> {
    // A snapshot that is older than the lock would have messages that another relay has removed.
    await within.execute(toStatement('set transaction isolation level read committed'))
    const lock = 'select case when pg_try_advisory_xact_lock(hashtextextended('
    const [row] = await within.query({
      strings: [
        lock,
        `, 0)) then 1 else 0 end as c0, set_config('idle_in_transaction_session_timeout', `,
        ', true) as c1',
      ],
      values: [`edict outbox ${this.#statements.table}`, String(this.#grace)],
    })
    return Number(readColumn(row, 0)) === 1
  }

  // It takes no snapshot: that of the messages is younger than the lock.
  async #lockMysql(within: StatementRunner): Promise<boolean> {
    const text = `select id as c0 from ${this.#statements.table} where id = ${LOCK_ID} for update skip locked`
    return (await within.query(toStatement(text))).length > 0
  }
}
