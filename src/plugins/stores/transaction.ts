// The need of a PostgreSQL transaction, which begins before the action and ends with its response.
import { readProperty } from '../../extend.ts'
import { type Need, need } from '../../index.ts'

interface PooledClient {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>
  release(broken?: boolean): void
}

/** A pool of `pg`, or a compatible one. */
export interface PostgresPool {
  connect(): Promise<PooledClient>
}

/** The transaction of an action. */
export interface Transaction {
  /** Runs a statement with values for `$1`, `$2` and so on; fails after the end of the transaction. */
  query<R = Readonly<Record<string, unknown>>>(
    text: string,
    values?: readonly unknown[],
  ): Promise<{ readonly rows: readonly R[] }>
}

/** Declares the need of a transaction, which commits if the response is successful and rolls back otherwise. */
export function transaction(pool: PostgresPool): Need<Transaction> {
  return need(() => OpenTransaction.begin(pool), {
    done: (transaction, { status }) => transaction.end(status < 400),
  }) as Need<Transaction>
}

class OpenTransaction implements Transaction {
  readonly #client: PooledClient
  #ended = false

  private constructor(client: PooledClient) {
    this.#client = client
  }

  static async begin(pool: PostgresPool): Promise<OpenTransaction> {
    const client = await pool.connect()
    try {
      await client.query('begin')
    } catch (error) {
      client.release(true)
      throw error
    }
    return new OpenTransaction(client)
  }

  // An action that continues after its response must not write outside the transaction, through a client that others use.
  query<R>(text: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly R[] }> {
    if (this.#ended) return Promise.reject(new Error('The transaction has ended: the response was sent'))
    // Datastores and outboxes give a statement as one object, with its values.
    return this.#client.query(text, values && [...values]) as Promise<{ readonly rows: readonly R[] }>
  }

  async end(commits: boolean): Promise<void> {
    if (this.#ended) return
    this.#ended = true
    try {
      const result = await this.#client.query(commits ? 'commit' : 'rollback')
      // After a failed statement, PostgreSQL responds to "commit" with a rollback, and no error.
      if (commits && readProperty(result, 'command') === 'ROLLBACK')
        throw new Error('The transaction was rolled back: one of its statements had failed')
      this.#client.release()
    } catch (error) {
      this.#client.release(true)
      throw error
    }
  }
}
