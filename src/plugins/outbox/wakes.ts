// The notifications of PostgreSQL that wake relays when a transaction with messages commits.
import type { StatementAccess } from '../mapper/extend.ts'

/** Milliseconds before a connection that was lost is opened again. */
const RETRY = 5000

/** The longest name of a notification. */
const MAX_NAME = 60

/** Returns the name of the notification for a table. */
export const toWakeName = (table: string): string => table.slice(-MAX_NAME)

/** Calls `heard` for each notification of a table until the returned function is called. */
export function hearWakes(
  listen: NonNullable<StatementAccess['listen']>,
  table: string,
  heard: () => void,
): () => Promise<void> {
  let retry: ReturnType<typeof setTimeout> | undefined
  let close = open()
  function open(): () => Promise<void> {
    return listen(toWakeName(table), { heard, lost })
  }
  // Until then, the relay looks from time to time, as it does without notifications.
  function lost(): void {
    retry = setTimeout(() => {
      close = open()
    }, RETRY)
  }
  return async () => {
    clearTimeout(retry)
    await close()
  }
}
