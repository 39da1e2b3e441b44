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

/**
 * Creates the commands around work inside a transaction that has already begun; batches may be a part of it. Each depth has
 * its own name: a failed savepoint remains, and MySQL replaces one with the same name.
 */
export const createSavepoint = (depth: number): TransactionCommands => [
  `savepoint edict_work_${depth}`,
  `release savepoint edict_work_${depth}`,
  `rollback to savepoint edict_work_${depth}`,
]

/** Runs statements between transaction commands; `run` must use one connection for all of them. */
export const runInTransaction = (
  run: RunStatement,
  statements: readonly Statement[],
  commands: TransactionCommands,
): Promise<readonly RawRows[]> => runBetween(run, commands, () => runSequentially(run, statements))

/** Runs work between transaction commands; its statements must use the connection of `run`. */
export async function runBetween<V>(
  run: RunStatement,
  [begin, commit, undo]: TransactionCommands,
  work: () => Promise<V>,
): Promise<V> {
  await run(toStatement(begin))
  try {
    const result = await work()
    await run(toStatement(commit))
    return result
  } catch (error) {
    // Some databases have already rolled back; the first error states the reason.
    await run(toStatement(undo)).catch(() => undefined)
    throw error
  }
}
