// The table of an outbox in SQLite, whose only lock would stop every other writer: relays take turns by leases.
import type { SqlStatement, StatementAccess, StatementRow } from '../mapper/extend.ts'
import { type OutboxStatements, toOutboxRow } from './outbox-statements.ts'
import { LOCK_ID, restoreLockRow } from './outbox-table.ts'
import type { MoveRows, RelayTable } from './relay-table.ts'
import { runAlone, writeAlone } from './run-alone.ts'

/** The milliseconds after which a relay that does not renew its lease counts as gone. */
const LEASE = 5000
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
    if (!this.#isHolding) await writeAlone(this.#access, (runner) => restoreLockRow(runner, table))
    return this.#isHolding
  }

  #query(statement: SqlStatement): Promise<readonly StatementRow[]> {
    return runAlone(this.#access, () => this.#access.runner.query(statement))
  }

  /** Runs a statement and returns whether it changed a row. */
  async #execute(statement: SqlStatement): Promise<boolean> {
    return (await writeAlone(this.#access, (runner) => runner.execute(statement))).affected > 0
  }
}
