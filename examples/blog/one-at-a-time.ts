// SQLite has one writer, and one in memory has one connection. Its client refuses a second one, this lets it wait.
import type { Client, InStatement, Transaction, TransactionMode } from '@libsql/client'

/** Lets a client do one thing after the other: a statement, or a whole transaction. */
export function oneAtATime(client: Client): Client {
  const execute = client.execute.bind(client) as (statement: InStatement) => ReturnType<Client['execute']>
  const begin = client.transaction.bind(client) as (mode?: TransactionMode) => Promise<Transaction>
  let last: Promise<unknown> = Promise.resolve()

  function inTurn<V>(work: () => Promise<V>): Promise<V> {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }

  const transaction = (mode?: TransactionMode) =>
    new Promise<Transaction>((resolve, reject) => {
      // The turn of a transaction lasts until it has ended.
      inTurn(async () => {
        const begun = await begin(mode)
        const ended = endOf(begun)
        resolve(begun)
        await ended
      }).catch(reject)
    })

  return Object.assign(client, {
    execute: (statement: InStatement) => inTurn(() => execute(statement)),
    transaction,
  })
}

const endOf = (transaction: Transaction) =>
  new Promise<void>((end) => {
    for (const way of ['commit', 'rollback'] as const) {
      const go = transaction[way].bind(transaction)
      transaction[way] = () => go().finally(end)
    }
  })
