// Observers of the statements of one database: they receive the text, without its values, and the outcome.
import type { SentStatement, StatementEnd, StatementObserver } from '../../../extend.ts'
import type { Table } from '../../query/query.ts'
import type { DialectName, SqlClient, Statement } from './sql.ts'
import { formatStatement } from './sql-text.ts'

const DATABASE_SYSTEMS: Readonly<Record<DialectName, string>> = {
  postgres: 'postgresql',
  mysql: 'mysql',
  sqlite: 'sqlite',
}

/** The observers of the statements of a database and of its transactions. */
export class StatementObservers {
  readonly dialect: DialectName
  readonly #observers = new Set<StatementObserver>()

  constructor(dialect: DialectName) {
    this.dialect = dialect
  }

  /** Adds an observer of the statements; the returned function removes it. */
  observe(observer: StatementObserver): () => void {
    // The same function can be added twice, and must then be removed twice.
    const wrapper: StatementObserver = (statement) => observer(statement)
    this.#observers.add(wrapper)
    return () => void this.#observers.delete(wrapper)
  }

  /** Returns the client for statements about a table; it is unchanged if there are no observers. */
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
    const observed = statements.map((statement, i) =>
      this.#observeStatement(
        table,
        statement,
        async () => (await sending)[i] ?? [],
        ({ length }) => length,
      ),
    )
    await Promise.allSettled(observed)
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
    const report = (ended: StatementEnd): void => {
      for (const end of ends) end?.(ended)
    }
    const result = await send(statement).catch((error: Error) => {
      report({ rows: undefined, error })
      throw error
    })
    report({ rows: rows(result), error: undefined })
    return result
  }
}

// A query may be a union, whose first select is in parentheses or nested.
const parseOperation = (text: string): string =>
  /\b(?:select|insert|update|delete)\b/i.exec(text)?.[0].toUpperCase() ?? ''
