// Batches: statements that run on one connection, all or none of them.
import type { RawRow } from '../../query/query.ts'
import type { Statement } from './sql.ts'

type RawRows = readonly RawRow[]
type RunStatement = (statement: Statement) => Promise<RawRows>

/** Runs statements one after the other. */
export async function runSequentially(
  run: RunStatement,
  statements: readonly Statement[],
): Promise<readonly RawRows[]> {
  const all: RawRows[] = []
  for (const statement of statements) all.push(await run(statement))
  return all
}

/** Creates a statement without values. */
export const toStatement = (text: string): Statement => ({ strings: [text], values: [] })

/** The commands around a batch: one begins it, one commits it, one undoes it. */
export type TransactionCommands = readonly [begin: string, commit: string, undo: string]

/** The commands of a batch inside a transaction that has already begun. */
export const SAVEPOINT: TransactionCommands = [
  'savepoint edict_batch',
  'release savepoint edict_batch',
  'rollback to savepoint edict_batch',
]

/** The commands of a batch in a separate transaction. */
export const TRANSACTION: TransactionCommands = ['begin', 'commit', 'rollback']

/** Runs statements between transaction commands; `run` must use one connection for all of them. */
export async function runInTransaction(
  run: RunStatement,
  statements: readonly Statement[],
  [begin, commit, undo]: TransactionCommands,
): Promise<readonly RawRows[]> {
  await run(toStatement(begin))
  try {
    const all = await runSequentially(run, statements)
    await run(toStatement(commit))
    return all
  } catch (error) {
    // Some databases have already rolled back; the first error states the reason.
    await run(toStatement(undo)).catch(() => undefined)
    throw error
  }
}

/** Creates the error for a single connection: a transaction on it would include unrelated statements. */
export const createSharedConnectionError = (): TypeError =>
  new TypeError(
    'Several statements have to run in one transaction, and the datastore has a single connection without one. ' +
      'Remedy: give the datastore a pool, or call it inside of a transaction',
  )
