// Reads thrown values for logs and plugins: they may be anything, even objects whose getters throw.
import { redactDatabaseError } from '../../util/database-error.ts'

/** Returns whether a thrown value is an error. */
export function isError(thrown: unknown): boolean {
  try {
    return thrown instanceof Error
  } catch {
    return false
  }
}

/** Describes a thrown value in one line. */
export function describeThrown(thrown: unknown): string {
  try {
    return thrown instanceof Error
      ? `${thrown.name}: ${thrown.message}`
      : `A value that is not an Error was thrown: ${String(thrown)}`
  } catch {
    return 'A value that cannot be described was thrown'
  }
}

/**
 * Converts a thrown value to a readable error, without values of database statements: an unreadable error would lose
 * the log entry.
 */
export function toLoggableError(thrown: unknown): Error {
  try {
    if (thrown instanceof Error && typeof `${thrown.name}${thrown.message}${thrown.stack}` === 'string')
      return redactDatabaseError(thrown)
  } catch {
    // Falls through to the description.
  }
  return new Error(describeThrown(thrown))
}
