// Batches: statements that belong together, on one connection, all or none of them.
import type { RawRow } from '../../query/query.ts'
import type { Statement } from './sql.ts'

type RawRows = readonly RawRow[]
type RunStatement = (statement: Statement) => Promise<RawRows>

/** Runs statements one after the other. */
export async function runSequentially(run: RunStatement, statements: readonly Statement[]): Promise<readonly RawRows[]> {
  const all: RawRows[] = []
  for (const statement of statements) all.push(await run(statement))
  return all
}

/** A statement without values. */
export const toStatement = (text: string): Statement => ({ strings: [text], values: [] })

/** The statements around a batch: what begins it, keeps it, and undoes it. */
export type TransactionCommands = readonly [begin: string, keep: string, undo: string]

/** A batch inside a transaction that was begun elsewhere. */
export const SAVEPOINT: TransactionCommands = [
  'savepoint edict_batch',
  'release savepoint edict_batch',
  'rollback to savepoint edict_batch',
]

/** A batch in a transaction of its own. */
export const TRANSACTION: TransactionCommands = ['begin', 'commit', 'rollback']

/** Runs statements inside of a bracket; all of them go to one connection. */
export async function runInTransaction(
  run: RunStatement,
  statements: readonly Statement[],
  [begin, keep, undo]: TransactionCommands,
): Promise<readonly RawRows[]> {
  await run(toStatement(begin))
  try {
    const all = await runSequentially(run, statements)
    await run(toStatement(keep))
    return all
  } catch (error) {
    // Some databases have undone everything by themselves; the first error says why.
    await run(toStatement(undo)).catch(() => undefined)
    throw error
  }
}

/** The error for a connection of its own, on which a transaction would include the statements of others. */
export const createSharedConnectionError = (): TypeError =>
  new TypeError(
    'Several statements have to run in one transaction, and the datastore has a single connection without one. ' +
      'Remedy: give the datastore a pool, or call it inside of a transaction',
  )
