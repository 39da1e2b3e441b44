// Observers of the statements of one database: the text without its values, and the outcome.
import type { SentStatement, StatementEnd, StatementObserver } from '../../../extend.ts'
import type { Table } from '../../query/query.ts'
import type { DialectName, SqlClient, Statement } from './sql.ts'
import { formatStatement } from './sql-text.ts'

const DATABASE_SYSTEMS: Readonly<Record<DialectName, string>> = { postgres: 'postgresql', mysql: 'mysql', sqlite: 'sqlite' }

/** The observers of the statements of a database and of its transactions. */
export class StatementObservers {
  readonly dialect: DialectName
  readonly #observers = new Set<StatementObserver>()

  constructor(dialect: DialectName) {
    this.dialect = dialect
  }

  /** Adds an observer of the statements; the result removes it. */
  observe(observer: StatementObserver): () => void {
    // The same function may follow twice, and leaves as often.
    const own: StatementObserver = (statement) => observer(statement)
    this.#observers.add(own)
    return () => void this.#observers.delete(own)
  }

  /** The client for statements about a table, unchanged where there is no observer. */
  observeClient(client: SqlClient, table: Table): SqlClient {
    if (this.#observers.size === 0) return client
    return {
      dialect: this.dialect,
      query: (statement) => this.#observeStatement(table, statement, client.query, ({ length }) => length),
      execute: (statement) => this.#observeStatement(table, statement, client.execute, ({ affected }) => affected),
      batch: (statements) => this.#observeBatch(table, statements, client.batch),
    }
  }

  async #observeBatch(
    table: Table,
    statements: readonly Statement[],
    send: SqlClient['batch'],
  ): ReturnType<SqlClient['batch']> {
    const sending = send(statements)
    const each = statements.map((statement, i) =>
      this.#observeStatement(
        table,
        statement,
        async () => (await sending)[i] ?? [],
        ({ length }) => length,
      ),
    )
    await Promise.allSettled(each)
    return sending
  }

  async #observeStatement<R>(
    { name: table }: Table,
    statement: Statement,
    send: (statement: Statement) => Promise<R>,
    rows: (result: R) => number,
  ): Promise<R> {
    const text = formatStatement(this.dialect, statement)
    const sent: SentStatement = { system: DATABASE_SYSTEMS[this.dialect], operation: parseOperation(text), table, text }
    const ends = [...this.#observers].map((observer) => observer(sent))
    const tell = (ended: StatementEnd): void => {
      for (const end of ends) end?.(ended)
    }
    const result = await send(statement).catch((error: Error) => {
      tell({ rows: undefined, error })
      throw error
    })
    tell({ rows: rows(result), error: undefined })
    return result
  }
}

// A part of a list may be a union of several, in parentheses or below others.
const parseOperation = (text: string): string => /\b(?:select|insert|update|delete)\b/i.exec(text)?.[0].toUpperCase() ?? ''
